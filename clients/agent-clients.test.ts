import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createMCPClient, type MCPTransport } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabases } from '../cms/test/databases.ts'
import { isWhole, some } from '../cms/test/sample.ts'
import { describeService } from '../cms/test/service.ts'
import { installIn } from './astro-project.ts'
import { site } from './site.ts'

// Programs with which others build agents, as they are: what they are told, read and write. Those that are large are
// installed for `npm run test:all` alone.

const run = promisify(execFile)
const QUIRE = join(import.meta.dirname, '../cms/bin/quire.js')
const KEY = 'key-ai'
const AGENTS = join(import.meta.dirname, 'agents')
const INSPECTOR = join(AGENTS, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js')

/** They run on one kind of database: what they get depends on none. */
const LARGE = isWhole ? some(testDatabases, 1) : []

const quireMcp = (address: string) => [QUIRE, 'mcp', '--url', address]

let home = ''
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'quire-agents-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

describeService('§4.10 agents that others build', { site, isLong: true }, (service) => {
  const transports: readonly (readonly [
    string,
    () => MCPTransport | { type: 'http'; url: string; headers: object },
  ])[] = [
    [
      'by HTTP',
      () => ({ type: 'http', url: `${service.address}/api/v1/mcp`, headers: { authorization: `Bearer ${KEY}` } }),
    ],
    [
      'by quire mcp',
      () =>
        new StdioTransport({ command: process.execPath, args: quireMcp(service.address), env: { QUIRE_API_KEY: KEY } }),
    ],
  ]

  it.each(transports)('§4.10 the AI SDK finds, reads and writes %s', async (_, transport) => {
    // `as`: the kinds of transports are one union there.
    const client = await createMCPClient({ transport: transport() as MCPTransport })
    try {
      const tools = await client.tools()
      expect(Object.keys(tools)).toHaveLength(12)
      const made = await client.callTool({
        name: 'write_draft',
        arguments: { type: 'venue', values: { title: 'By the AI SDK' } },
      })
      const id = Object(made.structuredContent)._id
      // As its models call tools: by what it has made of the list.
      const options = { toolCallId: 'one', messages: [], context: undefined }
      expect(JSON.stringify(await tools.read?.execute({ id }, options))).toContain('title: By the AI SDK')
      expect(JSON.stringify(await tools.find?.execute({ search: 'sdk' }, options))).toContain(id)
      expect((await client.callTool({ name: 'read', arguments: { id: 'nothing' } })).isError).toBe(true)
    } finally {
      await client.close()
    }
  })

  it('§4.10 mcp-remote passes everything on to programs that start their servers', async () => {
    const remote = join(createRequire(import.meta.url).resolve('mcp-remote/package.json'), '../dist/proxy.js')
    const header = ['--header', `Authorization: Bearer ${KEY}`]
    const args = [remote, `${service.address}/api/v1/mcp`, '--transport', 'http-only', ...header]
    const client = new Client({ name: 'test', version: '1' })
    const env = { PATH: process.env.PATH ?? '', HOME: home, MCP_REMOTE_CONFIG_DIR: home }
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }))
    try {
      expect((await client.listTools()).tools).toHaveLength(12)
      const values = { title: 'By a bridge' }
      const made = await client.callTool({ name: 'write_draft', arguments: { type: 'venue', values } })
      const id = Object(made.structuredContent)._id
      const read = await client.callTool({ name: 'read', arguments: { id } })
      expect(Object(read.structuredContent).text).toContain('title: By a bridge')
    } finally {
      await client.close()
    }
  })
})

describeService('§4.10 large agents that others build', { site, on: LARGE, timeout: 300_000 }, (service) => {
  beforeAll(() => installIn(AGENTS), 300_000)

  it.each(['http', 'stdio'])('§4.10 the agents of OpenAI find, read and write by %s', async (how) => {
    const program = [join(AGENTS, 'openai-program.js'), how, service.address, KEY]
    const { stdout } = await run(process.execPath, [...program, process.execPath, ...quireMcp(service.address)])
    const { tools, read, missing } = JSON.parse(stdout)
    expect(tools).toHaveLength(12)
    expect(read).toContain('title: By OpenAI')
    expect(JSON.parse(missing).name).toBe('notfound')
  })

  const inspected = async (how: string, ...what: readonly string[]) => {
    const http = [`${service.address}/api/v1/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${KEY}`]
    const stdio = [process.execPath, ...quireMcp(service.address), '-e', `QUIRE_API_KEY=${KEY}`]
    const program = [INSPECTOR, '--cli', ...(how === 'http' ? http : stdio), ...what]
    const { stdout } = await run(process.execPath, program, { env: { ...process.env, HOME: home } })
    return JSON.parse(stdout)
  }

  it.each(['http', 'stdio'])('§4.10 the command line of the inspector by %s', async (how) => {
    // It fails for schemas that clients stumble over.
    const { tools } = await inspected(how, '--method', 'tools/list', '--strict')
    expect(tools).toHaveLength(12)
    const call = (tool: string, ...pairs: readonly string[]) => {
      const given = pairs.flatMap((pair) => ['--tool-arg', pair])
      return inspected(how, '--method', 'tools/call', '--tool-name', tool, ...given)
    }
    const made = await call('write_draft', 'type=venue', 'values={"title":"By the inspector"}')
    const { _id: id } = made.structuredContent
    expect((await call('read', `id=${id}`)).structuredContent.text).toContain('title: By the inspector')
    const resource = await inspected(how, '--method', 'resources/read', '--uri', `quire://venue/${id}`)
    expect(resource.contents[0].text).toContain('By the inspector')
    expect(await inspected(how, '--method', 'prompts/list')).toMatchObject({ prompts: [] })
  })
})
