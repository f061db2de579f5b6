import type { PoolClient, QueryResult } from 'pg'
import { codeOf } from '../../base/thrown.ts'
import { TABLES_VERSION } from '../migrations/index.ts'
import { holdFence } from './postgres-fence.ts'
import { type PoolQuery, send } from './postgres-pool.ts'

/** Left to itself, the server plans statements about few rows each time: that costs it more than they do. */
const BEGIN = `begin; set local plan_cache_mode = force_generic_plan; ${holdFence(TABLES_VERSION)}`
const PLAN_FOR_VALUES = 'set local plan_cache_mode = auto'
/**
 * Commits that notify wait for each other in the server, each until the one before it is on the disk. So they do not
 * wait for the disk themselves: a transaction after each does, which many share.
 */
const WITHOUT_DISK = 'set local synchronous_commit = off'
const WAIT_FOR_DISK = `select pg_logical_emit_message(true, 'quire', '')`
/** Excludes others by a lock on a row, which every account may take, but which only one transaction has at a time. */
export const WAIT_ALONE = `select from meta where name = 'version' for update`

/** A commit on its way: when others see it, and when it is on the disk. */
export interface Commit {
  readonly committed: Promise<void>
  readonly onDisk: Promise<unknown>
}

/**
 * Statements of one transaction: none waits for the answers to those before it, and those of one turn of the event loop
 * leave together, since each departure costs both sides more than most statements do.
 */
export class Pipeline {
  readonly #client: PoolClient
  readonly #onStatement: (sql: string) => void
  #isHeld = false
  #plansForValues = false
  #isShutOut = false
  #failure: { readonly error: unknown } | null = null

  constructor(client: PoolClient, onStatement: (sql: string) => void) {
    this.#client = client
    this.#onStatement = onStatement
  }

  begin(): void {
    this.#command(BEGIN).catch((error) => {
      this.#isShutOut = isFenceGone(error)
    })
  }

  /** Whether it could not begin, since the tables are at another version. */
  get isShutOut(): boolean {
    return this.#isShutOut
  }

  /** Makes the server plan statements for their values from now on, where that is worth it. */
  planForValues(): void {
    if (this.#plansForValues) return
    this.#plansForValues = true
    this.#command(PLAN_FOR_VALUES).catch(() => {})
  }

  /** Sends a statement. After one has failed, all others fail with the same error. */
  async send(query: PoolQuery): Promise<QueryResult> {
    this.#hold()
    try {
      return await send(this.#client, query)
    } catch (error) {
      // Answers arrive in order: the first failure is the cause of the others.
      this.#failure ??= { error }
      throw this.#failure.error
    }
  }

  /** Sends a statement whose answer nobody waits for: when it fails, all later ones do. */
  sendAhead(query: PoolQuery): void {
    this.send(query).catch(() => {})
  }

  /** Commits, with statements that announce it to other processes; `sharesDisk`: see `WITHOUT_DISK`. */
  commit(announcements: readonly string[], sharesDisk: boolean): Commit {
    const committed = this.#command([...announcements, ...(sharesDisk ? [WITHOUT_DISK] : []), 'commit'].join('; '))
    const onDisk = sharesDisk ? this.#command(WAIT_FOR_DISK) : committed
    // A caller that waits for the first one may never get to the second.
    onDisk.catch(() => {})
    return { committed: committed.then((results) => this.#assertCommitted(results)), onDisk }
  }

  /** The server answers a commit after a failed statement by rolling back, without an error. */
  #assertCommitted(results: QueryResult | readonly QueryResult[]): void {
    if ([results].flat().at(-1)?.command === 'COMMIT') return
    throw this.#failure?.error ?? new Error('The transaction went on after a failed statement; nothing was stored.')
  }

  /** Several statements in one text have several results. */
  #command(text: string): Promise<QueryResult | QueryResult[]> {
    this.#onStatement(text)
    return this.send({ text })
  }

  #hold(): void {
    if (this.#isHeld) return
    this.#isHeld = true
    const { stream } = this.#client.connection
    stream.cork()
    // After the current work, and all promises that it resolves.
    process.nextTick(() => {
      this.#isHeld = false
      stream.uncork()
    })
  }
}

/** Whether a statement failed that holds the fence up: it is gone. */
export function isFenceGone(error: unknown): boolean {
  return codeOf(error) === '42P01'
}
