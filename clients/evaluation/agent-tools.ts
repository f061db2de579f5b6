import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** A tool as it is described to a model. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly [name: string]: unknown }
}

/** What a call was answered. */
export interface ToolOutcome {
  readonly text: string
  readonly isError: boolean
}

/** The tools of a service, called by its real address. */
export interface AgentTools {
  list(): Promise<readonly ListedTool[]>
  call(name: string, given: object): Promise<ToolOutcome>
  close(): Promise<void>
}

/** Connects to the tools of a service, by the client of the protocol's own library. */
export async function connectTools(address: string, key: string): Promise<AgentTools> {
  const client = new Client({ name: 'evaluation', version: '1' })
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL('/api/v1/mcp', address), { requestInit: { headers } }))
  return {
    list: async () =>
      (await client.listTools()).tools.map(({ description = '', ...tool }) => ({ ...tool, description })),
    call: async (name, given) => {
      const { content, isError = false } = await client.callTool({ name, arguments: { ...given } })
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
      return { text, isError: isError === true }
    },
    close: () => client.close(),
  }
}
