import type { DocumentId } from '../../model/terms/document.ts'
import type { StoreWriter } from '../../store/contract/store.ts'
import type { WriteContext } from '../context.ts'

type Place = Pick<DocumentId, 'docId' | 'locale'>

/** What a transaction has done to a document in a locale. */
interface Writes {
  readonly changes: number
  readonly removed: boolean
}

const NONE: Writes = { changes: 0, removed: false }

/** By transaction, what was written in it. */
const written = new WeakMap<StoreWriter, Map<string, Writes>>()

/** Notes that the transaction has changed or removed a document in a locale. */
export function noteWrite(ctx: WriteContext, place: Place, how: 'changed' | 'removed'): void {
  const { changes, removed } = writesOf(ctx, place)
  const writes = written.get(ctx.tx) ?? new Map<string, Writes>()
  const now = how === 'changed' ? { changes: changes + 1, removed } : { changes, removed: true }
  written.set(ctx.tx, writes.set(keyOf(place), now))
}

function writesOf({ tx }: WriteContext, place: Place): Writes {
  return written.get(tx)?.get(keyOf(place)) ?? NONE
}

function keyOf({ docId, locale }: Place): string {
  return `${docId}:${locale}`
}

/** A document that is about to be written. */
export type Awaiting = Place & { readonly type: string }

/**
 * Runs the `beforeSave` hooks of documents. Throws when these hooks remove one of them: saved now, it would be there
 * again without its history.
 */
export async function keepingAll(
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

/** The same for documents whose fields are written from what was read before: hooks must not change them, either. */
export async function keepingAllAsRead(
  ctx: WriteContext,
  saved: readonly Awaiting[],
  hooks: () => Promise<void>,
): Promise<void> {
  const before = saved.map((place) => writesOf(ctx, place).changes)
  await keepingAll(ctx, saved, hooks)
  const changed = saved.find((place, index) => writesOf(ctx, place).changes !== before[index])
  if (changed) throw new Error(`A beforeSave hook of ${changed.type} ${CHANGES_ITS_OWN}`)
}

const CHANGES_ITS_OWN =
  'has changed the document that is being saved, by another operation: this save would undo that. Change its fields in the hook, or the document in afterSave.'
