import { newId } from '../../base/ids.ts'
import type { DocumentPlace } from './document-place.ts'
import type { Entry, Journal } from './journal.ts'
import type { Writers } from './writers.ts'

/** The writer of a document that is opened here, and the changes that it finds. */
export interface Writing {
  readonly writer: string
  /** The entry that a closed tab has left; null where there is none. */
  readonly entry: Entry | null
  /** The document is closed: what the journal still has of it is left behind. */
  release(): void
}

/** Begins to write a document: takes over the oldest changes that were left behind, so that no other tab does. */
export async function startWriting(place: DocumentPlace, journal: Journal, writers: Writers): Promise<Writing> {
  for (const { writer } of await journal.read(place)) {
    const release = await writers.hold(writer)
    // Until then it may have been written once more, or stored.
    const entry = release && (await journal.read(place)).find((one) => one.writer === writer)
    if (entry) return { writer, entry, release }
    release?.()
  }
  const writer = newId()
  return { writer, entry: null, release: (await writers.hold(writer)) ?? (() => {}) }
}
