import type { DocId, Visibility } from '../model/document.ts'
import type { SnapshotConnection } from './database.ts'
import type { Dialect } from './dialect.ts'
import { sql } from './sql.ts'
import type { ContentConnection } from './statement.ts'
import type { Page, PageOutline, PagesQuery, TreeSnapshot } from './store.ts'
import type { DocumentRow } from './tables.ts'
import { PAGE, type PositionRow, Tree, toPage } from './tree.ts'

/** Reads the tree of one moment, piece by piece. */
export class TreeOfOneState extends Tree implements TreeSnapshot {
  readonly #snapshot: SnapshotConnection

  constructor(snapshot: SnapshotConnection & ContentConnection, dialect: Dialect) {
    super(snapshot, dialect)
    this.#snapshot = snapshot
  }

  async outline(query: PagesQuery): Promise<PageOutline[]> {
    const rows = await this.connection.varied<OutlineRow>(
      sql`select d.n, p.doc_id, p.parent, d.type, d.visibility, (
          select cast(count(*) as integer) from entries e where e.document = d.n and e.name = 'orphan' and e.number = 1
        ) as orphan
        ${this.pagesOf(query)}
        order by p.level, p.rank, p.path`,
    )
    return rows.map(({ n: row, doc_id: docId, parent, type, visibility, orphan }) => {
      return { row, docId, parent, type, visibility, isOrphan: orphan > 0 }
    })
  }

  async *inBatches(rows: readonly number[], size: number): AsyncGenerator<Page[]> {
    const cells = rows.map((row, order) => [row, order])
    const wanted = this.dialect.table('w', { n: 'integer', place: 'integer' }, cells)
    const found = this.#snapshot.inBatches<DocumentRow & PositionRow>(
      sql`select ${PAGE}
        from ${wanted} ${this.dialect.joinInOrder} documents d on d.n = w.n
          ${this.dialect.joinInOrder} places p on p.locale = d.locale and p.doc_id = d.doc_id
        ${this.dialect.inOrderOf(sql`w.place`)}`,
      size,
    )
    for await (const batch of found) yield batch.map((row) => toPage(row, this.connection.form))
  }
}

interface OutlineRow {
  readonly n: number
  readonly doc_id: DocId
  readonly parent: DocId
  readonly type: string
  readonly visibility: Visibility
  readonly orphan: number
}
