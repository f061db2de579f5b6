import { batchesOf } from '../../base/batches.ts'
import { about } from '../../base/errors.ts'
import { copyJson, sameJson } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { OpenCopies } from '../../model/terms/document.ts'
import type { DocId, Locale, Mode } from '../../model/terms/document-id.ts'
import type { DocumentReader } from '../../store/contract/store.ts'
import { applyAccountChange } from '../access/accounts.ts'
import type { Context, WriteContext } from '../context.ts'
import type { Reason, SaveEvent } from '../events.ts'
import { authorOf } from '../permissions.ts'
import { clean } from '../values/clean.ts'
import { seenRefusal } from '../values/seen-refusal.ts'
import { viewsOf } from '../view.ts'
import {
  type Change,
  type ChangedFields,
  copiesAfter,
  copyOfIdOf,
  isNew,
  isRestoring,
  MODES,
  putsOf,
  timeOfSave,
} from './change.ts'
import { recordVersion, recordVersions } from './record-version.ts'
import { type Awaiting, announceChanges, type ChangedDocument, recordWrite, runWithoutChanges } from './save-hooks.ts'
import { storeNew, withFreeSlugs, withOneSlug, withReachableSlugs, withWholeSlug } from './slugs.ts'

/**
 * The only way the content of a document changes: every save is seen by hooks, cleaned, indexed and recorded as a
 * version, and both copies are written together. Returns both copies as they are now. Throws what hooks throw, and
 * `conflict` for a taken slug. What a tree does to many pages at once is announced by `announceTreeChanges`.
 */
export async function save(ctx: WriteContext, change: Change): Promise<OpenCopies> {
  try {
    return await saveChange(ctx, change)
  } catch (error) {
    const { type, fields } = change
    throw about(asSeen(ctx, [change], error), type.name, (fields.draft ?? fields.published)?.title)
  }
}

/** A refusal without the fields of these changes that the caller does not see. */
function asSeen(ctx: WriteContext, changes: readonly Change[], error: unknown): unknown {
  const written = changes.flatMap(({ type: { fields }, fields: copies }) =>
    Object.values(copies).map((values) => ({ fields, values })),
  )
  return seenRefusal(viewsOf(ctx), written, error)
}

async function saveChange(ctx: WriteContext, change: Change): Promise<OpenCopies> {
  const hooked = withReachableSlugs(ctx, { ...change, fields: await throughHooks(ctx, change) })
  if (changesNothing(hooked)) return hooked.before
  const placed = isNew(hooked) ? hooked : await withFreeSlugs(ctx, hooked)
  const after = isNew(hooked) ? await storeNew(ctx, placed) : await storeChanged(ctx, placed)
  recordWrite(ctx, change, 'changed')
  await recordVersion(ctx, placed, after)
  await applyAccountChange(ctx, placed.type, placed.before.published, after.published)
  announce(ctx, placed, after)
  await announceSaves(ctx, [placed])
  return after
}

/**
 * Like `save`, for many documents, each of them once, whose `before` is the stored state. A constant number
 * of statements, unless a `beforeSave` reads documents or a slug is taken.
 */
export async function saveMany(ctx: WriteContext, changes: readonly Change[]): Promise<OpenCopies[]> {
  const isSeenByHooks = ctx.hooks.has(
    'beforeSave',
    changes.map(({ type }) => type),
  )
  if (changes.length === 1 || ctx.attempt > 1 || isSeenByHooks || changes.some(({ history }) => history?.isAutosave)) {
    const saved: OpenCopies[] = []
    for (const [index, change] of changes.entries()) {
      const later = isSeenByHooks ? changes.slice(index + 1).map(awaiting) : []
      await runWithoutChanges(ctx, later, async () => void saved.push(await save(ctx, change)))
    }
    return saved
  }
  const changed = changes.filter((change) => !changesNothing(change))
  const reachable = changed.map((change) => [change, withReachableSlugs(ctx, change)] as const)
  const built = new Map(
    reachable.map(([change, one]) => [change, copiesAfter(ctx, isNew(one) ? withOneSlug(one) : one)]),
  )
  await storeMany(ctx, built).catch((error) => {
    throw asSeen(ctx, changed, error)
  })
  await recordVersions(ctx, built)
  for (const [change, after] of built) {
    await applyAccountChange(ctx, change.type, change.before.published, after.published)
    announce(ctx, change, after)
  }
  await announceSaves(ctx, [...built.keys()])
  return changes.map((change) => built.get(change) ?? change.before)
}

/** Stores many documents; those whose slug is taken one by one, and `built` then holds what was stored. */
async function storeMany(ctx: WriteContext, built: Map<Change, OpenCopies>): Promise<void> {
  const [added, changed] = [[...built].filter(([one]) => isNew(one)), [...built].filter(([one]) => !isNew(one))]
  const putsOfAll = (all: typeof added) => all.flatMap(([{ type, before }, after]) => putsOf(type, before, after))
  const taken = added.length > 0 ? await ctx.tx.documents.insertMany(putsOfAll(added)) : new Set()
  for (const [change] of added) {
    if (taken.has(change.docId)) built.set(change, await storeNew(ctx, withReachableSlugs(ctx, change)))
  }
  await ctx.tx.documents.put(putsOfAll(changed))
}

/** Reasons that change more of a document than its fields. */
const ALWAYS_SAVED: ReadonlySet<Reason> = new Set(['published', 'unpublished', 'migrated'])

/** True when all is to stay as it is stored: then no row is written, and no version. */
function changesNothing(change: Change): boolean {
  if (ALWAYS_SAVED.has(change.reason) || isRestoring(change)) return false
  return MODES.every((mode) => {
    const fields = change.fields[mode]
    const before = change.before[mode]
    if (fields === undefined) return true
    return before?.type === change.type.name && sameJson(fields, before.fields)
  })
}

/** The fields of a change, as `beforeSave` hooks leave them. */
async function throughHooks(ctx: WriteContext, change: Change): Promise<ChangedFields> {
  if (!ctx.hooks.has('beforeSave', [change.type])) return change.fields
  // Each hook gets fields of its own to change: what they were made from stays as it is.
  const events = saveEventsOf(change).map((event) => ({ ...event, fields: copyJson(event.fields) }))
  await runWithoutChanges(ctx, [awaiting(change)], async () => {
    for (const event of events) await ctx.hooks.run('beforeSave', event, ctx)
  })
  // Hooks may have written anything: the result is cleaned like all other values.
  const inputs = events.map(({ id, fields }) => {
    return { values: fields, before: change.fields[id.mode] ?? null, touched: null }
  })
  const cleaned = await clean(ctx, { type: change.type, kind: 'trusted', inputs })
  return Object.fromEntries(
    events.map(({ id: { mode } }, index) => {
      const fields = withWholeSlug(change.type, cleaned[index] ?? {})
      // Both copies share this state, and a page has it by its position: hooks change it by archiving the document.
      const archived = change.fields[mode]?.archived
      return [mode, archived === undefined ? fields : { ...fields, archived }]
    }),
  )
}

async function storeChanged(ctx: WriteContext, change: Change): Promise<OpenCopies> {
  const after = copiesAfter(ctx, change)
  await ctx.tx.documents.put(putsOf(change.type, change.before, after))
  return after
}

/**
 * A save without changes confirms an outdated translation (§4.5): somebody has looked at it and left it as it is, so it
 * counts as saved now. Nothing else changes: no version is recorded, and no hook runs. Documents that are not outdated
 * stay as they are, and so do all after an autosave. One statement, and one to write.
 */
export async function confirm(ctx: WriteContext, change: Change): Promise<OpenCopies> {
  const { type, docId, locale, before, reason } = change
  if (change.history?.isAutosave || reason !== 'saved' || !type.localized) return before
  const published = (await ctx.tx.read.documents.everywhere(docId))
    .filter(({ id }) => id.locale !== locale)
    .map(({ lastPublishedAt }) => lastPublishedAt ?? '')
  const lastSaved = (before.draft ?? before.published)?.updatedAt ?? ''
  if (!published.some((time) => time > lastSaved)) return before
  const saved = { updatedAt: timeOfSave(ctx, before), updatedBy: authorOf(ctx.actor) }
  const copy = (mode: Mode) => {
    const document = before[mode]
    const isNamed = change.fields[mode] !== undefined
    return document && isNamed ? { ...document, ...saved, revision: document.revision + 1 } : document
  }
  const after = { draft: copy('draft'), published: copy('published') }
  await ctx.tx.documents.put(putsOf(type, before, after))
  return after
}

/** How many documents are read and saved together at most, and how many bytes of them. */
const PART = { items: 50, bytes: 4_000_000 }

/**
 * Cuts documents into parts that are read and saved together. One at a time where `beforeSave` sees them: a hook may
 * read what was saved before, and write to what comes after. One statement.
 */
export async function inParts(
  ctx: Context,
  docIds: readonly DocId[],
  { read, locale, types }: { readonly read: DocumentReader; readonly locale: Locale; readonly types: readonly Type[] },
): Promise<DocId[][]> {
  if (ctx.hooks.has('beforeSave', types)) return docIds.map((docId) => [docId])
  const sizes = await read.sizes(docIds, locale)
  return batchesOf(docIds, PART, (docId) => sizes.get(docId) ?? 0)
}

/** Returns the events of a change: one for each copy. */
function saveEventsOf(change: Change): SaveEvent[] {
  return MODES.flatMap((mode) => {
    const fields = change.fields[mode]
    if (fields === undefined) return []
    const { reason, type, docId, locale } = change
    const id = { docId, locale, mode }
    return [{ reason, type, id, before: change.before[mode], fields, copyOfId: copyOfIdOf(change) }]
  })
}

/** Runs `afterSave` hooks after the commit, with what was saved. */
function announce(ctx: WriteContext, change: Change, after: OpenCopies): void {
  if (!ctx.hooks.has('afterSave', [change.type])) return
  // Fields of their own: those of the document become part of the answer.
  const events = saveEventsOf(change).map((event) => {
    return { ...event, fields: copyJson(after[event.id.mode]?.fields ?? event.fields) }
  })
  ctx.afterCommit((ctx) => ctx.hooks.notify('afterSave', () => events, ctx))
}

/** Runs the `onChange` hooks for saves. */
function announceSaves(ctx: WriteContext, changes: readonly Change[]): Promise<void> {
  const saved = changes.map(({ reason, type, docId, locale, fields }): ChangedDocument => {
    const changed = MODES.filter((mode) => fields[mode] !== undefined)
    return { reason, type: type.name, docId, locale, modes: reason === 'unpublished' ? ['published'] : changed }
  })
  return announceChanges(ctx, saved)
}

/** The document that a change writes. */
function awaiting({ docId, locale, type }: Change): Awaiting {
  return { docId, locale, type: type.name }
}
