import type { JsonObject } from '../../base/json.ts'
import { foldText, sortText } from '../../base/text.ts'
import { type Document, type OpenDocument, stateOf } from '../../model/terms/document.ts'
import type { DocumentId } from '../../model/terms/document-id.ts'
import type { ScheduleTime } from '../../model/terms/document-times.ts'
import { changed } from '../terms/changes.ts'
import type { Scope, SortColumn } from '../terms/document-query.ts'
import type { ReadDocument } from '../terms/document-store.ts'
import type { SearchScope } from '../terms/search-query.ts'
import { Basis } from '../terms/sources.ts'
import type { StoredForm } from '../terms/stored-form.ts'
import { quotedName, type Sql, sql } from './sql.ts'
import type { ContentPosition } from './stored-content.ts'
import type { DocumentRow } from './tables.ts'

/** The columns lists are sorted and searched by. */
export const COLUMNS: Readonly<Record<SortColumn, string>> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  title: 'title_sort',
  slug: 'slug_folded',
  lastPublishedAt: 'last_published_at',
}

/** The columns of schedules. */
export const TIMES: Readonly<Record<ScheduleTime, string>> = { publishAt: 'publish_at', archiveAt: 'archive_at' }

/** The condition that a row of `schedules` is that of a document, each by its alias. */
export function isScheduleOf(document: string, schedule: string): Sql {
  const is = (name: string) => sql`${quotedName(`${schedule}.${name}`)} = ${quotedName(`${document}.${name}`)}`
  return sql`${is('doc_id')} and ${is('locale')}`
}

/** The columns that the fields of a document are in. */
export const IN_FIELDS = ['type', 'body', 'slug', 'archived', 'visibility', 'copyOf'] as const

function fieldsOf(row: Pick<DocumentRow, (typeof IN_FIELDS)[number]>, form: StoredForm): JsonObject {
  const stored: JsonObject = JSON.parse(row.body)
  stored.slug = row.slug
  stored.archived = row.archived === 1
  stored.visibility = row.visibility
  if (row.copyOf !== null) stored.copyOfId = row.copyOf
  return form.read(row.type, stored)
}

/** The document in a row; `fields` are its fields, if they are known already. */
export function toDocument(row: DocumentRow, form: StoredForm, fields = fieldsOf(row, form)): OpenDocument {
  return {
    id: { docId: row.docId, locale: row.locale, mode: row.mode },
    type: row.type,
    fields,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    updatedBy: JSON.parse(row.updatedBy),
    lastPublishedAt: row.lastPublishedAt,
    wasPublished: row.wasPublished === 1,
    modified: row.modified === 1,
    revision: row.revision,
  }
}

/** The document in a row, to be cached; `since`: the last commit that was known before it was read. */
export function toReadDocument(row: DocumentRow, form: StoredForm, since: number | null): ReadDocument {
  const document = toDocument(row, form)
  const basis = new Basis([changed.copy(document.id)], since ?? NEVER)
  return { row: row.n, bytes: Buffer.byteLength(row.body), document, basis }
}

/** Before all known commits: nothing that is made of it is cached. */
const NEVER = -1

/** The columns of `documents` that change with most saves. All others that are written are in several indexes each. */
export const OFTEN_CHANGED = [
  'updated_at',
  'updated_by',
  'updated_by_id',
  'last_published_at',
  'was_published',
  'modified',
  'revision',
  'copy_of',
  'content',
  'bytes',
] as const

/** All columns that are written, in the order of `toCells`. */
export const WRITTEN = [
  'doc_id',
  'locale',
  'mode',
  'type',
  'slug_scope',
  'slug',
  'slug_folded',
  'title',
  'title_folded',
  'title_sort',
  'visibility',
  'archived',
  'created_at',
  'search_stale',
  ...OFTEN_CHANGED,
] as const

/** Whether two states of one copy differ only in those columns. */
export function differsLittle(one: OpenDocument, other: OpenDocument): boolean {
  const key = ({ type, createdAt, fields }: OpenDocument) =>
    JSON.stringify([type, createdAt, fields.slug, fields.title, fields.visibility, fields.archived])
  return key(one) === key(other)
}

/** The cells to write for a document, which marks it as unsearched. */
export function toCells(document: OpenDocument, content: ContentPosition): readonly (string | number | null)[] {
  const { id, fields } = document
  const { visibility, isArchived } = stateOf(document)
  const slug = textOf(fields.slug)
  const title = textOf(fields.title)
  return [
    id.docId,
    id.locale,
    id.mode,
    document.type,
    slugScope(document.type, slug),
    slug,
    foldText(slug),
    title,
    foldText(title),
    titleKey(title),
    visibility,
    isArchived ? 1 : 0,
    document.createdAt,
    1,
    document.updatedAt,
    JSON.stringify(document.updatedBy),
    document.updatedBy._id,
    document.lastPublishedAt,
    document.wasPublished ? 1 : 0,
    document.modified ? 1 : 0,
    document.revision,
    typeof fields.copyOfId === 'string' ? fields.copyOfId : null,
    content.n,
    content.bytes,
  ]
}

/** Slugs are unique among all pages (they begin with `/`), and within each piece type (§2.12). */
export function slugScope(type: string, slug: string): string {
  return slug.startsWith('/') ? '/' : type
}

/**
 * The key that titles are sorted and looked up by. Made from the folded text, so that a folded title gives the same
 * key.
 */
export function titleKey(title: string): string {
  return sortText(foldText(title))
}

/** Type, locale and mode in one text. */
export function scopeKey(scope: SearchScope): string {
  return `${scope.type}:${scope.locale}:${scope.mode}`
}

/** A document's scope. */
export function scopeOf(document: Document): Scope {
  return { type: document.type, locale: document.id.locale, mode: document.id.mode }
}

/** True for two ids of one copy. */
export function sameId(one: DocumentId, other: DocumentId): boolean {
  return one.docId === other.docId && one.locale === other.locale && one.mode === other.mode
}

/** A field as text; empty when it is not text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
