import { setTimeout } from 'node:timers/promises'
import { isObject } from '../../cms/src/base/json.ts'
import type { ListedTool, ToolOutcome } from './agent-tools.ts'

/** A model behind an endpoint: which one, where, and the key that it is asked with. */
export interface ModelAddress {
  readonly name: string
  readonly url: string
  readonly key: string | undefined
}

/** Tokens of requests and of answers. */
export interface Tokens {
  readonly input: number
  readonly output: number
}

/** A tool that a model wants to be called. Arguments that are no JSON are undefined. */
export interface WantedCall {
  readonly id: string
  readonly name: string
  readonly given: unknown
}

/** What a model says next. Without calls it has come to its end. */
export interface Turn {
  readonly text: string
  readonly calls: readonly WantedCall[]
  readonly tokens: Tokens
}

/** What a call of the turn before was answered. */
export interface AnsweredCall extends ToolOutcome {
  readonly id: string
}

/** A conversation with a model: each turn but the first answers all calls of the one before. */
export interface Conversation {
  next(answered: readonly AnsweredCall[]): Promise<Turn>
}

/** What a conversation begins with. */
export interface Beginning {
  readonly instructions: string
  readonly order: string
  readonly tools: readonly ListedTool[]
}

/** Begins a conversation with a model in the protocol of its endpoint. */
export type Begin = (model: ModelAddress, beginning: Beginning) => Conversation

/** What an endpoint answered: an object, in which nothing else is known. */
export type Answered = { readonly [name: string]: unknown }

const MOST_TRIES = 6
/** Too many requests, or an endpoint that is busy or broken for the moment. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 529])

/**
 * Posts JSON to an endpoint, again after a while where it is busy. Throws what it has answered when it refuses: then no
 * task was failed by the model.
 */
export async function ask(url: string, headers: Record<string, string>, body: object): Promise<Answered> {
  for (let tries = 1; ; tries += 1) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    if (answer.ok) return objectIn(text)
    if (!PASSING.has(answer.status) || tries === MOST_TRIES) {
      throw new Error(`${url} answered ${answer.status}: ${text.slice(0, 500)}`)
    }
    const seconds = Number(answer.headers.get('retry-after') ?? 2 ** tries)
    await setTimeout((Number.isFinite(seconds) ? seconds : 2 ** tries) * 1000)
  }
}

function objectIn(text: string): Answered {
  const json = parsed(text)
  if (isObject(json)) return json
  throw new Error(`The endpoint answered no JSON: ${text.slice(0, 500)}`)
}

/** A text as JSON; undefined where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The objects in a list; none where it is no list. */
export function objectsIn(list: unknown): readonly Answered[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
