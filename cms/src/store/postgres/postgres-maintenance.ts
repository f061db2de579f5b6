import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { Log } from '../../base/log.ts'
import { messageOf } from '../../base/thrown.ts'
import type { Connection } from '../database/connection.ts'
import { type DatabaseOptions, type Inspection, MOST_PROBLEMS, UnusableDatabase } from '../database/database.ts'
import { joined, quotedName, type Sql, sql } from '../database/sql.ts'
import { NO_TABLES, stateOf, TABLES_STATE, type TablesState } from '../database/tables-state.ts'
import { TABLES_VERSION } from '../migrations/index.ts'
import { createTables } from '../migrations/migrate.ts'
import { readVersion, stateAt } from '../migrations/usable-tables.ts'
import { tablesAt } from '../sqlite/sqlite-tables.ts'
import { openPostgres } from './postgres.ts'
import { givenOptions } from './postgres-address.ts'
import { cannotOpen } from './postgres-errors.ts'
import { listen } from './postgres-hearing.ts'
import { Hosts } from './postgres-hosts.ts'
import { LINEAGE, PLACE, SYSTEM } from './postgres-log.ts'
import { ANNOUNCING } from './postgres-notifications.ts'
import { settingsOf } from './postgres-pool.ts'
import { refusalOf } from './postgres-replica.ts'
import { assertSchema, connectionPrefix, schemaOf, schemaOption } from './postgres-schema.ts'
import { Standby } from './postgres-standby.ts'
import { presentTables, tableNames } from './postgres-tables.ts'

const CLOSING_MILLISECONDS = 2000

/** Replaces our tables by new ones that `load` fills, in one transaction. Other tables of the database stay. */
export async function replaceTables<T>(
  url: string,
  { version, ...options }: DatabaseOptions & { readonly version: number },
  load: (connection: Connection) => Promise<T>,
): Promise<T> {
  const database = await openPostgres(url, options)
  try {
    await assertUnused(database.primary, schemaOf(url))
    return await database.exclusively(async (connection) => {
      for (const statement of connection.dialect.copying.withoutTimeouts) await connection.all(statement)
      const tables = await ourTables(connection)
      const rights = tables.length > 0 ? await rightsOfOthers(connection) : []
      if (tables.length > 0) await connection.all(sql`drop table if exists ${joined(tables)}`)
      await connection.all(sql`drop function if exists quire_documents_changed()`)
      await createTables(connection, version)
      const result = await load(connection)
      const made = joined(await ourTables(connection))
      for (const { what, who } of rights) await connection.all(sql`grant ${what} on ${made} to ${who}`)
      await connection.all(sql`analyze ${made}`)
      return result
    })
  } finally {
    await database.close()
  }
}

/**
 * Programs of ours are known by the name of their connections; those that were just closed need a moment to be gone.
 */
async function assertUnused(connection: Connection, schema: string | null): Promise<void> {
  const prefix = connectionPrefix(ANNOUNCING, schema)
  // Their address may name the schema, where ours leaves it to the account.
  const isOurs = sql`(left(application_name, ${prefix.length}) = ${prefix}
    and position('+' in substr(application_name, ${prefix.length + 1})) = 0
    or starts_with(application_name, ${ANNOUNCING}::text || current_schema()::text || '+'))`

  for (const deadline = performance.now() + CLOSING_MILLISECONDS; ; await pause(100)) {
    const others = await connection.all(
      sql`select 1 from pg_stat_activity where datname = current_database()
        and ${isOurs} and application_name <> current_setting('application_name')`,
    )
    if (others.length === 0) return
    if (performance.now() > deadline) {
      throw new UnusableDatabase('The database is in use. Stop the service, on all machines, then try again.')
    }
  }
}

async function ourTables(connection: Connection) {
  const [found] = await connection.all<{ meta: string | null }>(sql`select to_regclass('meta')::text as meta`)
  if (found?.meta == null) return []
  const version = await readVersion(connection)
  return presentTables(connection, tableNames(stateAt(version), await namesAt(version)))
}

const PRIVILEGES: Readonly<Record<string, Sql>> = {
  SELECT: sql`select`,
  INSERT: sql`insert`,
  UPDATE: sql`update`,
  DELETE: sql`delete`,
}

/** A right of an account that does not own the tables: `what` and `who` of a `grant`. */
interface Right {
  readonly what: Sql
  readonly who: Sql
}

/** The rights that accounts other than the owner have on documents, to be granted on tables that are created again. */
async function rightsOfOthers(connection: Connection): Promise<readonly Right[]> {
  const found = await connection.all<{ grantee: string; privilege: string }>(
    sql`select pg_get_userbyid(acl.grantee) as grantee, acl.privilege_type as privilege
      from pg_class c cross join lateral aclexplode(c.relacl) acl
      where c.oid = to_regclass('documents') and acl.grantee not in (0, c.relowner)`,
  )
  return found.flatMap(({ grantee, privilege }) => {
    const what = PRIVILEGES[privilege]
    return what === undefined ? [] : [{ what, who: quotedName(grantee) }]
  })
}

const namesAt = async (version: number) => (await tablesAt(version)).map(({ name }) => name)

/** Older servers are not tested, and soon get no fixes any more. */
const NEEDED = 14
const CONNECT_MS = 5_000

const FACTS = `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
  current_setting('max_connections')::int as connections, pg_database_size(current_database()) as bytes,
  (extract(epoch from clock_timestamp()) * 1000)::float8 as now, to_regclass('meta') is not null as ours,
  current_schema() as schema, current_setting('transaction_read_only') = 'on' as readonly,
  coalesce(has_schema_privilege(current_schema(), 'create'), false) as creates`
const INVALID = `select indexrelid::regclass::text as name from pg_index join pg_class c on c.oid = indrelid
  where not indisvalid and c.relnamespace = (select oid from pg_namespace where nspname = current_schema()) limit ${MOST_PROBLEMS}`
/** The tables of ours that this account may not read and change. */
const CLOSED = `select name from unnest($1::text[]) name where not (has_table_privilege(to_regclass(name), 'select')
  and has_table_privilege(to_regclass(name), 'insert') and has_table_privilege(to_regclass(name), 'update')
  and has_table_privilege(to_regclass(name), 'delete')) order by name`

/** Looks at a database on a server. Throws `unavailable` where it cannot be reached. */
export async function inspectPostgres(url: string): Promise<Inspection> {
  const hosts = new Hosts(url)
  await hosts.find()
  const { connectionString } = hosts.config
  const schema = schemaOf(url)
  const timeouts = { connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS }
  const options = (schemaOption(schema) + givenOptions(url)).trim()
  const client = new Client({ connectionString, ...timeouts, options })
  client.on('error', () => {})
  try {
    await client.connect()
    const before = Date.now()
    const [facts] = (await client.query(FACTS)).rows
    assertSchema(schema, facts.schema)
    const ours = (before + Date.now()) / 2
    const tables = facts.ours ? stateOf((await client.query(TABLES_STATE)).rows[0]) : NO_TABLES
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
        ...(tables.version < TABLES_VERSION && !facts.creates ? [CREATES_NOTHING] : []),
        ...(await closedTables(client, tables)),
      ],
    }
  } catch (error) {
    throw cannotOpen(url, error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Why a replica cannot be read in the place of a database; null where it can. Changes nothing. */
export async function inspectReplica(url: string, replica: string): Promise<string | null> {
  const { stored, start, place } = await storedPast(url)
  try {
    const standby = await Standby.connect(settingsOf(replica), 1, SILENT)
    const state = await standby.ask().finally(() => standby.close())
    // A database that no service with replicas has used has none.
    const primary = { past: { lineage: stored ?? start, place }, lastPosition: null }
    return refusalOf(stored === null ? { ...state, lineage: start } : state, primary)
  } catch (error) {
    return `it does not answer (${messageOf(error)})`
  }
}

const SILENT: Log = { info: () => {}, warn: () => {}, error: () => {} }

/** The past of a primary, of whose lineage the start is known where it has not been named. */
async function storedPast(url: string): Promise<{ stored: string | null; start: string; place: string }> {
  const hosts = new Hosts(url)
  await hosts.find()
  const client = new Client({ ...hosts.config, connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS })
  client.on('error', () => {})
  try {
    await client.connect()
    const stored = (await client.query(LINEAGE)).rows[0]?.value ?? null
    const { system, place } = (await client.query(`select ${PLACE} as place, system.* from (${SYSTEM}) system`)).rows[0]
    return { stored, start: `${system}:`, place }
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

async function closedTables(client: Client, tables: TablesState): Promise<Inspection['denied']> {
  const { version } = tables
  if (version === 0 || version > TABLES_VERSION) return []
  const { rows } = await client.query(CLOSED, [tableNames(tables, await namesAt(version))])
  if (rows.length === 0) return []
  const advice = 'As their owner: grant select, insert, update, delete on all tables in schema … to …'
  return [{ what: `This account may not read and change: ${rows.map(({ name }) => name).join(', ')}.`, advice }]
}

/** Why a database cannot be listened to at another address; null where it can. */
export async function inspectListening(url: string, listenAt: string): Promise<string | null> {
  const clients: Client[] = []
  const connect = async (address: string) => {
    const hosts = new Hosts(address)
    await hosts.find()
    const client = new Client(hosts.config)
    clients.push(client)
    client.on('error', () => {})
    await client.connect()
    return client
  }
  try {
    const speaking = await connect(url)
    await listen(await connect(listenAt), (statement) => speaking.query(statement))
    return null
  } catch (error) {
    return messageOf(error)
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}
