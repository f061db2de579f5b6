import { once } from '../../base/lazy.ts'
import { foldText } from '../../base/text.ts'
import type { Copies, Document } from '../../model/terms/document.ts'
import type { DocId, DocumentId, Locale } from '../../model/terms/document-id.ts'
import { type Connection, Repository } from '../database/connection.ts'
import { JoinedReads } from '../database/joined-reads.ts'
import { scopeKey, slugScope, toDocument, toReadDocument } from '../database/rows.ts'
import { columnsOf, sql } from '../database/sql.ts'
import type { DocumentRow } from '../database/tables.ts'
import { AcrossLists } from '../lists/across.ts'
import { extensionsSql, pointingSql, relatedSql, valuesSql, writtenValuesSql } from '../lists/index-queries.ts'
import { ListOrders } from '../lists/list-orders.ts'
import { DOCUMENT } from '../lists/list-query.ts'
import { type BytesOfRow, Lists } from '../lists/lists.ts'
import { neighboursSql } from '../lists/neighbours.ts'
import { spellingsLike } from '../lists/spellings.ts'
import { usingPage } from '../lists/using.ts'
import { isShown, listOf } from '../lists/view-conditions.ts'
import type { Changes } from '../terms/changes.ts'
import type {
  AcrossQuery,
  Filter,
  Pointing,
  Query,
  RelatedTarget,
  Scope,
  Sort,
  UsesQuery,
  View,
} from '../terms/document-query.ts'
import type {
  CopyOutline,
  CopySummary,
  DocumentPage,
  DocumentReader,
  FoundDocument,
  IdPage,
  IndexedCopy,
  ListedDocument,
  Neighbours,
  OutlineScope,
  PointingDocument,
  ReadDocument,
  RelatedCount,
  RowPage,
  StateCount,
  StoredDocument,
  StoredReference,
  TypeStateCount,
  UsingPage,
  ValueCount,
  WrittenValueCount,
} from '../terms/document-store.ts'
import type { StoredForm } from '../terms/stored-form.ts'
import { outlinesOf, summariesOf, typesOf } from './copy-outlines.ts'
import { FOLLOWING, NUMBERED, toStored, UNSEARCHED } from './document-batches.ts'
import { indexedOtherwise, randomRows } from './index-check.ts'
import { BY_IDENTITY, COPIES, toCopies } from './locked-copies.ts'

const LAST_CHARACTER = '\u{10ffff}'

/** Reads documents, in a transaction or outside of one. */
export class SqlDocumentReader extends Repository implements DocumentReader {
  readonly #form: StoredForm
  readonly #orders = once(() => new ListOrders(this.connection, this.#changes))
  readonly #lists = once(() => {
    return new Lists(this.connection, { form: this.#form, changes: this.#changes, orders: this.#orders() })
  })
  readonly #across = once(() => new AcrossLists(this.connection, this.#orders()))
  readonly #changes: () => Changes | null
  readonly #many = new JoinedReads<DocumentRow>()
  readonly #pointing = new JoinedReads<readonly DocumentRow[]>()

  constructor(connection: Connection, form: StoredForm, changes: () => Changes | null) {
    super(connection)
    this.#form = form
    this.#changes = changes
  }

  async get({ docId, locale, mode }: DocumentId): Promise<Document | null> {
    const [row] = await this.connection.fixed(BY_IDENTITY, { docId, locale, mode })
    return row === undefined ? null : toDocument(row, this.#form)
  }

  async read(id: DocumentId): Promise<ReadDocument | null> {
    const { docId, locale, mode } = id
    const since = this.#changes()?.now ?? null
    const [row] = await this.connection.fixed(BY_IDENTITY, { docId, locale, mode })
    return row === undefined ? null : toReadDocument(row, this.#form, since)
  }

  async copies(docId: DocId, locale: Locale): Promise<Copies> {
    return toCopies(await this.connection.fixed(COPIES, { docId, locale }), this.#form)
  }

  async many(view: View, docIds: readonly DocId[]): Promise<Document[]> {
    if (docIds.length === 0) return []
    const { type, locale, mode, archived, visibility } = view
    const scope = `${type} ${locale} ${mode} ${archived} ${visibility}`
    const ids = [...new Set(docIds)]
    const rows = await this.#many.read(scope, ids, (ids) => this.#readMany(view, ids))
    return ids.flatMap((docId) => {
      const row = rows.get(docId)
      return row === undefined ? [] : [toDocument(row, this.#form)]
    })
  }

  async #readMany(view: View, docIds: readonly DocId[]): Promise<ReadonlyMap<DocId, DocumentRow>> {
    const rows = await this.connection.all<DocumentRow>(
      sql`select ${DOCUMENT} from ${listOf(docIds, this.dialect)} ${this.dialect.joinInOrder} documents d
        on d.doc_id = i.value and ${isShown(view)}`,
    )
    return new Map(rows.map((row) => [row.docId, row]))
  }

  async find(query: Query): Promise<DocumentPage> {
    const { rows, read, total } = await this.#lists().page(query, () => undefined)
    return { documents: rows.flatMap((row) => read.get(row)?.document ?? []), total }
  }

  page(query: Query, cachedBytes: BytesOfRow): Promise<RowPage> {
    return this.#lists().page(query, cachedBytes)
  }

  ids(query: Query): Promise<IdPage> {
    return this.#lists().ids(query)
  }

  async neighbours(view: View, sort: readonly Sort[], docId: DocId): Promise<Neighbours> {
    const rows = await this.connection.varied(neighboursSql({ view, sort, docId }, this.dialect))
    const at = (side: keyof Neighbours) => {
      const row = rows.find((one) => one.side === side)
      return row === undefined ? null : toDocument(row, this.#form)
    }
    return { previous: at('previous'), next: at('next') }
  }

  async bySlug(view: View, after: string, limit: number): Promise<ListedDocument[]> {
    const rows = await this.connection.all<DocumentId & Omit<ListedDocument, 'id'>>(
      sql`select ${columnsOf('d', 'docId', 'locale', 'mode', 'slug', 'title', 'updatedAt', 'bytes')}, d.slug_folded as key
        from documents d where ${isShown(view)} and d.slug_folded > ${after} order by d.slug_folded limit ${limit}`,
    )
    return rows.map(({ docId, locale, mode, ...listed }) => ({ id: { docId, locale, mode }, ...listed }))
  }

  references(docIds: readonly DocId[], locale: Locale): Promise<StoredReference[]> {
    return this.connection.all<StoredReference>(
      sql`select d.type, e.kind, e.name as "indexName", e.text as id
        from ${listOf(docIds, this.dialect)} ${this.dialect.joinInOrder} documents d
          on d.doc_id = i.value and d.locale in ('', ${locale}) and d.mode = 'published' and d.archived = 0
            and d.visibility = 'public'
        join entries e on e.document = d.n and e.kind in ('document', 'attachment')`,
    )
  }

  count(query: Filter): Promise<number> {
    return this.#lists().count(query)
  }

  states(query: Filter): Promise<StateCount[]> {
    return this.#across().states(query)
  }

  across(query: AcrossQuery): Promise<FoundDocument[]> {
    return this.#across().page(query)
  }

  using(query: UsesQuery): Promise<UsingPage> {
    return usingPage(this.connection, query)
  }

  tally(filters: readonly Filter[]): Promise<TypeStateCount[]> {
    return this.#across().tally(filters)
  }

  async ofRows(rows: readonly number[]): Promise<ReadDocument[]> {
    const since = this.#changes()?.now ?? null
    const found = await this.connection.all<DocumentRow>(
      sql`select ${DOCUMENT} from documents d where ${this.dialect.oneOf(sql`d.n`, rows, 'integer')}`,
    )
    return found.map((row) => toReadDocument(row, this.#form, since))
  }

  values(query: Filter, name: string): Promise<ValueCount[]> {
    return this.connection.varied(valuesSql(query, name, this.dialect))
  }

  extensions(query: Filter, name: string): Promise<ValueCount[]> {
    return this.connection.varied(extensionsSql(query, name, this.dialect))
  }

  writtenValues(query: Filter, name: string): Promise<WrittenValueCount[]> {
    return this.connection.varied(writtenValuesSql(query, name, this.dialect))
  }

  related(query: Filter, name: string, targets: readonly RelatedTarget[]): Promise<RelatedCount[]> {
    return this.connection.varied(relatedSql(query, { name, targets }, this.dialect))
  }

  outlines(docIds: readonly DocId[], scope: OutlineScope): Promise<CopyOutline[]> {
    return outlinesOf(this.connection, docIds, scope)
  }

  everywhere(docId: DocId): Promise<CopySummary[]> {
    return summariesOf(this.connection, docId)
  }

  types(docIds: readonly DocId[]): Promise<Map<DocId, string>> {
    return typesOf(this.connection, docIds)
  }

  async pointingTo(view: View, pointing: Pointing): Promise<PointingDocument[]> {
    const { type, locale, mode, archived, visibility } = view
    const scope = `${type} ${locale} ${mode} ${archived} ${visibility} ${pointing.name} ${pointing.limit}`
    const read = (docIds: readonly DocId[]) => this.#readPointing(view, { ...pointing, docIds })
    const ids = [...new Set(pointing.docIds)]
    const found = await this.#pointing.read(scope, ids, read)
    return ids.flatMap((target) =>
      (found.get(target) ?? []).map((row) => ({ target, document: toDocument(row, this.#form) })),
    )
  }

  async #readPointing(view: View, pointing: Pointing) {
    if (pointing.docIds.length === 0) return new Map<DocId, DocumentRow[]>()
    const rows = await this.connection.varied(pointingSql(view, pointing, this.dialect))
    return Map.groupBy(rows, ({ target }) => target)
  }

  async byUnique(scope: Scope, names: readonly string[], value: string): Promise<Document[]> {
    const rows = await this.connection.all<DocumentRow>(
      sql`select ${DOCUMENT} from unique_values u ${this.dialect.joinInOrder} documents d on d.n = u.document
        where u.scope = ${scopeKey(scope)} and ${this.dialect.oneOf(sql`u.name`, [...names], 'text')} and u.value = ${value}`,
    )
    return rows.map((row) => toDocument(row, this.#form))
  }

  async slugsLike(scope: Scope, stem: string, except: DocId): Promise<Set<string>> {
    const folded = foldText(stem)
    const rows = await this.connection.all<{ slug: string }>(
      sql`select slug from documents where slug_scope = ${slugScope(scope.type, stem)} and locale = ${scope.locale}
        and mode = ${scope.mode} and archived = 0 and slug_folded >= ${folded}
        and slug_folded < ${folded + LAST_CHARACTER} and doc_id <> ${except}`,
    )
    return new Set(rows.map(({ slug }) => slug))
  }

  async unsearched(row: number, limit: number): Promise<StoredDocument[]> {
    return toStored(await this.connection.fixed(UNSEARCHED, { row, limit }), this.#form)
  }

  spellingsLike(word: string): Promise<string[]> {
    return spellingsLike(this.connection, word)
  }

  async numbered(rows: readonly number[], row: number, limit: number): Promise<StoredDocument[]> {
    const values = { rows: this.dialect.rowsText(rows), row, limit }
    return toStored(await this.connection.fixed(NUMBERED, values), this.#form)
  }

  async following(row: number, limit: number): Promise<StoredDocument[]> {
    return toStored(await this.connection.fixed(FOLLOWING, { row, limit }), this.#form)
  }

  randomRows(count: number): Promise<number[]> {
    return randomRows(this.connection, count)
  }

  async indexedOtherwise(copies: readonly IndexedCopy[]): Promise<number[]> {
    return [...(await indexedOtherwise(this.connection, copies)).keys()]
  }

  async sizes(docIds: readonly DocId[], locale: Locale): Promise<Map<DocId, number>> {
    const rows = await this.connection.all<{ docId: DocId; bytes: number }>(
      sql`select ${columnsOf('d', 'docId')}, max(d.bytes) as bytes from documents d
        where d.locale = ${locale} and ${this.dialect.oneOf(sql`d.doc_id`, [...docIds], 'text')} group by d.doc_id`,
    )
    return new Map(rows.map(({ docId, bytes }) => [docId, bytes]))
  }
}
