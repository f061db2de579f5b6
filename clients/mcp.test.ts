import { fileURLToPath } from 'node:url'
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, it } from 'vitest'
import { describeService } from '../cms/test/service.ts'
import { site } from './site.ts'

const COMMAND = fileURLToPath(new URL('../cms/bin/quire.js', import.meta.url))
const NAMED = { name: 'test', version: '1' }

type Connect = (address: string, key: string) => Promise<Connected>

/** What the clients of both generations have in common. */
interface Connected {
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>
  listPrompts(): Promise<{ readonly prompts: readonly object[] }>
  listResourceTemplates(): Promise<{ readonly resourceTemplates: readonly { readonly uriTemplate: string }[] }>
  readResource(request: { uri: string }): Promise<{ readonly contents: readonly object[] }>
  close(): Promise<void>
}

const http = (address: string, key: string) =>
  [new URL('/api/v1/mcp', address), { requestInit: { headers: { authorization: `Bearer ${key}` } } }] as const
const stdio = (address: string, key: string) => ({
  command: process.execPath,
  args: [COMMAND, 'mcp', '--url', address],
  env: { PATH: process.env.PATH ?? '', QUIRE_API_KEY: key },
})

const CLIENTS: readonly (readonly [string, Connect])[] = [
  [
    'version 1 of the SDK by HTTP',
    async (...to) => {
      const client = new OldClient(NAMED)
      // `as`: the types of the library are laxer than the options of our compiler.
      await client.connect(new OldHttp(...http(...to)) as Parameters<typeof client.connect>[0])
      return client
    },
  ],
  [
    'version 2 of the SDK by HTTP',
    async (...to) => {
      const client = new NewClient(NAMED)
      await client.connect(new NewHttp(...http(...to)))
      return client
    },
  ],
  [
    'version 2 of the SDK by HTTP, of the newest revision',
    async (...to) => {
      const client = new NewClient(NAMED, { versionNegotiation: { mode: 'auto' } })
      await client.connect(new NewHttp(...http(...to)))
      expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
      return client
    },
  ],
  [
    'version 1 of the SDK by stdio',
    async (...to) => {
      const client = new OldClient(NAMED)
      await client.connect(new OldStdio(stdio(...to)))
      return client
    },
  ],
  [
    'version 2 of the SDK by stdio',
    async (...to) => {
      const client = new NewClient(NAMED, { versionNegotiation: { mode: 'auto' } })
      await client.connect(new NewStdio(stdio(...to)))
      return client
    },
  ],
]

describeService('§4.10 clients of agents', { site }, (service) => {
  it.each(CLIENTS)('§4.10 %s finds, reads and writes', async (_, connect) => {
    const client = await connect(service.address, 'key-ai')
    try {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toContain('write_draft')
      const call = async (name: string, given: Record<string, unknown>) => {
        // `as`: what our tools answer.
        return (await client.callTool({ name, arguments: given })) as {
          isError?: boolean
          structuredContent: Record<string, string>
        }
      }
      const type = 'venue'
      const made = await call('write_draft', { type, values: { title: 'By a client' } })
      const id = made.structuredContent._id ?? ''
      expect((await call('read', { id })).structuredContent.text).toContain('title: By a client')
      expect((await call('find', { search: 'client' })).structuredContent.text).toContain(id)
      expect((await call('read', { id: 'nothing' })).isError).toBe(true)
      expect((await client.listPrompts()).prompts).toEqual([])
      const [template] = (await client.listResourceTemplates()).resourceTemplates
      expect(template?.uriTemplate).toMatch(/^quire:/)
      expect((await client.readResource({ uri: `quire://${type}/${id}` })).contents).toHaveLength(1)
    } finally {
      await client.close()
    }
  })

  it.each(CLIENTS.slice(0, 3))('§4.10 %s is told that its key is wrong', async (_, connect) => {
    await expect(connect(service.address, 'key-unknown')).rejects.toThrow()
  })
})
