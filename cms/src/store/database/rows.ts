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

/** Makes the cell of a column of `documents`. */
type CellOf = (document: OpenDocument, content: ContentPosition) => string | number | null

/** The columns of `documents` that every save changes. */
const ALWAYS_CHANGED = {
  updated_at: ({ updatedAt }) => updatedAt,
  revision: ({ revision }) => revision,
  content: (_, { n }) => n,
  bytes: (_, { bytes }) => bytes,
} as const satisfies Record<string, CellOf>

/** Columns that most saves do not change: many are by the same editor as the save before, and publish nothing. */
const SOMETIMES_CHANGED = {
  updated_by: ({ updatedBy }) => JSON.stringify(updatedBy),
  updated_by_id: ({ updatedBy }) => updatedBy._id,
  last_published_at: ({ lastPublishedAt }) => lastPublishedAt,
  was_published: ({ wasPublished }) => (wasPublished ? 1 : 0),
  modified: ({ modified }) => (modified ? 1 : 0),
  copy_of: ({ fields }) => (typeof fields.copyOfId === 'string' ? fields.copyOfId : null),
} as const satisfies Record<string, (document: OpenDocument) => ReturnType<CellOf>>

/** Columns that few saves change. */
const SELDOM_CHANGED = {
  doc_id: ({ id }) => id.docId,
  locale: ({ id }) => id.locale,
  mode: ({ id }) => id.mode,
  type: ({ type }) => type,
  slug_scope: ({ type, fields }) => slugScope(type, textOf(fields.slug)),
  slug: ({ fields }) => textOf(fields.slug),
  slug_folded: ({ fields }) => foldText(textOf(fields.slug)),
  title: ({ fields }) => textOf(fields.title),
  title_folded: ({ fields }) => foldText(textOf(fields.title)),
  title_sort: ({ fields }) => titleKey(textOf(fields.title)),
  visibility: (document) => stateOf(document).visibility,
  archived: (document) => (stateOf(document).isArchived ? 1 : 0),
  created_at: ({ createdAt }) => createdAt,
  // Marks it as unsearched.
  search_stale: () => 1,
} as const satisfies Record<string, CellOf>

const CELLS: Readonly<Record<string, CellOf>> = { ...SELDOM_CHANGED, ...ALWAYS_CHANGED, ...SOMETIMES_CHANGED }
const CELLS_IN_ORDER = Object.values(CELLS)

/** All columns that are written, in the order of `toCells`. */
export const WRITTEN: readonly string[] = Object.keys(CELLS)

/** The cells to write for a document, which mark it as unsearched. */
export function toCells(document: OpenDocument, content: ContentPosition): readonly (string | number | null)[] {
  return CELLS_IN_ORDER.map((cellOf) => cellOf(document, content))
}

/** Two states of one copy. */
interface States {
  readonly document: OpenDocument
  readonly before: OpenDocument
}

/**
 * The columns to be set where these copies are saved: those that some save changes. The indexes that hold others need no
 * writing. Null for all columns.
 */
export function changedColumns(saves: readonly States[]): readonly string[] | null {
  if (!saves.every(({ document, before }) => differsLittle(document, before))) return null
  const changed = Object.entries(SOMETIMES_CHANGED).filter(([, cellOf]) =>
    saves.some(({ document, before }) => cellOf(document) !== cellOf(before)),
  )
  return [...Object.keys(ALWAYS_CHANGED), ...changed.map(([name]) => name)]
}

/** Whether two states of one copy do not differ in what those columns are made of that few saves change. */
function differsLittle(one: OpenDocument, other: OpenDocument): boolean {
  const key = ({ type, createdAt, fields }: OpenDocument) =>
    JSON.stringify([type, createdAt, fields.slug, fields.title, fields.visibility, fields.archived])
  return key(one) === key(other)
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
