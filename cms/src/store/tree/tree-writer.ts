import { conflict } from '../../base/errors.ts'
import { foldText } from '../../base/text.ts'
import type { IndexRow } from '../../model/field-type/value-terms.ts'
import type { DocId, Locale, Mode } from '../../model/terms/document-id.ts'
import { announcementOfStored, markTitleReaders, type StoredCopy } from '../changes/announced-copies.ts'
import { type Dialect, Repository, type Transaction } from '../database/connection.ts'
import { ARCHIVED } from '../database/index-keys.ts'
import { columnsOf, literal, type Sql, sql } from '../database/sql.ts'
import type { DocumentRow } from '../database/tables.ts'
import { changed } from '../terms/changes.ts'
import { SlugTaken } from '../terms/document-writes.ts'
import type { StoredForm } from '../terms/stored-form.ts'
import type { FormerUrl, PageCopy, TreePosition, TreeWriter } from '../terms/tree-store.ts'
import { isBelow } from './page-rows.ts'

/** A copy as it was written, with its index rows as a JSON array of arrays; null for none. */
type WrittenCopy = Omit<StoredCopy, 'indexRows'> & { readonly entries: string | null }

/** The columns of a `WrittenCopy`. */
function writtenBy({ jsonList, jsonOf }: Dialect): Sql {
  const indexRows = jsonList(jsonOf([sql`e.kind`, sql`e.name`, sql`e.text`, sql`e.number`]))
  return sql`${columnsOf('documents', 'n', 'docId', 'locale', 'mode', 'type', 'slug')},
    (select ${indexRows} from entries e where e.document = documents.n) as entries`
}

interface Shift {
  readonly parent: DocId
  readonly from: number
  readonly by: 1 | -1
  readonly except?: DocId
}

/** Changes the tree, in one transaction, a constant number of statements whatever the size of a subtree. */
export class SqlTreeWriter extends Repository<Transaction> implements TreeWriter {
  readonly #form: StoredForm

  constructor(transaction: Transaction, form: StoredForm) {
    super(transaction)
    this.#form = form
  }

  async lock(locales: readonly Locale[]): Promise<void> {
    // Where writers never wait inside a transaction, there is only one at a time.
    if (!this.dialect.hasWaited) return
    await this.connection.send(
      sql`select p.doc_id from places p where ${this.dialect.oneOf(sql`p.locale`, [...locales], 'text')}
        and p.parent = '' order by p.locale ${this.dialect.forUpdate}`,
    )
  }

  async insert(locale: Locale, { docId, parent, path, level, rank }: TreePosition): Promise<boolean> {
    const rows = await this.connection.all(
      sql`insert into places (locale, doc_id, parent, path, level, rank)
        values (${locale}, ${docId}, ${parent}, ${path}, ${level}, ${rank}) on conflict do nothing returning doc_id`,
    )
    // A page that another process has just inserted shifts no siblings.
    if (rows.length === 0) return false
    await this.#shift(locale, { parent, from: rank, by: 1, except: docId })
    this.connection.changed({ names: [changed.tree(locale)] })
    return true
  }

  async insertMany(locale: Locale, positions: readonly TreePosition[]): Promise<void> {
    if (positions.length === 0) return
    const columns = { doc_id: 'text', parent: 'text', path: 'text', level: 'integer', rank: 'integer' } as const
    const cells = positions.map(({ docId, parent, path, level, rank }) => [docId, parent, path, level, rank])
    const inserted = await this.connection.all(
      sql`insert into places (locale, doc_id, parent, path, level, rank)
        select ${locale}, r.doc_id, r.parent, r.path, r.level, r.rank
        from ${this.dialect.table('r', columns, cells)} where true on conflict do nothing returning doc_id`,
    )
    if (inserted.length < positions.length) {
      throw conflict('Another caller added one of these pages just now. Repeat your change.')
    }
    const shifts = [...Map.groupBy(positions, ({ parent }) => parent)].map(([parent, siblings]) => {
      return [parent, Math.min(...siblings.map(({ rank }) => rank)), siblings.length]
    })
    const table = this.dialect.table('s', { parent: 'text', rank: 'integer', size: 'integer' }, shifts)
    const docIds = positions.map(({ docId }) => docId)
    await this.connection.send(
      sql`update places set rank = places.rank + s.size from ${table}
        where places.locale = ${locale} and places.parent = s.parent and places.rank >= s.rank
        and not ${this.dialect.oneOf(sql`places.doc_id`, docIds, 'text')}`,
    )
    this.connection.changed({ names: [changed.tree(locale)] })
  }

  async move(locale: Locale, from: TreePosition, to: TreePosition): Promise<void> {
    const closedUp = sql`case when p.parent = ${from.parent} and p.rank > ${from.rank} then p.rank - 1 else p.rank end`
    const isWithin = isBelow(from.path)
    // Code points: paths are of ids and slashes alone.
    await this.connection.send(
      sql`update places as p set
          parent = case when p.doc_id = ${from.docId} then ${to.parent} else p.parent end,
          rank = case when p.doc_id = ${from.docId} then ${to.rank} when ${isWithin} then p.rank
            when p.parent = ${to.parent} and ${closedUp} >= ${to.rank} then ${closedUp} + 1 else ${closedUp} end,
          path = case when ${isWithin} then ${to.path} || substr(p.path, ${from.path.length + 1}) else p.path end,
          level = case when ${isWithin} then p.level + ${to.level - from.level} else p.level end
        where p.locale = ${locale} and (${isWithin} or (p.parent = ${from.parent} and p.rank > ${from.rank})
          or (p.parent = ${to.parent} and p.rank >= ${to.rank}))`,
    )
    this.connection.changed({ names: [changed.tree(locale)] })
  }

  async touch(locale: Locale, docId: DocId, modes: readonly Mode[]): Promise<void> {
    if (modes.length === 0) return
    const written = await this.connection.all<WrittenCopy>(
      sql`update documents set revision = revision + 1 where doc_id = ${docId} and locale = ${locale}
        and ${this.dialect.oneOf(sql`mode`, [...modes], 'text')} returning ${writtenBy(this.dialect)}`,
    )
    this.#announce(written)
  }

  async remove(locale: Locale, { docId, parent, rank }: TreePosition): Promise<void> {
    await this.connection.send(sql`delete from places where locale = ${locale} and doc_id = ${docId}`)
    await this.connection.send(sql`delete from former_urls where locale = ${locale} and doc_id = ${docId}`)
    await this.#shift(locale, { parent, from: rank + 1, by: -1 })
    this.connection.changed({ names: [changed.tree(locale), changed.formerUrls(locale)] })
  }

  async rename(copies: readonly PageCopy[], slugs: ReadonlyMap<number, string>): Promise<void> {
    if (slugs.size === 0) return
    const cells = [...slugs].map(([row, slug]) => [row, slug, foldText(slug)] as const)
    const folded = new Set(cells.map(([, , folded]) => folded))
    const inTheWay = copies.filter(({ row, slug }) => slugs.has(row) && folded.has(foldText(slug)))
    await this.#releaseSlugs(inTheWay.map(({ row }) => row))
    const table = this.dialect.table('r', { n: 'integer', slug: 'text', folded: 'text' }, cells)
    const written = await this.connection
      .all<WrittenCopy>(
        sql`update documents set slug = r.slug, slug_folded = r.folded, search_stale = 1, revision = revision + 1
          from ${table} where documents.n = r.n returning ${writtenBy(this.dialect)}`,
      )
      .catch((error) => {
        throw this.dialect.isDuplicate(error) ? new SlugTaken('Another page has this slug.') : error
      })
    const former = new Map(copies.map(({ row, slug }) => [row, slug]))
    this.#announce([...written, ...written.map((copy) => ({ ...copy, slug: former.get(copy.n) ?? copy.slug }))])
  }

  /**
   * Pages of one subtree may swap slugs: those first get a placeholder slug with a colon, which no real slug contains.
   */
  async #releaseSlugs(rows: readonly number[]): Promise<void> {
    if (rows.length === 0) return
    await this.connection.send(
      sql`update documents set slug_folded = ':' || n where ${this.dialect.oneOf(sql`n`, rows, 'integer')}`,
    )
  }

  async markModified(locale: Locale, docIds: readonly DocId[]): Promise<ReadonlyMap<DocId, boolean>> {
    if (docIds.length === 0) return new Map()
    const written = await this.connection.all<WrittenCopy & Pick<DocumentRow, 'modified'>>(
      sql`update documents set modified = case when exists (
          select 1 from documents p where p.doc_id = documents.doc_id and p.locale = documents.locale
            and p.mode = 'published' and p.type = documents.type and p.slug = documents.slug
            and p.visibility = documents.visibility and p.content = documents.content
        ) then 0 else 1 end
        where ${this.dialect.oneOf(sql`doc_id`, docIds, 'text')} and locale = ${locale} and mode = 'draft'
        returning ${writtenBy(this.dialect)}, modified`,
    )
    this.#announce(written)
    return new Map(written.map(({ docId, modified }) => [docId, modified === 1]))
  }

  async setArchived(locale: Locale, path: string, archived: boolean): Promise<void> {
    const flag = literal(archived ? 1 : 0)
    const pages = sql`select d.n from places p join documents d on d.doc_id = p.doc_id and d.locale = p.locale
      where p.locale = ${locale} and ${isBelow(path)}`
    await this.connection.send(
      sql`update entries set state = state - (state & ${literal(ARCHIVED)}) + ${literal(archived ? ARCHIVED : 0)}
        where document in (${pages})`,
    )
    const written = await this.connection.all<WrittenCopy>(
      sql`update documents set archived = ${flag}, search_stale = 1, revision = revision + 1 where n in (${pages})
        returning ${writtenBy(this.dialect)}`,
    )
    this.#announce(written)
    await markTitleReaders(this.connection, this.#form, written)
  }

  /** Says which copies were written, each by all that it is found by. */
  #announce(copies: readonly WrittenCopy[]): void {
    const stored = copies.map(({ entries: text, ...copy }): StoredCopy => {
      // `as`: made of these cells.
      const rows = JSON.parse(text ?? '[]') as [IndexRow['kind'], string, string | null, number | null][]
      return { ...copy, indexRows: rows.map(([kind, name, text, number]) => ({ kind, name, text, number })) }
    })
    if (stored.length > 0) this.connection.changed(announcementOfStored(stored))
  }

  async recordFormerUrls(locale: Locale, urls: readonly FormerUrl[], since: string): Promise<void> {
    if (urls.length === 0) return
    const cells = urls.map(({ docId, slug }) => [docId, slug, foldText(slug)])
    const table = this.dialect.table('r', { doc_id: 'text', slug: 'text', folded: 'text' }, cells)
    await this.connection.send(
      sql`insert into former_urls (locale, slug, doc_id, since)
        select ${locale}, r.slug, r.doc_id, ${since} from ${table} where not exists (
          select 1 from documents d where d.slug_scope = '/' and d.locale = ${locale} and d.mode = 'published'
            and d.archived = 0 and d.slug_folded = r.folded)
        on conflict (locale, slug) do update set doc_id = excluded.doc_id, since = excluded.since`,
    )
    this.connection.changed({ names: [changed.formerUrls(locale)] })
  }

  async claimUrls(locale: Locale, slugs: readonly string[]): Promise<void> {
    if (slugs.length === 0) return
    const claimed = await this.connection.all(
      sql`delete from former_urls where locale = ${locale} and ${this.dialect.oneOf(sql`slug`, slugs, 'text')}
        returning slug`,
    )
    if (claimed.length > 0) this.connection.changed({ names: [changed.formerUrls(locale)] })
  }

  /** Shifts siblings from a rank on, to make room for a page or close the gap behind one. */
  async #shift(locale: Locale, { parent, from, by, except = '' }: Shift): Promise<void> {
    await this.connection.send(
      sql`update places set rank = rank + ${literal(by)}
        where locale = ${locale} and parent = ${parent} and rank >= ${from} and doc_id <> ${except}`,
    )
  }
}
