import type { ChangeEvent } from '../../model/declared/change-events.ts'
import type { DocId, DocumentId, Locale, Mode } from '../../model/terms/document-id.ts'
import type { StoreWriter } from '../../store/contract/store.ts'
import type { WriteContext } from '../context.ts'
import type { ContentChange, Reason } from '../events.ts'

/** The copies of one document that a transaction changes, and why. */
export interface ChangedDocument {
  readonly reason: Reason | 'removed'
  readonly type: string
  readonly docId: DocId
  readonly locale: Locale
  readonly modes: readonly Mode[]
}

/** Runs the `onChange` hooks for changes of a transaction. */
export async function announceChanges(ctx: WriteContext, changes: readonly ChangedDocument[]): Promise<void> {
  if (!ctx.hooks.names.has('onChange') || changes.length === 0) return
  await ctx.hooks.run('onChange', changes.flatMap(contentChangesOf), ctx)
}

const STATES: { readonly [reason in Reason | 'removed']?: ChangeEvent } = {
  unpublished: 'document.unpublished',
  archived: 'document.archived',
  restored: 'document.restored',
  moved: 'document.moved',
  carried: 'document.moved',
  removed: 'document.removed',
}

/** A save that writes the published copy also publishes it; publishing a draft is not a save. */
function contentChangesOf(change: ChangedDocument): ContentChange[] {
  const state = STATES[change.reason]
  if (state !== undefined) return [{ ...change, event: state }]
  const saved: ContentChange[] = change.reason === 'published' ? [] : [{ ...change, event: 'document.saved' }]
  return change.modes.includes('published') ? [...saved, { ...change, event: 'document.published' }] : saved
}

type Place = Pick<DocumentId, 'docId' | 'locale'>

/** Counts a transaction's changes to a document in a locale. */
interface Writes {
  readonly changes: number
  readonly removed: boolean
}

const NONE: Writes = { changes: 0, removed: false }

/** By transaction, what was written in it. */
const written = new WeakMap<StoreWriter, Map<string, Writes>>()

/** Records that the transaction has changed or removed a document in a locale. */
export function recordWrite(ctx: WriteContext, place: Place, how: 'changed' | 'removed'): void {
  const { changes, removed } = writesOf(ctx, place)
  const writes = written.get(ctx.tx) ?? new Map<string, Writes>()
  const now = how === 'changed' ? { changes: changes + 1, removed } : { changes, removed: true }
  written.set(ctx.tx, writes.set(keyOf(place), now))
}

function writesOf({ tx }: WriteContext, place: Place): Writes {
  return written.get(tx)?.get(keyOf(place)) ?? NONE
}

/** By transaction, how often it has changed a tree. */
const treeChanges = new WeakMap<StoreWriter, number>()

/** Records that the transaction has added, moved or removed a page, or changed the slug of one. */
export function recordTreeChange({ tx }: Pick<WriteContext, 'tx'>): void {
  treeChanges.set(tx, countTreeChanges({ tx }) + 1)
}

/** How often the transaction has changed a tree. */
export function countTreeChanges({ tx }: Pick<WriteContext, 'tx'>): number {
  return treeChanges.get(tx) ?? 0
}

/** Runs the hooks of pages whose places and slugs were read before. Throws when these hooks change a tree. */
export async function runWithoutTreeChanges(ctx: WriteContext, hooks: () => Promise<void>): Promise<void> {
  const before = countTreeChanges(ctx)
  await hooks()
  if (countTreeChanges(ctx) !== before) throw new Error(CHANGES_THE_TREE)
}

const CHANGES_THE_TREE =
  'A hook has added, moved or removed pages, or changed the slug of one, while pages are moved or removed: this change would undo that. Do it in afterSave or afterRemove.'

function keyOf({ docId, locale }: Place): string {
  return `${docId}:${locale}`
}

/** A document that is about to be written. */
export type Awaiting = Place & { readonly type: string }

/**
 * Runs the `beforeSave` hooks of documents. Throws when these hooks remove one of them: saved now, it would be there
 * again without its history.
 */
export async function runWithoutRemoval(
  ctx: WriteContext,
  saved: readonly Awaiting[],
  hooks: () => Promise<void>,
): Promise<void> {
  const there = saved.filter((place) => !writesOf(ctx, place).removed)
  await hooks()
  const removed = there.find((place) => writesOf(ctx, place).removed)
  if (removed) throw new Error(`A beforeSave hook of ${removed.type} ${REMOVES_ITS_OWN}`)
}

const REMOVES_ITS_OWN =
  'has removed the document that it saves. Throw in it to refuse the save, or remove in afterSave.'

/** Like `runWithoutRemoval`; returns the documents among these that hooks have changed by other operations. */
export async function changedBy(
  ctx: WriteContext,
  saved: readonly Awaiting[],
  hooks: () => Promise<void>,
): Promise<Awaiting[]> {
  const before = saved.map((place) => writesOf(ctx, place).changes)
  await runWithoutRemoval(ctx, saved, hooks)
  return saved.filter((place, index) => writesOf(ctx, place).changes !== before[index])
}

/** Like `runWithoutRemoval`, for documents whose fields were read before: hooks must not change them, either. */
export async function runWithoutChanges(
  ctx: WriteContext,
  saved: readonly Awaiting[],
  hooks: () => Promise<void>,
): Promise<void> {
  const [changed] = await changedBy(ctx, saved, hooks)
  if (changed) throw new Error(`A beforeSave hook of ${changed.type} ${CHANGES_ITS_OWN}`)
}

const CHANGES_ITS_OWN =
  'has changed the document that is being saved, by another operation: this save would undo that. Change its fields in the hook, or the document in afterSave.'
