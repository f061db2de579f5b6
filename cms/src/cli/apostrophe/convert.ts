import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { fixedId } from '../../engine/values/fixed-id.ts'
import type { Author } from '../../model/terms/document.ts'
import { PERMALINK } from '../../model/terms/permalinks.ts'
import type { CopyLine } from '../content/lines.ts'

/**
 * Properties of documents that are not fields: identity, states, search texts, locks and permissions, handled
 * elsewhere.
 */
const NO_FIELDS: ReadonlySet<string> = new Set([
  '_id',
  'aposDocId',
  'aposLocale',
  'aposMode',
  'type',
  'metaType',
  'createdAt',
  'updatedAt',
  'updatedBy',
  'lastPublishedAt',
  'modified',
  'submitted',
  'cacheInvalidatedAt',
  'titleSortified',
  'highSearchText',
  'highSearchWords',
  'lowSearchText',
  'searchSummary',
  'relatedReverseIds',
  'path',
  'level',
  'rank',
  'parked',
  'parkedId',
  'lastTargetId',
  'lastPosition',
  'historicUrls',
  'advisoryLock',
  'docPermissions',
  'passwordUpdated',
])

/** Properties of items and widgets that are no fields. */
const BOOKKEEPING: ReadonlySet<string> = new Set(['scopedArrayName', 'scopedObjectName', 'aposPlaceholder'])

/** Ids that a rich text lists, which its HTML contains, too. */
const IN_RICH_TEXT: ReadonlySet<string> = new Set(['permalinkIds', 'imageIds'])

/** The ids that documents have here, by those they had, where they differ. */
export type NewIds = ReadonlyMap<string, string>

/** A copy of a document as it is stored here. */
export function copyOf(document: JsonObject, ids: NewIds): CopyLine {
  const { createdAt, updatedAt, updatedBy, lastPublishedAt } = document
  const saved = textOr(updatedAt, textOr(createdAt, new Date(0).toISOString()))
  return {
    createdAt: textOr(createdAt, saved),
    updatedAt: saved,
    updatedBy: authorOf(updatedBy),
    lastPublishedAt: typeof lastPublishedAt === 'string' ? lastPublishedAt : null,
    wasPublished: typeof lastPublishedAt === 'string',
    fields: fieldsOf(document, ids),
  }
}

function textOr(value: Json | undefined, other: string): string {
  return typeof value === 'string' ? value : other
}

function authorOf(value: Json | undefined): Author {
  const author = isObject(value) ? value : {}
  const { _id = null, username = null } = author
  return {
    _id: typeof _id === 'string' ? _id : null,
    firstName: textOr(author.firstName, ''),
    lastName: textOr(author.lastName, ''),
    username: typeof username === 'string' ? username : null,
    title: textOr(author.title, textOr(username, 'System')),
  }
}

function fieldsOf(document: JsonObject, ids: NewIds): JsonObject {
  const fields: JsonObject = {}
  for (const [name, value] of Object.entries(document)) {
    if (!NO_FIELDS.has(name) && !name.startsWith('_')) fields[name] = converted(value, ids)
  }
  return typeof fields.slug === 'string' ? { ...fields, slug: ownSlug(fields.slug) } : fields
}

/** Archived documents have the slug that they give way with. */
function ownSlug(slug: string): string {
  return slug.replace(/^(\/?)deduplicate-[a-z0-9]+-/, '$1')
}

function converted(value: Json, ids: NewIds): Json {
  if (typeof value === 'string') return ids.get(value) ?? withPermalinks(value, ids)
  if (Array.isArray(value)) return value.map((item) => converted(item, ids))
  if (!isObject(value)) return value
  return value.type === 'attachment' && typeof value._id === 'string' ? attachment(value) : convertedObject(value, ids)
}

function convertedObject(object: JsonObject, ids: NewIds): JsonObject {
  const changed: JsonObject = {}
  const isRichText = object.type === '@apostrophecms/rich-text'
  for (const [name, value] of Object.entries(object)) {
    if (isRichText && IN_RICH_TEXT.has(name)) continue
    if (BOOKKEEPING.has(name) || (name.startsWith('_') && name !== '_id')) continue
    changed[ids.get(name) ?? name] = converted(value, ids)
  }
  return changed
}

/** An attachment: its facts are with its file. A crop in the attachment itself comes from older versions. */
function attachment({ _id, name = '', extension = '', crop }: JsonObject): JsonObject {
  return { _id: attachmentId(String(_id)), type: 'attachment', name, extension, ...(isObject(crop) && { crop }) }
}

/** The id that a file has here: the same whenever it is imported. */
export function attachmentId(id: string): string {
  return /^[0-9a-z]{26}$/.test(id) ? id : fixedId(`attachment ${id}`)
}

function withPermalinks(text: string, ids: NewIds): string {
  if (ids.size === 0 || !text.includes(PERMALINK)) return text
  return text.replaceAll(/(#apostrophe-permalink-)([a-z0-9]+)/g, (all, begin, id) => {
    const other = ids.get(id)
    return other === undefined ? all : begin + other
  })
}
