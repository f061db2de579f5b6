import type { JsonSchema } from '../../base/json.ts'
import type { Actor } from '../../engine/permissions.ts'
import { isRepeatable } from '../pipeline/idempotency.ts'
import { type Route, writes } from '../requests/route.ts'

/** The request headers that a route honours, beside credentials, for the OpenAPI document (§0.8, §0.9). */
export function headerParameters(route: Route, actor: Actor): JsonSchema[] {
  const isWriteOfOne = writes(route) && route.path.includes('/:_id')
  return [...(isWriteOfOne ? [IF_MATCH] : []), ...(isRepeatable(route, actor) ? [IDEMPOTENCY_KEY] : [])]
}

/** The headers of a route's answer that a client acts upon. */
export function answerHeaders(route: Route): { readonly headers?: JsonSchema } {
  const headers = {
    ...(isDocument(route.answer) ? { ETag: ETAG } : {}),
    ...(writes(route) ? { 'Quire-Revision': REVISION } : {}),
  }
  return Object.keys(headers).length === 0 ? {} : { headers }
}

/** The headers of a refusal that may be tried again. */
export const RETRY_HEADERS: JsonSchema = {
  'Retry-After': { description: 'After how many seconds to try again.', schema: { type: 'integer', minimum: 1 } },
}

/** Schemas of documents are components; other answers are described where they are given. */
function isDocument(answer: JsonSchema): boolean {
  return '$ref' in answer
}

const IF_MATCH: JsonSchema = {
  name: 'If-Match',
  in: 'header',
  description:
    'The ETag that was read: when the document has changed since, nothing is written, and the answer is 409.',
  schema: { type: 'string' },
}

const IDEMPOTENCY_KEY: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A text of your own: sent again with the same key, the request is not carried out again for a day.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
}

const ETAG: JsonSchema = {
  description: 'Of the document, for callers with a credential: send it back as If-Match.',
  schema: { type: 'string' },
}

const REVISION: JsonSchema = {
  description: 'What was written: a read that sends it back sees it, whichever process answers.',
  schema: { type: 'string' },
}
