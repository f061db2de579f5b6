import type { JsonSchema } from '../../base/json.ts'
import { dateTime, describedObject, integer, list, oneOf, onlyTrue, text, texts } from '../../base/json-schema.ts'
import type { Actor } from '../../engine/permissions.ts'
import type { Site } from '../../model/declared/types.ts'
import { isRepeatable } from '../pipeline/idempotency.ts'
import { STATUS_OF } from '../requests/failure-status.ts'
import { type Route, writes } from '../requests/route.ts'
import { AUTHOR_REF } from './document-properties.ts'
import { problemSchema, unpublishedPageSchema } from './problem-schemas.ts'

/** The body of every failure (§0.2). A site may add to `data`. Anonymous callers fail at no write. */
export const errorSchema = (isAnonymous: boolean): JsonSchema =>
  describedObject('What went wrong.', ['name', 'message', 'data'], {
    name: oneOf(Object.keys(STATUS_OF), 'What kind of failure it is.'),
    message: text('One or two plain sentences.'),
    data: {
      type: 'object',
      description: 'What else is known.',
      properties: {
        errors: list(problemSchema, 'With 400 and 409: one for each wrong or taken value.'),
        allow: texts('With 405: the methods that are taken.'),
        requestId: text('With 500 and 503: finds the failure in the log.'),
        mayBeStored: onlyTrue(
          'With 503: the database did not confirm the change, which may have been stored. Read the present state before you send it again, or send it again with its `Idempotency-Key`.',
        ),
        ...(isAnonymous ? {} : ofWrites),
        retryAfter: integer('With 429: seconds to wait, as `Retry-After` says.'),
      },
    },
  })

const ofWrites: { readonly [name: string]: JsonSchema } = {
  etag: text('With 409, after a stale `If-Match`: the present ETag.'),
  updatedAt: dateTime('Likewise: when the document was last saved.'),
  updatedBy: AUTHOR_REF,
  unpublishedAncestors: list(unpublishedPageSchema, 'With 400: the pages to publish before this one.'),
  parentNotLocalized: onlyTrue('With 400: the parent page is not in that locale yet.'),
}

/** Returns the request headers of a route for the OpenAPI document, but credentials (§0.8, §0.9). */
export function headerParameters(route: Route, actor: Actor): JsonSchema[] {
  const isWriteOfOne = writes(route) && route.path.includes('/:_id')
  return [...(isWriteOfOne ? [IF_MATCH] : []), ...(isRepeatable(route, actor) ? [IDEMPOTENCY_KEY] : [])]
}

/** The names that nothing has read, for known callers (§0.4). */
export const IGNORED: JsonSchema = {
  description: 'Parameters and properties that nothing reads, with what they may have been meant for.',
  schema: { type: 'string', examples: ['speaker (speakers?)'] },
}

/** Who asked, for known callers (§5.4). */
export const CALLER: JsonSchema = {
  description: 'Who sent the request: the `_id` that `whoami` answers.',
  schema: { type: 'string' },
}

/** Who reads an answer. */
export interface AnswerReader {
  readonly isKnown: boolean
  readonly listsIgnored: boolean
  /** The headers by which a cache in front of the site keeps answers; none for known callers. */
  readonly tagHeaders: readonly string[]
}

/** The headers of a route's answer that a client acts upon, or a cache in front of the site. */
export function answerHeaders(
  route: Route,
  { isKnown, listsIgnored, tagHeaders }: AnswerReader,
): { readonly headers?: JsonSchema } {
  const headers = {
    ...(isDocument(route.answer) ? { ETag: ETAG } : {}),
    ...(route.isRevalidated ? { ETag: ETAG_OF_BYTES } : {}),
    ...(writes(route) ? { 'Quire-Revision': REVISION } : {}),
    ...(route.cached ? Object.fromEntries(tagHeaders.map((name) => [name, CACHE_TAGS])) : {}),
    ...(isKnown ? { 'Quire-Caller': { $ref: '#/components/headers/Caller' } } : {}),
    ...(listsIgnored && !route.ignoresQuery ? { 'Quire-Ignored': { $ref: '#/components/headers/Ignored' } } : {}),
  }
  return Object.keys(headers).length === 0 ? {} : { headers }
}

/** The headers of a refusal that may be tried again. */
export const RETRY_HEADERS: JsonSchema = {
  'Retry-After': { description: 'After how many seconds to try again.', schema: { type: 'integer', minimum: 1 } },
}

/** Schemas of documents are components; other answers are described where they are given. */
function isDocument(answer: JsonSchema): boolean {
  const { $ref, oneOf } = answer
  return $ref !== undefined || (Array.isArray(oneOf) && oneOf.some(isDocument))
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

const ETAG_OF_BYTES: JsonSchema = {
  description: 'Send it back as If-None-Match: as long as nothing has changed, the answer is a 304 without a body.',
  schema: { type: 'string' },
}

const CACHE_TAGS: JsonSchema = {
  description: 'What the answer was made of: a cache in front of the site forgets it when one of these tags is purged.',
  schema: { type: 'string', maxLength: 2048 },
}

const REVISION: JsonSchema = {
  description: 'What was written: a read that sends it back sees it, whichever process answers.',
  schema: { type: 'string' },
}

/** Returns the sentence that says what a group of routes is for. */
export function tagDescription({ types }: Pick<Site, 'types'>, name: string): string {
  const type = types.get(name)
  if (type !== undefined) return `${type.pluralLabel}: lists of them, single ones, and all that can be done with them.`
  return TAGS[name] ?? `What this site adds as ${name}.`
}

const TAGS: { readonly [name: string]: string } = {
  area: 'Widgets as HTML, as an editor previews them.',
  assets: 'Files that templates of the site refer to.',
  attachment: 'Uploads of files, and crops of images.',
  'document-versions': 'What every save has recorded, and what it has changed.',
  i18n: 'The locales of the site, and where a document is in each.',
  xliff: 'Texts for translators, and what comes back from them.',
  login: 'Signing in and out, and who the caller is.',
  oembed: 'What other sites offer to embed: videos, for example.',
  page: 'The tree of pages: reading, moving and changing them.',
  service: 'Descriptions of this interface, and whether the service is well.',
  site: 'What search engines and browsers ask a site for.',
  styles: 'The stylesheets of the site.',
  url: 'Where everything is, for static builds.',
  webhook: 'Programs that are notified of changes.',
}
