import { type CmsError, conflict } from '../base/errors.ts'
import type { Transaction } from './database.ts'
import { scopeKey, scopeOf } from './rows.ts'
import { sql } from './sql.ts'
import type { IndexedDocument } from './store.ts'

/** A copy whose unique values are written; those of a copy without any stay as they are. */
type Unique = Pick<IndexedDocument, 'row' | 'document' | 'unique'>

/** Writes the values that no two documents of a list may have, in one transaction. */
export class UniqueValueWriter {
  readonly #transaction: Transaction

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  /** Throws `conflict`, naming the fields, when another document has one of the values. */
  async change(rows: readonly Unique[]): Promise<void> {
    const withUnique = rows.filter(({ unique }) => unique !== undefined)
    if (withUnique.length === 0) return
    await this.remove(withUnique.map(({ row }) => row))
    const values = withUnique.flatMap(({ row, document, unique = [] }) =>
      unique.map(({ name, value }) => [scopeKey(scopeOf(document)), name, value, row]),
    )
    if (values.length === 0) return
    const columns = { scope: 'text', name: 'text', value: 'text', document: 'integer' } as const
    const stored = await this.#transaction.all<{ name: string; document: number }>(
      sql`insert into unique_values (scope, name, value, document)
        select r.scope, r.name, r.value, r.document from ${this.#transaction.dialect.table('r', columns, values)}
        where true on conflict do nothing returning name, document`,
    )
    const taken = values.filter(([, name, , row]) => !stored.some((one) => one.name === name && one.document === row))
    if (taken.length > 0) throw valuesTaken(taken.map(([, name]) => String(name)))
  }

  /** Removes the values of copies, by their row numbers. */
  async remove(rows: readonly number[]): Promise<void> {
    await this.#transaction.send(
      sql`delete from unique_values where ${this.#transaction.dialect.oneOf(sql`document`, rows, 'integer')}`,
    )
  }
}

function valuesTaken(names: readonly string[]): CmsError {
  const errors = [...new Set(names)].map((path) => {
    return { path, name: 'unique', message: `Another document has this ${path}. Choose another one.` }
  })
  return conflict(errors.map(({ message }) => message).join(' '), { errors })
}
