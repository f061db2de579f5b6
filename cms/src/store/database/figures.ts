import { Histogram, type Metric, single } from '../../base/metrics.ts'
import type { Database, ReplicaFigures } from './database.ts'
import { sql } from './sql.ts'

/** Upper bounds of the buckets of durations, in seconds. */
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Documents that wait for search are counted up to here. */
const MOST_COUNTED = 100_000

/** Counts the statements and transactions of a database (§0.12). */
export class DatabaseFigures {
  readonly #waits = new Histogram(SECONDS)
  readonly #durations = new Histogram(SECONDS)
  #statements = 0
  #committed = 0
  #failed = 0
  #waiting = 0

  countStatement(): void {
    this.#statements += 1
  }

  /** Runs a transaction, which says when its work has begun. */
  async transaction<T>(run: (begun: () => void) => Promise<T>): Promise<T> {
    const start = performance.now()
    let isWaiting = true
    const begun = () => {
      if (!isWaiting) return
      isWaiting = false
      this.#waiting -= 1
      this.#waits.observe((performance.now() - start) / 1000)
    }
    this.#waiting += 1
    try {
      const result = await run(begun)
      this.#committed += 1
      return result
    } catch (error) {
      this.#failed += 1
      throw error
    } finally {
      begun()
      this.#durations.observe((performance.now() - start) / 1000)
    }
  }

  /** Returns all figures, with those that the database itself knows. */
  async metrics(database: Database): Promise<Metric[]> {
    return [...this.#own(), ...connectionsOf(database), ...replicasOf(database), ...(await figuresOf(database))]
  }

  #own(): Metric[] {
    const histogram = (name: string, help: string, { samples }: { samples: Metric['samples'] }): Metric => {
      return { name, help, type: 'histogram', samples }
    }
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
      histogram('quire_database_transaction_wait_seconds', 'Time until a transaction began.', {
        samples: this.#waits.samples({}),
      }),
      histogram('quire_database_transaction_duration_seconds', 'Time of a transaction, with its wait.', {
        samples: this.#durations.samples({}),
      }),
    ]
  }
}

function connectionsOf(database: Database): Metric[] {
  const counts = database.connections()
  return [
    {
      name: 'quire_database_connections',
      help: 'Open connections to the database, by state.',
      type: 'gauge',
      samples: Object.entries(counts).map(([state, value]) => ({ labels: { state }, value })),
    },
  ]
}

/** None where no replica is named. */
function replicasOf(database: Database): Metric[] {
  const replicas = database.replicas()
  const metric = (name: string, help: string, value: (replica: ReplicaFigures) => number | null): Metric => {
    const samples = replicas.flatMap((replica) => {
      const figure = value(replica)
      return figure === null ? [] : [{ labels: { replica: replica.name }, value: figure }]
    })
    return { name, help, type: name.endsWith('_total') ? 'counter' : 'gauge', samples }
  }
  if (replicas.length === 0) return []
  return [
    metric('quire_replica_in_use', 'Whether a replica may be read.', ({ isUsable }) => Number(isUsable)),
    metric('quire_replica_reads_total', 'Statements that a replica was sent.', ({ reads }) => reads),
    metric('quire_replica_lag_bytes', 'How far a replica is behind in the log.', ({ lagBytes }) => lagBytes),
    metric(
      'quire_replica_lag_seconds',
      'How old the content of a replica is, at most.',
      ({ lagSeconds }) => lagSeconds,
    ),
  ]
}

/** The figures that only the database knows; while it cannot be reached, only that it is down. */
async function figuresOf(database: Database): Promise<Metric[]> {
  const up = (value: number) => single('gauge', 'quire_database_up', 'Whether the database answers.', value)
  try {
    const [row] = await database.primary.all<{ n: number }>(
      sql`select count(*) as n from (select 1 as one from documents where search_stale = 1 limit ${MOST_COUNTED}) s`,
    )
    const help = 'Copies of documents that were saved and are not in the search index yet.'
    return [up(1), single('gauge', 'quire_search_waiting_documents', help, Number(row?.n ?? 0))]
  } catch {
    return [up(0)]
  }
}
