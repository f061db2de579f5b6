import { createInterface } from 'node:readline'
import { isObject } from '../base/json.ts'
import { messageOf } from '../base/thrown.ts'
import { command, print } from './command/command.ts'
import { UsageError } from './command/failure.ts'
import { jsonOrNull } from './command/outside-json.ts'

/** `quire mcp`: a service by MCP over standard input and output, for programs that start their servers. */
export const mcp = command({
  meta: { name: 'mcp', description: 'Pass the messages of an agent on to a service (MCP over stdio)' },
  args: {
    url: { type: 'string', required: true, description: 'Where the site is', valueHint: 'https://example.org' },
  },
  async run({ args }) {
    const bridge = new Bridge(endpointOf(args.url), keyOf(process.env))
    const passed: Promise<void>[] = []
    for await (const line of createInterface({ input: process.stdin })) {
      if (line.trim() !== '') passed.push(bridge.pass(line))
    }
    await Promise.all(passed)
  },
})

function endpointOf(site: string): URL {
  if (!/^https?:/.test(site) || !URL.canParse(site)) {
    throw new UsageError(`--url is where the site is, such as https://example.org, not “${site}”.`)
  }
  const base = new URL(site)
  return new URL(`${base.pathname.replace(/\/$/, '')}/api/v1/mcp`, base)
}

function keyOf({ QUIRE_API_KEY: key = '' }: NodeJS.ProcessEnv): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new UsageError('Set QUIRE_API_KEY to an API key: quire key create --ai --role contributor --name Agent')
}

type Message = { readonly [name: string]: unknown }

const VERSION = 'io.modelcontextprotocol/protocolVersion'

/** Sends each message to the service, and prints what it answers, as it comes. */
class Bridge {
  readonly #endpoint: URL
  readonly #key: string
  /** The revision that an older client has agreed upon. */
  #revision: string | null = null
  #begun: Promise<void> = Promise.resolve()

  constructor(endpoint: URL, key: string) {
    this.#endpoint = endpoint
    this.#key = key
  }

  /** Later messages wait for the one that agrees on the revision. */
  async pass(line: string): Promise<void> {
    const message = messageIn(line)
    if (message?.method !== 'initialize') {
      await this.#begun
      return this.#send(line, message)
    }
    this.#begun = this.#send(line, message)
    return this.#begun
  }

  async #send(line: string, message: Message | null): Promise<void> {
    const answer = await this.#answered(line, message)
    if (answer !== null) await print(JSON.stringify(answer))
  }

  /** The answer of the service, or why there is none; null to notifications. */
  async #answered(body: string, message: Message | null): Promise<unknown> {
    try {
      const answer = await fetch(this.#endpoint, { method: 'POST', headers: this.#headersFor(message), body })
      const text = await answer.text()
      if (text === '') return null
      const json: unknown = JSON.parse(text)
      if (isObject(json) && json.jsonrpc === '2.0') return this.#withRevision(json)
      return failure(message, isObject(json) ? String(json.message) : `The service answered ${answer.status}.`)
    } catch (error) {
      return failure(message, `${this.#endpoint.origin} cannot be reached: ${causeOf(error)}`)
    }
  }

  #headersFor(message: Message | null): Record<string, string> {
    const params = isObject(message?.params) ? message.params : {}
    const meta = isObject(params._meta) ? params._meta : {}
    const revision = meta[VERSION] ?? this.#revision
    return {
      authorization: `Bearer ${this.#key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(typeof revision === 'string' && { 'mcp-protocol-version': headerOf(revision) }),
      ...(typeof message?.method === 'string' && { 'mcp-method': headerOf(message.method) }),
      ...named(params.name ?? params.uri),
    }
  }

  /** Keeps the revision of the protocol that the service has chosen, for the headers of later requests. */
  #withRevision(answer: Message): Message {
    const result = isObject(answer.result) ? answer.result : {}
    if (typeof result.protocolVersion === 'string') this.#revision = result.protocolVersion
    return answer
  }
}

function messageIn(line: string): Message | null {
  const message = jsonOrNull(line)
  return isObject(message) ? message : null
}

function named(name: unknown): { readonly 'mcp-name'?: string } {
  return typeof name === 'string' ? { 'mcp-name': headerOf(name) } : {}
}

/** A text as a header can have it. */
function headerOf(text: string): string {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/** Notifications are never answered, not even when they fail. */
function failure(message: Message | null, text: string): object | null {
  if (message !== null && message.id === undefined) return null
  return { jsonrpc: '2.0', id: message?.id ?? null, error: { code: -32000, message: text } }
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return messageOf(cause)
}
