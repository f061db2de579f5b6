import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { unavailable } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import {
  type Database,
  type DatabaseOptions,
  pause,
  Recent,
  type SnapshotConnection,
  type Transaction,
  Turns,
} from './database.ts'
import type { Cell, ColumnType, Dialect, Hits, SearchRow } from './dialect.ts'
import { GroupCommit } from './group-commit.ts'
import { joined, literal, quotedName, Sql, sql } from './sql.ts'
import type { Bindings, Connection, Fixed } from './statement.ts'
import { type Scope, weighty } from './store.ts'

const STATEMENTS = 400
const PATIENCE_MILLISECONDS = 10_000
const BUSY = 5
const LOCKED = 6
const DUPLICATE = 2067
/** Up to here values stand in the statement's text one by one. */
const FEW_ROWS = 32
const FEW_VALUES = 8

/** Opens, or creates, a database file and the folder it lies in. */
export async function openSqlite(path: string, options: DatabaseOptions): Promise<Database> {
  mkdirSync(dirname(path), { recursive: true })
  try {
    return await openFile(path, options)
  } catch (error) {
    throw isFileError(error) ? unavailable(`The database file ${path} cannot be opened: ${error.message}.`) : error
  }
}

async function openFile(path: string, options: DatabaseOptions): Promise<Database> {
  const writer = new DatabaseSync(path)
  try {
    await patiently(() => {
      writer.exec(`
        pragma journal_mode = wal;
        pragma synchronous = ${options.synchronous};
        pragma cache_size = -65536;
        pragma temp_store = memory;
        pragma journal_size_limit = 67108864;
        pragma wal_autocheckpoint = 8000`)
    })
    const reader = new DatabaseSync(path, { readOnly: true, timeout: 2000 })
    reader.exec('pragma cache_size = -65536; pragma mmap_size = 1073741824')
    return new SqliteDatabase(writer, reader, path, options)
  } catch (error) {
    writer.close()
    throw error
  }
}

/**
 * Two connections: what the writer has not committed, the reader does not see. One transaction follows another. A third
 * one, opened when it is needed, reads one state while the others go on.
 */
class SqliteDatabase implements Database {
  readonly dialect = dialect
  readonly reader: Connection
  readonly #writer: SqliteConnection
  readonly #connections: DatabaseSync[]
  readonly #foreignChanges: StatementSync
  #revision: string
  #changes = 0
  #seenForeign = 0
  readonly #name = newId()
  readonly #commits: GroupCommit
  readonly #snapshots = new Turns()
  readonly #openSnapshots: () => SqliteSnapshot
  #snapshot: SqliteSnapshot | undefined
  #isOpen = true

  constructor(writer: DatabaseSync, reader: DatabaseSync, path: string, options: DatabaseOptions) {
    this.#connections = [reader, writer]
    this.reader = new SqliteConnection(reader, options.onStatement)
    this.#writer = new SqliteConnection(writer, options.onStatement)
    this.#openSnapshots = () => {
      const connection = new DatabaseSync(path, { readOnly: true, timeout: 2000 })
      this.#connections.push(connection)
      return new SqliteSnapshot(connection, options.onStatement)
    }
    this.#foreignChanges = writer.prepare('pragma data_version')
    this.#foreignChanges.setReturnArrays(true)
    this.#revision = this.#name
    this.#commits = new GroupCommit({
      begin: () => patiently(() => this.#openWriter().run('begin immediate')),
      run: (command) => this.#writer.run(command),
      isInTransaction: () => writer.isTransaction,
      writes: () => this.#writer.writes,
    })
  }

  transaction<T>(work: (connection: Transaction) => Promise<T>): Promise<T> {
    let hasChanged = false
    const writer = this.#writer
    const connection: Transaction = {
      all: (query) => writer.all(query),
      varied: (query) => writer.all(query),
      fixed: (query, values) => writer.fixed(query, values),
      documentsChanged: () => {
        hasChanged = true
      },
    }
    const whenCommitted = () => {
      if (hasChanged) this.#changes += 1
      if (hasChanged) this.#revision = this.#nameRevision()
    }
    return this.#commits.transaction(() => work(connection), whenCommitted)
  }

  exclusively<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#commits.transaction(
      () => work(this.#writer),
      () => {},
    )
  }

  snapshot<T>(work: (connection: SnapshotConnection) => Promise<T>): Promise<T> {
    return this.#snapshots.take(async () => {
      if (!this.#isOpen) throw stopping()
      this.#snapshot ??= this.#openSnapshots()
      const snapshot = this.#snapshot
      snapshot.run('begin')
      try {
        return await work(snapshot)
      } finally {
        snapshot.run('rollback')
      }
    })
  }

  revision(): string | null {
    if (!this.#isOpen) return null
    const foreign = this.#foreignVersion()
    if (foreign === null) return null
    if (foreign !== this.#seenForeign) {
      this.#seenForeign = foreign
      this.#revision = this.#nameRevision()
    }
    return this.#revision
  }

  /** A number that changes with the commits of other processes; null while one of them keeps the file to itself. */
  #foreignVersion(): number | null {
    try {
      // One row of one number, as an array (setReturnArrays).
      const row = this.#foreignChanges.get() as unknown as readonly number[]
      return row[0] ?? 0
    } catch (error) {
      if (isBusy(error)) return null
      throw error
    }
  }

  async follow(): Promise<void> {}

  async close(): Promise<void> {
    await this.#commits.idle()
    await this.#snapshots.take(async () => {
      if (!this.#isOpen) return
      this.#isOpen = false
      for (const connection of this.#connections) connection.close()
    })
  }

  #nameRevision(): string {
    return `${this.#name}.${this.#changes}.${this.#seenForeign}`
  }

  #openWriter(): SqliteConnection {
    if (!this.#isOpen) throw stopping()
    return this.#writer
  }
}

class SqliteConnection implements Connection {
  readonly #database: DatabaseSync
  readonly #onStatement: ((sql: string) => void) | undefined
  readonly #statements = new Recent<string, StatementSync>(STATEMENTS)
  #writes = 0

  constructor(database: DatabaseSync, onStatement: ((sql: string) => void) | undefined) {
    this.#database = database
    this.#onStatement = onStatement
  }

  async all<Row>(query: Sql<Row>): Promise<Row[]> {
    return this.run(writePlaces(query.texts), query.values) as Row[]
  }

  varied<Row>(query: Sql<Row>): Promise<Row[]> {
    return this.all(query)
  }

  async fixed<Row, Values extends Bindings>(query: Fixed<Row, Values>, values: Values): Promise<Row[]> {
    const { text, parameters } = query.statement(writePlaces, values)
    return this.run(text, parameters) as Row[]
  }

  /** How many statements that may write it was given. */
  get writes(): number {
    return this.#writes
  }

  run(text: string, parameters: readonly unknown[] = []): unknown[] {
    this.#onStatement?.(text)
    if (!text.startsWith('select')) this.#writes += 1
    let statement = this.#statements.get(text)
    if (statement === undefined) {
      statement = this.#database.prepare(text)
      this.#statements.set(text, statement)
    }
    return statement.all(...(parameters as SQLInputValue[]))
  }

  /** The rows one by one, by a statement of their own: others may be sent meanwhile. */
  rows<Row>(text: string, parameters: readonly unknown[]): Iterable<Row> {
    this.#onStatement?.(text)
    return this.#database.prepare(text).iterate(...(parameters as SQLInputValue[])) as Iterable<Row>
  }
}

class SqliteSnapshot extends SqliteConnection implements SnapshotConnection {
  async *inBatches<Row>(query: Sql<Row>, size: number): AsyncGenerator<Row[]> {
    let batch: Row[] = []
    for (const row of this.rows<Row>(writePlaces(query.texts), query.values)) {
      batch.push(row)
      if (batch.length < size) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }
}

function stopping(): Error {
  return unavailable('The service is stopping. Try again in a moment.')
}

/** Another process may be writing: waits for it without holding up this one, some seconds at most. */
async function patiently(attempt: () => void): Promise<void> {
  const deadline = Date.now() + PATIENCE_MILLISECONDS
  for (let delay = 1; ; delay = Math.min(delay * 2, 50)) {
    try {
      attempt()
      return
    } catch (error) {
      if (!isBusy(error)) throw error
      if (Date.now() > deadline) throw unavailable('The database is busy. Try again in a moment.')
      await pause(delay + Math.random() * delay)
    }
  }
}

/** What SQLite says of the file itself: not to be opened, not to be written, no database, broken. */
function isFileError(error: unknown): error is Error {
  return error instanceof Error && 'errcode' in error && [8, 10, 11, 14, 26].includes(Number(error.errcode) & 0xff)
}

function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  return code === BUSY || code === LOCKED
}

const writePlaces = (texts: readonly string[]) => texts.join('?')

/** Row numbers of the search index: scope, then the document's row number, then its state in two bits. */
const SCOPE_SHIFT = 39
const ROW_MASK = 2 ** 37 - 1

const ROW_OF_HIT = sql`((search.rowid >> 2) & ${literal(ROW_MASK)})`

const dialect: Dialect = {
  table: (alias, columns, rows) => {
    if (rows.length > 0 && rows.length <= FEW_ROWS) return valuesTable(alias, Object.keys(columns), rows)
    const cells = Object.keys(columns).map((name, place) => sql`value ->> ${literal(place)} as ${quotedName(name)}`)
    return sql`(select ${joined(cells)} from json_each(${JSON.stringify(rows)})) as ${quotedName(alias)}`
  },
  oneOf,
  textIn: (json, name) => sql`${json} ->> ${name}`,
  joinInOrder: sql`cross join`,
  inOrderOf: () => sql``,
  forUpdate: sql``,
  hasWaited: false,
  words: {
    rowNumber: sql`integer primary key autoincrement`,
    rowReference: sql`integer`,
    text: sql`text`,
    number: sql`real`,
    bytes: sql`blob`,
  },
  isDuplicate: (error) => error instanceof Error && 'errcode' in error && error.errcode === DUPLICATE,
  extras: [],
  countsAsContent: () => [],
  search: {
    tables: [
      sql`create virtual table search using fts5(
        words, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '~_'"
      )`,
      sql`create table search_scopes (
        id integer primary key,
        type text not null,
        locale text not null,
        mode text not null,
        unique (type, locale, mode)
      )`,
      sql`create table search_rows (document integer primary key, place integer not null)`,
    ],
    ranked: 500,
    row: ROW_OF_HIT,
    rank: isWeightyHit,
    from: sql`search`,
    where: whereHits,
    newest: sql`search.rowid desc`,
    put: putWords,
    remove: removeWords,
  },
}

/** Few rows as values: quicker than reading JSON, but a text of its own for each number of rows. */
function valuesTable(alias: string, names: readonly string[], rows: readonly (readonly Cell[])[]): Sql {
  const columns = names.map((name, place) => `column${place + 1} as "${name}"`).join(', ')
  const cells = rows.flat()
  const between = cells.slice(1).map((_, place) => ((place + 1) % names.length === 0 ? '), (' : ', '))
  return new Sql([`(select ${columns} from (values (`, ...between, `))) as "${alias}"`], cells)
}

function oneOf(expression: Sql, values: readonly Cell[], _type: ColumnType): Sql {
  if (values.length === 1) return sql`${expression} = ${values[0]}`
  if (values.length > 0 && values.length <= FEW_VALUES) return sql`${expression} in (${joined(values)})`
  return sql`${expression} in (select value from json_each(${JSON.stringify(values)}))`
}

/** Not bm25: it counts all words of all documents, and so tells of those which the reader may not know. */
function isWeightyHit(hits: Hits): Sql {
  const words = hits.search.words.map((forms) => forms.map(weighty))
  const weightyHits = whereHits({ ...hits, search: { ...hits.search, words } })
  return sql`case when search.rowid in (select search.rowid from search where ${weightyHits}) then 0 else 1 end`
}

function whereHits({ scope, states, search }: Hits): Sql {
  if (search.words.length === 0 || search.words.some((forms) => forms.length === 0)) return sql`false`
  const last = search.words.length - 1
  const words = search.words.map((forms, place) => {
    const isBeginning = search.isPrefix && place === last
    return `(${forms.map((form) => `"${form.replaceAll('"', '""')}"${isBeginning ? ' *' : ''}`).join(' OR ')})`
  })
  const id = sql`(select id from search_scopes where ${isScope(scope)})`
  const shift = literal(SCOPE_SHIFT)
  const inStates = states.length === 4 ? sql`` : sql`and (search.rowid & 3) in (${joined(states.map(literal))})`
  return sql`search match ${words.join(' AND ')}
    and search.rowid >= (${id} << ${shift}) and search.rowid < ((${id} + 1) << ${shift}) ${inStates}`
}

function isScope(scope: Scope): Sql {
  return sql`type = ${scope.type} and locale = ${scope.locale} and mode = ${scope.mode}`
}

/** Whatever comes after words were written makes the index write them out, which is most of the work: so that is last. */
function putWords(rows: readonly SearchRow[]): readonly Sql[] {
  const numbers = rows.map(({ row }) => row)
  const place = sql`((s.id << ${literal(SCOPE_SHIFT)}) | (d.n << 2) | (d.archived << 1) | (d.visibility = 'loginRequired'))`
  const scopes = sql`documents d join search_scopes s on s.type = d.type and s.locale = d.locale and s.mode = d.mode`
  const words = dialect.table(
    'w',
    { n: 'integer', words: 'text' },
    rows.map(({ row, words }) => [row, words]),
  )
  return [
    sql`insert into search_scopes (type, locale, mode)
      select distinct type, locale, mode from documents where ${oneOf(sql`n`, numbers, 'integer')}
      on conflict do nothing`,
    sql`delete from search where rowid in (
      select r.place from ${scopes} join search_rows r on r.document = d.n and r.place <> ${place}
      where ${oneOf(sql`d.n`, numbers, 'integer')})`,
    sql`insert or replace into search_rows (document, place)
      select d.n, ${place} from ${scopes} where ${oneOf(sql`d.n`, numbers, 'integer')}`,
    // In the order of row numbers: the index writes what it has gathered out whenever a lower one comes.
    sql`insert or replace into search (rowid, words)
      select r.place, w.words from ${words} join search_rows r on r.document = w.n order by r.place`,
  ]
}

function removeWords(numbers: readonly number[]): readonly Sql[] {
  const found = oneOf(sql`document`, numbers, 'integer')
  return [
    sql`delete from search where rowid in (select place from search_rows where ${found})`,
    sql`delete from search_rows where ${found}`,
  ]
}
