import { type CmsError, conflict } from '../../base/errors.ts'
import type { IndexRow } from '../../model/field-type/value-terms.ts'
import type { Document } from '../../model/terms/document.ts'
import { insertedRows, Repository, type Transaction } from '../database/connection.ts'
import { indexScopeKey, indexStateOf } from '../database/index-keys.ts'
import { scopeKey, scopeOf } from '../database/rows.ts'
import { type Cell, joined, type Sql, sql } from '../database/sql.ts'
import type { IndexedDocument, Put, TakenValue, UniqueValue } from '../terms/document-writes.ts'

/** The columns of index rows. */
const ENTRY = {
  document: 'integer',
  scope: 'text',
  state: 'integer',
  kind: 'text',
  name: 'text',
  place: 'integer',
  text: 'text',
  number: 'number',
} as const

/** Writes what lists find documents by, in one transaction. */
export class IndexRowWriter extends Repository<Transaction> {
  /** Changes index rows with at most two statements, whatever the number of copies. */
  async change(changes: readonly IndexRowChanges[]): Promise<void> {
    const replaced = changes.filter((change) => change.isReplaced).map((change) => change.row)
    const removed = changes.flatMap((change) => change.removed)
    const added = changes.flatMap((change) => change.added)
    if (replaced.length > 0 || removed.length > 0) await this.connection.send(this.#deletion(replaced, removed))
    if (added.length > 0) {
      await this.connection.send(sql`insert into entries ${insertedRows(this.dialect, ENTRY, added)}`)
    }
  }

  #deletion(replaced: readonly number[], removed: readonly (readonly Cell[])[]): Sql {
    const parts: Sql[] = []
    if (replaced.length > 0) parts.push(this.dialect.oneOf(sql`document`, replaced, 'integer'))
    if (removed.length > 0) {
      const table = this.dialect.table('r', { document: 'integer', name: 'text', place: 'integer' }, removed)
      parts.push(sql`(document, name, place) in (select r.document, r.name, r.place from ${table})`)
    }
    return sql`delete from entries where ${joined(parts, ' or ')}`
  }
}

/** A copy, and its index rows as they are stored. */
interface IndexedCopy extends Pick<Put, 'indexRows' | 'before'> {
  readonly document: Document
}

/** The changes for one copy. */
interface IndexRowChanges {
  readonly row: number
  /** All stored rows are removed first: scope or state have changed. */
  readonly isReplaced: boolean
  /** Document, name and index among those of its name. */
  readonly removed: readonly (readonly Cell[])[]
  readonly added: readonly (readonly Cell[])[]
}

/** The difference between the stored index rows of a copy and its new ones. */
export function indexRowChanges({ document, indexRows, before }: IndexedCopy, row: number): IndexRowChanges {
  const scope = indexScopeKey(scopeOf(document))
  const state = indexStateOf(document)
  const isReplaced =
    before !== null && (indexScopeKey(scopeOf(before.document)) !== scope || indexStateOf(before.document) !== state)
  const toCells = ([, index, { kind, name, text, number }]: Numbered) => {
    return [row, scope, state, kind, name, index, text, number]
  }
  const after = numbered(indexRows)
  if (before === null || isReplaced) return { row, isReplaced, removed: [], added: after.map(toCells) }
  const stored = numbered(before.indexRows)
  const storedKeys = new Set(stored.map(([key]) => key))
  const keys = new Set(after.map(([key]) => key))
  return {
    row,
    isReplaced,
    removed: stored.filter(([key]) => !keys.has(key)).map(([, index, { name }]) => [row, name, index]),
    added: after.filter(([key]) => !storedKeys.has(key)).map(toCells),
  }
}

/** An index row with a text that identifies it in its document, and its index among those of its name. */
type Numbered = readonly [key: string, index: number, row: IndexRow]

/** Index rows, each with its place among those of its name. */
export function numbered(indexRows: readonly IndexRow[]): readonly Numbered[] {
  const counts = new Map<string, number>()
  return indexRows.map((row) => {
    const index = counts.get(row.name) ?? 0
    counts.set(row.name, index + 1)
    return [JSON.stringify([row.name, index, row.kind, row.text, row.number]), index, row]
  })
}

/** A copy whose unique values are written; those of a copy without `unique` stay as they are. */
type ChangedCopy = Pick<Put, 'document' | 'before' | 'unique'> & { readonly row: number }

/** Writes the values that no two documents of a list may have, in one transaction. */
export class UniqueValueWriter extends Repository<Transaction> {
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
    const stored = await this.connection.all<{ name: string; document: number }>(
      sql`insert into unique_values ${insertedRows(this.dialect, columns, cells)}
        on conflict do nothing returning name, document`,
    )
    const written = new Set(stored.map(({ name, document }) => `${document} ${name}`))
    return values.filter(({ copy, value }) => !written.has(`${copy.row} ${value.name}`))
  }

  /** Removes the values of copies, by their row numbers. */
  async remove(rows: readonly number[]): Promise<void> {
    await this.connection.send(
      sql`delete from unique_values where ${this.dialect.oneOf(sql`document`, rows, 'integer')}`,
    )
  }
}

function valuesTaken(names: readonly string[]): CmsError {
  const errors = [...new Set(names)].map((path) => {
    return { path, name: 'unique', message: `Another document has this ${path}. Choose another one.` }
  })
  return conflict(errors.map(({ message }) => message).join(' '), { errors })
}
