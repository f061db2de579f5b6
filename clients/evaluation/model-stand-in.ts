import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { TASKS } from './tasks.ts'

/** A turn of the stand-in: calls, or the last answer. */
type Said = string | readonly { readonly name: string; readonly given: unknown }[]

const WEATHER = { title: 'Weather', blurb: 'Rain, fog and the rest.' }

/** What the stand-in says to an order, turn by turn; the last turn again and again. */
const SAID: ReadonlyMap<string, readonly Said[]> = new Map<string, readonly Said[]>([
  [
    'make-topic',
    [
      [
        { name: 'describe_site', given: {} },
        { name: 'describe_type', given: { type: 'topic' } },
      ],
      [{ name: 'write_draft', given: { type: 'topic', values: WEATHER } }],
      'It is made.\n\nDONE',
    ],
  ],
  // A mistake that it corrects: the tool does not exist, the arguments are none, and the third call is right.
  [
    'restore-subtitle',
    [
      [{ name: 'restore', given: {} }],
      [{ name: 'write_draft', given: '{' }],
      [{ name: 'write_draft', given: { id: 'old-bridge', patch: { subtitle: 'Four arches, three wars' } } }],
      'DONE',
    ],
  ],
  ['find-untranslated', ['Food | Harbour\nDONE']],
  ['find-words', [[{ name: 'find', given: { search: 'snow' } }]]],
])

/** A request as one of the protocols sends it. */
type Sent = { readonly [name: string]: unknown }

interface Protocol {
  readonly path: string
  keyIn(headers: IncomingMessage['headers']): unknown
  orderIn(messages: readonly Sent[]): unknown
  /** The ids of calls that the last turn wanted, and those that are answered after it. */
  callsIn(messages: readonly Sent[]): readonly [wanted: readonly unknown[], answered: readonly unknown[]]
  schemaOf(tool: Sent): unknown
  answer(said: Said): object
}

// `as` below: the stand-in reads what it expects, and refuses the rest with the error that this causes.
const listOf = (value: unknown): Sent[] => (Array.isArray(value) ? (value as Sent[]) : [])

/** Chat completions. */
const openAi: Protocol = {
  path: '/v1/chat/completions',
  keyIn: ({ authorization }) => authorization?.replace('Bearer ', ''),
  orderIn: (messages) => messages[1]?.content,
  callsIn: (messages) => {
    const last = messages.findLastIndex(({ role }) => role === 'assistant')
    const answers = messages.slice(last + 1).filter(({ role }) => role === 'tool')
    return [listOf(messages[last]?.tool_calls).map(({ id }) => id), answers.map((one) => one.tool_call_id)]
  },
  schemaOf: (tool) => (tool.function as Sent).parameters,
  answer: (said) => ({
    choices: [
      { message: { role: 'assistant', ...(typeof said === 'string' ? { content: said } : openAiCalls(said)) } },
    ],
    usage: { prompt_tokens: 1000, completion_tokens: 10 },
  }),
}

function openAiCalls(said: Exclude<Said, string>): object {
  const calls = said.map(({ name, given }, index) => {
    const text = typeof given === 'string' ? given : JSON.stringify(given)
    return { id: `call-${index}`, type: 'function', function: { name, arguments: text } }
  })
  return { content: null, tool_calls: calls }
}

/** Messages. */
const anthropic: Protocol = {
  path: '/v1/messages',
  keyIn: (headers) => headers['anthropic-version'] && headers['x-api-key'],
  orderIn: (messages) => messages[0]?.content,
  callsIn: (messages) => {
    const [wanted, answered] = [messages.at(-2), messages.at(-1)].map((message) => listOf(message?.content))
    const calls = (wanted ?? []).filter(({ type }) => type === 'tool_use')
    return [calls.map(({ id }) => id), (answered ?? []).map((one) => one.tool_use_id)]
  },
  schemaOf: (tool) => tool.input_schema,
  answer: (said) => ({
    content:
      typeof said === 'string'
        ? [{ type: 'text', text: said }]
        : said.map(({ name, given }, index) => ({ type: 'tool_use', id: `toolu-${index}`, name, input: given })),
    usage: { input_tokens: 600, cache_read_input_tokens: 400, output_tokens: 10 },
  }),
}

/** A program in the place of a model: it speaks a protocol, and says what is written down here. */
export class ModelStandIn {
  readonly #server: Server
  #requests = 0
  /** What was wrong with requests. */
  readonly refused: string[] = []

  constructor(protocol: 'openai' | 'anthropic', key: string) {
    const spoken = protocol === 'openai' ? openAi : anthropic
    this.#server = createServer(async (request, response) => {
      this.#requests += 1
      // Busy at first, as real ones are at times.
      if (this.#requests === 1) return response.writeHead(429, { 'retry-after': '0' }).end()
      const answer = this.#answerTo(spoken, request, (await json(request)) as Sent, key)
      response.writeHead('error' in answer ? 400 : 200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify(answer))
    })
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const { port } = this.#server.address() as AddressInfo
    return `http://127.0.0.1:${port}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #answerTo(protocol: Protocol, { url, headers }: IncomingMessage, body: Sent, key: string): object {
    const messages = listOf(body.messages)
    const [wanted, answered] = protocol.callsIn(messages)
    const wrong = [
      url === protocol.path ? null : `path ${url}`,
      protocol.keyIn(headers) === key ? null : 'key',
      body.model === 'stand-in' ? null : `model ${body.model}`,
      listOf(body.tools).length === 12 ? null : 'tools',
      listOf(body.tools).every((tool) => (protocol.schemaOf(tool) as Sent).type === 'object') ? null : 'schemas',
      wanted.join() === answered.join() ? null : `calls ${wanted.join()} are answered by ${answered.join()}`,
    ].filter((one) => one !== null)
    this.refused.push(...wrong)
    if (wrong.length > 0) return { error: { message: wrong.join(', ') } }
    const task = TASKS.find(({ order }) => order === protocol.orderIn(messages))
    const turns = SAID.get(task?.id ?? '') ?? []
    const turn = messages.filter(({ role }) => role === 'assistant').length
    return protocol.answer(turns[Math.min(turn, turns.length - 1)] ?? 'CANNOT')
  }
}
