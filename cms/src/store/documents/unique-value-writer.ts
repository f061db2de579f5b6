import { type CmsError, conflict } from '../../base/errors.ts'
import type { IndexedDocument, Put, TakenValue, UniqueValue } from '../contract/store.ts'
import type { Transaction } from '../database/database.ts'
import { scopeKey, scopeOf } from '../database/rows.ts'
import { sql } from '../database/sql.ts'

/** A copy whose unique values are written; those of a copy without `unique` stay as they are. */
type ChangedCopy = Pick<Put, 'document' | 'before' | 'unique'> & { readonly row: number }

/** Writes the values that no two documents of a list may have, in one transaction. */
export class UniqueValueWriter {
  readonly #transaction: Transaction

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  /**
   * Throws `conflict`, naming the fields, when another document has one of the values. A value that a document had
   * before it was declared unique may stay.
   */
  async change(copies: readonly ChangedCopy[]): Promise<void> {
    const changed = copies.flatMap(({ unique, ...copy }) => (unique === undefined ? [] : [{ ...copy, unique }]))
    const hadBefore = ({ before }: ChangedCopy, { name, value }: UniqueValue) =>
      before?.unique?.some((one) => one.name === name && one.value === value) ?? false
    const taken = (await this.#replace(changed)).filter(({ copy, value }) => !hadBefore(copy, value))
    if (taken.length > 0) throw valuesTaken(taken.map(({ value }) => value.name))
  }

  /** Replaces the values of stored copies; returns those that other documents have. */
  async replace(copies: readonly IndexedDocument[]): Promise<readonly TakenValue[]> {
    const taken = await this.#replace(copies)
    return taken.map(({ copy, value }) => ({ id: copy.document.id, name: value.name }))
  }

  async #replace<Copy extends Pick<IndexedDocument, 'row' | 'document' | 'unique'>>(copies: readonly Copy[]) {
    if (copies.length === 0) return []
    await this.remove(copies.map(({ row }) => row))
    const values = copies.flatMap((copy) => copy.unique.map((value) => ({ copy, value })))
    if (values.length === 0) return []
    const cells = values.map(({ copy: { row, document }, value: { name, value } }) => {
      return [scopeKey(scopeOf(document)), name, value, row]
    })
    const columns = { scope: 'text', name: 'text', value: 'text', document: 'integer' } as const
    const stored = await this.#transaction.all<{ name: string; document: number }>(
      sql`insert into unique_values (scope, name, value, document)
        select r.scope, r.name, r.value, r.document from ${this.#transaction.dialect.table('r', columns, cells)}
        where true on conflict do nothing returning name, document`,
    )
    const written = new Set(stored.map(({ name, document }) => `${document} ${name}`))
    return values.filter(({ copy, value }) => !written.has(`${copy.row} ${value.name}`))
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
