import type { Log } from '../../base/log.ts'
import { Histogram, type Metric, single } from '../../base/metrics.ts'
import type { Span, SpanFacts } from '../../base/spans.ts'
import { inSpan } from '../../base/tracing.ts'
import type { Connection, Transaction } from './connection.ts'
import type { Sql } from './sql.ts'

/** Upper bounds of the buckets of durations, in seconds. */
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** How much of a statement is shown: those about many documents are long. */
const MOST_SHOWN = 2_000

/** How statements are watched. */
interface WatchOptions {
  readonly log: Log
  /** The database, as the semantic conventions name it. */
  readonly system: string
  /** Statements that take at least so many milliseconds are logged. */
  readonly slowMs: number
  /** Method and route of the request that is worked on. */
  readonly routeOf: () => string | undefined
}

/**
 * Counts statements and transactions (§0.12), makes spans of them, and logs slow statements with their route: their text
 * with placeholders, never their values.
 */
export class DatabaseWatch {
  readonly #options: WatchOptions
  readonly #waits = new Histogram(SECONDS)
  readonly #durations = new Histogram(SECONDS)
  #statements = 0
  #committed = 0
  #failed = 0
  #waiting = 0

  constructor(options: WatchOptions) {
    this.#options = options
  }

  /** Counts a statement as it is sent. */
  countStatement(): void {
    this.#statements += 1
  }

  /** A connection whose statements are watched. */
  reading(connection: Connection): Connection {
    return {
      dialect: connection.dialect,
      all: (query) => this.#watch(textOf(query), () => connection.all(query)),
      varied: (query) => this.#watch(textOf(query), () => connection.varied(query)),
      fixed: (query, values) =>
        this.#watch(
          () => query.shown(connection.dialect),
          () => connection.fixed(query, values),
        ),
    }
  }

  /** A transaction whose statements are watched; of those whose rows nobody needs, only that they were sent. */
  writing(transaction: Transaction): Transaction {
    return {
      ...this.reading(transaction),
      send: (statement) => this.#watch(textOf(statement), () => transaction.send(statement)),
      changed: (announcement) => transaction.changed(announcement),
      credentialsRevoked: () => transaction.credentialsRevoked(),
    }
  }

  /**
   * Counts a transaction, and makes a span of it. Its work says when it begins and when it is done, each time that it is
   * done.
   */
  transaction<T>(run: (begun: () => void, done: () => void) => Promise<T>): Promise<T> {
    return inSpan(
      () => this.#factsOf('transaction'),
      (span) => this.#counted(span, run),
    )
  }

  /** The span has the time until the work begins, and another one is that of the commit: from when the work is done. */
  async #counted<T>(span: Span, run: (begun: () => void, done: () => void) => Promise<T>): Promise<T> {
    const start = performance.now()
    const commit = new OpenSpan(() => this.#factsOf('commit'))
    let isWaiting = true
    const endWait = () => {
      if (!isWaiting) return
      isWaiting = false
      this.#waiting -= 1
      this.#waits.observe((performance.now() - start) / 1000)
    }
    const begun = () => {
      endWait()
      span.set({ 'quire.transaction.wait_ms': Math.round(performance.now() - start) })
      commit.end()
    }
    this.#waiting += 1
    try {
      const result = await run(begun, () => commit.begin())
      commit.end()
      this.#committed += 1
      return result
    } catch (error) {
      commit.fail(error)
      this.#failed += 1
      throw error
    } finally {
      endWait()
      this.#durations.observe((performance.now() - start) / 1000)
    }
  }

  async #watch<T>(text: () => string, work: () => Promise<T>): Promise<T> {
    const start = performance.now()
    try {
      return await inSpan(() => this.#factsOfStatement(shown(text())), work)
    } finally {
      const ms = performance.now() - start
      if (ms >= this.#options.slowMs) this.#logSlow(ms, shown(text()))
    }
  }

  #factsOf(name: string): SpanFacts {
    return { name, kind: 'internal', attributes: { 'db.system.name': this.#options.system } }
  }

  #factsOfStatement(text: string): SpanFacts {
    const [operation = ''] = /^\w+/.exec(text) ?? []
    const { attributes } = this.#factsOf(operation)
    const ofStatement = { 'db.operation.name': operation, 'db.query.text': text }
    return { name: operation, kind: 'client', attributes: { ...attributes, ...ofStatement } }
  }

  #logSlow(ms: number, statement: string): void {
    const route = this.#options.routeOf()
    this.#options.log.warn({ ms: Math.round(ms), ...(route && { route }), statement }, 'A statement was slow.')
  }

  /** Returns what was counted. */
  metrics(): Metric[] {
    return [
      single('counter', 'quire_database_statements_total', 'Statements sent to the database.', this.#statements),
      {
        name: 'quire_database_transactions_total',
        help: 'Transactions, by whether they were committed.',
        type: 'counter',
        samples: [
          { labels: { result: 'committed' }, value: this.#committed },
          { labels: { result: 'failed' }, value: this.#failed },
        ],
      },
      single('gauge', 'quire_database_waiting_transactions', 'Transactions that have not begun yet.', this.#waiting),
      this.#waits.metric('quire_database_transaction_wait_seconds', 'Time until a transaction began.'),
      this.#durations.metric('quire_database_transaction_duration_seconds', 'Time of a transaction, with its wait.'),
    ]
  }
}

/** A span that begins in one place and ends in another. */
class OpenSpan {
  readonly #facts: () => SpanFacts
  #end: PromiseWithResolvers<void> | null = null

  constructor(facts: () => SpanFacts) {
    this.#facts = facts
  }

  begin(): void {
    const end = Promise.withResolvers<void>()
    this.#end = end
    // The caller of the work gets its error.
    inSpan(this.#facts, () => end.promise).catch(() => {})
  }

  end(): void {
    this.#end?.resolve()
  }

  /** Ends it, and marks it as failed. */
  fail(error: unknown): void {
    this.#end?.reject(error)
  }
}

function textOf({ texts }: Sql): () => string {
  return () => texts.join('?')
}

function shown(text: string): string {
  return text.slice(0, MOST_SHOWN).trim()
}
