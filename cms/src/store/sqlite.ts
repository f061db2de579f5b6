import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { unavailable } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import { type Database, type DatabaseOptions, Recent, type Transaction } from './database.ts'
import { GroupCommit } from './group-commit.ts'
import { type Sql, sql } from './sql.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { isBusy, isFileError, patiently } from './sqlite-errors.ts'
import type { Bindings, Connection, Fixed } from './statement.ts'

const STATEMENTS = 400

/** What the last process that revoked a credential left for the others to see. */
const LAST_REVOCATION = "select value from meta where name = 'endings'"
const TELL_OF_REVOCATION = (name: string) => sql`insert into meta (name, value) values ('endings', ${name})
  on conflict (name) do update set value = excluded.value`

/** Opens, or creates, a database file and the folder it lies in. */
export async function openSqlite(path: string, options: DatabaseOptions): Promise<Database> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o750 })
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
    return new SqliteDatabase(writer, reader, options)
  } catch (error) {
    writer.close()
    throw error
  }
}

/** Two connections: what the writer has not committed, the reader does not see. One transaction follows another. */
class SqliteDatabase implements Database {
  readonly dialect = sqliteDialect
  readonly reader: Connection
  readonly #reading: SqliteConnection
  readonly #writer: SqliteConnection
  readonly #connections: DatabaseSync[]
  readonly #foreignChanges: StatementSync
  #revision: string
  #changes = 0
  #revoked = 0
  #foreignRevoked = ''
  #seenForeign = 0
  readonly #name = newId()
  readonly #commits: GroupCommit
  #isOpen = true

  constructor(writer: DatabaseSync, reader: DatabaseSync, options: DatabaseOptions) {
    this.#connections = [reader, writer]
    this.#reading = new SqliteConnection(reader, options.onStatement)
    this.reader = this.#reading
    this.#writer = new SqliteConnection(writer, options.onStatement)
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
    let hasRevoked = false
    const writer = this.#writer
    const connection: Transaction = {
      all: (query) => writer.all(query),
      varied: (query) => writer.all(query),
      fixed: (query, values) => writer.fixed(query, values),
      documentsChanged: () => {
        hasChanged = true
      },
      credentialsRevoked: () => {
        hasRevoked = true
      },
    }
    const whenCommitted = () => {
      if (hasRevoked) this.#revoked += 1
      if (hasChanged) this.#changes += 1
      if (hasChanged) this.#revision = this.#nameRevision()
    }
    const workAndTell = async () => {
      const result = await work(connection)
      if (hasRevoked) await writer.all(TELL_OF_REVOCATION(newId()))
      return result
    }
    return this.#commits.transaction(workAndTell, whenCommitted)
  }

  exclusively<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#commits.transaction(
      () => work(this.#writer),
      () => {},
    )
  }

  revision(): string | null {
    return this.#isUpToDate() ? this.#revision : null
  }

  revocations(): string | null {
    return this.#isUpToDate() ? `${this.#revoked} ${this.#foreignRevoked}` : null
  }

  /** Each look at the revision sees all commits. */
  async catchUp(): Promise<void> {}

  /**
   * Looks at what other processes have committed, each time: it takes two microseconds. False when that cannot be known.
   */
  #isUpToDate(): boolean {
    const foreign = this.#isOpen ? this.#foreignVersion() : null
    if (foreign === null) return false
    if (foreign === this.#seenForeign) return true
    const [revoked] = this.#reading.run(LAST_REVOCATION) as { value: string }[]
    this.#foreignRevoked = revoked?.value ?? ''
    this.#seenForeign = foreign
    this.#revision = this.#nameRevision()
    return true
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
    if (!this.#isOpen) return
    this.#isOpen = false
    for (const connection of this.#connections) connection.close()
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
    // `as`, here and below: a statement says itself what its rows are.
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
}

function stopping(): Error {
  return unavailable('The service is stopping. Try again in a moment.')
}

const writePlaces = (texts: readonly string[]) => texts.join('?')
