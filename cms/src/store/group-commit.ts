import { setImmediate } from 'node:timers/promises'

/** How many transactions are committed together at most: each waits for the others. */
const GROUP = 16

/** What a connection must be able to do. Plain statements; `begin` may wait for other processes. */
export interface GroupConnection {
  begin(): Promise<void>
  run(command: 'commit' | 'rollback' | 'savepoint one' | 'release one' | 'rollback to one'): void
  /** False when the database has rolled everything back by itself. */
  isInTransaction(): boolean
}

interface Job {
  /** Does the work; answers what tells its caller, once the whole group is stored. */
  readonly work: () => Promise<() => void>
  readonly fail: (error: unknown) => void
}

/**
 * Transactions one after another on one connection. Those that wait at the same time are committed together: storing is
 * what costs, and pages that several of them changed are stored once. Each is undone by itself when it fails, and none
 * is answered before all of its group are stored.
 */
export class GroupCommit {
  readonly #connection: GroupConnection
  readonly #waiting: Job[] = []
  #running: Promise<void> | null = null

  constructor(connection: GroupConnection) {
    this.#connection = connection
  }

  transaction<T>(work: () => Promise<T>, whenCommitted: () => void): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#waiting.push({
      work: async () => {
        const result = await work()
        return () => {
          whenCommitted()
          resolve(result)
        }
      },
      fail: reject,
    })
    this.#running ??= this.#runAll()
    return promise
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #runAll(): Promise<void> {
    for (let job = this.#waiting.shift(); job; job = this.#waiting.shift()) await this.#runGroup(job)
    this.#running = null
  }

  async #runGroup(first: Job): Promise<void> {
    const members: Job[] = [first]
    const answers: (() => void)[] = []
    try {
      await this.#connection.begin()
      // Alone, a transaction needs no savepoint: when it fails, there is nothing else to keep.
      answers.push(await first.work())
      for (let size = 1; size < GROUP; size += 1) {
        const next = await this.#next()
        if (!next) break
        const answer = await this.#runWithin(next)
        if (answer) members.push(next)
        if (answer) answers.push(answer)
      }
      this.#connection.run('commit')
    } catch (error) {
      if (this.#connection.isInTransaction()) this.#connection.run('rollback')
      for (const member of members) member.fail(error)
      return
    }
    for (const answer of answers) answer()
  }

  /** What waits, or has arrived by the next turn: requests that are there already get as far as here in it. */
  async #next(): Promise<Job | undefined> {
    if (this.#waiting.length === 0) await setImmediate()
    return this.#waiting.shift()
  }

  /** One more transaction in the group; null, and nothing of it left, when it fails. */
  async #runWithin(job: Job): Promise<(() => void) | null> {
    try {
      this.#connection.run('savepoint one')
      const answer = await job.work()
      this.#connection.run('release one')
      return answer
    } catch (error) {
      job.fail(error)
      if (!this.#connection.isInTransaction()) throw error
      this.#connection.run('rollback to one')
      this.#connection.run('release one')
      return null
    }
  }
}
