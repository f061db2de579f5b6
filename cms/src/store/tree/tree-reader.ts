import { foldText } from '../../base/text.ts'
import type { DocId, Locale, Mode } from '../../model/terms/document-id.ts'
import { type Connection, Repository } from '../database/connection.ts'
import { JoinedReads } from '../database/joined-reads.ts'
import { columnsOf, joined, quotedName, type Sql, sql } from '../database/sql.ts'
import { STATE_OF_ANY } from '../lists/document-states.ts'
import type { Changes } from '../terms/changes.ts'
import type { StoredForm } from '../terms/stored-form.ts'
import type {
  ChildPage,
  ChildrenQuery,
  FormerUrl,
  Page,
  PageCopy,
  PageOutline,
  PagesQuery,
  PagesView,
  PublishedPage,
  ReadPage,
  TakenSlug,
  TreeNode,
  TreePosition,
  TreeReader,
  TypedPage,
} from '../terms/tree-store.ts'
import {
  AFTER_HYPHEN,
  FORMER_URL,
  IN_ORDER,
  isBelow,
  isOfView,
  type NodeRow,
  OUTLINE,
  type OutlineRow,
  PAGE,
  type PageRow,
  POSITION,
  toOutline,
  toPage,
  toPosition,
  toReadPage,
} from './page-rows.ts'

/** Reads the tree of pages. */
export class SqlTreeReader extends Repository implements TreeReader {
  readonly #form: StoredForm
  readonly #changes: () => Changes | null
  readonly #ofTypes = new JoinedReads<readonly TypedPage[]>()

  constructor(connection: Connection, form: StoredForm, changes: () => Changes | null) {
    super(connection)
    this.#form = form
    this.#changes = changes
  }

  position(locale: Locale, docId: DocId): Promise<TreePosition | null> {
    return this.firstRow<TreePosition>(
      sql`select ${POSITION} from places p where p.locale = ${locale} and p.doc_id = ${docId}`,
    )
  }

  async nodes(locale: Locale, docIds: readonly DocId[]): Promise<Map<DocId, TreeNode>> {
    const named = (column: Sql) => this.dialect.oneOf(column, docIds, 'text')
    const rows = await this.connection.all<NodeRow>(
      sql`select ${POSITION}, d.mode, d.type, d.slug, d.title, d.visibility, case when ${named(sql`p.doc_id`)} then (
          select count(*) from places c where c.locale = p.locale and c.parent = p.doc_id
        ) else 0 end as children
        from places p left join documents d on d.doc_id = p.doc_id and d.locale = p.locale
        where p.locale = ${locale} and p.doc_id in (
          select t.doc_id from places t where t.locale = ${locale} and ${named(sql`t.doc_id`)}
          union all select t.parent from places t where t.locale = ${locale} and ${named(sql`t.doc_id`)})`,
    )
    return new Map(
      [...Map.groupBy(rows, (row) => row.docId)].flatMap(([docId, [row, ...others]]) => {
        if (row === undefined) return []
        const copy = (mode: Mode) => [row, ...others].find((one) => one.mode === mode) ?? null
        const node = { position: toPosition(row), children: row.children }
        return [[docId, { ...node, draft: copy('draft'), published: copy('published') }] as const]
      }),
    )
  }

  async pages(query: PagesQuery): Promise<ReadPage[]> {
    const since = this.#changes()?.now ?? null
    const rows = await this.connection.varied<PageRow>(
      sql`select ${PAGE} ${this.#pagesOf(query)} ${IN_ORDER}
        ${query.limit === undefined ? sql`` : sql`limit ${query.limit}`}`,
    )
    return rows.map((row) => toReadPage(row, this.#form, since))
  }

  async outline(query: PagesQuery): Promise<PageOutline[]> {
    const rows = await this.connection.varied<OutlineRow>(sql`select ${OUTLINE} ${this.#pagesOf(query)} ${IN_ORDER}`)
    return rows.map(toOutline)
  }

  async children(query: ChildrenQuery): Promise<{ pages: ChildPage[]; total: number }> {
    const { locale, mode, parent, types, offset, limit } = query
    const shown = (alias: string) =>
      sql`${isOfView(query, alias)} and ${this.dialect.oneOf(quotedName(`${alias}.type`), types, 'text')}`
    const copyOf = (place: string, alias: string) => {
      const [ofPlace, ofCopy] = [place, alias].map((one) => (column: string) => quotedName(`${one}.${column}`))
      return sql`places ${quotedName(place)} ${this.dialect.joinInOrder} documents ${quotedName(alias)}
        on ${ofCopy?.('doc_id')} = ${ofPlace?.('doc_id')} and ${ofCopy?.('locale')} = ${ofPlace?.('locale')}
          and ${ofCopy?.('mode')} = ${mode}`
    }
    const from = sql`from ${copyOf('p', 'd')}`
    const where = sql`where p.locale = ${locale} and p.parent = ${parent} and ${shown('d')}`
    const [counted] = await this.connection.varied<{ total: number }>(sql`select count(*) as total ${from} ${where}`)
    const rows = await this.connection.varied<OutlineRow & Pick<ChildPage, 'state' | 'childCount'>>(
      sql`select ${OUTLINE}, ${STATE_OF_ANY} as state, (
          select count(*) from ${copyOf('c', 'e')}
          where c.locale = p.locale and c.parent = p.doc_id and ${shown('e')}
        ) as "childCount"
        ${from} left join documents s on s.doc_id = d.doc_id and s.locale = d.locale and s.mode = 'draft'
        ${where} order by p.rank, p.path limit ${limit} offset ${offset}`,
    )
    const pages = rows.map(({ state, childCount, ...row }) => ({ ...toOutline(row), state, childCount }))
    return { pages, total: counted?.total ?? 0 }
  }

  async ofRows(view: PagesView, rows: readonly number[]): Promise<ReadPage[]> {
    const since = this.#changes()?.now ?? null
    const pages = await this.connection.all<PageRow>(
      sql`select ${PAGE} from documents d ${this.dialect.joinInOrder} places p
        on p.locale = d.locale and p.doc_id = d.doc_id
        where ${this.dialect.oneOf(sql`d.n`, rows, 'integer')}
          and d.locale = ${view.locale} and d.mode = ${view.mode} and ${isOfView(view)}`,
    )
    const byRow = new Map(pages.map((page) => [page.n, page]))
    return rows.flatMap((row) => byRow.get(row) ?? []).map((page) => toReadPage(page, this.#form, since))
  }

  async formerUrls(locale: Locale, docIds: readonly DocId[]): Promise<Map<DocId, string[]>> {
    if (docIds.length === 0) return new Map()
    const rows = await this.connection.all<FormerUrl>(
      sql`select ${FORMER_URL} from former_urls f
        where f.locale = ${locale} and ${this.dialect.oneOf(sql`f.doc_id`, docIds, 'text')} order by f.since, f.slug`,
    )
    const urls = new Map<DocId, string[]>()
    for (const { docId, slug } of rows) urls.set(docId, [...(urls.get(docId) ?? []), slug])
    return urls
  }

  async bySlugs(view: PagesView, slugs: readonly string[]): Promise<Page | null> {
    const row = await this.firstRow<PageRow>(
      sql`select ${PAGE} from documents d ${this.dialect.joinInOrder} places p
        on p.locale = d.locale and p.doc_id = d.doc_id
        where d.slug_scope = '/' and d.locale = ${view.locale} and d.mode = ${view.mode}
          and ${this.dialect.oneOf(sql`d.slug_folded`, slugs.map(foldText), 'text')} and ${isOfView(view)}
        order by length(d.slug) desc limit 1`,
    )
    return row && toPage(row, this.#form)
  }

  async ofTypes({ locale, mode }: Pick<PagesView, 'locale' | 'mode'>, types: readonly string[]) {
    const found = await this.#ofTypes.read(`${locale} ${mode} ${types}`, [], async () => {
      const pages = await this.connection.all<TypedPage>(
        sql`select ${columnsOf('d', 'docId', 'type', 'slug', 'visibility')}
          from documents d ${this.dialect.joinInOrder} places p on p.locale = d.locale and p.doc_id = d.doc_id
          where ${this.dialect.oneOf(sql`d.type`, types, 'text')}
            and d.locale = ${locale} and d.mode = ${mode} and d.archived = 0 ${IN_ORDER}`,
      )
      return new Map([['', pages]])
    })
    return found.get('') ?? []
  }

  published(locale: Locale): Promise<PublishedPage[]> {
    const columns = columnsOf('d', 'docId', 'bytes', 'type', 'visibility', 'slug', 'title', 'updatedAt')
    return this.connection.all<PublishedPage>(
      sql`select d.n as "row", p.parent, ${columns}
        from places p ${this.dialect.joinInOrder} documents d
          on d.doc_id = p.doc_id and d.locale = p.locale and d.mode = 'published'
        where p.locale = ${locale} and d.archived = 0 ${IN_ORDER}`,
    )
  }

  byFormerSlugs(locale: Locale, slugs: readonly string[]): Promise<FormerUrl | null> {
    return this.firstRow<FormerUrl>(
      sql`select ${FORMER_URL} from former_urls f
        where f.locale = ${locale} and ${this.dialect.oneOf(sql`f.slug`, slugs, 'text')}
        order by length(f.slug) desc limit 1`,
    )
  }

  countChildren(locale: Locale, parent: DocId, mode: Mode): Promise<number> {
    return this.countOf(
      sql`select count(*) as count from places p
        join documents d on d.doc_id = p.doc_id and d.locale = p.locale and d.mode = ${mode}
        where p.locale = ${locale} and p.parent = ${parent}`,
    )
  }

  async copiesBelow(locale: Locale, path: string): Promise<PageCopy[]> {
    const rows = await this.connection.varied<Omit<PageCopy, 'isArchived'> & { readonly archived: number }>(
      sql`select d.n as "row", ${columnsOf('d', 'docId', 'type', 'mode', 'slug', 'archived')}, p.parent
        from places p ${this.dialect.joinInOrder} documents d
          on d.doc_id = p.doc_id and d.locale = p.locale
        where p.locale = ${locale} and ${isBelow(path)} order by p.level, p.rank, p.path, d.mode`,
    )
    return rows.map(({ archived, ...copy }) => ({ ...copy, isArchived: archived === 1 }))
  }

  async takenSlugs(locale: Locale, slugs: readonly string[]): Promise<TakenSlug[]> {
    if (slugs.length === 0) return []
    const folded = slugs.map((slug) => [foldText(slug)])
    const table = this.dialect.table('r', { slug: 'text' }, folded)
    const taken = (condition: Sql) =>
      sql`select d.n as "row", d.mode, d.slug_folded as folded from ${table} ${this.dialect.joinInOrder} documents d
        on d.slug_scope = '/' and d.locale = ${locale} and d.mode in ('draft', 'published') and d.archived = 0
        and ${condition}`
    return this.connection.all<TakenSlug>(
      sql`${taken(sql`d.slug_folded = r.slug`)} union all ${taken(
        sql`d.slug_folded > r.slug || '-' and d.slug_folded < r.slug || ${AFTER_HYPHEN}`,
      )}`,
    )
  }

  /**
   * The `from` and `where` of pages: `p` their positions, `d` their documents. Their slugs are all of one scope: of many
   * pages a planner then reads the documents of that one, and not all there are.
   */
  #pagesOf(query: PagesQuery): Sql {
    const isPage = sql`${this.dialect.unindexed(sql`d.slug_scope`)} = '/'`
    return sql`from ${this.#placesOf(query)} p ${this.dialect.joinInOrder} documents d
        on d.doc_id = p.doc_id and d.locale = p.locale and d.mode = ${query.mode} and ${isPage}
      where ${isOfView(query)}`
  }

  /**
   * Selects pages by one search for each part, without those that earlier parts find: in one condition, or united by
   * the database, they would be looked for among all pages.
   */
  #placesOf({ locale, docIds, childrenOf, grandchildrenOf, childLimit, below }: PagesQuery): Sql {
    const parts: Sql[] = []
    if (docIds) parts.push(this.dialect.oneOf(sql`p.doc_id`, docIds, 'text'))
    const among = childLimit === undefined ? sql`` : sql`and p.rank < ${childLimit}`
    if (childrenOf) parts.push(sql`${this.dialect.oneOf(sql`p.parent`, childrenOf, 'text')} ${among}`)
    if (grandchildrenOf !== undefined) {
      parts.push(sql`p.parent in (
        select c.doc_id from places c where c.locale = ${locale} and c.parent = ${grandchildrenOf}) ${among}`)
    }
    if (below !== undefined) parts.push(isBelow(below))
    const places = parts.map((part, index) => {
      const isNew = parts.slice(0, index).map((before) => sql`and not (${before})`)
      return sql`select p.* from places p where p.locale = ${locale} and ${part} ${joined(isNew, ' ')}`
    })
    return sql`(${joined(places, ' union all ')})`
  }
}
