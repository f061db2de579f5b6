import { isTrue } from '../../base/body-marks.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Copies, DocId, Document, Locale, Mode } from '../../model/terms/document.ts'
import { indexRowsOf } from '../../model/values/index-rows.ts'
import { storedValue } from '../../model/values/walk.ts'
import type { IndexRow, Put, UniqueValue } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import type { Reason } from '../events.ts'

/** Both copies, in the order in which they are written. */
export const MODES: readonly Mode[] = ['draft', 'published']

/** Clean fields for the copies that change; a copy left out stays as it is. */
export interface ChangedFields {
  readonly draft?: JsonObject
  readonly published?: JsonObject
}

/** Maps the fields of each copy. Copies that share one object share one afterwards, too. */
export function mapFields(fields: ChangedFields, make: (values: JsonObject) => JsonObject): ChangedFields {
  const { draft, published } = fields
  const madeDraft = draft && make(draft)
  const madePublished = published && (published === draft ? madeDraft : make(published))
  return { ...(madeDraft && { draft: madeDraft }), ...(madePublished && { published: madePublished }) }
}

/** One change of one document in one locale, allowed and clean. */
export interface Change {
  readonly reason: Reason
  readonly type: Type
  readonly docId: DocId
  readonly locale: Locale
  readonly before: Copies
  readonly fields: ChangedFields
  /**
   * Whether the service made the slug: then a number is added when it is taken; a given slug that is taken is a
   * conflict.
   */
  readonly madeSlug: boolean
  /** The copy that the version records; null when no content changes. */
  readonly version: Mode | null
  readonly ai: boolean
  readonly restoredFrom: string | null
  /** Takes a publication back; `restoredFrom` says to which one. */
  readonly isUndo: boolean
  /** May be merged into the version before it. */
  readonly autosave: boolean
  readonly copyOfId: string | null
  /** Of an import: when the copies of a new document were made and saved elsewhere, and by whom. */
  readonly origins: Origins | null
}

/** When a copy was made, saved and published, and by whom. */
export type Origin = Pick<Document, 'createdAt' | 'updatedAt' | 'updatedBy' | 'lastPublishedAt' | 'wasPublished'>

/** Of each copy that is imported. */
export type Origins = { readonly [mode in Mode]?: Origin }

/** What every change must state, and optionally what differs from the defaults. */
type Given = Pick<Change, 'reason' | 'type' | 'docId' | 'locale' | 'before' | 'fields'> & Partial<Change>

/** A change made by the caller. `body` is what was sent, if anything: it may say what kind of save this is. */
export function changeOf(ctx: Context, given: Given, body: { readonly [name: string]: unknown } = {}): Change {
  return {
    madeSlug: false,
    version: given.fields.published === undefined ? 'draft' : 'published',
    ai: isAi(ctx),
    restoredFrom: null,
    isUndo: false,
    // `_explicitSave` says the opposite.
    autosave: isTrue(body, '_autosave') && !isTrue(body, '_explicitSave'),
    copyOfId: null,
    origins: null,
    ...given,
  }
}

function isAi({ actor }: Context): boolean {
  return (actor.kind === 'key' || actor.kind === 'user') && actor.ai
}

/** The copies to write, with their new index rows and those that are stored now. */
export function putsOf(type: Type, before: Copies, after: Copies): Put[] {
  const made = new Map<JsonObject, IndexRow[]>()
  const rowsOf = (document: Document) => {
    const indexRows = made.get(document.fields) ?? indexed(type, document)
    made.set(document.fields, indexRows)
    return indexRows
  }
  const hasUnique = type.fields.list.some((field) => field.unique)
  return MODES.flatMap((mode) => {
    const document = after[mode]
    const stored = before[mode]
    if (document === null || document === stored) return []
    const isRetyped = stored !== null && stored.type !== document.type
    const unique = (isRetyped || hasUnique) && { unique: uniqueValues(type, document) }
    const had = hasUnique && !isRetyped && stored && { unique: uniqueValues(type, stored) }
    const was = stored && { document: stored, indexRows: rowsOf(stored), ...had }
    return [{ document, indexRows: rowsOf(document), ...unique, before: was }]
  })
}

/** The values of a document that no other one of its type, locale and mode may have. */
export function uniqueValues({ fields }: Type, document: Document): readonly UniqueValue[] {
  return fields.list.flatMap((field) => {
    const value = field.unique ? storedValue(field, document.fields) : null
    const indexed = value === null ? [] : [...(field.type.index?.(value, field.options) ?? [])]
    return indexed.map(({ text, number }) => ({ name: field.name, value: text ?? String(number) }))
  })
}

/** These are columns of every document: lists need no index rows for them. */
const COLUMNS = new Set(['title', 'slug', 'visibility', 'archived'])

/** What lists find a document by, besides the columns that every document has. */
export function indexed(type: Type, document: Document): IndexRow[] {
  return indexRowsOf(type.fields, document.fields).filter(({ name }) => !COLUMNS.has(name))
}

/** When either copy was last saved; empty when there is none. */
export function lastSaved({ draft, published }: Copies): string {
  const [one, other] = [draft?.updatedAt ?? '', published?.updatedAt ?? '']
  return one > other ? one : other
}

/**
 * When a save happens: now, but always after what it changes was saved, so that versions and lists keep their order
 * when a clock is set back.
 */
export function timeOfSave(ctx: Pick<Context, 'now'>, before: Copies): string {
  const last = lastSaved(before)
  return new Date(Math.max(ctx.now().getTime(), last === '' ? 0 : Date.parse(last) + 1)).toISOString()
}
