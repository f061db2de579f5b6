import { Repository, type Transaction } from '../database/connection.ts'
import { type Sql, sql } from '../database/sql.ts'
import type { SearchWords } from '../terms/document-writes.ts'

/** Writes what search finds documents by, in one transaction. */
export class SearchIndexWriter extends Repository<Transaction> {
  /** See `DocumentWriter.putSearchWords`. */
  async put(rows: readonly SearchWords[], isRebuilt: boolean): Promise<ReadonlySet<number>> {
    if (rows.length === 0) return new Set()
    const current = await this.#setSearched(rows, isRebuilt)
    const found = rows.filter(({ row }) => current.has(row))
    if (found.length === 0) return current
    if (isRebuilt) await this.#send(this.dialect.search.forget([...current]))
    await this.#send(this.dialect.search.put(found))
    return current
  }

  /** See `DocumentWriter.mergeSearchWords`. */
  async merge(): Promise<boolean> {
    const { merge, changedRows } = this.dialect.search
    const before = await this.countOf(changedRows)
    await this.connection.send(merge)
    return (await this.countOf(changedRows)) - before > 1
  }

  /** Removes copies from the index. */
  async remove(rows: readonly number[]): Promise<void> {
    await this.#send(this.dialect.search.remove(rows))
  }

  /**
   * Marks those copies whose revision still is the given one as searched; their row numbers. Of several, those that
   * others have locked are left out: waiting for one would keep the others locked meanwhile.
   */
  async #setSearched(rows: readonly SearchWords[], isRebuilt: boolean): Promise<Set<number>> {
    const cells = rows.map(({ row, revision, titleChanges }) => [row, revision, titleChanges])
    const columns = { n: 'integer', revision: 'integer', title_changes: 'integer' } as const
    const table = this.dialect.table('r', columns, cells)
    const isMarked = isRebuilt ? sql`` : sql`and d.search_stale = 1`
    const lock = rows.length === 1 ? this.dialect.forUpdate : this.dialect.forUpdateOfFree
    const marked = await this.connection.all<{ n: number }>(
      sql`update documents set search_stale = 0 where n in (
        select d.n from ${table} ${this.dialect.joinInOrder} documents d
          on d.n = r.n and d.revision = r.revision and d.title_changes = r.title_changes where true ${isMarked} ${lock}) returning n`,
    )
    return new Set(marked.map(({ n }) => n))
  }

  async #send(statements: readonly Sql[]): Promise<void> {
    for (const statement of statements) await this.connection.send(statement)
  }
}
