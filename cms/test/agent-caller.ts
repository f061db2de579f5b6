import { expect } from 'vitest'

/** An answer to a JSON-RPC message, as a test reads it. */
export interface McpAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  readonly body: any
}

/** Sends a message to the service of agents, as a client without a library would. */
export async function mcp(
  address: string,
  key: string | null,
  message: unknown,
  more: object = {},
): Promise<McpAnswer> {
  const answer = await fetch(`${address}/api/v1/mcp`, {
    method: 'POST',
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...more,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) }
}

/** The result of a tool, as a test reads it. */
export interface Called {
  readonly isError: boolean
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  readonly data: any
}

/** Calls a tool. */
export type CallTool = (name: string, given?: object) => Promise<Called>

/** An agent with a key. */
export function agentOf(address: () => string, key = 'key-ai'): CallTool {
  return async (name, given = {}) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
    const { status, body } = await mcp(address(), key, message)
    expect([status, body.error]).toEqual([200, undefined])
    const { content, structuredContent, isError = false } = body.result
    expect(content[0].text.length).toBeLessThanOrEqual(20_000)
    return { isError, text: content[0].text, data: structuredContent ?? JSON.parse(content[0].text) }
  }
}
