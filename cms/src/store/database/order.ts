import type { Sort } from '../terms/document-query.ts'
import { COLUMNS, isScheduleOf, TIMES } from './rows.ts'
import { joined, quotedName, type Sql, sql } from './sql.ts'

/** A sort by the values of a field. */
export type FieldSort = Extract<Sort, { by: 'field' }>

/** The order of lists that ask for none. */
export const DEFAULT_SORT: readonly Sort[] = [{ by: 'column', column: 'updatedAt', direction: -1 }]

/** Whether documents may lack what a step of an order sorts by. */
export function hasGaps(sort: Sort): boolean {
  return sort.by !== 'column' || sort.column === 'lastPublishedAt'
}

/** One step of an order, as SQL. */
export interface Key {
  readonly value: Sql
  readonly direction: 1 | -1
  /** Whether documents may lack a value: they come last. */
  readonly hasGaps: boolean
}

/** The steps of an order, each with what must be joined to have its value. */
export function sortKeys(sorts: readonly Sort[]): readonly (Key & { readonly join: Sql })[] {
  return sorts.map((sort, index) => {
    const { direction } = sort
    if (sort.by === 'column') {
      return { value: quotedName(`d.${COLUMNS[sort.column]}`), direction, hasGaps: hasGaps(sort), join: sql`` }
    }
    const alias = `k${index}`
    if (sort.by === 'schedule') {
      const join = sql`left join schedules ${quotedName(alias)} on ${isScheduleOf('d', alias)}`
      return { value: quotedName(`${alias}.${TIMES[sort.time]}`), direction, hasGaps: true, join }
    }
    const column = (name: string) => quotedName(`${alias}.${name}`)
    const join = sql`left join entries ${quotedName(alias)} on ${column('document')} = d.n
      and ${column('name')} = ${sort.name} and ${column('place')} = 0`
    return { value: column(sort.value), direction, hasGaps: true, join }
  })
}

/** The terms of `order by`; ties are broken by row number. */
export function orderBy(keys: readonly Key[], row: Sql): Sql {
  const parts = keys.flatMap(({ value, direction, hasGaps }) => {
    const order = sql`${value} ${directionOf(direction)}`
    return hasGaps ? [sql`(${value} is null)`, order] : [order]
  })
  return joined([...parts, sql`${row} ${directionOf(keys[0]?.direction ?? -1)}`])
}

/** The SQL word for a direction. */
export function directionOf(direction: 1 | -1): Sql {
  return direction === 1 ? sql`asc` : sql`desc`
}

/** The condition that the document `d` has no value to sort by. */
export function hasNo(sort: FieldSort): Sql {
  return sql`not exists (select 1 from entries e where e.document = d.n and e.name = ${sort.name} and e.place = 0
    and ${quotedName(`e.${sort.value}`)} is not null)`
}
