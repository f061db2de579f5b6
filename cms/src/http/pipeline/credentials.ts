import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { CmsError, unauthorized } from '../../base/errors.ts'
import { own } from '../../base/json.ts'
import type { Credential } from '../../engine/access/secrets.ts'
import type { QueryValues } from '../requests/route.ts'

/** The names of the query parameters that carry a key. */
export const KEY_PARAMETERS = ['apikey', 'apiKey'] as const

/**
 * Reads the credential of a request: `?apikey=`, `?apiKey=`, `Authorization: Bearer …` or `ApiKey …` (§5.4). Null for
 * anonymous callers. A list, another scheme, or two different secrets at once: `unauthorized`.
 */
export function credentialOf(authorization: string | undefined, query: QueryValues): Credential | null {
  const found = [fromHeader(authorization), ...KEY_PARAMETERS.map((name) => fromQuery(query, name))]
  const [first = null, ...others] = found.filter((credential) => credential !== null)
  if (others.some((other) => other.secret !== first?.secret)) {
    throw unauthorized('Two different credentials were sent. Send one.')
  }
  return first
}

/** The credential in an `Authorization` header; null when its form is unknown. */
export function headerCredential(authorization: string): Credential | null {
  const [, scheme = '', secret = ''] = /^(bearer|apikey) +([\x21-\x7e]+) *$/i.exec(authorization) ?? []
  return secret === '' ? null : { kind: scheme.toLowerCase() === 'bearer' ? 'bearer' : 'key', secret }
}

function fromHeader(authorization: string | undefined): Credential | null {
  const credential = authorization === undefined ? null : headerCredential(authorization)
  if (authorization !== undefined && credential === null) {
    throw unauthorized('Send "Authorization: Bearer …" or "Authorization: ApiKey …".')
  }
  return credential
}

function fromQuery(query: QueryValues, name: string, kind: Credential['kind'] = 'key'): Credential | null {
  const secret = own(query, name)
  if (secret === undefined) return null
  if (typeof secret !== 'string' || secret === '') throw unauthorized(`Send "${name}" once, with the key as its value.`)
  return { kind, secret }
}

/** The query parameter that carries the token of a preview (§4.2b). */
export const PREVIEW_PARAMETER = 'quirePreview'

/** The query parameter that carries the token of a clipboard to another host (§4.5). */
export const CLIPBOARD_PARAMETER = 'aposCrossDomainSessionToken'

/** The token of a preview, where the query has one. A list, or an empty one: `unauthorized`. */
export function previewCredential(query: QueryValues): Credential | null {
  return fromQuery(query, PREVIEW_PARAMETER, 'preview')
}

/** The URL without its keys: what an answer may be cached under. */
export function withoutKeys(url: string): string {
  return without(url, KEY_NAME)
}

/** The URL without the token of a preview. */
export function withoutPreview(url: string): string {
  return without(url, PREVIEW_NAME)
}

/** The URL without the token of a clipboard. */
export function withoutClipboard(url: string): string {
  return without(url, CLIPBOARD_NAME)
}

/** The URL as the log may show it: without keys, clipboards and anything else that may be a secret. */
export function shownUrl(url: string): string {
  return without(url, SECRET_NAME).slice(0, 500)
}

const CLIPBOARD_NAME = new RegExp(`^${CLIPBOARD_PARAMETER}(\\[|$)`)
const PREVIEW_NAME = new RegExp(`^${PREVIEW_PARAMETER}(\\[|$)`)
const KEY_NAME = new RegExp(`^(${KEY_PARAMETERS.join('|')})(\\[|$)`)
const SECRET_NAME = /key|token|secret|password|session|preview|clipboard/i

function without(url: string, names: RegExp): string {
  const start = url.indexOf('?')
  if (start < 0) return url
  const parts = url.slice(start + 1).split('&')
  const kept = parts.filter((part) => !isNamed(part, names))
  if (kept.length === parts.length) return url
  return kept.length === 0 ? url.slice(0, start) : `${url.slice(0, start)}?${kept.join('&')}`
}

function isNamed(part: string, names: RegExp): boolean {
  const [name = ''] = part.split('=', 1)
  try {
    return names.test(decodeURIComponent(name))
  } catch {
    return true
  }
}

const FRONT_END = 'AposExternalFront'

/** The refusal of a front end: its body is the bare text `forbidden`, which existing clients look for (§4.6). */
export class FrontKeyRefused extends CmsError {
  constructor() {
    super('forbidden', 'forbidden')
  }
}

/** True for requests that claim to come from the external front end; only those may send its key. */
export function claimsFrontEnd(headers: IncomingHttpHeaders): boolean {
  return headers['x-requested-with'] === FRONT_END
}

/**
 * True when the front end sent the right key. Throws `FrontKeyRefused` for a wrong or missing one, or without a key.
 */
export function isFrontEnd(headers: IncomingHttpHeaders, key: string | undefined): boolean {
  if (!claimsFrontEnd(headers)) return false
  const given = headers['apos-external-front-key']
  if (key === undefined || key === '' || typeof given !== 'string' || !isSame(given, key)) throw new FrontKeyRefused()
  return true
}

/** Compares in constant time. */
function isSame(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(left), digest(right))
}
