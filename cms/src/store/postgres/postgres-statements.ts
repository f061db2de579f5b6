import type { Connection, Statement } from '../database/connection.ts'
import type { Sql } from '../database/sql.ts'
import { postgresDialect } from './postgres-dialect.ts'
import type { PoolQuery } from './postgres-pool.ts'

/** Sends a statement by some connection. */
type SendTo = (query: PoolQuery) => Promise<{ rows: unknown[] }>

/** Writes statements in the form that the driver takes, and names those that are prepared. */
export class Statements {
  readonly #onStatement: (sql: string) => void
  /** Null behind a pooler, where the next transaction may have another connection than the one that prepared a statement. */
  readonly #names: StatementNames | null

  constructor(onStatement: (sql: string) => void, { areNamed }: { readonly areNamed: boolean }) {
    this.#onStatement = onStatement
    this.#names = areNamed ? new StatementNames() : null
  }

  /** A connection that sends statements by a function. */
  connection(sendTo: SendTo): Connection {
    // `as`: a statement declares the type of its rows.
    const rows = async <Row>(query: PoolQuery) => (await sendTo(query)).rows as Row[]
    return {
      dialect: postgresDialect,
      all: (query) => rows(this.#query(statementOf(query))),
      varied: (query) => rows(this.#query(statementOf(query), false)),
      fixed: (query, values) => rows(this.#query(query.statement(postgresDialect, writePlaceholders, values))),
    }
  }

  /** A statement as the driver takes it; called when it is sent. */
  query(statement: Sql): PoolQuery {
    return this.#query(statementOf(statement))
  }

  #query({ text, parameters }: Statement, isNamed = true): PoolQuery {
    this.#onStatement(text)
    const query = { text, values: parameters.map(sendable) }
    const name = isNamed ? this.#names?.of(text) : undefined
    return name === undefined ? query : { ...query, name }
  }
}

const NAMED_STATEMENTS = 500

/**
 * Names for statements that are sent again and again: the server soon plans a named one once for all values, and the
 * others each time.
 */
class StatementNames {
  readonly #names = new Map<string, string>()

  /** Undefined for a statement that has none: there are enough. */
  of(text: string): string | undefined {
    let name = this.#names.get(text)
    if (name === undefined && this.#names.size < NAMED_STATEMENTS) {
      name = `quire_${this.#names.size}`
      this.#names.set(text, name)
    }
    return name
  }
}

/**
 * A value as the server takes it: without the character 0 in texts; there is none in what is stored either. Throws for
 * what is not a value: a statement that the driver cannot send fails unnoticed by the server, which commits the others.
 */
function sendable(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '') : value
  if (Array.isArray(value)) return value.map(sendable)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  throw new TypeError('A statement takes texts, numbers, bytes, null, and arrays of them.')
}

/** The text of a statement with placeholders for its values. */
function writePlaceholders(texts: readonly string[]): string {
  return texts.reduce((text, next, index) => `${text}$${index}${next}`)
}

/** A statement as it is sent. */
function statementOf({ texts, values }: Sql): Statement {
  return { text: writePlaceholders(texts), parameters: values }
}
