import { Client } from 'pg'
import { type Inspection, MOST_PROBLEMS } from './inspection.ts'
import { cannotOpen } from './postgres-errors.ts'

/** Older servers are not tested, and soon get no fixes any more. */
const NEEDED = 14
const CONNECT_MS = 5_000

const FACTS = `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
  current_setting('max_connections')::int as connections, pg_database_size(current_database()) as bytes,
  (extract(epoch from clock_timestamp()) * 1000)::float8 as now, to_regclass('meta') is not null as ours`
const INVALID = `select indexrelid::regclass::text as name from pg_index where not indisvalid limit ${MOST_PROBLEMS}`

/** Looks at a database on a server. Throws `unavailable` where it cannot be reached. */
export async function inspectPostgres(url: string): Promise<Inspection> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    const before = Date.now()
    const [facts] = (await client.query(FACTS)).rows
    const ours = (before + Date.now()) / 2
    const [meta] = facts.ours ? (await client.query("select value from meta where name = 'version'")).rows : []
    const invalid = (await client.query(INVALID)).rows
    return {
      product: `PostgreSQL ${facts.version}`,
      needed: facts.number < NEEDED * 10_000 ? `PostgreSQL ${NEEDED}` : null,
      tables: Number(meta?.value ?? 0),
      bytes: Number(facts.bytes),
      walBytes: null,
      problems: invalid.map(({ name }) => `The index ${name} is not valid. Run: reindex index concurrently ${name}`),
      aheadMs: Math.round(facts.now - ours),
      maxConnections: facts.connections,
    }
  } catch (error) {
    throw cannotOpen(url, error)
  } finally {
    await client.end().catch(() => {})
  }
}
