import { createHmac } from 'node:crypto'
import { invalid } from '../../base/errors.ts'
import type { Agent } from './agent.ts'
import { MARKS_LENGTH, marked, withVisible } from './content-marks.ts'

/** The most characters of an answer. */
const MOST_CHARACTERS = 20_000
/** The most characters of its text, which leaves room for the marks and the facts. */
const MOST_TEXT = MOST_CHARACTERS - MARKS_LENGTH - 600

/** The call that a cursor belongs to. Its parts are JSON. */
interface Continued {
  readonly tool: string
  readonly of: readonly unknown[]
}

/** Makes the cursor of a place in an answer: only the key that was given it can use it, and only for the same call. */
export async function cursorOf(agent: Agent, continued: Continued, place: number | string): Promise<string> {
  return `${place}.${await signatureOf(agent, continued, String(place))}`
}

/** Reads the position that a cursor names; 0 without one. Throws `invalid` for that of another key or another call. */
export async function positionOf(agent: Agent, continued: Continued, cursor: string | undefined): Promise<number> {
  return Number((await placeOf(agent, continued, cursor)) ?? 0)
}

/** Reads the place that a cursor names, as it was given; null without one. Throws `invalid` as `positionOf` does. */
export async function placeOf(agent: Agent, continued: Continued, cursor: string | undefined): Promise<string | null> {
  if (cursor === undefined) return null
  const [place = '', signature] = cursor.split('.', 2)
  if (signature === (await signatureOf(agent, continued, place))) return place
  const message = 'This cursor belongs to another key or another call, or what it was about has changed: leave it out.'
  throw invalid(message, { errors: [{ path: 'cursor', name: 'invalid', message }] })
}

async function signatureOf({ ctx, actor }: Agent, { tool, of }: Continued, place: string): Promise<string> {
  const secret = await ctx.store.secret()
  const signed = JSON.stringify(['mcp cursor', actor.id, tool, of, place])
  return createHmac('sha256', secret).update(signed).digest('base64url').slice(0, 22)
}

/** A part of a text that fits, and the cursor of the next one. */
type TextPage = { readonly text: string; readonly cursor?: string }

/** A text that may be longer than an answer, and the cursor of a part of it. */
interface LongText {
  readonly text: string
  readonly cursor: string | undefined
  /** It is of the site's declaration, and needs no marks. */
  readonly isDeclared?: boolean
}

/** One part of a text; what people wrote stands between marks. It ends with a line where it can. */
export async function pageOfText(
  agent: Agent,
  continued: Continued,
  { text: whole, cursor, isDeclared = false }: LongText,
): Promise<TextPage> {
  const text = withVisible(whole)
  const start = await positionOf(agent, continued, cursor)
  const end = endOf(text, start)
  const part = text.slice(start, end)
  const page = { text: isDeclared ? part : marked(part) }
  return end >= text.length ? page : { ...page, cursor: await cursorOf(agent, continued, end) }
}

/** Where a part ends. */
function endOf(text: string, start: number): number {
  if (text.length - start <= MOST_TEXT) return text.length
  const line = text.lastIndexOf('\n', start + MOST_TEXT)
  const end = line > start + MOST_TEXT / 2 ? line + 1 : start + MOST_TEXT
  // Never between the halves of a character.
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end
}
