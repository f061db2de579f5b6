import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../engine/context.ts'
import { isLeased, LEASE_MS, takeLease } from '../../engine/lease.ts'
import { delayAfter, reasonOf } from '../../engine/outgoing/retries.ts'
import { Tags } from '../../engine/tags.ts'
import type { SitePurge } from '../../model/declared/purge.ts'
import type { Purge } from '../../store/contract/store.ts'
import { mergedNames, purgeRequests } from './purge-requests.ts'

/** How often to look whether anything was committed; in the database while that is unknown, and for what others have left. */
const [LOOK_MS, UNKNOWN_MS, RARELY_MS] = [200, 1_000, 5_000]
/** How long to wait before a purge is sent: until all processes have heard of the commit, and answer accordingly. */
const SETTLE_MS = 150
/** When it is sent again: an answer from before the commit that was on its way may have reached the cache after it. */
const REPEAT_MS = 15_000
const DELAYS = { first: 1_000, factor: 2, most: 60_000 }
/** More commits that wait are merged to a purge of everything. */
const MOST_COMMITS = 1_000
/** The work that one process does at a time. */
const WORK = 'purge'

/**
 * Purges the cache in front of the site of what commits have changed, in order, from one process at a time; again until the
 * cache has taken it.
 */
export class PurgeSender {
  readonly #ctx: Context
  readonly #purge: SitePurge
  readonly #stop = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  /** The last commit that was looked at. */
  #seen: number | null = null
  /** When to look, whatever was committed. */
  #nextLook = 0

  constructor(ctx: Context, purge: SitePurge) {
    this.#ctx = ctx
    this.#purge = purge
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#look().finally(() => {
        if (!this.#stop.signal.aborted) this.start()
      })
    }, LOOK_MS).unref()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    clearTimeout(this.#timer)
    await this.#running
  }

  async #look(): Promise<void> {
    const { store, log } = this.#ctx
    const commit = store.changes()?.now ?? null
    if (commit === this.#seen && this.#now() < this.#nextLook) return
    this.#seen = commit
    this.#nextLook = this.#now() + (commit === null ? UNKNOWN_MS : RARELY_MS)
    try {
      this.#nextLook = Math.min(this.#nextLook, await this.#sendDue())
    } catch (error) {
      log.error({ error }, 'Could not look for changes to purge from the cache in front of the site.')
    }
  }

  /** Sends what is due, unless another process does; when something is due next. */
  async #sendDue(): Promise<number> {
    const due = (await this.#ctx.store.purges.firstDue()) ?? Number.POSITIVE_INFINITY
    const now = this.#now()
    if (due > now) return due
    if (await isLeased(this.#ctx, WORK)) return now
    const lease = await takeLease(this.#ctx, WORK, { ms: LEASE_MS, isForced: true })
    if (lease === null) return now
    try {
      await this.#sendAll(AbortSignal.any([this.#stop.signal, lease.lost]))
    } finally {
      await lease.end(({ due }) => ({ due, endedAt: this.#now(), failures: 0, error: null }))
    }
    return this.#now()
  }

  async #sendAll(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      if (failures > 0) await quietPause(delayAfter(failures, DELAYS, Math.random()), signal)
      const purges = await this.#nextBatch()
      if (purges.length === 0) return
      await quietPause(SETTLE_MS, signal)
      if (signal.aborted) return
      const isSent = await this.#send(purges, signal)
      failures = isSent ? 0 : failures + 1
      if (isSent) await this.#sent(purges)
    }
  }

  async #nextBatch(): Promise<readonly Purge[]> {
    const { store } = this.#ctx
    const purges = await store.purges.listDue(this.#now(), MOST_COMMITS + 1)
    if (purges.length <= MOST_COMMITS) return purges
    await store.transaction(({ purges }) => purges.merge())
    return this.#nextBatch()
  }

  /** False when the cache has not taken it. */
  async #send(purges: readonly Purge[], signal: AbortSignal): Promise<boolean> {
    const { store, metrics, log } = this.#ctx
    const { kind, allowPrivate } = this.#purge
    const counter = metrics.counter(
      'quire_purges_total',
      'Requests to the cache in front of the site, by their result.',
    )
    const { call } = await import('../../engine/outgoing/call.ts')
    try {
      for (const request of purgeRequests(this.#purge, new Tags(await store.secret()), mergedNames(purges))) {
        const status = await call(request, { allowPrivate, option: 'purge', signal })
        if (status < 200 || status >= 300) throw new Error(`It answered ${status}.`)
        counter.add({ result: 'sent' })
      }
      return true
    } catch (error) {
      if (signal.aborted) return false
      counter.add({ result: 'failed' })
      log.warn(
        { kind, reason: reasonOf(error) },
        'Could not purge the cache in front of the site. It will be tried again.',
      )
      return false
    }
  }

  /** Takes purges off the list that were sent; each is sent a second time a little later. */
  async #sent(purges: readonly Purge[]): Promise<void> {
    const names = mergedNames(purges.filter(({ isRepeated }) => !isRepeated))
    await this.#ctx.store.transaction(async (tx) => {
      await tx.purges.remove(purges)
      if (names?.length !== 0) await tx.purges.add({ names, due: this.#now() + REPEAT_MS, isRepeated: true })
    })
  }

  #now(): number {
    return this.#ctx.now().getTime()
  }
}

async function quietPause(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal, ref: false }).catch(() => {})
}
