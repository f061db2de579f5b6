import type { Connection } from '../database/connection.ts'
import { indexScopeKey, indexStateOf } from '../database/index-keys.ts'
import { scopeOf } from '../database/rows.ts'
import { literal, sql } from '../database/sql.ts'
import type { IndexedCopy } from '../terms/document-store.ts'

interface EntryRow {
  readonly document: number
  readonly scope: string
  readonly state: number
  readonly kind: string
  readonly name: string
  readonly text: string | null
  readonly number: number | null
}

/** Row numbers of copies, drawn at random. */
export async function randomRows(connection: Connection, count: number): Promise<number[]> {
  const rows = await connection.all<{ n: number }>(
    sql`select d.n from documents d order by random() limit ${literal(count)}`,
  )
  return rows.map(({ n }) => n)
}

/** The row numbers of the copies whose index rows are others than these. */
export async function indexedOtherwise(connection: Connection, copies: readonly IndexedCopy[]): Promise<number[]> {
  const numbers = copies.map(({ row }) => row)
  const rows = await connection.all<EntryRow>(
    sql`select e.document, e.scope, e.state, e.kind, e.name, e.text, e.number from entries e
      where ${connection.dialect.oneOf(sql`e.document`, numbers, 'integer')}`,
  )
  const stored = Map.groupBy(rows, ({ document }) => document)
  return copies.filter((copy) => keysOf(meant(copy)) !== keysOf(stored.get(copy.row) ?? [])).map(({ row }) => row)
}

function meant({ row, document, indexRows }: IndexedCopy): readonly EntryRow[] {
  const scope = indexScopeKey(scopeOf(document))
  const state = indexStateOf(document)
  return indexRows.map((entry) => ({ ...entry, document: row, scope, state }))
}

function keysOf(rows: readonly EntryRow[]): string {
  const keys = rows.map(({ scope, state, kind, name, text, number }) =>
    JSON.stringify([scope, Number(state), kind, name, text, number]),
  )
  return keys.toSorted().join('\n')
}
