import { invalid, unsupported } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import { parseQuery } from './query.ts'

/** Levels of objects and lists in one another that a JSON body may have. */
const MAX_DEPTH = 100

/** A body as read; what its values are is not known yet. */
export type Body = { readonly [name: string]: unknown }

/** What the headers say about a body. */
export interface BodyHeaders {
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
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw unsupported('Send the body without Content-Encoding.')
  const type = mediaType(headers)
  if (type === 'application/json' || type === 'application/x-www-form-urlencoded') return
  if (isUpload && type === 'multipart/form-data') return
  if (isUpload) throw unsupported('Send the file as multipart/form-data, in a part named "file".')
  throw unsupported('Send the body as application/json or application/x-www-form-urlencoded.')
}

/** The body of a request, `{}` when it is empty. Malformed, not an object or nested too deeply: `invalid`. */
export function parseBody(bytes: Buffer, headers: BodyHeaders): Body {
  if (bytes.length === 0) return {}
  checkBodyType(headers)
  const text = textOf(bytes)
  return mediaType(headers) === 'application/json' ? objectOf(text) : parseQuery(text)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('The body is not UTF-8 text.')
  }
}

function objectOf(text: string): Body {
  const value = parsed(text)
  if (!isObject(value)) throw invalid('The body must be a JSON object: { … }.')
  makeHarmless(value)
  return Object.assign(Object.create(null), value)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('The body is not valid JSON.')
  }
}

/** Drops every `__proto__` and refuses depth, level by level: what comes after may be recursive and may copy names. */
function makeHarmless(top: object): void {
  let level: object[] = [top]
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) throw invalid(`The body is nested more than ${MAX_DEPTH} levels deep.`)
    const next: object[] = []
    for (const holder of level) {
      if (Object.hasOwn(holder, '__proto__')) Reflect.deleteProperty(holder, '__proto__')
      for (const value of Object.values(holder)) if (typeof value === 'object' && value !== null) next.push(value)
    }
    level = next
  }
}
