import { invalid } from '../../base/errors.ts'
import { type Followed, FollowingCache } from '../changes/following-cache.ts'
import { namesOf, queryKey, targetNames } from '../changes/query-names.ts'
import { type Connection, type Fixed, fixed, Repository } from '../database/connection.ts'
import { DEFAULT_SORT, hasGaps } from '../database/order.ts'
import { type KeyedRow, keyedRow, storedCell } from '../database/sort-key.ts'
import type { Cell } from '../database/sql.ts'
import type { Changes } from '../terms/changes.ts'
import type { Condition, Filter, Query, View } from '../terms/document-query.ts'
import { ListOrder } from './list-order.ts'
import { type KeyRow, QuerySql, rowsOf, toKeyedRow } from './list-query.ts'

/** Selects documents and their order. */
type OrderQuery = Filter & Pick<Query, 'sort'>

/** An order, and the last commit that it knows of; null where that cannot be known. */
interface CurrentOrder {
  readonly order: ListOrder
  readonly since: number | null
}

/** An order with the statements that read the keys of some rows, built once. */
interface CachedOrder {
  readonly order: ListOrder
  readonly keys: Fixed<KeyRow, RowsBinding>
  /** Only of those that match. */
  readonly matchingKeys: Fixed<KeyRow, RowsBinding>
  /** The rows between two keys; null where no index has these alone. */
  readonly keysBetween: Fixed<KeyRow, RangeBinding> | null
}
type RowsBinding = { readonly rows: string }
type RangeBinding = Record<'cell' | 'toCell', string> & Record<'row' | 'toRow', number>

/** With more changed rows than this, an order is made from scratch. */
const MOST_CHANGES = 500
/** Around more rows than this, keys are read by row number, in one statement. */
const MOST_RANGES = 8
/** Statements that are put together, about. */
const BYTES_OF_STATEMENTS = 2000
/** Up to this many matches are read and sorted; more are selected from the order of the whole list. */
const FEW = 1000

/** Texts anywhere in a value are found by looking at each value: so many documents are looked at. */
const MOST_LOOKED_THROUGH = 20_000
const TOO_MANY =
  'Lists of more than 20,000 documents take $contains only together with a filter that names a value. Use $startsWith, or search.'
const NARROW: ReadonlySet<Condition['kind']> = new Set(['equals', 'related', 'relatedToAll', 'column'])

/** The orders of lists, cached while commits announce what they change. */
export class ListOrders extends Repository {
  readonly #changes: () => Changes | null
  readonly #orders = new FollowingCache<CachedOrder>(({ order }) => order.bytes + BYTES_OF_STATEMENTS)

  /** `changes` as the store's: null while nothing may be answered from memory. */
  constructor(connection: Connection, changes: () => Changes | null) {
    super(connection)
    this.#changes = changes
  }

  /** The order of a list with all that was committed before the call. */
  async find(order: OrderQuery): Promise<CurrentOrder> {
    const query = sorted(order)
    const changes = isCacheable(query) ? this.#changes() : null
    if (changes === null) return { order: await this.#make(query), since: null }
    const update = (cached?: Followed<CachedOrder>) => this.#current(query, cached, changes)
    const { value, since } = await this.#orders.find(queryKey(query), changes, update)
    return { order: value.order, since }
  }

  /** Whether any of these rows is known to have changed since. */
  haveChanged(query: OrderQuery, rows: readonly number[], since: number): boolean {
    const changed = this.#changes()?.rowsSince(query, since)
    return changed === null || changed === undefined || rows.some((row) => changed.includes(row))
  }

  /** Drops the order: it is made from scratch when it is needed again. */
  forget(query: OrderQuery): void {
    this.#orders.delete(queryKey(sorted(query)))
  }

  async #current(query: OrderQuery, cached: Followed<CachedOrder> | undefined, changes: Changes): Promise<CachedOrder> {
    if (cached === undefined) return this.#makeCached(query)
    if (changes.areUnchanged(namesOf(query), cached.since)) return cached.value
    if (!changes.areUnchanged(targetNames(query), cached.since)) return this.#makeCached(query)
    const rows = changes.rowsSince(query, cached.since)
    if (rows === null || rows.length > MOST_CHANGES) return this.#makeCached(query)
    if (rows.length > 0) await this.#repair(cached.value, rows)
    return cached.value
  }

  async #makeCached(query: OrderQuery): Promise<CachedOrder> {
    const keys = fixed(({ rows }: RowsBinding, dialect) => new QuerySql(query, dialect).keys(rows, query.sort))
    const matchingKeys = fixed(({ rows }: RowsBinding, dialect) =>
      new QuerySql(query, dialect).matchingKeys(rows, query.sort),
    )
    return { order: await this.#make(query), keys, matchingKeys, keysBetween: keysBetweenOf(query) }
  }

  async #repair(cached: CachedOrder, rows: readonly number[]): Promise<void> {
    const { order, keys, matchingKeys } = cached
    const matching = await this.#keys(matchingKeys, rows)
    await this.#learnAround(cached, matching)
    const around = order.around(matching)
    order.change(rows, matching, around.length === 0 ? [] : await this.#keys(keys, around))
  }

  /** Reads the keys around some rows from the index of a column: in few pages of the database, not in one for each. */
  async #learnAround({ order, keysBetween }: CachedOrder, rows: readonly KeyedRow[]): Promise<void> {
    if (keysBetween === null || rows.length > MOST_RANGES) return
    for (const { least, most } of order.rangesAround(rows)) {
      const [cell, toCell] = [String(storedCell(least.key[0] ?? '')), String(storedCell(most.key[0] ?? ''))]
      const found = await this.connection.fixed(keysBetween, { cell, row: least.n, toCell, toRow: most.n })
      order.learn(found.map(toKeyedRow))
    }
  }

  async #keys(statement: Fixed<KeyRow, RowsBinding>, rows: readonly number[]): Promise<KeyedRow[]> {
    const values = { rows: this.dialect.rowsText(rows) }
    return (await this.connection.fixed(statement, values)).map(toKeyedRow)
  }

  async #make(query: OrderQuery): Promise<ListOrder> {
    const { conditions, docIds, search, ...view } = query
    if (docIds === undefined && search === undefined) {
      if (conditions.length === 0) return this.#makeWhole(query)
      await this.#assertFew(query)
    }
    const excluded = isCacheable(query) ? negated(conditions) : null
    const rows = await this.#matching(excluded === null ? query : { ...query, conditions: [excluded] })
    if (excluded === null && rows.length <= FEW) return this.#sorted(query, rows)
    const { order } = await this.find({ ...view, conditions: [] })
    const matching = new Set(rows)
    return order.filter((row) => matching.has(row) === (excluded === null))
  }

  async #matching(query: OrderQuery): Promise<number[]> {
    const [found] = await this.connection.varied(new QuerySql(query, this.dialect).matchingRows())
    return rowsOf(found?.rows)
  }

  async #sorted(query: OrderQuery, rows: readonly number[]): Promise<ListOrder> {
    const { dialect } = this
    const keys = new QuerySql(query, dialect).keys(dialect.rowsText(rows), query.sort)
    return ListOrder.of(query.sort, (await this.connection.all(keys)).map(toKeyedRow))
  }

  /** Refuses to look through the values of a long list, unless a condition names values that an index finds. */
  async #assertFew({ conditions, ...query }: OrderQuery): Promise<void> {
    if (conditions.some(({ kind }) => NARROW.has(kind))) return
    for (const view of conditions.flatMap((one) => lookedThrough(one, query))) {
      const { order } = await this.find({ ...view, conditions: [], sort: [] })
      if (order.length > MOST_LOOKED_THROUGH) throw invalid(TOO_MANY)
    }
  }

  async #makeWhole(query: OrderQuery): Promise<ListOrder> {
    const statements = new QuerySql(query, this.dialect)
    const [found] = await this.connection.varied(statements.ordered(query.sort))
    const rows = rowsOf(found?.rows)
    this.#orders.allowFor(rows.length)
    // `as`: made of row numbers and cells.
    const listed = JSON.parse(found?.bounds ?? '[]') as [number, ...Cell[]][]
    const bounds = listed.map(([n, ...cells]) => keyedRow(n, cells))
    const [first, second] = query.sort
    if (first === undefined || second !== undefined || !hasGaps(first)) return new ListOrder(query.sort, rows, bounds)
    const [all] = await this.connection.varied(statements.numbered(first.direction))
    return ListOrder.withRest(query.sort, { rows, bounds }, rowsOf(all?.rows))
  }
}

function keysBetweenOf(query: OrderQuery): CachedOrder['keysBetween'] {
  const [first, second] = query.sort
  if (first?.by !== 'column' || second !== undefined || query.conditions.length > 0 || hasGaps(first)) return null
  return fixed(({ cell, row, toCell, toRow }, dialect) =>
    new QuerySql(query, dialect).keysBetween({ cell, row }, { cell: toCell, row: toRow }, first.column),
  )
}

/** The views whose values a condition looks through, one by one. */
function lookedThrough(condition: Condition, view: View): readonly View[] {
  switch (condition.kind) {
    case 'text':
    case 'columnText':
      return condition.is === 'part' ? [view] : []
    case 'all':
    case 'any':
      return condition.of.flatMap((one) => lookedThrough(one, view))
    case 'not':
      return lookedThrough(condition.of, view)
    case 'through':
      return lookedThrough(condition.of, condition.target)
    default:
      return []
  }
}

/** The condition that holds for what is to be left out of the whole list, where nothing else is asked; else null. */
function negated(conditions: readonly Condition[]): Condition | null {
  const of = conditions.flatMap((one) => (one.kind === 'not' ? [one.of] : []))
  return of.length > 0 && of.length === conditions.length ? { kind: 'any', of } : null
}

function sorted(query: OrderQuery): OrderQuery {
  return query.sort.length > 0 ? query : { ...query, sort: DEFAULT_SORT }
}

/** Ids and searches, which callers write freely, would make too many orders. */
function isCacheable({ docIds, search }: OrderQuery): boolean {
  return docIds === undefined && search === undefined
}
