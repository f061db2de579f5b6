import { setImmediate } from 'node:timers/promises'

/** The most transactions that are committed together, since each waits for the others. */
const GROUP = 16
/**
 * How many turns of the event loop a group waits for another transaction: requests begin one by one, two turns each.
 */
const TURNS = 3

/** The connection that commits. Plain statements; `begin` may wait for other processes until the deadline. */
interface GroupConnection {
  begin(deadline: number): Promise<void>
  run(command: 'commit' | 'rollback' | 'savepoint one' | 'release one' | 'rollback to one'): void
  /** False once the database has rolled everything back by itself. */
  isInTransaction(): boolean
  /** Returns how many statements that may write have been sent so far. */
  writes(): number
}

interface Job {
  /** Until when it may wait for other processes, however many wait before it; on the clock of `performance`. */
  readonly deadline: number
  /**
   * Does the work; returns the function that resolves its caller once the whole group is stored. May be called again.
   */
  readonly work: () => Promise<() => void>
  readonly fail: (error: unknown) => void
}

/** A job whose work is done, but not stored yet. */
interface Member {
  readonly job: Job
  readonly answer: () => void
}

/**
 * Runs transactions one after another on one connection, and commits those that wait at the same time together: commits
 * are what costs, and database pages that several of them changed are written once. Each is rolled back by itself when
 * it fails, and none is answered before its whole group is committed.
 *
 * Savepoints would roll back one alone, but slow down all. So there are none at first; when one fails after it has
 * written, the others of its group run again, with savepoints.
 */
export class GroupCommit {
  readonly #connection: GroupConnection
  readonly #patience: number
  readonly #waiting: Job[] = []
  #running: Promise<void> | null = null

  constructor(connection: GroupConnection, patience: number) {
    this.#connection = connection
    this.#patience = patience
  }

  /** Runs `work`, perhaps more than once, and commits it. Rejects with what it throws. */
  transaction<T>(work: () => Promise<T>, whenCommitted: () => void): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#waiting.push({
      deadline: performance.now() + this.#patience,
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

  /** Resolves once no transaction is waiting. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #runAll(): Promise<void> {
    for (let job = this.#waiting.shift(); job; job = this.#waiting.shift()) {
      const undone = await this.#runTogether(job)
      if (undone.length > 0) await this.#runApart(undone)
    }
    this.#running = null
  }

  /** Runs jobs without savepoints. Returns those that must be done again because another one failed. */
  async #runTogether(first: Job): Promise<readonly Job[]> {
    const members: Member[] = []
    let job: Job | undefined = first
    try {
      await this.#connection.begin(first.deadline)
      for (let size = 1; job; size += 1) {
        const writes = this.#connection.writes()
        try {
          members.push({ job, answer: await job.work() })
        } catch (error) {
          job.fail(error)
          if (this.#connection.writes() > writes) return this.#undo(members)
        }
        job = size < GROUP ? await this.#next() : undefined
      }
      this.#connection.run('commit')
    } catch (error) {
      job?.fail(error)
      for (const member of this.#undo(members)) member.fail(error)
      return []
    }
    for (const { answer } of members) answer()
    return []
  }

  async #runApart(jobs: readonly Job[]): Promise<void> {
    const answers: (() => void)[] = []
    try {
      await this.#connection.begin(Math.max(...jobs.map(({ deadline }) => deadline)))
      for (const job of jobs) {
        this.#connection.run('savepoint one')
        try {
          answers.push(await job.work())
        } catch (error) {
          job.fail(error)
          // A full disk, for one, undoes the whole group.
          if (!this.#connection.isInTransaction()) throw error
          this.#connection.run('rollback to one')
        }
        this.#connection.run('release one')
      }
      this.#connection.run('commit')
    } catch (error) {
      this.#undo([])
      for (const job of jobs) job.fail(error)
      return
    }
    for (const answer of answers) answer()
  }

  #undo(members: readonly Member[]): readonly Job[] {
    if (this.#connection.isInTransaction()) this.#connection.run('rollback')
    return members.map(({ job }) => job)
  }

  /** The transactions that wait, or arrive within a few turns: in these, requests that have come already get here. */
  async #next(): Promise<Job | undefined> {
    for (let turn = 0; turn < TURNS && this.#waiting.length === 0; turn += 1) await setImmediate()
    return this.#waiting.shift()
  }
}
