import { joined, type Sql, sql } from '../database/sql.ts'
import type { Bounds } from '../terms/document-store.ts'

/** Which column a bound is compared with, and as what. */
type Compared = (bound: number | string) => readonly [column: Sql, value: number | string]

/** The condition that something lies within bounds. */
export function within({ min, max, above, below }: Bounds<number | string>, compared: Compared): Sql {
  const parts: Sql[] = []
  const add = (operator: Sql, bound: number | string | undefined) => {
    if (bound === undefined) return
    const [column, value] = compared(bound)
    parts.push(sql`${column} ${operator} ${value}`)
  }
  add(sql`>=`, min)
  add(sql`<=`, max)
  add(sql`>`, above)
  add(sql`<`, below)
  return parts.length === 0 ? sql`true` : joined(parts, ' and ')
}
