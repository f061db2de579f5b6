import { setTimeout as pause } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { CmsError, unavailable, unconfirmed } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { codeOf } from '../../base/thrown.ts'
import type { Connection, Transaction } from '../database/connection.ts'
import type { Fence } from '../database/database.ts'
import { stateOf, TABLES_STATE } from '../database/tables-state.ts'
import { TABLES_VERSION } from '../migrations/index.ts'
import { ChangeCollector } from '../terms/changes.ts'
import { hasCollided } from './postgres-errors.ts'
import { holdFence } from './postgres-fence.ts'
import type { Listener } from './postgres-listener.ts'
import { ANNOUNCE_REVOCATION } from './postgres-notifications.ts'
import { type Commit, isFenceGone, Pipeline, WAIT_ALONE } from './postgres-pipeline.ts'
import { cut, type PostgresPool, send } from './postgres-pool.ts'
import type { Statements } from './postgres-statements.ts'

const ATTEMPTS = 5
/** After this many changes, and then four times as many each time, the server collects new statistics. */
const FIRST_STATISTICS = 50

/** The parts that transactions need. */
interface Parts {
  readonly pool: PostgresPool
  readonly statements: Statements
  readonly fence: Fence
  readonly listener: Listener
  readonly log: Log
  readonly onStatement: (sql: string) => void
  /** Called when a transaction has ended. */
  readonly whenDone: () => void
}

/** Transactions on a server, each from its beginning to the wait for the disk. */
export class Transactions {
  readonly #parts: Parts
  #mayShareDisk = true
  #changes = 0
  #nextStatistics = FIRST_STATISTICS

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** See `Database.transaction`. */
  async run<T>(work: (connection: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      this.#parts.fence.assertOpen()
      try {
        return await this.#parts.pool
          .withClient((client) => this.#attempt(client, work))
          .finally(() => this.#parts.whenDone())
      } catch (error) {
        if (!hasCollided(error)) throw error
        if (attempt === ATTEMPTS) throw unavailable('Too many changes at once. Try again in a moment.')
        await pause(Math.random() * 20 * 2 ** attempt)
      }
    }
  }

  /** See `Database.snapshot`; `isFenced`: the tables are known to have fences. */
  snapshot<T>(work: (connection: Connection) => Promise<T>, { isFenced }: { readonly isFenced: boolean }): Promise<T> {
    return this.#parts.pool.withClient(async (client) => {
      // A migration may rewrite a table, which is empty then for those who look at it as it was before.
      const held = isFenced ? holdFence(TABLES_VERSION) : 'lock table meta in access share mode'
      try {
        this.#parts.fence.assertOpen()
        await this.#command(client, `begin isolation level repeatable read read only; ${held}`)
        return await work(
          this.#parts.statements.connection((query) => send(client, query).finally(() => this.#parts.whenDone())),
        )
      } catch (error) {
        if (isFenced && isFenceGone(error)) await this.#command(client, 'rollback').then(() => this.#closeFence(client))
        throw error
      } finally {
        // Nothing was changed, so a failure does not matter.
        await this.#command(client, 'rollback').catch(() => cut(client))
      }
    })
  }

  async #attempt<T>(client: PoolClient, work: (connection: Transaction) => Promise<T>): Promise<T> {
    const collector = new ChangeCollector()
    const pipeline = new Pipeline(client, this.#parts.onStatement)
    let hasRevoked = false
    const plain = this.#parts.statements.connection((query) => pipeline.send(query))
    const connection: Transaction = {
      ...plain,
      varied: (statement) => {
        pipeline.planForValues()
        return plain.varied(statement)
      },
      send: async (statement) => pipeline.sendAhead(this.#parts.statements.query(statement)),
      changed: (announcement) => collector.add(announcement),
      credentialsRevoked: () => {
        hasRevoked = true
      },
    }
    let commit: Commit | null = null
    let result: T
    try {
      pipeline.begin()
      result = await work(connection)
      const { change } = collector
      const announcements = [
        ...(hasRevoked ? [ANNOUNCE_REVOCATION] : []),
        ...(change === undefined ? [] : [this.#parts.listener.announcementOf(change)]),
      ]
      commit = pipeline.commit(announcements, this.#mayShareDisk && announcements.length > 0)
      await commit.committed
      if (hasRevoked) this.#parts.listener.revoked()
      if (change !== undefined) this.#parts.listener.changed(change)
      this.#keepStatistics()
    } catch (error) {
      const isLost = await this.#command(client, 'rollback').then(
        () => false,
        () => true,
      )
      if (isLost) cut(client)
      if (isLost && collector.change !== undefined) this.#parts.listener.mayHaveChanged()
      if (pipeline.isShutOut) await this.#closeFence(client)
      // The server may have got the commit, unless it had refused a statement before.
      throw isLost && commit !== null && error instanceof CmsError ? unconfirmed(error) : error
    }
    await this.#untilOnDisk(client, commit)
    return result
  }

  /** Throws: nothing is done any more. */
  async #closeFence(client: PoolClient): Promise<void> {
    const { rows } = await this.#command(client, TABLES_STATE)
    this.#parts.fence.close(stateOf(rows[0]).version)
    this.#parts.fence.assertOpen()
  }

  /** A commit stays, whether or not the wait for the disk succeeds. */
  async #untilOnDisk(client: PoolClient, { onDisk }: Commit): Promise<void> {
    try {
      await onDisk.catch((error) => this.#waitAlone(client, error))
    } catch (error) {
      cut(client)
      throw unconfirmed(error)
    }
  }

  #keepStatistics(): void {
    this.#changes += 1
    if (this.#changes < this.#nextStatistics) return
    this.#nextStatistics *= 4
    // The server does this by itself, but late: until then it plans as if the tables were empty.
    this.#parts.pool.query({ text: 'analyze documents, entries, search, versions' }).catch((error: Error) => {
      this.#parts.log.warn(
        { error: error.message },
        'The database could not take statistics; lists may be slower for a while.',
      )
    })
  }

  /**
   * Makes each commit wait for the disk by itself from now on, if the server does not let this account share the wait.
   */
  async #waitAlone(client: PoolClient, error: unknown): Promise<void> {
    if (!/^42/.test(codeOf(error instanceof CmsError ? error.cause : error))) throw error
    this.#mayShareDisk = false
    await this.#command(client, WAIT_ALONE)
  }

  #command(client: PoolClient, text: string) {
    this.#parts.onStatement(text)
    return send(client, { text })
  }
}
