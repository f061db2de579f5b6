import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { CacheMemory, LastingCache } from '../../base/bounded-cache.ts'
import type { Bindings, Connection, Fixed } from '../database/connection.ts'
import type { Sql } from '../database/sql.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { isDamage, rethrow } from './sqlite-errors.ts'
import type { SqliteFile } from './sqlite-file.ts'

/** The bytes of prepared statements, and of one of them without its text: there are several hundred at most. */
const [STATEMENTS_BYTES, STATEMENT_BYTES] = [4_000_000, 8_000]

/** Turns rows from arrays into objects: the driver's own objects are slow to make and to read. */
class Prepared {
  readonly #statement: StatementSync
  readonly #columns: readonly string[]

  constructor(statement: StatementSync) {
    statement.setReturnArrays(true)
    this.#statement = statement
    this.#columns = statement.columns().map(({ name }) => name)
  }

  rows(parameters: readonly SQLInputValue[]): object[] {
    // `as`: rows are arrays (setReturnArrays).
    const rows = this.#statement.all(...parameters) as unknown as readonly unknown[][]
    return rows.map((values) => this.#rowOf(values))
  }

  #rowOf(values: readonly unknown[]): object {
    const row: Record<string, unknown> = {}
    for (const [index, column] of this.#columns.entries()) row[column] = values[index]
    return row
  }
}

/** A function that reads the only number of the only row of a statement, quickly. */
export function numberReader(database: DatabaseSync, text: string): () => number {
  const statement = database.prepare(text)
  statement.setReturnArrays(true)
  // `as`: rows are arrays (setReturnArrays).
  return () => (statement.get() as unknown as readonly number[])[0] ?? 0
}

/** The file of a connection, which it checks, and reports damage of. */
export type WatchedFile = Pick<SqliteFile, 'assertRight' | 'recordDamage'>

/** Sends statements, each prepared once. */
export class SqliteConnection implements Connection {
  readonly dialect = sqliteDialect
  readonly #database: DatabaseSync
  readonly #onStatement: ((sql: string) => void) | undefined
  readonly #file: WatchedFile
  readonly #statements = new LastingCache<Prepared>({
    memory: new CacheMemory(STATEMENTS_BYTES),
    bytesOf: () => STATEMENT_BYTES,
  })
  #writes = 0

  /** Sends statements only while `file` is the right one. */
  constructor(database: DatabaseSync, onStatement: ((sql: string) => void) | undefined, file: WatchedFile) {
    this.#database = database
    this.#onStatement = onStatement
    this.#file = file
  }

  async all<Row>(query: Sql<Row>): Promise<Row[]> {
    // `as`, here and below: a statement declares the type of its rows.
    return this.#send(writePlaceholders(query.texts), query.values) as Row[]
  }

  varied<Row>(query: Sql<Row>): Promise<Row[]> {
    return this.all(query)
  }

  async fixed<Row, Values extends Bindings>(query: Fixed<Row, Values>, values: Values): Promise<Row[]> {
    const { text, parameters } = query.statement(sqliteDialect, writePlaceholders, values)
    return this.#send(text, parameters) as Row[]
  }

  #send(text: string, parameters: readonly unknown[]): unknown[] {
    this.#file.assertRight()
    try {
      return this.run(text, parameters)
    } catch (error) {
      rethrow(error)
    }
  }

  /** The number of statements sent that may write. */
  get writes(): number {
    return this.#writes
  }

  run(text: string, parameters: readonly unknown[] = []): unknown[] {
    this.#onStatement?.(text)
    if (!text.startsWith('select')) this.#writes += 1
    let statement = this.#statements.get(text)
    if (statement === undefined) {
      statement = new Prepared(this.#database.prepare(text))
      this.#statements.set(text, statement)
    }
    try {
      return statement.rows(parameters as SQLInputValue[])
    } catch (error) {
      if (isDamage(error)) this.#file.recordDamage()
      throw error
    }
  }
}

const writePlaceholders = (texts: readonly string[]) => texts.join('?')
