import type { Sql } from '../database/sql.ts'
import type { Statement } from '../database/statement.ts'

const NAMED_STATEMENTS = 500

/**
 * Names for statements that are sent again and again: the server soon plans a named one once for all values, and the
 * others each time.
 */
export class StatementNames {
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
export function sendable(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '') : value
  if (Array.isArray(value)) return value.map(sendable)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  throw new TypeError('A statement takes texts, numbers, bytes, null, and arrays of them.')
}

/** The text of a statement with placeholders for its values. */
export function writePlaceholders(texts: readonly string[]): string {
  return texts.reduce((text, next, index) => `${text}$${index}${next}`)
}

/** A statement as it is sent. */
export function statementOf({ texts, values }: Sql): Statement {
  return { text: writePlaceholders(texts), parameters: values }
}
