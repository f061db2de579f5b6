import type { IndexRow, Put } from '../contract/store.ts'
import type { Transaction } from '../database/database.ts'
import type { Cell, Dialect } from '../database/dialect.ts'
import { indexScopeKey, indexStateOf, scopeOf } from '../database/rows.ts'
import { joined, type Sql, sql } from '../database/sql.ts'

/** Writes what lists find documents by, in one transaction. */
export class IndexRowWriter {
  readonly #transaction: Transaction
  readonly #dialect: Dialect

  constructor(transaction: Transaction) {
    this.#transaction = transaction
    this.#dialect = transaction.dialect
  }

  /** At most two statements, whatever the number of copies. */
  async change(changes: readonly IndexRowChanges[]): Promise<void> {
    const replaced = changes.filter((change) => change.isReplaced).map((change) => change.row)
    const removed = changes.flatMap((change) => change.removed)
    const added = changes.flatMap((change) => change.added)
    if (replaced.length > 0 || removed.length > 0) await this.#transaction.send(this.#deletion(replaced, removed))
    if (added.length > 0) await this.#transaction.send(this.#insertion(added))
  }

  #deletion(replaced: readonly number[], removed: readonly (readonly Cell[])[]): Sql {
    const parts: Sql[] = []
    if (replaced.length > 0) parts.push(this.#dialect.oneOf(sql`document`, replaced, 'integer'))
    if (removed.length > 0) {
      const table = this.#dialect.table('r', { document: 'integer', name: 'text', place: 'integer' }, removed)
      parts.push(sql`(document, name, place) in (select r.document, r.name, r.place from ${table})`)
    }
    return sql`delete from entries where ${joined(parts, ' or ')}`
  }

  #insertion(added: readonly (readonly Cell[])[]): Sql {
    const table = this.#dialect.table(
      'r',
      {
        document: 'integer',
        scope: 'text',
        state: 'integer',
        kind: 'text',
        name: 'text',
        place: 'integer',
        text: 'text',
        number: 'number',
      },
      added,
    )
    return sql`insert into entries (document, scope, state, kind, name, place, text, number)
      select r.document, r.scope, r.state, r.kind, r.name, r.place, r.text, r.number from ${table}`
  }
}

/** What is to be changed for one copy. */
export interface IndexRowChanges {
  readonly row: number
  /** Everything that is there goes first: scope or state are others now. */
  readonly isReplaced: boolean
  /** Document, name and index among those of its name. */
  readonly removed: readonly (readonly Cell[])[]
  readonly added: readonly (readonly Cell[])[]
}

/** What differs between what the index holds of a copy and what it shall hold. */
export function indexRowChanges({ document, indexRows, before }: Put, row: number): IndexRowChanges {
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

/** A text that tells the index rows of a document apart, the index among those of its name, and the row. */
type Numbered = readonly [key: string, index: number, row: IndexRow]

function numbered(indexRows: readonly IndexRow[]): readonly Numbered[] {
  const counts = new Map<string, number>()
  return indexRows.map((row) => {
    const index = counts.get(row.name) ?? 0
    counts.set(row.name, index + 1)
    return [JSON.stringify([row.name, index, row.kind, row.text, row.number]), index, row]
  })
}
