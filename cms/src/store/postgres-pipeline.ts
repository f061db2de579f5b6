import type { PoolClient, QueryResult } from 'pg'
import { type PoolQuery, send } from './postgres-pool.ts'

/**
 * Statements of one transaction: none waits for the answers to those before it, and those of one turn of the event loop
 * leave together, since each departure costs both sides more than most statements do.
 */
export class Pipeline {
  readonly #client: PoolClient
  #isHeld = false
  #failure: { readonly error: unknown } | null = null

  constructor(client: PoolClient) {
    this.#client = client
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

  /** Throws what a statement has failed with. */
  assertNoFailure(): void {
    if (this.#failure !== null) throw this.#failure.error
  }

  #hold(): void {
    if (this.#isHeld) return
    this.#isHeld = true
    const { stream } = this.#client.connection
    stream.cork()
    // After the current work, and all that the promises resolve which it resolves.
    process.nextTick(() => {
      this.#isHeld = false
      stream.uncork()
    })
  }
}
