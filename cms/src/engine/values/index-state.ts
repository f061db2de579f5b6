import type { Store, StoreWriter } from '../../store/contract/store.ts'

/** The setting that says that the index was made from other declarations than the present ones. */
const STALE = 'declarations-stale'

/** True while the index was made from declarations that have changed since. */
export async function isIndexStale(store: Pick<Store, 'settings'>): Promise<boolean> {
  return (await store.settings.get(STALE)) !== null
}

/** Records that the next process that starts is to rebuild the index. */
export async function markIndexStale({ settings }: Pick<StoreWriter, 'settings'>): Promise<void> {
  await settings.set(STALE, '1')
}

/** Records that the index was made from the present declarations. */
export async function markIndexFresh(store: Store): Promise<void> {
  await store.transaction((tx) => tx.settings.remove(STALE))
}
