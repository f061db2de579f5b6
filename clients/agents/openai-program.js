import { MCPServerStdio, MCPServerStreamableHttp } from '@openai/agents-core'

// Finds, reads and writes with the servers of the agents of OpenAI, by HTTP or by a command; prints what it got as JSON.

const [how, address, key, ...command] = process.argv.slice(2)
const server =
  how === 'http'
    ? new MCPServerStreamableHttp({
        url: `${address}/api/v1/mcp`,
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      })
    : new MCPServerStdio({ command: command[0], args: command.slice(1), env: { ...process.env, QUIRE_API_KEY: key } })
await server.connect()
const tools = (await server.listTools()).map(({ name }) => name)
const call = async (name, given) => (await server.callTool(name, given))[0].text
const made = JSON.parse(
  (await call('write_draft', { type: 'venue', values: { title: 'By OpenAI' } })).split('\n', 1)[0],
)
const read = await call('read', { id: made._id })
const missing = await call('read', { id: 'nothing' })
await server.close()
console.log(JSON.stringify({ tools, read, missing }))
