import type { Client, QueryResult } from 'pg'
import type { Log } from '../../base/log.ts'
import { resultWithin } from '../../base/patience.ts'
import { codeOf } from '../../base/thrown.ts'
import type { ReplicaFigures } from '../database/database.ts'
import { type LogPosition, type Past, pastOf } from './postgres-log.ts'
import type { PoolQuery } from './postgres-pool.ts'
import { Replica } from './postgres-replica.ts'

/** How long a read waits for a replica that is a little behind; then it goes to the primary. */
const PATIENCE_MILLISECONDS = 50

/** The primary, as far as replicas need it. */
interface Primary {
  /** Null while it is unknown what changes: nothing is answered from memory then. */
  readonly changes: unknown
  readonly lastPosition: LogPosition | null
  /** See `Listener.position`. */
  position(): Promise<number | null>
  /** Anything may have changed. */
  changed(change: null): void
}

/** The options of replicas. */
interface ReplicasOptions {
  readonly urls: readonly string[]
  readonly poolSize: number
  readonly log: Log
  /** How old content may be, in milliseconds, while the primary cannot be asked; 0 when nothing is read then. */
  readonly maxAge: number
  primary(): Primary
}

/**
 * Chooses who answers a read: a replica that has all that this process knows of, and all that it has shown, or the
 * primary. Since replicas may be ahead of what the primary has announced, one is read at a time: what another one, or
 * the primary, has shown is asked for before the first read.
 */
export class Replicas {
  readonly all: readonly Replica[]
  readonly #options: ReplicasOptions
  #past: Past | null = null
  #source: Replica | null = null
  /** Counts the states that callers may have seen, or that were heard of, without the replica that is read. */
  #lastSeen = 1
  /** The last of these states whose position in the log is known: it is before `#position`. */
  #lastLocated = 0
  #position = 0

  constructor(options: ReplicasOptions) {
    this.#options = options
    const replicas = this
    const primary = {
      get past() {
        return replicas.#past
      },
      get lastPosition() {
        return options.primary().lastPosition
      },
    }
    this.all = options.urls.map((url) => new Replica({ ...options, url, primary }))
  }

  start(): void {
    for (const replica of this.all) replica.start()
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map((replica) => replica.stop()))
  }

  /** A commit was heard of, or somebody else than the replica that is read has shown content. */
  outdated(): void {
    this.#lastSeen += 1
  }

  /** The server that a connection leads to takes changes from now on. Throws where the connection breaks. */
  async connected(client: Client): Promise<void> {
    this.#past = null
    this.#past = await pastOf(client).catch((error) => this.#withoutPast(error))
    this.outdated()
  }

  /** No replica is read where the account may not do what it takes; everything else works. */
  #withoutPast(error: Error): null {
    if (!/^42/.test(codeOf(error))) throw error
    this.#options.log.warn({ error: error.message }, 'No replica of the database can be read.')
    return null
  }

  /** The rows of a statement that reads; null where the primary has to answer it. */
  async query(query: PoolQuery): Promise<QueryResult | null> {
    const replica = this.#choose()
    if (replica === null) return null
    const isCurrent = this.#isCurrent(replica) || (await this.#becomesCurrent(replica))
    if (!isCurrent && !this.#mayBeOld(replica)) return null
    try {
      return await replica.query(query)
    } catch {
      // The primary will show whether the replica or the statement is to blame.
      return null
    } finally {
      if (replica !== this.#source) this.outdated()
      // What is made of older content must not be kept.
      if (!isCurrent) this.#options.primary().changed(null)
    }
  }

  figures(): readonly ReplicaFigures[] {
    const position = this.#options.primary().lastPosition?.bytes
    return this.all.map((replica) => ({
      name: replica.name,
      isUsable: replica.isUsable,
      reads: replica.reads,
      lagBytes: position === undefined || replica.position < 0 ? null : Math.max(0, position - replica.position),
      lagSeconds: Number.isFinite(replica.age) ? replica.age / 1000 : null,
    }))
  }

  /** The replica that was read last, while it can be; else any. */
  #choose(): Replica | null {
    if (this.#source?.isUsable) return this.#source
    const usable = this.all.filter(({ isUsable }) => isUsable)
    this.#source = usable[Math.floor(Math.random() * usable.length)] ?? null
    this.outdated()
    return this.#source
  }

  #isCurrent(replica: Replica): boolean {
    return this.#lastLocated === this.#lastSeen && replica.position >= this.#position
  }

  async #becomesCurrent(replica: Replica): Promise<boolean> {
    const until = performance.now() + PATIENCE_MILLISECONDS
    const position = this.#lastLocated === this.#lastSeen ? this.#position : await this.#askPosition()
    return position !== null && replica.reaches(position, until)
  }

  /** The position up to which all was shown before the call; null where the primary does not say so in time. */
  async #askPosition(): Promise<number | null> {
    const seen = this.#lastSeen
    const position = await resultWithin(PATIENCE_MILLISECONDS, this.#options.primary().position(), null)
    if (position === null) return null
    if (seen > this.#lastLocated) {
      this.#lastLocated = seen
      this.#position = position
    }
    return position
  }

  /** Whether a replica may be read that may lack what was shown: while the primary is away. */
  #mayBeOld(replica: Replica): boolean {
    return this.#options.primary().changes === null && replica.isUsable && replica.age < this.#options.maxAge
  }
}
