import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals-core'
import type { JsonObject } from 'quire-client'
import { backoff } from '../../base/backoff.ts'
import { type Clock, machineClock } from '../../base/clock.ts'
import { createDelay } from '../../base/delay.ts'
import type { Operation, Saveable } from '../../model/form.ts'
import { type Failure, isPassing } from '../failure.ts'
import type { DocumentPlace } from './document-place.ts'
import { createExchange, isUndecided, type SendOptions } from './exchange.ts'
import type { Journal } from './journal.ts'
import { createKeeping } from './keeping.ts'
import { putBack } from './put-back.ts'
import { isStuck, reasonOf, type SaverState } from './saver-state.ts'
import type { Tabs } from './tabs.ts'
import type { Stored, Target } from './target.ts'
import type { Writing } from './writing.ts'

/** When changes are saved by themselves. */
const TIMES = { quiet: 1500, latest: 10_000 }
/** Saves that take no longer than this are not announced. */
const ANNOUNCED_AFTER = 400
/** How often a save is tried again after an internal error. */
const TRIES_AFTER_ERROR = 3

export interface SaverOptions {
  /** Opened with the base of the entry where there is one, else with what is stored, or a new document begins with. */
  readonly document: Saveable
  readonly place: DocumentPlace
  /** The document as the service has it now; null for one that it does not have yet. */
  readonly stored: Stored | null
  /** The first content of a new document. */
  readonly initial?: JsonObject
  /** Of `startWriting`; its entry is put back. The saver releases it. */
  readonly writing: Writing
  readonly target: Target
  readonly journal: Journal
  readonly tabs: Tabs
  /** False for types whose saves go live at once: they are saved by `flush` alone. */
  readonly savesItself?: boolean
  /** True while nobody, or another user, is signed in. */
  readonly isSessionOver: ReadonlySignal<boolean>
  /** The service took the session for over. */
  readonly needsSignIn: () => void
  /** The whole of a new document, as the body of POST. */
  readonly whole: () => JsonObject
  /** Ends with the screen: what is left is sent once more, and stays in the journal where that fails. */
  readonly signal: AbortSignal
  readonly clock?: Clock
}

export interface Saver {
  readonly state: ReadonlySignal<SaverState>
  /** Whether the tab can be closed without loss: all is stored, or on this device. */
  readonly isSafe: ReadonlySignal<boolean>
  /** Where the document is: its id changes when it is made. */
  readonly place: ReadonlySignal<DocumentPlace>
  /** The ETag of what is stored, for actions on the document; null before it is made. */
  readonly etag: string | null
  /** Operations of the entry whose place is gone. */
  readonly lost: readonly Operation[]
  /** Saves at once, and resolves when all that can be stored is: the state says whether that is everything. */
  flush(options?: SendOptions): Promise<SaverState>
  /** Merges a save of somebody else. */
  pull(): Promise<void>
}

/** Saves an open document by itself, one request after the other, and keeps in the journal what is not stored. */
export function createSaver(options: SaverOptions): Saver {
  const { document, stored, writing, initial = {}, tabs, isSessionOver, savesItself = true } = options
  const { writer, entry } = writing
  const clock = options.clock ?? machineClock
  const creation = entry?.creation ?? null
  const base = {
    etag: stored?.etag ?? null,
    base: stored?.document ?? entry?.base ?? initial,
  }
  const { lost, sent } = putBack(document, entry, stored)
  const keeping = createKeeping({ ...options, clock, writer, base, sent, creation })
  const exchange = createExchange({ ...options, keeping, creation, sent })

  const reached = signal<SaverState>({ kind: 'saved', at: null })
  const place = signal(options.place)
  let underWay: Promise<void> | null = null
  let failures = 0
  let stopWaiting: (() => void) | null = null

  const delay = createDelay(clock, TIMES, () => void save())
  const endWait = () => {
    stopWaiting?.()
    stopWaiting = null
  }
  const touch = () => {
    keeping.touch()
    const isAwaited = underWay !== null || stopWaiting !== null || isStuck(reached.peek())
    if (savesItself && !isAwaited && !isSessionOver.value) delay.touch()
  }

  /** Runs work after what is under way: two requests of one document never meet. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    delay.cancel()
    const earlier = underWay ?? Promise.resolve()
    const mine: Promise<void> = earlier.then(async () => {
      endWait()
      const { value: before } = document.revision
      await work()
      if (underWay === mine) underWay = null
      if (document.revision.value > before) touch()
    })
    underWay = mine
    return mine
  }

  const save = (how: SendOptions = {}) =>
    inTurn(async () => {
      const before = exchange.etag
      const stopAnnouncing = clock.after(ANNOUNCED_AFTER, () => {
        reached.value = { kind: 'saving' }
      })
      const { value: earlier } = reached
      const failure = await exchange.save(how)
      stopAnnouncing()
      place.value = exchange.place
      const isStored = exchange.etag !== null && exchange.etag !== before
      if (isStored) tabs.say(exchange.etag)
      if (!failure) failures = 0
      const at = earlier.kind === 'saved' && !isStored ? earlier.at : clock.now()
      reached.value = failure ? stateAfter(failure) : { kind: 'saved', at }
    })

  const pull = () => inTurn(() => exchange.pull())

  const stateAfter = (failure: Failure): SaverState => {
    if (failure.name === 'unauthorized') {
      options.needsSignIn()
      return { kind: 'waiting', reason: 'signIn', failure }
    }
    failures += 1
    const isTriedAgain = failure.name === 'error' ? failures < TRIES_AFTER_ERROR : isPassing(failure)
    if (!isTriedAgain) {
      failures = 0
      return { kind: 'failed', failure }
    }
    const seconds = failure.retryAfter
    stopWaiting = clock.after(seconds === null ? backoff(failures) : seconds * 1000, () => void save())
    return { kind: 'waiting', reason: reasonOf(failure), failure }
  }

  const follow = [
    onChange([document.revision, document.conflicts], touch),
    onChange([isSessionOver], () => {
      const { value: now } = reached
      if (!isSessionOver.value && now.kind === 'waiting') void save()
    }),
  ]
  tabs.hear((etag) => void (etag !== exchange.etag && pull()), options.signal)
  const hasMore = () => document.revision.value > exchange.covered
  const leave = async () => {
    for (const end of follow) end()
    await keeping.write()
    if (savesItself && hasMore()) await save()
    delay.cancel()
    endWait()
    tabs.close()
    writing.release()
  }
  options.signal.addEventListener('abort', () => void leave())
  if (hasMore() || creation) touch()

  return {
    state: computed(() => {
      const { value: now } = reached
      return now.kind === 'saved' && isUndecided(document) ? { kind: 'conflict' } : now
    }),
    isSafe: keeping.isSafe,
    place,
    get etag() {
      return exchange.etag
    },
    lost,
    async flush(how = {}) {
      const isTried = how.isVersion === true || !isStuck(reached.peek())
      await Promise.all([keeping.write(), isTried && save(how)])
      return this.state.value
    },
    pull,
  }
}

/** Runs something whenever one of the signals has another value. */
function onChange(signals: readonly ReadonlySignal<unknown>[], run: () => void): () => void {
  let isFirst = true
  return effect(() => {
    for (const one of signals) one.value
    if (!isFirst) untracked(run)
    isFirst = false
  })
}
