import { Client, type ClientConfig, Pool, type PoolClient, types } from 'pg'
import { CmsError, unavailable } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import {
  type Database,
  type DatabaseOptions,
  pause,
  type SnapshotConnection,
  type Transaction,
  Turns,
} from './database.ts'
import type { Cell, ColumnType, Dialect, Hits, SearchRow } from './dialect.ts'
import { joined, quotedName, type Sql, sql } from './sql.ts'
import type { Bindings, Connection, Fixed, Statement } from './statement.ts'

const NAMED_STATEMENTS = 500
const ATTEMPTS = 5
const CONNECT_MILLISECONDS = 10_000
const PING_MILLISECONDS = 10_000
/** After so many changes, and then each four times as many, the server takes new statistics. */
const FIRST_STATISTICS = 50
const CHANNEL = 'quire_documents'
const LOCK = 7_850_113

/** Opens a database on a server. */
export async function openPostgres(url: string, options: DatabaseOptions): Promise<Database> {
  const database = new PostgresDatabase(url, options)
  try {
    await database.reader.all(sql`select 1`)
    return database
  } catch (error) {
    await database.close()
    throw cannotOpen(url, error)
  }
}

/** What somebody who starts the service can put right; any other failure as it is. Shows no password. */
function cannotOpen(url: string, error: unknown): unknown {
  const server = `PostgreSQL at ${URL.parse(url)?.host || 'this machine'}`
  if (error instanceof CmsError) {
    return unavailable(
      `${server} cannot be reached. Check that it runs, takes connections, and that the address is right.`,
    )
  }
  const isRefusal = /^(28|3D)/.test(codeOf(error))
  return isRefusal && error instanceof Error
    ? unavailable(`${server} refuses the connection: ${error.message}.`)
    : error
}

class PostgresDatabase implements Database {
  readonly dialect = dialect
  readonly reader: Connection
  readonly #pool: Pool
  readonly #log: Log
  readonly #listener: Listener
  readonly #names = new StatementNames()
  readonly #onStatement: (sql: string) => void
  readonly #snapshots = new Turns()
  #changes = 0
  #nextStatistics = FIRST_STATISTICS

  constructor(url: string, options: DatabaseOptions) {
    const name = `quire-${newId()}`
    const config: ClientConfig = {
      connectionString: url,
      application_name: name,
      keepAlive: true,
      options: '-c jit=off -c random_page_cost=1.1',
      types: { getTypeParser },
    }
    this.#onStatement = options.onStatement ?? (() => {})
    this.#log = options.log
    this.#pool = new Pool({ ...config, max: options.poolSize, connectionTimeoutMillis: CONNECT_MILLISECONDS })
    // A connection that is lost fails the statement that is under way; the pool then opens another one.
    this.#pool.on('error', (error) => options.log.warn({ error: error.message }, 'A database connection was lost.'))
    this.#pool.on('connect', (client) => client.on('error', () => {}))
    this.#listener = new Listener(config, name, options.log)
    this.reader = this.#connection((query) => this.#pool.query(query))
  }

  async transaction<T>(work: (connection: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#attempt(work)
      } catch (error) {
        if (!hasCollided(error)) throw error
        if (attempt === ATTEMPTS) throw unavailable('Too many changes at once. Try again in a moment.')
        await pause(Math.random() * 20 * 2 ** attempt)
      }
    }
  }

  exclusively<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.transaction(async (connection) => {
      await connection.all(sql`select pg_advisory_xact_lock(${LOCK})`)
      return work(connection)
    })
  }

  snapshot<T>(work: (connection: SnapshotConnection) => Promise<T>): Promise<T> {
    return this.#snapshots.take(() => this.#readOneState(work))
  }

  async #readOneState<T>(work: (connection: SnapshotConnection) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch(rethrow)
    const connection = this.#connection((query) => client.query(query))
    try {
      await this.#command(client, 'begin isolation level repeatable read read only')
      return await work({
        ...connection,
        inBatches: (query, size) => this.#inBatches(connection, (text) => client.query(text), query, size),
      })
    } finally {
      const isLost = await this.#command(client, 'rollback').then(
        () => false,
        () => true,
      )
      client.release(isLost)
    }
  }

  /** By a cursor: the server, too, makes the rows as they are asked for. */
  async *#inBatches<Row>(
    connection: Connection,
    send: (text: string) => Promise<{ rows: unknown[] }>,
    query: Sql<Row>,
    size: number,
  ): AsyncGenerator<Row[]> {
    await connection.varied(sql`declare batches no scroll cursor for ${query}`)
    for (;;) {
      const { rows } = await send(`fetch forward ${size} from batches`).catch(rethrow)
      if (rows.length > 0) yield rows as Row[]
      if (rows.length < size) break
    }
    await send('close batches').catch(rethrow)
  }

  revision(): string | null {
    return this.#listener.revision
  }

  follow(): Promise<void> {
    return this.#listener.start()
  }

  async close(): Promise<void> {
    await this.#listener.stop()
    if (!this.#pool.ended) await this.#pool.end()
  }

  async #attempt<T>(work: (connection: Transaction) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect().catch(rethrow)
    let hasChanged = false
    const connection: Transaction = {
      ...this.#connection((query) => client.query(query)),
      documentsChanged: () => {
        hasChanged = true
      },
    }
    let isLost = true
    try {
      await this.#command(client, 'begin')
      const result = await work(connection)
      await this.#commit(client)
      isLost = false
      if (hasChanged) this.#listener.changed()
      this.#keepStatistics()
      return result
    } catch (error) {
      isLost = await this.#command(client, 'rollback').then(
        () => false,
        () => true,
      )
      if (isLost && hasChanged) this.#listener.changedPerhaps()
      throw error
    } finally {
      client.release(isLost)
    }
  }

  #keepStatistics(): void {
    this.#changes += 1
    if (this.#changes < this.#nextStatistics) return
    this.#nextStatistics *= 4
    // The server does this by itself too, but late: until then it plans as if the tables were empty.
    this.#pool.query('analyze documents, entries, search, versions').catch((error: Error) => {
      this.#log.warn(
        { error: error.message },
        'The database could not take statistics; lists may be slower for a while.',
      )
    })
  }

  /** The server answers a commit after a failed statement by rolling back, without an error. */
  async #commit(client: PoolClient): Promise<void> {
    const { command } = await this.#command(client, 'commit')
    if (command !== 'COMMIT') throw new Error('The transaction went on after a failed statement; nothing was stored.')
  }

  #command(client: PoolClient, text: string) {
    this.#onStatement(text)
    return client.query(text).catch(rethrow)
  }

  #connection(send: (query: { text: string; values: unknown[]; name?: string }) => Promise<{ rows: unknown[] }>) {
    const run = async ({ text, parameters }: Statement, name: string | undefined): Promise<unknown[]> => {
      this.#onStatement(text)
      const query = { text, values: parameters.map(withoutNull) }
      return (await send(name === undefined ? query : { ...query, name }).catch(rethrow)).rows
    }
    const named = (statement: Statement) => run(statement, this.#names.of(statement.text))
    const connection: Connection = {
      all: async <Row>(query: Sql<Row>) => (await named(statementOf(query))) as Row[],
      varied: async <Row>(query: Sql<Row>) => (await run(statementOf(query), undefined)) as Row[],
      fixed: async <Row, Values extends Bindings>(query: Fixed<Row, Values>, values: Values) =>
        (await named(query.statement(writePlaces, values))) as Row[],
    }
    return connection
  }
}

/**
 * Names for statements that are sent again and again: the server soon plans a named one once for all values, and the
 * others each time.
 */
class StatementNames {
  readonly #names = new Map<string, string>()

  of(text: string): string | undefined {
    let name = this.#names.get(text)
    if (name === undefined && this.#names.size < NAMED_STATEMENTS) {
      name = `quire_${this.#names.size}`
      this.#names.set(text, name)
    }
    return name
  }
}

/** Hears of other processes' changes. While it is not connected, nobody knows which state reads see. */
class Listener {
  revision: string | null = null
  readonly #config: ClientConfig
  readonly #name: string
  readonly #log: Log
  #changes = 0
  #hearsItself = false
  #client: Client | null = null
  #isStopped = false
  #timer: NodeJS.Timeout | undefined

  constructor(config: ClientConfig, name: string, log: Log) {
    this.#config = { ...config, connectionTimeoutMillis: CONNECT_MILLISECONDS, query_timeout: PING_MILLISECONDS }
    this.#name = name
    this.#log = log
  }

  changed(): void {
    this.#changes += 1
    if (this.revision !== null) this.revision = `${this.#name}.${this.#changes}`
  }

  /** The answer to a commit was lost: it may still come to pass, so from now on our own changes are listened to too. */
  changedPerhaps(): void {
    this.#hearsItself = true
    this.changed()
  }

  async start(failures = 0): Promise<void> {
    const client = new Client(this.#config)
    client.on('error', () => {})
    client.on('end', () => this.#lost(client, 0))
    client.on('notification', ({ payload }) => {
      if (this.#hearsItself || payload !== this.#name) this.changed()
    })
    this.#client = client
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
    } catch {
      this.#lost(client, failures + 1)
      return
    }
    if (this.#isStopped || this.#client !== client) return
    this.revision = this.#name
    this.changed()
    this.#watch(client)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.revision = null
    clearTimeout(this.#timer)
    await this.#client?.end().catch(() => {})
  }

  /** A connection can die without a word: asks now and then whether it still answers. */
  #watch(client: Client): void {
    this.#timer = setTimeout(async () => {
      await client.query('select 1').then(
        () => this.#client === client && !this.#isStopped && this.#watch(client),
        () => this.#lost(client, 0),
      )
    }, PING_MILLISECONDS).unref()
  }

  #lost(client: Client, failures: number): void {
    if (this.#isStopped || this.#client !== client) return
    if (this.revision !== null) this.#log.warn({}, 'No longer hearing of changes by other processes; reconnecting.')
    this.#client = null
    this.revision = null
    client.end().catch(() => {})
    clearTimeout(this.#timer)
    const delay = Math.min(100 * 2 ** failures, 5000)
    this.#timer = setTimeout(() => void this.start(failures), delay).unref()
  }
}

/** Row numbers and counts are numbers here, not texts. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)
}

/** The server takes no character 0 in texts; there is none in what is stored either. */
function withoutNull(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '') : value
  return Array.isArray(value) ? value.map(withoutNull) : value
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Deadlocks, failed serialization, and a row that was referred to while another transaction removed it. */
function hasCollided(error: unknown): boolean {
  return ['40001', '40P01', '23503'].includes(codeOf(error))
}

function rethrow(error: unknown): never {
  throw isConnectionError(error) ? unavailable('The database cannot be reached. Try again in a moment.') : error
}

/** The server is away, starting, stopping or full, or the connection to it broke. */
function isConnectionError(error: unknown): boolean {
  if (error instanceof CmsError || !(error instanceof Error)) return false
  const code = codeOf(error)
  if (/^(08|57P0|53300)/.test(code) || /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN|ENOENT)/.test(code)) {
    return true
  }
  return /Connection terminated|not queryable|timeout exceeded when trying to connect|timeout expired/.test(
    error.message,
  )
}

const writePlaces = (texts: readonly string[]) => texts.reduce((text, next, place) => `${text}$${place}${next}`)

const statementOf = ({ texts, values }: Sql): Statement => ({ text: writePlaces(texts), parameters: values })

const ARRAYS: Readonly<Record<ColumnType, Sql>> = {
  text: sql`text[]`,
  number: sql`double precision[]`,
  integer: sql`bigint[]`,
}

const dialect: Dialect = {
  table: (alias, columns, rows) => {
    const arrays = Object.values(columns).map((type, place) => {
      const column = rows.map((row) => row[place] ?? null)
      return sql`${column}::${ARRAYS[type]}`
    })
    return sql`unnest(${joined(arrays)}) as ${quotedName(alias)} (${joined(Object.keys(columns).map((name) => quotedName(name)))})`
  },
  oneOf,
  textIn: (json, name) => sql`cast(${json} as json) ->> ${name}`,
  joinInOrder: sql`inner join`,
  inOrderOf: (column) => sql`order by ${column}`,
  forUpdate: sql`for update`,
  hasWaited: true,
  words: {
    rowNumber: sql`bigint generated always as identity primary key`,
    rowReference: sql`bigint`,
    text: sql`text collate "C"`,
    number: sql`double precision`,
    bytes: sql`bytea`,
  },
  isDuplicate: (error) => codeOf(error) === '23505',
  extras: [
    sql`create function quire_documents_changed() returns trigger language plpgsql as $$
      begin
        perform pg_notify('quire_documents', current_setting('application_name'));
        return null;
      end $$`,
    sql`create trigger documents_changed after insert or delete or update of revision on documents
      for each statement execute function quire_documents_changed()`,
  ],
  countsAsContent: (table, column) => [
    sql`create trigger ${quotedName(`${table}_changed`)} after update of ${quotedName(column)} on ${quotedName(table)}
      for each statement execute function quire_documents_changed()`,
  ],
  search: {
    tables: [
      sql`create table search (document bigint primary key, words tsvector not null)`,
      sql`create index search_words on search using gin (words) with (fastupdate = off)`,
    ],
    ranked: 200,
    row: sql`search.document`,
    // Without regard to length: that would tell of words which the reader may not know.
    rank: (hits) => sql`- ts_rank(search.words, ${hitsQuery(hits)}::tsquery)`,
    from: sql`search`,
    where: (hits) => sql`search.words @@ ${hitsQuery(hits)}::tsquery`,
    newest: sql`search.document desc`,
    put: putWords,
    remove: (numbers) => [sql`delete from search where ${oneOf(sql`document`, numbers, 'integer')}`],
  },
}

function oneOf(expression: Sql, values: readonly Cell[], type: ColumnType): Sql {
  if (values.length === 1) return sql`${expression} = ${values[0]}`
  return sql`${expression} = any(${values}::${ARRAYS[type]})`
}

/** Scope and state are a word of each document, which begins with a space: no word of a text does. */
function hitsQuery({ scope, states, search }: Hits): string {
  const places = states.map((state) => quoted(` ${scope.type}:${scope.locale}:${scope.mode}:${state}`))
  const last = search.words.length - 1
  const words = search.words.map((forms, place) => {
    const end = search.isPrefix && place === last ? ':*' : ''
    return `(${forms.map((form) => quoted(form) + end).join(' | ')})`
  })
  const isPossible = search.words.length > 0 && search.words.every((forms) => forms.length > 0)
  return isPossible ? [`(${places.join(' | ')})`, ...words].join(' & ') : ''
}

function putWords(rows: readonly SearchRow[]): readonly Sql[] {
  const words = dialect.table(
    'w',
    { n: 'integer', words: 'text' },
    rows.map((row) => [row.row, vectorOf(row.words)]),
  )
  const place = sql`' ' || d.type || ':' || d.locale || ':' || d.mode || ':' ||
    (d.archived * 2 + (d.visibility = 'loginRequired')::integer)`
  return [
    sql`insert into search (document, words)
      select d.n, w.words::tsvector || array_to_tsvector(array[${place}])
      from ${words} join documents d on d.n = w.n
      on conflict (document) do update set words = excluded.words`,
  ]
}

const VECTOR_LENGTH = 250_000
const PLACES = 255

/** Words with their places, in the form that a `tsvector` is read from; very long texts are found by their beginning. */
function vectorOf(text: string): string {
  const places = new Map<string, number[]>()
  let length = 0
  for (const [place, word] of text.split(' ').entries()) {
    if (word === '' || length > VECTOR_LENGTH) continue
    const known = places.get(word)
    if (known === undefined) places.set(word, [place + 1])
    else if (known.length < PLACES) known.push(place + 1)
    length += known === undefined ? word.length + 4 : 2
  }
  return Array.from(
    places,
    ([word, at]) => `${quoted(word)}:${at.map((place) => Math.min(place, 16383)).join(',')}`,
  ).join(' ')
}

function quoted(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
