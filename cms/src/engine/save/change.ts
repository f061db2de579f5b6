import { invalidField } from '../../base/errors.ts'
import { type JsonObject, sameJson, type UnknownObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import { isTrue } from '../../model/field-type/outside.ts'
import { type Document, type OpenCopies, type OpenDocument, openValues } from '../../model/terms/document.ts'
import type { DocId, Locale, Mode } from '../../model/terms/document-id.ts'
import { indexRowsOf } from '../../model/values/index-rows.ts'
import { storedValue } from '../../model/values/walk.ts'
import type { AcceptedProposal, IndexRow, Put, UniqueValue } from '../../store/contract/store.ts'
import type { Context, WriteContext } from '../context.ts'
import type { Reason } from '../events.ts'
import { authorOf } from '../permissions.ts'

/** Both copies, in the order in which they are written. */
export const MODES: readonly Mode[] = ['draft', 'published']

/** The copies of a document that is not there. */
export const NO_COPIES: OpenCopies = { draft: null, published: null }

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
  readonly before: OpenCopies
  readonly fields: ChangedFields
  /** Numbers or refuses a slug that is taken or cannot be reached. Default: `refuse`. */
  readonly takenSlug?: 'number' | 'refuse'
  /** Null where no version is recorded; when left out, that of the published copy, if it changes, else of the draft. */
  readonly history?: HistoryEntry | null
  /** Of an import: when the copies of a new document were made and saved elsewhere, and by whom. */
  readonly origins?: Origins | null
}

/** How a change is recorded in the history. */
interface HistoryEntry {
  /** The copy that is recorded. */
  readonly mode: Mode
  /** The version that the content was taken from. */
  readonly restoredFrom?: string | undefined
  /** Whether it may be merged into the version before it. */
  readonly isAutosave?: boolean
  /** The proposal that it accepts. */
  readonly proposal?: AcceptedProposal | undefined
}

/** Whether a body says that its save may be merged into the one before it; `_explicitSave` says the opposite. */
export function isAutosave(body: UnknownObject): boolean {
  return isTrue(body, '_autosave') && !isTrue(body, '_explicitSave')
}

/**
 * Whether a save that writes these copies may leave its draft incomplete (§3.2). What is published must be complete:
 * throws `invalid` for `_incomplete` in a save that writes the published copy; an autosave is like any other save there.
 */
export function mayBeIncomplete(body: UnknownObject, modes: readonly Mode[]): boolean {
  const asks = isTrue(body, '_incomplete')
  if (!modes.includes('published')) return asks || isAutosave(body)
  if (!asks) return false
  throw invalidField(
    '_incomplete',
    'This save is published at once, and what is published is complete. Leave _incomplete out, or save a draft.',
  )
}

/** Returns how a change is recorded; null when it is not. */
export function historyOf({ fields, history }: Change): HistoryEntry | null {
  return history === undefined ? { mode: fields.published === undefined ? 'draft' : 'published' } : history
}

/** True for a change that takes its content from a version. */
export function isRestoring({ history }: Change): boolean {
  return history?.restoredFrom !== undefined
}

/** The `_copyingId` of the request that makes a document. */
export function copyOfIdOf({ reason, fields }: Change): string | null {
  const copyOfId = (fields.draft ?? fields.published)?.copyOfId
  return reason === 'inserted' && typeof copyOfId === 'string' ? copyOfId : null
}

/** True for a change that makes a document. */
export function isNew({ before }: Pick<Change, 'before'>): boolean {
  return before.draft === null && before.published === null
}

/** When a copy was made, saved and published, and by whom. */
export type Origin = Pick<OpenDocument, 'createdAt' | 'updatedAt' | 'updatedBy' | 'lastPublishedAt' | 'wasPublished'>

/** Of each copy that is imported. */
export type Origins = { readonly [mode in Mode]?: Origin }

/**
 * Returns both copies after the change: a published change also touches its draft's dates and its `modified` mark;
 * unpublishing leaves the draft alone.
 */
export function copiesAfter(ctx: WriteContext, change: Change): OpenCopies {
  const now = timeOfSave(ctx, change.before)
  const publishes = change.fields.published !== undefined && change.reason !== 'migrated'
  const isLeaving = (mode: Mode) => change.reason === 'unpublished' && mode === 'published'
  const fieldsOf = (mode: Mode) => (isLeaving(mode) ? undefined : (change.fields[mode] ?? change.before[mode]?.fields))
  const isTouched = (mode: Mode) => change.fields[mode] !== undefined || publishes
  const typeOf = (mode: Mode) => (isTouched(mode) ? change.type.name : change.before[mode]?.type)
  const isModified =
    typeOf('draft') !== typeOf('published') || !sameJson(content(fieldsOf('draft')), content(fieldsOf('published')))
  const copy = (mode: Mode): OpenDocument | null => {
    const before = change.before[mode]
    const fields = fieldsOf(mode)
    if (fields === undefined) return null
    if (!isTouched(mode)) return before
    return {
      id: { docId: change.docId, locale: change.locale, mode },
      type: change.type.name,
      fields,
      createdAt: (before ?? change.before.draft ?? change.before.published)?.createdAt ?? now,
      ...(savedBefore(change, mode) ?? { updatedAt: now, updatedBy: authorOf(ctx.actor) }),
      lastPublishedAt: publishes ? now : isLeaving('published') ? null : (before?.lastPublishedAt ?? null),
      ...change.origins?.[mode],
      wasPublished: wasEverPublished(change),
      modified: mode === 'draft' && isModified,
      // A republished copy continues from the revision of its draft, which kept counting: no ETag is used twice.
      revision: ((before ?? change.before.draft ?? change.before.published)?.revision ?? 0) + 1,
    }
  }
  return { draft: copy('draft'), published: copy('published') }
}

/** Whether the document is published by this change, or ever was, in its locale: nothing undoes that. */
function wasEverPublished({ fields, before, origins }: Change): boolean {
  return (
    fields.published !== undefined || MODES.some((mode) => before[mode]?.wasPublished || origins?.[mode]?.wasPublished)
  )
}

/**
 * Returns when and by whom the new content of a copy was saved; null when this change saves it. Unpublishing,
 * archiving, restoring and migrating save nothing, and a reverted draft is as old as the published copy: a translation
 * stays outdated (§3.4).
 */
function savedBefore(change: Change, mode: Mode): Pick<OpenDocument, 'updatedAt' | 'updatedBy'> | null {
  const saved = sourceOf(change, mode)
  return saved && { updatedAt: saved.updatedAt, updatedBy: saved.updatedBy }
}

/** The stored copy from which a copy takes its time and author. */
function sourceOf({ reason, fields, before, takenSlug }: Change, mode: Mode): OpenDocument | null {
  const { draft, published } = before
  if (fields[mode] === undefined || reason === 'migrated') return before[mode]
  if (reason === 'reverted' && fields.published === undefined) return published
  // The later one: what is saved next must be newer than all that was recorded.
  if (reason === 'unpublished') return draft && published && published.updatedAt > draft.updatedAt ? published : draft
  const isState = reason === 'archived' || reason === 'restored'
  // A document that leaves the archive may need another slug: that is no change of content.
  const rest = (all: JsonObject | undefined) =>
    takenSlug === 'number' ? { ...content(all), slug: null } : content(all)
  return isState && sameJson(rest(fields[mode]), rest(before[mode]?.fields)) ? before[mode] : null
}

/** The fields by which draft and published copy are compared: all but the state that both always share. */
function content(fields: JsonObject | undefined): JsonObject | undefined {
  if (fields === undefined) return undefined
  const { archived: _, ...rest } = fields
  return rest
}

/** The copies to write, with their new index rows and those that are stored now. */
export function putsOf(type: Type, before: OpenCopies, after: OpenCopies): Put[] {
  const made = new Map<JsonObject, IndexRow[]>()
  const rowsOf = (document: OpenDocument) => {
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
    const uniqueBefore = hasUnique && !isRetyped && stored && { unique: uniqueValues(type, stored) }
    const replaced = stored && { document: stored, indexRows: rowsOf(stored), ...uniqueBefore }
    return [{ document, indexRows: rowsOf(document), ...unique, before: replaced }]
  })
}

/** The values of a document that no other one of its type, locale and mode may have. */
export function uniqueValues({ fields }: Type, document: Document): readonly UniqueValue[] {
  return fields.list.flatMap((field) => {
    const value = field.unique ? storedValue(field, openValues(document)) : null
    const indexed = value === null ? [] : [...(field.type.index?.(value, field.options) ?? [])]
    return indexed.map(({ text, number }) => ({ name: field.name, value: text ?? String(number) }))
  })
}

/** Columns of every document: lists need no index rows for them. */
const COLUMNS = new Set(['title', 'slug', 'visibility', 'archived'])

/** Returns the index rows of a document, but those of columns that every document has. */
export function indexed(type: Type, document: Document): IndexRow[] {
  return indexRowsOf(type.fields, openValues(document)).filter(({ name }) => !COLUMNS.has(name))
}

/** Returns when either copy was last saved; empty when there is none. */
export function lastSaved({ draft, published }: OpenCopies): string {
  const [one, other] = [draft?.updatedAt ?? '', published?.updatedAt ?? '']
  return one > other ? one : other
}

/**
 * Returns the time of a save: now, but always after the last save of the copies, so that versions and lists keep their
 * order when a clock is set back.
 */
export function timeOfSave(ctx: Pick<Context, 'now'>, before: OpenCopies): string {
  const last = lastSaved(before)
  return new Date(Math.max(ctx.now().getTime(), last === '' ? 0 : Date.parse(last) + 1)).toISOString()
}
