import { computed, type ReadonlySignal, signal } from '@preact/signals-core'
import type { Clock } from '../../base/clock.ts'
import { createDelay } from '../../base/delay.ts'
import type { Operation, Saveable } from '../../model/form.ts'
import { compact } from './compact.ts'
import { type DocumentPlace, nameOf } from './document-place.ts'
import type { Creation, Entry, Journal } from './journal.ts'
import type { Stored } from './target.ts'

/** Together with the write itself, a change is on the device within 300 ms. */
const TIMES = { quiet: 200, latest: 200 }

/** Keeps the changes of one open document in the journal until they are stored. */
export interface Keeping {
  /** Something changed. */
  touch(): void
  /** Writes at once. */
  write(): Promise<void>
  /** A save up to the last of these revisions is sent, by this request where it makes the document. */
  sending(sent: readonly number[], creation: Creation | null): Promise<void>
  /** The document knows what is stored now: what it has not stored begins from there. */
  advance(base: Stored, place: DocumentPlace): Promise<void>
  /** Whether all that is not stored is on the device. */
  readonly isSafe: ReadonlySignal<boolean>
}

export interface KeepingOptions {
  readonly document: Saveable
  readonly journal: Journal
  readonly clock: Clock
  readonly writer: string
  readonly place: DocumentPlace
  /** The content that the document was opened with. */
  readonly base: Pick<Entry, 'etag' | 'base'>
  /** Of what was put back: up to which revisions it may have been stored, and the request that may have made it. */
  readonly sent: readonly number[]
  readonly creation: Creation | null
}

export function createKeeping({ document, journal, clock, writer, ...start }: KeepingOptions): Keeping {
  let { place, base, sent, creation } = start
  /** Up to which revision everything is stored, or on the device. */
  const safe = signal(0)
  const delay = createDelay(clock, TIMES, () => void write())

  const write = async () => {
    delay.cancel()
    const { value: revision } = document.revision
    if (document.unsaved().length === 0 || (await journal.write(entry()))) safe.value = Math.max(safe.value, revision)
  }

  const entry = (): Entry => {
    let left = document.unsaved()
    const operations: Operation[] = []
    const counts = sent.map((upTo) => {
      const after = document.operationsSince(upTo)
      operations.push(...compact(left.slice(0, left.length - after.length)))
      left = after
      return operations.length
    })
    operations.push(...compact(left))
    return { place, writer, ...base, operations, sent: counts, creation, time: clock.now() }
  }

  return {
    touch: () => delay.touch(),
    write,
    async sending(revisions, request) {
      sent = revisions
      creation = request
      await write()
    },
    async advance({ etag, document: content }, next) {
      const former = place
      base = { etag, base: content }
      place = next
      sent = []
      creation = null
      await write()
      if (document.unsaved().length === 0 || nameOf(former) !== nameOf(next)) await journal.drop(former, writer)
    },
    isSafe: computed(() => document.revision.value <= safe.value),
  }
}
