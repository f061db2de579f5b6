import { type Metric, single } from '../../base/metrics.ts'
import type { Database, ReplicaFigures } from './database.ts'
import { sql } from './sql.ts'

/** Documents that wait for search are counted up to here. */
const MOST_COUNTED = 100_000

/** Returns the figures that a database itself knows (§0.12). */
export async function databaseMetrics(database: Database): Promise<Metric[]> {
  return [...connectionsOf(database), ...replicasOf(database), ...(await figuresOf(database))]
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
