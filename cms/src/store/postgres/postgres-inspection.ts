import { Client } from 'pg'
import { type Inspection, MOST_PROBLEMS } from '../database/database.ts'
import { TABLES_VERSION } from '../migrations/index.ts'
import { tablesAt } from '../sqlite/sqlite-tables.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { cannotOpen } from './postgres-errors.ts'
import { driverAddress } from './postgres-pool.ts'

/** Older servers are not tested, and soon get no fixes any more. */
const NEEDED = 14
const CONNECT_MS = 5_000

const FACTS = `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
  current_setting('max_connections')::int as connections, pg_database_size(current_database()) as bytes,
  (extract(epoch from clock_timestamp()) * 1000)::float8 as now, to_regclass('meta') is not null as ours,
  current_setting('transaction_read_only') = 'on' as readonly,
  coalesce(has_schema_privilege(current_schema(), 'create'), false) as creates`
const INVALID = `select indexrelid::regclass::text as name from pg_index where not indisvalid limit ${MOST_PROBLEMS}`
/** The tables of ours that this account may not read and change. */
const CLOSED = `select name from unnest($1::text[]) name where not (has_table_privilege(to_regclass(name), 'select')
  and has_table_privilege(to_regclass(name), 'insert') and has_table_privilege(to_regclass(name), 'update')
  and has_table_privilege(to_regclass(name), 'delete')) order by name`

/** Looks at a database on a server. Throws `unavailable` where it cannot be reached. */
export async function inspectPostgres(url: string): Promise<Inspection> {
  const connectionString = driverAddress(url)
  const client = new Client({ connectionString, connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    const before = Date.now()
    const [facts] = (await client.query(FACTS)).rows
    const ours = (before + Date.now()) / 2
    const [meta] = facts.ours ? (await client.query("select value from meta where name = 'version'")).rows : []
    const tables = Number(meta?.value ?? 0)
    const invalid = (await client.query(INVALID)).rows
    return {
      product: `PostgreSQL ${facts.version}`,
      needed: facts.number < NEEDED * 10_000 ? `PostgreSQL ${NEEDED}` : null,
      tables,
      bytes: Number(facts.bytes),
      walBytes: null,
      problems: invalid.map(({ name }) => `The index ${name} is not valid. Run: reindex index concurrently ${name}`),
      aheadMs: Math.round(facts.now - ours),
      maxConnections: facts.connections,
      denied: [
        ...(facts.readonly ? [READ_ONLY] : []),
        ...(tables < TABLES_VERSION && !facts.creates ? [CREATES_NOTHING] : []),
        ...(await closedTables(client, tables)),
      ],
    }
  } catch (error) {
    throw cannotOpen(url, error)
  } finally {
    await client.end().catch(() => {})
  }
}

const READ_ONLY = {
  what: 'It takes no changes.',
  advice: 'It is a standby, or set to be read-only: name the one that takes changes in QUIRE_DATABASE.',
}
const CREATES_NOTHING = {
  what: 'This account may not create tables.',
  advice: 'Run quire migrate with an account that owns the database.',
}

async function closedTables(client: Client, version: number): Promise<Inspection['denied']> {
  if (version === 0 || version > TABLES_VERSION) return []
  const names = [...(await tablesAt(version)).map(({ name }) => name), ...postgresDialect.copying.ownTables]
  const { rows } = await client.query(CLOSED, [names])
  if (rows.length === 0) return []
  const advice = 'As their owner: grant select, insert, update, delete on all tables in schema … to …'
  return [{ what: `This account may not read and change: ${rows.map(({ name }) => name).join(', ')}.`, advice }]
}
