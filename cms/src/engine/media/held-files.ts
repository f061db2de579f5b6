import { newId } from '../../base/ids.ts'
import type { Store } from '../../store/contract/store.ts'

/** The setting that says who holds files, and until when: ids and times, as JSON. */
const HOLDS = 'files held'
/** The setting that each change claims first, so that changes come one after another. */
const TURN = 'files held: last change'
const HOLD_MS = 5 * 60 * 1000
const RENEWAL_MS = 60 * 1000

type Holds = Readonly<Record<string, string>>

/**
 * Whether a backup is being made, which may still read any file, or an import, which names its files at the end. To be
 * asked after the commit that removed the rows of an attachment, before its files are removed: a backup that begins
 * later does not know of it (§10.1).
 */
export async function areFilesHeld({ store, now }: { readonly store: Store; now(): Date }): Promise<boolean> {
  const time = now().toISOString()
  return Object.values(holdsIn(await store.settings.get(HOLDS))).some((until) => until > time)
}

/**
 * Runs `work` while no files and no unused uploads are removed, by any process: they go with the next cleaning. When
 * this process is killed, files are held for some minutes longer.
 */
export async function holdingFiles<T>(store: Store, work: () => Promise<T>): Promise<T> {
  const id = newId()
  const hold = () =>
    change(store, (holds) => ({ ...holds, [id]: new Date(store.now().getTime() + HOLD_MS).toISOString() }))
  await hold()
  // One that fails is made up for by the next.
  const renewal = setInterval(() => void hold().catch(() => {}), RENEWAL_MS)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    await change(store, ({ [id]: _, ...others }) => others)
  }
}

async function change(store: Store, edit: (holds: Holds) => Holds): Promise<void> {
  await store.transaction(async (tx) => {
    const now = store.now().toISOString()
    await tx.settings.claim(TURN, now, now)
    const holds = Object.entries(edit(holdsIn(await tx.read.settings.get(HOLDS)))).filter(([, until]) => until > now)
    await tx.settings.set(HOLDS, JSON.stringify(Object.fromEntries(holds)))
  })
}

function holdsIn(text: string | null): Holds {
  return text === null ? {} : JSON.parse(text)
}
