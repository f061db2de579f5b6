import { copyJson, type JsonObject } from '../../base/json.ts'
import { sameJson } from '../../base/same-json.ts'
import type { Copies, Document, DocumentId, Mode } from '../../model/terms/document.ts'
import { applyAccountChange } from '../access/accounts.ts'
import type { WriteContext } from '../context.ts'
import type { Reason, SaveEvent } from '../events.ts'
import { authorOf } from '../permissions.ts'
import { clean } from '../values/clean.ts'
import { type Change, type ChangedFields, MODES, putsOf, timeOfSave } from './change.ts'
import { type ChangedCopies, noteChanges } from './content-changes.ts'
import { storeNew, withFreeSlugs, withOneSlug } from './free-slugs.ts'
import { type Awaiting, keepingAllAsRead, noteWrite } from './hooked-writes.ts'
import { withReachableSlugs } from './reachable-slugs.ts'
import { recordVersion, recordVersions } from './record-version.ts'
import { withWholeSlug } from './whole-slug.ts'

/**
 * The only way the content of a document changes: every save is seen by hooks, cleaned, indexed and recorded as a
 * version, and both copies are written together. Returns both copies as they are now. Throws what hooks throw, and
 * `conflict` for a taken slug. What a tree does to many pages at once is announced by `announceTreeChanges`.
 */
export async function save(ctx: WriteContext, change: Change): Promise<Copies> {
  const hooked = withReachableSlugs(ctx, { ...change, fields: await throughHooks(ctx, change) })
  if (changesNothing(hooked)) return hooked.before
  const placed = isNew(hooked) ? hooked : await withFreeSlugs(ctx, hooked)
  const after = isNew(hooked) ? await storeNew(ctx, placed, build) : await storeChanged(ctx, placed)
  noteWrite(ctx, change, 'changed')
  await recordVersion(ctx, placed, after)
  await applyAccountChange(ctx, placed.type, placed.before.published, after.published)
  announce(ctx, placed, after)
  await noteChanges(ctx, [changedCopies(placed)])
  return after
}

/**
 * The same as `save` for many documents, each of them once, whose `before` is what is stored now. A constant number of
 * statements, unless a `beforeSave` looks at each document or a slug is taken.
 */
export async function saveMany(ctx: WriteContext, changes: readonly Change[]): Promise<Copies[]> {
  const isSeenByHooks = ctx.hooks.has(
    'beforeSave',
    changes.map(({ type }) => type),
  )
  if (changes.length === 1 || ctx.attempt > 1 || isSeenByHooks || changes.some(({ autosave }) => autosave)) {
    const saved: Copies[] = []
    for (const [index, change] of changes.entries()) {
      const later = isSeenByHooks ? changes.slice(index + 1).map(awaiting) : []
      await keepingAllAsRead(ctx, later, async () => void saved.push(await save(ctx, change)))
    }
    return saved
  }
  const changed = changes.filter((change) => !changesNothing(change))
  const reachable = changed.map((change) => [change, withReachableSlugs(ctx, change)] as const)
  const built = new Map(reachable.map(([change, one]) => [change, build(ctx, isNew(one) ? withOneSlug(one) : one)]))
  await storeMany(ctx, built)
  await recordVersions(ctx, built)
  for (const [change, after] of built) {
    await applyAccountChange(ctx, change.type, change.before.published, after.published)
    announce(ctx, change, after)
  }
  await noteChanges(ctx, [...built.keys()].map(changedCopies))
  return changes.map((change) => built.get(change) ?? change.before)
}

/** Stores many documents; those whose slug is taken one by one, and `built` then holds what was stored. */
async function storeMany(ctx: WriteContext, built: Map<Change, Copies>): Promise<void> {
  const [added, changed] = [[...built].filter(([one]) => isNew(one)), [...built].filter(([one]) => !isNew(one))]
  const putsOfAll = (all: typeof added) => all.flatMap(([{ type, before }, after]) => putsOf(type, before, after))
  const taken = added.length > 0 ? await ctx.tx.documents.insertMany(putsOfAll(added)) : new Set()
  for (const [change] of added) {
    if (taken.has(change.docId)) built.set(change, await storeNew(ctx, withReachableSlugs(ctx, change), build))
  }
  await ctx.tx.documents.put(putsOfAll(changed))
}

function awaiting({ docId, locale, type }: Change): Awaiting {
  return { docId, locale, type: type.name }
}

function isNew({ before }: Change): boolean {
  return before.draft === null && before.published === null
}

/** These change what a document has besides its fields. */
const ALWAYS_SAVED: ReadonlySet<Reason> = new Set(['published', 'unpublished', 'migrated'])

/** True when all is to stay as it is stored: then no row is written, and no version. */
function changesNothing(change: Change): boolean {
  if (ALWAYS_SAVED.has(change.reason) || change.restoredFrom !== null) return false
  return MODES.every((mode) => {
    const fields = change.fields[mode]
    const before = change.before[mode]
    if (fields === undefined) return true
    return before?.type === change.type.name && sameJson(fields, before.fields)
  })
}

async function throughHooks(ctx: WriteContext, change: Change): Promise<ChangedFields> {
  if (!ctx.hooks.has('beforeSave', [change.type])) return change.fields
  // Each hook gets fields of its own to change: what they were made from stays as it is.
  const events = eventsOf(change).map((event) => ({ ...event, fields: copyJson(event.fields) }))
  await keepingAllAsRead(ctx, [awaiting(change)], async () => {
    for (const event of events) await ctx.hooks.run('beforeSave', event, ctx)
  })
  // Hooks may have written anything: the result is cleaned like all other values.
  const cleaned = await clean(
    ctx,
    change.type,
    events.map(({ id, fields }) => {
      return {
        values: fields,
        before: change.fields[id.mode] ?? null,
        touched: null,
        mustBeComplete: false,
        trusted: true,
      }
    }),
  )
  return Object.fromEntries(
    events.map(({ id: { mode } }, index) => {
      const fields = withWholeSlug(change.type, cleaned[index] ?? {})
      // Both copies share this state, and a page has it by its position: hooks change it by archiving the document.
      const archived = change.fields[mode]?.archived
      return [mode, archived === undefined ? fields : { ...fields, archived }]
    }),
  )
}

function eventsOf(change: Change): SaveEvent[] {
  return MODES.flatMap((mode) => {
    const fields = change.fields[mode]
    if (fields === undefined) return []
    const { reason, type, copyOfId } = change
    return [{ reason, type, id: idOf(change, mode), before: change.before[mode], fields, copyOfId }]
  })
}

function idOf(change: Change, mode: Mode): DocumentId {
  return { docId: change.docId, locale: change.locale, mode }
}

/**
 * Both copies as they will be: a published change also touches its draft's dates and its `modified` mark; unpublishing
 * leaves the draft alone.
 */
function build(ctx: WriteContext, change: Change): Copies {
  const now = timeOfSave(ctx, change.before)
  const publishes = change.fields.published !== undefined && change.reason !== 'migrated'
  const isLeaving = (mode: Mode) => change.reason === 'unpublished' && mode === 'published'
  const fieldsOf = (mode: Mode) => (isLeaving(mode) ? undefined : (change.fields[mode] ?? change.before[mode]?.fields))
  const isTouched = (mode: Mode) => change.fields[mode] !== undefined || publishes
  const typeOf = (mode: Mode) => (isTouched(mode) ? change.type.name : change.before[mode]?.type)
  const isModified =
    typeOf('draft') !== typeOf('published') || !sameJson(content(fieldsOf('draft')), content(fieldsOf('published')))
  const copy = (mode: Mode): Document | null => {
    const before = change.before[mode]
    const fields = fieldsOf(mode)
    if (fields === undefined) return null
    if (!isTouched(mode)) return before
    return {
      id: idOf(change, mode),
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
 * When the new content of a copy was saved, and by whom; null when this change saves it. Unpublishing, archiving,
 * restoring and migrating save nothing, and a reverted draft is as old as what it is reverted to: a translation stays
 * outdated (§3.4).
 */
function savedBefore(change: Change, mode: Mode): Pick<Document, 'updatedAt' | 'updatedBy'> | null {
  const saved = sourceOf(change, mode)
  return saved && { updatedAt: saved.updatedAt, updatedBy: saved.updatedBy }
}

/** The stored copy from which a copy takes its time and author. */
function sourceOf({ reason, fields, before, madeSlug }: Change, mode: Mode): Document | null {
  const { draft, published } = before
  if (fields[mode] === undefined || reason === 'migrated') return before[mode]
  if (reason === 'reverted' && fields.published === undefined) return published
  // The later one: what is saved next must be newer than all that was recorded.
  if (reason === 'unpublished') return draft && published && published.updatedAt > draft.updatedAt ? published : draft
  const isState = reason === 'archived' || reason === 'restored'
  // What leaves the archive may need another slug: that is no content.
  const rest = (all: JsonObject | undefined) => (madeSlug ? { ...content(all), slug: null } : content(all))
  return isState && sameJson(rest(fields[mode]), rest(before[mode]?.fields)) ? before[mode] : null
}

/** The fields by which draft and published copy are compared: all but the state that both always share. */
function content(fields: JsonObject | undefined): JsonObject | undefined {
  if (fields === undefined) return undefined
  const { archived: _, ...rest } = fields
  return rest
}

async function storeChanged(ctx: WriteContext, change: Change): Promise<Copies> {
  const after = build(ctx, change)
  await ctx.tx.documents.put(putsOf(change.type, change.before, after))
  return after
}

function announce(ctx: WriteContext, change: Change, after: Copies): void {
  if (!ctx.hooks.has('afterSave', [change.type])) return
  // Fields of their own: those of the document become part of the answer.
  const events = eventsOf(change).map((event) => {
    return { ...event, fields: copyJson(after[event.id.mode]?.fields ?? event.fields) }
  })
  ctx.afterCommit((ctx) => ctx.hooks.tell('afterSave', () => events, ctx))
}

function changedCopies(change: Change): ChangedCopies {
  const { reason, type, docId, locale } = change
  const changed = MODES.filter((mode) => change.fields[mode] !== undefined)
  return { reason, type: type.name, docId, locale, modes: reason === 'unpublished' ? ['published'] : changed }
}
