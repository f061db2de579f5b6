import { NEW_ID } from '../../base/ids.ts'
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import { fixedId } from '../../engine/values/fixed-id.ts'
import type { Author } from '../../model/terms/document.ts'
import { PERMALINK } from '../../model/terms/links.ts'
import type { CopyLine } from '../content/lines.ts'

/** Properties of all documents that are no content: identity, states, search texts, locks and permissions. */
const OF_DOCUMENTS: ReadonlySet<string> = new Set([
  '_id',
  'type',
  'metaType',
  'createdAt',
  'updatedAt',
  'updatedBy',
  'lastPublishedAt',
  'modified',
  'submitted',
  'copyOfId',
  'cacheInvalidatedAt',
  'highSearchText',
  'highSearchWords',
  'lowSearchText',
  'searchSummary',
  'relatedReverseIds',
  'advisoryLock',
  'docPermissions',
])

const OF_PAGES: ReadonlySet<string> = new Set([
  'path',
  'level',
  'rank',
  'parked',
  'parkedId',
  'lastTargetId',
  'lastPosition',
  'historicUrls',
])

/** Of single types: what is made from other values, and when sessions ended. */
const OF_TYPES: ReadonlyMap<string, readonly string[]> = new Map([
  ['@apostrophecms/user', ['passwordUpdated', 'loginInvalidBefore']],
  [
    '@apostrophecms/global',
    ['stylesStylesheet', 'stylesClasses', 'stylesStylesheetVersion', 'paletteStylesheet', 'paletteStylesheetVersion'],
  ],
])

/** Properties of items and widgets that are no fields. */
const BOOKKEEPING: ReadonlySet<string> = new Set(['scopedArrayName', 'scopedObjectName', 'aposPlaceholder'])

/** Ids that a rich text lists, which its HTML contains, too. */
const IN_RICH_TEXT: ReadonlySet<string> = new Set(['permalinkIds', 'imageIds'])

/** The ids that documents have here, by those they had, where they differ. */
export type NewIds = ReadonlyMap<string, string>

/** The facts that decide which form a document has here. */
interface Here {
  readonly ids: NewIds
  /** True for the names of fields that its type has in this site. */
  isField(name: string): boolean
}

/** A copy of a document as it is stored here. */
export function copyOf(document: JsonObject, here: Here): CopyLine {
  const { createdAt, updatedAt, updatedBy, lastPublishedAt } = document
  const saved = textOr(updatedAt, textOr(createdAt, new Date(0).toISOString()))
  return {
    createdAt: textOr(createdAt, saved),
    updatedAt: saved,
    updatedBy: authorOf(updatedBy),
    lastPublishedAt: typeof lastPublishedAt === 'string' ? lastPublishedAt : null,
    wasPublished: typeof lastPublishedAt === 'string',
    fields: fieldsOf(document, here),
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

function fieldsOf(document: JsonObject, { ids, isField }: Here): JsonObject {
  const fields: JsonObject = {}
  for (const [name, value] of Object.entries(document)) {
    if (name.startsWith('_') || (isBookkeeping(name, document) && !isField(name))) continue
    fields[name] = converted(typeof value === 'string' ? ownText(value, document) : value, ids)
  }
  return fields
}

/** Whether a property is none that people have filled in. */
function isBookkeeping(name: string, document: JsonObject): boolean {
  const isSortForm = name.endsWith('Sortified') && Object.hasOwn(document, name.slice(0, -'Sortified'.length))
  return (
    isSortForm ||
    /^apos[A-Z]/.test(name) ||
    OF_DOCUMENTS.has(name) ||
    (typeof document.path === 'string' && OF_PAGES.has(name)) ||
    (OF_TYPES.get(String(document.type))?.includes(name) ?? false)
  )
}

/**
 * The text that an archived document had before: slugs, names and addresses give way with the ids of the document and,
 * in slugs, of the pages above it.
 */
function ownText(text: string, { archived, aposDocId, path }: JsonObject): string {
  if (archived !== true || !text.includes('deduplicate-')) return text
  const ids = typeof path === 'string' ? path.split('/') : [String(aposDocId)]
  const parts = text.split('/').map((part) => ids.reduce(withoutMark, part))
  return parts.join('/')
}

/** A text that gives way begins with this, or ends with it. */
function withoutMark(text: string, id: string): string {
  const [start, end] = [`deduplicate-${id}-`, `-deduplicate-${id}`]
  if (text.startsWith(start)) return text.slice(start.length)
  return text.endsWith(end) ? text.slice(0, -end.length) : text
}

function converted(value: Json, ids: NewIds): Json {
  if (typeof value === 'string') return ids.get(value) ?? withPermalinks(value, ids)
  if (Array.isArray(value)) return value.map((item) => converted(item, ids))
  if (!isObject(value)) return value
  const isAttachment = value.type === 'attachment' && typeof value._id === 'string' && value.metaType === undefined
  return isAttachment ? attachment(value) : convertedObject(value, ids)
}

/** Objects and items are known by their fields here. */
const UNMARKED: ReadonlySet<Json | undefined> = new Set(['arrayItem', 'object', 'objectItem'])

function convertedObject(object: JsonObject, ids: NewIds): JsonObject {
  const changed: JsonObject = {}
  const isRichText = object.type === '@apostrophecms/rich-text'
  for (const [name, value] of Object.entries(object)) {
    if (isRichText && IN_RICH_TEXT.has(name)) continue
    if (name === 'metaType' && UNMARKED.has(value)) continue
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
  return NEW_ID.test(id) ? id : fixedId(`attachment ${id}`)
}

function withPermalinks(text: string, ids: NewIds): string {
  if (ids.size === 0 || !text.includes(PERMALINK)) return text
  return text.replaceAll(/(#apostrophe-permalink-)([a-z0-9]+)/g, (all, begin, id) => {
    const other = ids.get(id)
    return other === undefined ? all : begin + other
  })
}
