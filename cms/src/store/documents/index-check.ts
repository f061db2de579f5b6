import type { IndexRow } from '../../model/field-type/value-terms.ts'
import type { Connection } from '../database/connection.ts'
import { indexScopeKey, indexStateOf } from '../database/index-keys.ts'
import { scopeOf } from '../database/rows.ts'
import { literal, sql } from '../database/sql.ts'
import type { IndexedCopy } from '../terms/document-store.ts'
import { numbered } from './index-writers.ts'

/** An index row, as it is stored. */
interface EntryRow extends IndexRow {
  readonly document: number
  readonly scope: string
  readonly state: number
  readonly place: number
}

/** Row numbers of copies, drawn at random. */
export async function randomRows(connection: Connection, count: number): Promise<number[]> {
  const rows = await connection.all<{ n: number }>(
    sql`select d.n from documents d order by random() limit ${literal(count)}`,
  )
  return rows.map(({ n }) => n)
}

/** The copies whose index rows are others than these: by row number, with those that are stored. */
export async function indexedOtherwise(
  connection: Connection,
  copies: readonly IndexedCopy[],
): Promise<ReadonlyMap<number, readonly IndexRow[]>> {
  const numbers = copies.map(({ row }) => row)
  const rows = await connection.all<EntryRow>(
    sql`select e.document, e.scope, e.state, e.kind, e.name, e.place, e.text, e.number from entries e
      where ${connection.dialect.oneOf(sql`e.document`, numbers, 'integer')}`,
  )
  const stored = Map.groupBy(rows, ({ document }) => document)
  return new Map(
    copies.flatMap((copy): [number, readonly IndexRow[]][] => {
      const rows = stored.get(copy.row) ?? []
      return keysOf(meant(copy)) === keysOf(rows) ? [] : [[copy.row, rows]]
    }),
  )
}

function meant({ row, document, indexRows }: IndexedCopy): readonly EntryRow[] {
  const scope = indexScopeKey(scopeOf(document))
  const state = indexStateOf(document)
  return numbered(indexRows).map(([, place, entry]) => ({ ...entry, place, document: row, scope, state }))
}

function keysOf(rows: readonly EntryRow[]): string {
  const keys = rows.map(({ scope, state, kind, name, place, text, number }) =>
    JSON.stringify([scope, Number(state), kind, name, Number(place), text, number]),
  )
  return keys.toSorted().join('\n')
}
