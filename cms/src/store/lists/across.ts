import type { PublishingState } from '../../model/terms/document-id.ts'
import { type Connection, type Dialect, Repository } from '../database/connection.ts'
import { directionOf } from '../database/order.ts'
import { COLUMNS, isScheduleOf, TIMES } from '../database/rows.ts'
import { columnsOf, joined, quotedName, type Sql, sql } from '../database/sql.ts'
import type { AcrossQuery, Filter } from '../terms/document-query.ts'
import type { FoundDocument, StateCount, TypeStateCount } from '../terms/document-store.ts'
import { STATE_OF_ANY, statesSql } from './document-states.ts'
import type { ListOrders } from './list-orders.ts'
import { QuerySql } from './list-query.ts'
import { isShown } from './view-conditions.ts'

/** A found document as it is read. */
type FoundRow = Omit<FoundDocument, 'id'> & FoundDocument['id']

/** Lists of several types, and counts by state: from the orders of the lists, which follow commits, but for searches and ids. */
export class AcrossLists extends Repository {
  readonly #orders: ListOrders

  constructor(connection: Connection, orders: ListOrders) {
    super(connection)
    this.#orders = orders
  }

  /** The page of what several filters find, in one order. One statement for all orders that are known. */
  async page(query: AcrossQuery): Promise<FoundDocument[]> {
    const { filters, offset, limit } = query
    // Only the list of one type is cut where the page begins: others are merged first.
    const skipped = filters.length === 1 && filters.every(isFollowed) ? offset : 0
    const parts: Sql[] = []
    for (const filter of filters) {
      const cut = { offset: skipped, limit: offset - skipped + limit }
      parts.push(isFollowed(filter) ? await this.#ordered(filter, query, cut) : this.#matching(filter, query))
    }
    if (parts.length === 0) return []
    const page = { ...query, offset: offset - skipped }
    const rows = await this.connection.varied(pageSql(parts, page, this.dialect))
    return rows.map(({ docId, locale, mode, ...found }) => ({ ...found, id: { docId, locale, mode } }))
  }

  /** How many documents each filter finds, by type and state. */
  async tally(filters: readonly Filter[]): Promise<TypeStateCount[]> {
    const counts: TypeStateCount[] = []
    for (const filter of filters) {
      const { type } = filter
      counts.push(...(await this.states(filter)).map((one) => ({ type, ...one })))
    }
    return counts
  }

  /** How many documents a filter finds in each state that there is. */
  async states(filter: Filter): Promise<StateCount[]> {
    if (!isFollowed(filter)) return this.connection.varied(countSql(filter, this.dialect))
    const all = await this.#length(filter)
    const counts: StateCount[] = []
    for (const state of statesBeside(filter)) {
      if (all > 0) counts.push({ state, count: await this.#length(filter, state) })
    }
    const published = counts.reduce((rest, { count }) => rest - count, all)
    const rest: StateCount = { state: filter.archived === true ? 'archived' : 'published', count: published }
    return [...counts, rest].filter(({ count }) => count > 0)
  }

  async #length(filter: Filter, state?: PublishingState): Promise<number> {
    const inState = state === undefined ? [] : [{ kind: 'state', anyOf: [state] } as const]
    const conditions = [...filter.conditions, ...inState]
    return (await this.#orders.find({ ...filter, conditions, sort: [] })).order.length
  }

  async #ordered(
    filter: Filter,
    { sort }: AcrossQuery,
    { offset, limit }: Pick<AcrossQuery, 'offset' | 'limit'>,
  ): Promise<Sql> {
    const { rowsIn, rowsText, joinInOrder } = this.dialect
    const { order } = await this.#orders.find({ ...filter, sort: [sort] })
    return sql`select d.n, ${keyOf(sort)} as key from ${rowsIn(rowsText(order.page(offset, limit)))}
      ${joinInOrder} documents d on d.n = i.value where ${isShown(filter)}`
  }

  #matching(filter: Filter, { sort }: AcrossQuery): Sql {
    const { dialect } = this
    return sql`select d.n, ${keyOf(sort)} as key from (${new QuerySql(filter, dialect).matches()}) h
      ${dialect.joinInOrder} documents d on d.n = h.n`
  }
}

/** Whether the list has an order that is kept: ids and searches, which callers write freely, have none. */
function isFollowed({ docIds, search }: Filter): boolean {
  return docIds === undefined && search === undefined
}

/** The states to count one by one: what is in none of them is published, or archived where all is. */
function statesBeside({ locale, archived }: Filter): PublishingState[] {
  if (archived === true) return []
  const ofDrafts: PublishingState[] = locale === '' ? [] : ['draft', 'modified']
  return archived === 'any' ? [...ofDrafts, 'archived'] : ofDrafts
}

function keyOf(sort: AcrossQuery['sort']): Sql {
  if (sort.by === 'column') return quotedName(`d.${COLUMNS[sort.column]}`)
  return sql`(select ${quotedName(`t.${TIMES[sort.time]}`)} from schedules t where ${isScheduleOf('d', 't')})`
}

function pageSql(
  parts: readonly Sql[],
  { sort: { direction }, offset, limit }: Pick<AcrossQuery, 'sort' | 'offset' | 'limit'>,
  dialect: Dialect,
): Sql<FoundRow> {
  const order = sql`u.key is null, u.key ${directionOf(direction)}, u.n ${directionOf(direction)}`
  return sql`select d.n as "row", ${columnsOf<FoundRow & { bytes: number }>('d', 'bytes', 'docId', 'locale', 'mode', 'type')},
      ${STATE_OF_ANY} as state, p.path
    from (select u.n, u.key from (${joined(parts, ' union all ')}) u order by ${order} limit ${limit} offset ${offset}) u
    ${dialect.joinInOrder} documents d on d.n = u.n
    left join documents s on s.doc_id = d.doc_id and s.locale = d.locale and s.mode = 'draft'
    left join places p on p.locale = d.locale and p.doc_id = d.doc_id
    order by ${order}`
}

function countSql(filter: Filter, dialect: Dialect): Sql<StateCount> {
  return statesSql(filter, sql`${isShown(filter)} and d.n in (${new QuerySql(filter, dialect).matches()})`)
}
