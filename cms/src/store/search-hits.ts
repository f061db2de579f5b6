import { ByteLru } from '../base/byte-lru.ts'
import type { Changes } from './changes.ts'
import { QuerySql, rowsOf } from './query.ts'
import { namesOf, queryKey } from './query-names.ts'
import type { Connection } from './statement.ts'
import type { Query } from './store.ts'

/** Hits that are ranked together, of the newest ones first. */
interface Block {
  /** How many hits there are in all. */
  readonly total: number
  /** The row numbers of the block, best first. */
  readonly rows: readonly number[]
  /** The last commit that they know of. */
  readonly since: number | null
}

/** Bytes of all blocks that are cached. */
const MAX_BYTES = 12_000_000
const BYTES_OF_ROW = 8

/**
 * The hits of searches, best first. A common word has very many: they are counted, but only ranked in blocks, the newest
 * first. Blocks are cached while nothing in their list changes. Bounded in bytes, least recently used out first.
 */
export class SearchHits {
  readonly #connection: Connection
  readonly #changes: () => Changes | null
  readonly #blocks = new ByteLru<Block>(MAX_BYTES)

  /** `changes` as the store's: null while nothing may be answered from memory. */
  constructor(connection: Connection, changes: () => Changes | null) {
    this.#connection = connection
    this.#changes = changes
  }

  /** The row numbers of a page of hits; `isAnew`: not from the cache. */
  async find(query: Query, isAnew: boolean): Promise<Block> {
    const size = this.#blockSize(query)
    const start = Math.floor(query.offset / size) * size
    const block = isAnew ? await this.#read(query, start, size, null) : await this.#block(query, start, size)
    const offset = query.offset - start
    return { ...block, rows: block.rows.slice(offset, offset + query.limit) }
  }

  /** Pages are not divided. */
  #blockSize({ limit }: Query): number {
    return Math.max(1, Math.floor(this.#connection.dialect.search.ranked / limit)) * limit
  }

  async #block(query: Query, start: number, size: number): Promise<Block> {
    const { indexed, beside } = query.search ?? {}
    const changes = indexed === undefined || beside !== undefined ? null : this.#changes()
    if (changes === null) return this.#read(query, start, size, null)
    const key = `${queryKey(query)} ${start} ${size}`
    const cached = this.#blocks.get(key)
    const isKnown = cached !== undefined && cached.since !== null
    if (isKnown && changes.stand(namesOf(query), cached.since)) return cached
    const block = await this.#read(query, start, size, indexed ?? null)
    this.#blocks.set(key, block, block.rows.length * BYTES_OF_ROW)
    return block
  }

  /** Two statements, or one where all hits are in the first block. */
  async #read(query: Query, start: number, size: number, since: number | null): Promise<Block> {
    const statements = new QuerySql(query, this.#connection.dialect)
    const [found] = await this.#connection.varied(statements.ranked(start, size))
    const rows = rowsOf(found?.rows)
    if (start === 0 && rows.length < size) return { rows, total: rows.length, since }
    const [count] = await this.#connection.varied(statements.count())
    return { rows, total: count?.total ?? 0, since }
  }
}
