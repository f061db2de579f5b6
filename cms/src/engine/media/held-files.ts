import type { Store } from '../../store/store.ts'

/** The setting that says until when no files may be removed. */
const HELD_UNTIL = 'files held until'
const HOLD_MS = 5 * 60 * 1000
const RENEWAL_MS = 60 * 1000

/**
 * Whether a backup is being made, which may still read any file. To be asked after the commit that removed the rows of
 * an attachment, before its files are removed: a backup that begins later does not know of it (§10.1).
 */
export async function areFilesHeld({ store, now }: { readonly store: Store; now(): Date }): Promise<boolean> {
  const until = await store.settings.get(HELD_UNTIL)
  return until !== null && until > now().toISOString()
}

/**
 * Runs `work` while no files are removed, by any process; those of removed attachments go with the next cleaning. When
 * this process is killed, files are held for some minutes longer.
 */
export async function holdingFiles<T>(store: Store, work: () => Promise<T>): Promise<T> {
  const hold = () => {
    const until = new Date(Date.now() + HOLD_MS).toISOString()
    return store.transaction((tx) => tx.settings.set(HELD_UNTIL, until))
  }
  await hold()
  // One that fails is made up for by the next.
  const renewal = setInterval(() => void hold().catch(() => {}), RENEWAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
  }
}
