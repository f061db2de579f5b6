import { type Changes, changed, type Name } from './changes.ts'
import { ListOrder } from './list-order.ts'
import { DEFAULT_SORT } from './order.ts'
import { type Filter, QuerySql, toKeyedRow } from './query.ts'
import { scopeKey } from './rows.ts'
import type { KeyedRow } from './sort-key.ts'
import type { Connection } from './statement.ts'
import type { Condition, Query } from './store.ts'

/** Which documents, and in what order. */
export type OrderQuery = Filter & Pick<Query, 'sort'>

/** An order, and the last commit that it knows of; null where that cannot be known. */
export interface KnownOrder {
  readonly order: ListOrder
  readonly since: number | null
}

interface CachedOrder extends KnownOrder {
  since: number
  bytes: number
}

/** Bytes of all orders that are cached. */
const MAX_BYTES = 24_000_000
/** An entry with its key, besides the texts. */
const BYTES_OF_ENTRY = 500
/** With more changes than this, an order is made anew. */
const MOST_CHANGES = 500
/** Up to so many matches are read and sorted; more are chosen from the order of the whole view. */
const FEW = 1000

/**
 * The orders of lists. They are made once, and then follow what commits change: only the changed documents are looked at
 * again. Looking twice makes no difference, so it does not matter in which process, and in what order, they were changed.
 * Bounded in bytes, least recently used out first.
 */
export class ListOrders {
  readonly #connection: Connection
  readonly #changes: () => Changes | null
  readonly #orders = new Map<string, CachedOrder>()
  readonly #updating = new Map<string, Promise<CachedOrder>>()
  #bytes = 0

  /** `changes` as the store's: null while nothing may be answered from memory. */
  constructor(connection: Connection, changes: () => Changes | null) {
    this.#connection = connection
    this.#changes = changes
  }

  /** The order of a list with all that was committed before the call. */
  async find(query: OrderQuery): Promise<KnownOrder> {
    const sorted = query.sort.length > 0 ? query : { ...query, sort: DEFAULT_SORT }
    const changes = isCacheable(query) ? this.#changes() : null
    if (changes === null) return { order: await this.#make(sorted), since: null }
    const key = keyOf(sorted)
    const asked = changes.now
    const cached = this.#orders.get(key)
    if (cached?.since === asked) return this.#used(key, cached)
    for (;;) {
      const updating = this.#updating.get(key)
      if (updating === undefined) return this.#startUpdate(key, sorted, changes)
      const updated = await updating
      if (updated.since >= asked) return updated
    }
  }

  /** Whether these rows are known to have been changed since. */
  haveChanged(query: OrderQuery, rows: readonly number[], since: number): boolean {
    const changed = this.#changes()?.rowsSince(query, since)
    return changed === null || changed === undefined || rows.some((row) => changed.includes(row))
  }

  /** Makes the order anew when it is asked for again. */
  forget(query: OrderQuery): void {
    this.#remove(keyOf(query.sort.length > 0 ? query : { ...query, sort: DEFAULT_SORT }))
  }

  #startUpdate(key: string, query: OrderQuery, changes: Changes): Promise<CachedOrder> {
    const updating = this.#update(key, query, changes).finally(() => this.#updating.delete(key))
    this.#updating.set(key, updating)
    return updating
  }

  async #update(key: string, query: OrderQuery, changes: Changes): Promise<CachedOrder> {
    const since = changes.now
    const cached = this.#orders.get(key)
    // What fails half-way is made anew.
    this.#remove(key)
    const rows = cached && changes.stand(targetsOf(query), cached.since) ? changes.rowsSince(query, cached.since) : null
    if (cached === undefined || rows === null || rows.length > MOST_CHANGES) {
      const order = await this.#make(query)
      return this.#used(key, { order, since, bytes: 0 })
    }
    if (rows.length > 0) await this.#repair(query, cached.order, rows)
    cached.since = since
    return this.#used(key, cached)
  }

  async #repair(query: OrderQuery, order: ListOrder, rows: readonly number[]): Promise<void> {
    const statements = new QuerySql(query, this.#connection.dialect)
    const matching = (await this.#connection.all(statements.matchingKeys(rows, query.sort))).map(toKeyedRow)
    const around = order.around(matching)
    order.change(rows, matching, around.length === 0 ? [] : await this.#keys(query, around))
  }

  async #keys(query: OrderQuery, rows: readonly number[]): Promise<KeyedRow[]> {
    const statements = new QuerySql(query, this.#connection.dialect)
    return (await this.#connection.all(statements.keys(rows, query.sort))).map(toKeyedRow)
  }

  async #make(query: OrderQuery): Promise<ListOrder> {
    const { conditions, docIds, search, ...view } = query
    if (conditions.length === 0 && docIds === undefined && search === undefined) return this.#makeWhole(query)
    const statements = new QuerySql(query, this.#connection.dialect)
    const [found] = await this.#connection.varied(statements.matchingRows())
    const rows = rowsOf(found?.rows)
    if (rows.length <= FEW) return ListOrder.of(query.sort, rows.length === 0 ? [] : await this.#keys(query, rows))
    const { order } = await this.find({ ...view, conditions: [] })
    return order.only(new Set(rows))
  }

  async #makeWhole(query: OrderQuery): Promise<ListOrder> {
    const statements = new QuerySql(query, this.#connection.dialect)
    const [found] = await this.#connection.varied(statements.ordered(query.sort))
    const rows = rowsOf(found?.rows)
    // `as`: made of row numbers and cells.
    const bounds = (JSON.parse(found?.bounds ?? '[]') as [number, ...KeyedRow['key']][]).map(([n, ...key]) => ({
      n,
      key,
    }))
    const [first, second] = query.sort
    if (first?.by !== 'field' || second !== undefined) return new ListOrder(query.sort, rows, bounds)
    const [all] = await this.#connection.varied(statements.numbered(first.direction))
    return ListOrder.withRest(query.sort, { rows, bounds }, rowsOf(all?.rows))
  }

  #used(key: string, cached: CachedOrder): CachedOrder {
    this.#remove(key)
    cached.bytes = cached.order.bytes + BYTES_OF_ENTRY + 2 * key.length
    this.#orders.set(key, cached)
    this.#bytes += cached.bytes
    for (const oldest of this.#orders.keys()) {
      if (this.#bytes <= MAX_BYTES) break
      this.#remove(oldest)
    }
    return cached
  }

  #remove(key: string): void {
    this.#bytes -= this.#orders.get(key)?.bytes ?? 0
    this.#orders.delete(key)
  }
}

function rowsOf(text: string | null | undefined): number[] {
  return JSON.parse(text ?? '[]')
}

/** What callers write freely has too many orders. */
function isCacheable({ docIds, search }: OrderQuery): boolean {
  return docIds === undefined && search === undefined
}

function keyOf(query: OrderQuery): string {
  const { archived, visibility, conditions, sort } = query
  return JSON.stringify([scopeKey(query), archived, visibility, conditions, sort])
}

/** The lists of other documents that conditions look at. */
function targetsOf({ conditions }: OrderQuery): Name[] {
  return conditions.flatMap((condition: Condition) => ('target' in condition ? changed.list(condition.target) : []))
}
