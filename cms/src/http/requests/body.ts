import { invalid, unsupported } from '../../base/errors.ts'
import { dropPrototypes, excessOf, isObject } from '../../base/json.ts'
import { messageOf } from '../../base/thrown.ts'
import type { Context } from '../../engine/context.ts'
import { isTrue } from '../../model/field-type/outside.ts'
import { parseQuery } from './query-string.ts'

/** The deepest nesting of objects and lists in a JSON body. */
const MAX_DEPTH = 100
/** Properties of all its objects. JavaScript engines take microseconds for each name that no other object has. */
const MAX_NAMES = 250_000

/** The refusals of a body that is too large, and of one in another format. */
export const BODY_TOO_LARGE = 'The body is larger than this service takes.'
export const UNSUPPORTED_BODY = 'Send the body as application/json or application/x-www-form-urlencoded.'

/** A parsed body, whose values are not checked yet. */
export type Body = { readonly [name: string]: unknown }

/** The headers of a body. */
interface BodyHeaders {
  readonly 'content-type'?: string | undefined
  readonly 'content-encoding'?: string | undefined
}

/** The Content-Type of a request without its parameters, in lower case; empty when there is none. */
export function mediaType(headers: BodyHeaders): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1)
  return type.trim().toLowerCase()
}

/**
 * Refuses a body by its headers alone, before it is read: only JSON and forms, for uploads also multipart, and nothing
 * compressed (`unsupported`).
 */
export function checkBodyType(headers: BodyHeaders, isUpload = false): void {
  checkEncoding(headers)
  const type = mediaType(headers)
  if (isParsed(headers)) return
  if (isUpload && type === 'multipart/form-data') return
  if (isUpload) throw unsupported('Send the file as multipart/form-data, in a part named "file".')
  throw unsupported(UNSUPPORTED_BODY)
}

/** Refuses a compressed body, whatever its type (`unsupported`). */
export function checkEncoding(headers: BodyHeaders): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw unsupported('Send the body without Content-Encoding.')
}

/** Whether a body is announced as JSON or as a form, which are parsed. */
export function isParsed(headers: BodyHeaders): boolean {
  const type = mediaType(headers)
  return type === 'application/json' || type === 'application/x-www-form-urlencoded'
}

/** The body of a request, `{}` when it is empty. Malformed, not an object or nested too deeply: `invalid`. */
export function parseBody(bytes: Buffer, headers: BodyHeaders): Body {
  if (bytes.length === 0) return {}
  checkBodyType(headers)
  return mediaType(headers) === 'application/json' ? objectOf(bytes) : formOf(bytes)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('The body is not UTF-8 text.')
  }
}

/** Forms encode braces: a body that begins with one is JSON that was sent without its type, as `curl -d` does. */
function formOf(bytes: Buffer): Body {
  const text = textOf(bytes)
  if (/^\s*[{[]/.test(text)) {
    throw invalid('The body is JSON, but was sent as a form. Send it with the header Content-Type: application/json.')
  }
  return parseQuery(text)
}

function objectOf(bytes: Buffer): Body {
  checkShape(bytes)
  const text = textOf(bytes)
  const value = parsed(text)
  if (!isObject(value)) throw invalid('The body must be a JSON object: { … }.')
  if (text.includes('__proto__') || text.includes('\\u')) dropPrototypes(value)
  return Object.setPrototypeOf(value, null)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(`The body is not valid JSON: ${messageOf(error)}.`)
  }
}

/** Refuses, by its bytes, a body that would take long to parse or is too deep for recursion. */
function checkShape(bytes: Buffer): void {
  const excess = excessOf(bytes, { levels: MAX_DEPTH, names: MAX_NAMES })
  if (excess === 'levels') throw invalid(`The body is nested more than ${MAX_DEPTH} levels deep.`)
  if (excess === 'names') throw invalid(`The body has more than ${MAX_NAMES} properties. Send it in parts.`)
}

/**
 * The context of a request whose body says `_ai: true` (§3.8): all that it saves is marked as written by AI, as if by
 * the key of one. Throws `invalid` for a mark that is neither true nor false.
 */
export function withAiMark(ctx: Context, body: { readonly [name: string]: unknown }): Context {
  const { actor } = ctx
  if (!isTrue(body, '_ai') || (actor.kind !== 'user' && actor.kind !== 'key')) return ctx
  return { ...ctx, actor: { ...actor, ai: true } }
}
