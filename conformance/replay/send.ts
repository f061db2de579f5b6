import { FRONT_KEY } from '../callers.ts'
import type { Answer } from './compare.ts'
import type { Names, Recording } from './recording.ts'
import { uploadForm } from './uploads.ts'

/** The headers of an answer. */
export interface SentAnswer extends Answer {
  readonly headers: Headers
}

type Sendable = Pick<Recording, 'as' | 'method' | 'path' | 'query' | 'body' | 'requestType' | 'requestHeaders'>

/** Sends a recorded request, with all names filled in, to the service at `address`. */
export async function send(address: string, request: Sendable, names: Names): Promise<SentAnswer> {
  const form = await uploadForm(request.body)
  const hasBody = form === null && request.body !== undefined && request.method !== 'GET' && request.method !== 'HEAD'
  const response = await fetch(`${address}${request.path}${queryText(request.query)}`, {
    method: request.method,
    headers: {
      ...lowerCased(credentials(request.as, names)),
      ...(hasBody ? { 'content-type': request.requestType ?? 'application/json' } : {}),
      ...lowerCased(request.requestHeaders ?? {}),
    },
    redirect: 'manual',
    ...(form === null ? {} : { body: form }),
    ...(hasBody ? { body: request.requestType ? String(request.body) : JSON.stringify(request.body) } : {}),
  })
  const text = await response.text()
  return { status: response.status, body: parsed(text), headers: response.headers }
}

/** Names of headers in one form: those of a recording take the place of ours. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function queryText(query: Recording['query']): string {
  if (query === undefined) return ''
  return `?${typeof query === 'string' ? query : new URLSearchParams(query)}`
}

function credentials(as: string, names: Names): Record<string, string> {
  if (as === 'anonymous') return {}
  if (as === 'front') return { 'X-Requested-With': 'AposExternalFront', 'Apos-External-Front-Key': FRONT_KEY }
  if (as.startsWith('bearer:')) return { Authorization: `Bearer ${names.get(as.slice('bearer:'.length)) ?? ''}` }
  return { Authorization: `ApiKey key-${as}` }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
