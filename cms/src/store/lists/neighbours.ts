import type { DocId } from '../../model/terms/document-id.ts'
import type { Dialect } from '../database/connection.ts'
import { DEFAULT_SORT, directionOf, type FieldSort, hasNo, type Key, orderBy, sortKeys } from '../database/order.ts'
import { joined, quotedName, type Sql, sql } from '../database/sql.ts'
import type { DocumentRow } from '../database/tables.ts'
import type { Sort, View } from '../terms/document-query.ts'
import { DOCUMENT } from './list-query.ts'
import { isIndexRowOf, isShown } from './view-conditions.ts'

type Side = 'previous' | 'next'

/** A document right before or after another one. */
type NeighbourRow = DocumentRow & { readonly side: Side }

/** A list, and one of its documents. */
interface NeighboursQuery {
  readonly view: View
  readonly sort: readonly Sort[]
  readonly docId: DocId
}

/**
 * The documents before and after one in the order of a list. `c` holds what the document itself is sorted by; it is
 * compared as a value, so that an index of the first key is entered where the document is.
 */
export function neighboursSql({ view, sort, docId }: NeighboursQuery, dialect: Dialect): Sql<NeighbourRow> {
  const sorts = sort.length === 0 ? DEFAULT_SORT : sort
  const keys = sortKeys(sorts)
  const values = keys.map(({ value }, at) => sql`${value} as ${quotedName(`s${at}`)}`)
  const [first] = sorts
  const rowsOf = (side: Side) => {
    if (first?.by === 'field' && sorts.length === 1) return fieldRows(view, first, side)
    return rows(view, keys, side)
  }
  const found = (side: Side) => sql`select ${side} as side, ${DOCUMENT}
    from (${rowsOf(side)}) r ${dialect.joinInOrder} documents d on d.n = r.n`
  return sql`with c as materialized (
      select ${joined([sql`d.n`, ...values])} from documents d ${joinsOf(keys)}
      where d.doc_id = ${docId} and ${isShown(view)}
    ) ${found('previous')} union all ${found('next')}`
}

function joinsOf(keys: readonly { readonly join: Sql }[]): Sql {
  return joined(
    keys.map(({ join }) => join),
    ' ',
  )
}

/** The document's own value at a step of the order. */
function own(at: number | 'n'): Sql {
  return sql`(select ${quotedName(at === 'n' ? 'n' : `s${at}`)} from c)`
}

/** The row next to the document on a side, by any keys. */
function rows(view: View, keys: readonly (Key & { readonly join: Sql })[], side: Side): Sql {
  const turned = side === 'next' ? keys : keys.map((key) => ({ ...key, direction: opposite(key.direction) }))
  const [first] = turned
  const isOneColumn = turned.length === 1 && first?.hasGaps === false
  const tests = [isShown(view), isOneColumn ? isBeyondColumn(first) : isBeyond(keys, side)]
  if (first && !first.hasGaps && !isOneColumn)
    tests.push(sql`${first.value} ${first.direction === 1 ? sql`>=` : sql`<=`} ${own(0)}`)
  return sql`select d.n from documents d ${joinsOf(keys)} where ${joined(tests, ' and ')}
    order by ${side === 'next' ? orderBy(keys, sql`d.n`) : backwards(keys)} limit 1`
}

/** Compares one column and the row number at once, so that many rows with one value need not be walked. */
function isBeyondColumn({ value, direction }: Key): Sql {
  return sql`(${value}, d.n) ${direction === 1 ? sql`>` : sql`<`} (select s0, n from c)`
}

function opposite(direction: 1 | -1): 1 | -1 {
  return direction === 1 ? -1 : 1
}

/** The opposite of `orderBy`: what has no value comes first. */
function backwards(keys: readonly Key[]): Sql {
  const parts = keys.flatMap(({ value, direction, hasGaps }) => {
    const order = sql`${value} ${directionOf(opposite(direction))}`
    return hasGaps ? [sql`(${value} is not null)`, order] : [order]
  })
  return joined([...parts, sql`d.n ${directionOf(opposite(keys[0]?.direction ?? -1))}`])
}

/** The condition that a row lies beyond the document: beyond at one step, and alike at those before it. */
function isBeyond(keys: readonly Key[], side: Side): Sql {
  const alike = (until: number) =>
    keys.slice(0, until).map(({ value, hasGaps }, at) => {
      return hasGaps ? sql`${value} is not distinct from ${own(at)}` : sql`${value} = ${own(at)}`
    })
  const steps = keys.map((key, at) => joined([...alike(at), isBeyondAt(key, at, side)], ' and '))
  const isRowBeyond = compared(sql`d.n`, own('n'), isForwards(keys[0]?.direction ?? -1, side))
  const byRow = joined([...alike(keys.length), isRowBeyond], ' and ')
  return sql`(${joined(
    [...steps, byRow].map((step) => sql`(${step})`),
    ' or ',
  )})`
}

/** Documents without a value come last, in either direction. */
function isBeyondAt({ value, direction, hasGaps }: Key, at: number, side: Side): Sql {
  const isFurther = compared(value, own(at), isForwards(direction, side))
  if (!hasGaps) return isFurther
  const isGap =
    side === 'next'
      ? sql`${value} is null and ${own(at)} is not null`
      : sql`${value} is not null and ${own(at)} is null`
  return sql`(${isFurther} or (${isGap}))`
}

function compared(value: Sql, other: Sql, isAfter: boolean): Sql {
  return isAfter ? sql`${value} > ${other}` : sql`${value} < ${other}`
}

/** Whether rows of a side have larger values. */
function isForwards(direction: 1 | -1, side: Side): boolean {
  return (direction === 1) === (side === 'next')
}

/** The row next to the document, by one field: walks the index of its values; documents without one come after them. */
function fieldRows(view: View, sort: FieldSort, side: Side): Sql {
  const value = quotedName(`e.${sort.value}`)
  const isUp = isForwards(sort.direction, side)
  const order = directionOf(isUp ? 1 : -1)
  const beyond = (column: Sql, at: number | 'n', orSame = '') =>
    sql`${column} ${isUp ? (orSame ? sql`>=` : sql`>`) : orSame ? sql`<=` : sql`<`} ${own(at)}`
  const isValued = sql`${isIndexRowOf(view, sort.name, 'e')} and e.place = 0 and ${value} is not null`
  const valued = (tests: Sql) => sql`select e.document as n from entries e where ${isValued} and ${tests}
    order by ${value} ${order}, e.document ${order} limit 1`
  const without = (tests: Sql) => sql`select d.n from documents d where ${isShown(view)} and ${hasNo(sort)} and ${tests}
    order by d.n ${order} limit 1`
  const nextByValue = valued(
    sql`${beyond(value, 0, 'or same')} and (${beyond(value, 0)} or ${beyond(sql`e.document`, 'n')})`,
  )
  const hasValue = sql`${own(0)} is not null`
  const ownGap = without(sql`${own(0)} is null and ${beyond(sql`d.n`, 'n')}`)
  // Past the last value come those without; before the first of those, the last value.
  const across =
    side === 'next'
      ? without(sql`${hasValue} and not exists (select 1 from (${nextByValue}) v)`)
      : valued(sql`${own(0)} is null and not exists (select 1 from (${ownGap}) g)`)
  const parts = [nextByValue, ownGap, across].map((part) => sql`select n from (${part}) p`)
  return joined(parts, ' union all ')
}
