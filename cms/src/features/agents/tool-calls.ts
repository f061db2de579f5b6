import { CmsError } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import type { JoinedBytes } from '../../engine/shared-bytes.ts'
import { jsonAnswer } from '../../http/pipeline/answer.ts'
import { once } from '../../http/pipeline/idempotency.ts'
import { failureOf } from '../../http/requests/failure-status.ts'
import type { Agent } from './agent.ts'
import type { CallCounter } from './call-limits.ts'
import type { CallLog } from './call-log.ts'
import { bareId } from './document-text.ts'
import type { Tool, ToolAnswer } from './tool.ts'

/** The state that all calls of a service share. */
export interface Calls {
  readonly counter: CallCounter
  readonly log: CallLog
}

/** The result of a call as agents get it: the same facts as text and as data. */
interface ToolResult {
  readonly [name: string]: unknown
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: { readonly [name: string]: unknown }
  readonly isError?: true
}

/** The most problems that an error names. */
const MOST_PROBLEMS = 50

/**
 * Calls a tool: counted, bounded and recorded. Failures are results: their text is JSON that says what to do. Clients
 * check structured content, of failures too, by the schema of what is answered otherwise.
 */
export async function callTool(agent: Agent, calls: Calls, tool: Tool, given: unknown): Promise<ToolResult> {
  const { ctx, actor } = agent
  const note = (result: string, id: unknown) => {
    calls.log.note(ctx, { keyId: actor.id, keyName: actor.name, tool: tool.name, docId: idOf(id), result })
  }
  try {
    await calls.counter.count(ctx, actor.id, writtenBy(tool, given))
    const answer = await answered(agent, tool, given)
    note('ok', answer._id ?? argument(given, 'id'))
    return { content: [{ type: 'text', text: textOf(answer) }], structuredContent: answer }
  } catch (error) {
    const failure = failureFor(agent, error)
    note(failure.name, argument(given, 'id'))
    return { content: [{ type: 'text', text: JSON.stringify(failure) }], isError: true }
  }
}

/** The facts, and below them the text. */
function textOf({ text, ...facts }: ToolAnswer): string {
  return Object.keys(facts).length === 0 ? text : `${JSON.stringify(facts)}\n${text}`
}

/** The characters of what a call writes; files have a limit of their own. */
function writtenBy(tool: Tool, given: unknown): number {
  return tool.writes && argument(given, 'data') === undefined ? JSON.stringify(given ?? {}).length : 0
}

function argument(given: unknown, name: string): unknown {
  return isObject(given) && Object.hasOwn(given, name) ? given[name] : undefined
}

/** An id, or nothing: what agents send in its place is not recorded. */
function idOf(value: unknown): string | null {
  const id = typeof value === 'string' ? bareId(value) : ''
  return /^[\w-]{1,60}$/.test(id) ? id : null
}

/** Does the work; with an `idempotencyKey` once. */
async function answered(agent: Agent, tool: Tool, given: unknown): Promise<ToolAnswer> {
  const key = argument(given, 'idempotencyKey')
  const isRepeatable = tool.writes && argument(given, 'dryRun') !== true && !tool.answersSecret(given)
  if (!isRepeatable || typeof key !== 'string') return tool.run(agent, given)
  const request = { key, target: ['mcp', tool.name], body: [given] }
  const { status, body } = await once(agent.ctx, request, async (ctx) => {
    return jsonAnswer(200, await tool.run(agent.within(ctx), given))
  })
  // `as`: only bytes are recorded, and read again.
  const json: unknown = JSON.parse(String(body as Buffer | JoinedBytes))
  if (status === 200) return json as ToolAnswer
  throw repeated(json)
}

/** A refusal that an earlier call with this key was answered. */
function repeated(json: unknown): CmsError {
  // `as`: recorded by `once`, as `failureOf` makes it.
  const { name, message, data } = json as ReturnType<typeof failureOf>['body']
  return new CmsError(name, message, { ...data })
}

interface AgentFailure {
  readonly name: string
  readonly message: string
  readonly [fact: string]: unknown
}

function failureFor({ ctx }: Agent, error: unknown): AgentFailure {
  if (!(error instanceof CmsError)) ctx.log.error({ error }, 'A tool of agents failed.')
  const { body } = failureOf(error, '')
  const { errors, retryAfter } = error instanceof CmsError ? error.data : {}
  const problems = Array.isArray(errors) ? { errors: errors.slice(0, MOST_PROBLEMS) } : {}
  const next = NEXT[body.name]
  return {
    name: body.name,
    message: body.message,
    ...problems,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(next && { next }),
  }
}

/** Advice for an error whose message has none. */
const NEXT: { readonly [name: string]: string } = {
  notfound: 'find lists what there is and what you may see.',
  forbidden: 'Your key does not allow this: ask a person.',
  conflict: 'It has changed meanwhile: read it again, and send the change with its new revision.',
}
