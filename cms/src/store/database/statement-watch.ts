import type { Log } from '../../base/log.ts'
import type { SpanFacts } from '../../base/spans.ts'
import { inSpan } from '../../base/tracing.ts'
import type { Connection, Transaction } from './connection.ts'
import type { Sql } from './sql.ts'

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

/** Makes spans of statements, and logs slow ones with their route: their text with placeholders, never their values. */
export class StatementWatch {
  readonly #options: WatchOptions

  constructor(options: WatchOptions) {
    this.#options = options
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
   * Makes a span of a transaction, with the time until it begins, and one of its commit: from when its work is done until
   * it is answered. The work says when it begins and when it is done, each time that it is done.
   */
  transaction<T>(run: (begun: () => void, done: () => void) => Promise<T>): Promise<T> {
    const facts = (name: string): SpanFacts => ({ name, kind: 'internal', attributes: this.#systemOf() })
    return inSpan(
      () => facts('transaction'),
      async (span) => {
        const [start, commit] = [performance.now(), new OpenSpan(() => facts('commit'))]
        const begun = () => {
          span.set({ 'quire.transaction.wait_ms': Math.round(performance.now() - start) })
          commit.end()
        }
        return commit.during(run(begun, () => commit.begin()))
      },
    )
  }

  async #watch<T>(text: () => string, work: () => Promise<T>): Promise<T> {
    const start = performance.now()
    try {
      return await inSpan(() => this.#factsOf(shown(text())), work)
    } finally {
      const ms = performance.now() - start
      if (ms >= this.#options.slowMs) this.#logSlow(ms, shown(text()))
    }
  }

  #factsOf(text: string): SpanFacts {
    const [operation = ''] = /^\w+/.exec(text) ?? []
    const attributes = {
      ...this.#systemOf(),
      'db.operation.name': operation,
      'db.query.text': text,
    }
    return { name: operation, kind: 'client', attributes }
  }

  #systemOf() {
    return { 'db.system.name': this.#options.system }
  }

  #logSlow(ms: number, statement: string): void {
    const route = this.#options.routeOf()
    this.#options.log.warn({ ms: Math.round(ms), ...(route && { route }), statement }, 'A statement was slow.')
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
    // Whoever waits for the work gets its error.
    inSpan(this.#facts, () => end.promise).catch(() => {})
  }

  end(): void {
    this.#end?.resolve()
  }

  /** Ends it with the work, and marks it where that fails. */
  async during<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      this.#end?.reject(error)
      throw error
    } finally {
      this.end()
    }
  }
}

function textOf({ texts }: Sql): () => string {
  return () => texts.join('?')
}

function shown(text: string): string {
  return text.slice(0, MOST_SHOWN).trim()
}
