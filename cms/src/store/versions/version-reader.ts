import type { JsonObject } from '../../base/json.ts'
import type { DocId, Locale, Mode } from '../../model/terms/document-id.ts'
import { type Connection, Repository } from '../database/connection.ts'
import { columns, columnsOf, literal, quotedName, type Sql, sql } from '../database/sql.ts'
import { CONTENT, type ContentRow, IS_PAST, textOf } from '../database/stored-content.ts'
import type { ListedVersionRow, VersionRow } from '../database/tables.ts'
import type { StoredForm } from '../terms/stored-form.ts'
import type {
  ClosedContent,
  ContentRef,
  ListedVersion,
  OlderStretch,
  PackableContents,
  Prunable,
  PrunableVersions,
  RecentQuery,
  RecentVersion,
  Save,
  StoredVersion,
  TimelineQuery,
  TimelineRef,
  Version,
  VersionFilter,
  VersionReader,
} from '../terms/version-store.ts'
import {
  aiSaves,
  isOf,
  limitOf,
  listedFrom,
  NEWEST_FIRST,
  proposalOf,
  testsOf,
  toListed,
  toVersion,
  VERSION,
} from './version-rows.ts'

/** Reads the versions that saves left behind. */
export class SqlVersionReader extends Repository implements VersionReader {
  readonly #form: StoredForm

  constructor(connection: Connection, form: StoredForm) {
    super(connection)
    this.#form = form
  }

  get(id: string): Promise<StoredVersion | null> {
    return this.#first(sql`where v.id = ${id}`)
  }

  async listed(id: string): Promise<ListedVersion | null> {
    const [row] = await this.#listed(sql`where v.id = ${id}`)
    return row === undefined ? null : toListed(row)
  }

  async listedOf(ids: readonly string[]): Promise<ReadonlyMap<string, ListedVersion>> {
    if (ids.length === 0) return new Map()
    const rows = await this.#listed(sql`where ${this.dialect.oneOf(sql`v.id`, ids, 'text')}`)
    return new Map(rows.map((row) => [row.id, toListed(row)]))
  }

  async newest({ docId, locale }: TimelineRef): Promise<Version | null> {
    const [newest] = await this.#versions(sql`where ${isOf(docId, locale)} ${NEWEST_FIRST} limit 1`)
    return newest ?? null
  }

  async first({ docId, locale }: TimelineRef): Promise<ListedVersion | null> {
    const [row] = await this.#listed(sql`where ${isOf(docId, locale)} order by v.created_at, v.id limit 1`)
    return row === undefined ? null : toListed(row)
  }

  newestUntil(
    docId: DocId,
    locale: Locale,
    { until, mode }: { readonly until: string; readonly mode: Mode },
  ): Promise<StoredVersion | null> {
    const isOfMode = mode === 'published' ? sql`and v.mode = 'published'` : sql``
    const isAsThen = sql`(v.updated_at is null or v.updated_at <= ${until})`
    return this.#first(
      sql`where ${isOf(docId, locale)} and v.created_at <= ${until}
        and (${isAsThen} or v.earlier_at <= ${until}) ${isOfMode}
        ${NEWEST_FIRST} limit 1`,
      isAsThen,
    )
  }

  async publication({ docId, locale }: TimelineRef): Promise<Version | null> {
    const [newest] = await this.#versions(
      sql`where ${isOf(docId, locale)} and v.mode = 'published' ${NEWEST_FIRST} limit 1`,
    )
    return newest ?? null
  }

  publicationBefore({ docId, locale, createdAt, id }: Version): Promise<StoredVersion | null> {
    return this.#first(
      sql`where ${isOf(docId, locale)} and v.mode = 'published' and (v.created_at, v.id) < (${createdAt}, ${id})
        and not exists (select 1 from versions o where o.id = ${id}
          and o.content = v.content and o.slug is not distinct from v.slug) ${NEWEST_FIRST} limit 1`,
    )
  }

  async list({ docId, locale }: TimelineRef, query: TimelineQuery = {}): Promise<ListedVersion[]> {
    return (
      await this.#listed(sql`where ${isOf(docId, locale)} and ${testsOf(query)} ${NEWEST_FIRST} ${limitOf(query)}`)
    ).map(toListed)
  }

  async saves({ docId, locale }: TimelineRef, query: TimelineQuery): Promise<Save[]> {
    const tests = sql`${isOf(docId, locale)} and ${testsOf(query)}`
    const rows = await this.connection.all<Pick<VersionRow, 'id' | 'ai' | 'proposal'>>(
      sql`select v.id, v.ai, v.proposal from versions v where ${tests} ${NEWEST_FIRST} ${limitOf(query)}`,
    )
    return rows.map((row) => ({ id: row.id, ai: row.ai === 1, ...proposalOf(row) }))
  }

  count({ docId, locale }: TimelineRef, filter: VersionFilter): Promise<number> {
    const tests = sql`${isOf(docId, locale)} and ${testsOf(filter)}`
    return this.countOf(sql`select count(*) as count from versions v where ${tests}`)
  }

  async following({ docId, locale, createdAt, id }: Version): Promise<Version | null> {
    const [next] = await this.#versions(
      sql`where ${isOf(docId, locale)} and (v.created_at, v.id) > (${createdAt}, ${id})
        order by v.created_at, v.id limit 1`,
    )
    return next ?? null
  }

  async olderStretch({ docId, locale, createdAt, id, authorId, ai }: Version): Promise<OlderStretch> {
    const older = sql`${isOf(docId, locale)} and (v.created_at, v.id) < (${createdAt}, ${id})`
    const row = await this.firstRow<{ at: string | null; id: string | null; mixed: unknown }>(
      sql`with stop as (
          select v.created_at, v.id from versions v where ${older}
            and (v.mode <> 'draft' or v.restored_from is not null or v.author_id is distinct from ${authorId})
          ${NEWEST_FIRST} limit 1)
        select (select created_at from stop) as at, (select id from stop) as id, exists (
          select 1 from versions v where ${older} and v.ai <> ${literal(ai ? 1 : 0)}
            and (not exists (select 1 from stop) or (v.created_at, v.id) > (select created_at, id from stop))) as mixed`,
    )
    const isMixed = Boolean(row?.mixed)
    return row && row.at !== null && row.id !== null
      ? { end: { createdAt: row.at, id: row.id }, isMixed }
      : { end: null, isMixed }
  }

  async recent({ types, locales, ...query }: RecentQuery): Promise<RecentVersion[]> {
    const { dialect } = this
    const isOneOf = (column: Sql, names: readonly string[]) => dialect.oneOf(dialect.unindexed(column), names, 'text')
    const tests = sql`${isOneOf(sql`v.locale`, locales)} and not exists (
      select 1 from documents d where d.doc_id = v.doc_id and d.locale = v.locale
        and not ${isOneOf(sql`d.type`, types)}) and ${testsOf(query)}`
    const newest = (isOfType: Sql) =>
      sql`from versions v where ${isOfType} and ${tests} ${NEWEST_FIRST} ${limitOf(query)}`
    // Authors and AI have indexes in the order of time. Otherwise the newest of each type are looked for in its index,
    // so that versions of other types are never walked.
    const hasIndex = query.authorId !== undefined || query.ai !== undefined
    const typesTable = dialect.table(
      't',
      { type: 'text' },
      types.map((type) => [type]),
    )
    const chosen = hasIndex
      ? sql`select v.* ${newest(isOneOf(sql`v.type`, types))}`
      : sql`select v.* from ${typesTable}
          ${dialect.joinEach(sql`versions v`, sql`v.id`, sql`select v.id ${newest(sql`v.type = t.type`)}`)}
          ${NEWEST_FIRST} ${limitOf(query)}`
    const title = sql`, (select d.title from documents d where d.doc_id = v.doc_id and d.locale = v.locale
      order by d.mode limit 1) as title`
    const rows = await this.connection.all(listedFrom(chosen, title))
    return rows.map((row) => ({ ...toListed(row), title: row.title ?? '' }))
  }

  async aiMarks(
    docIds: readonly DocId[],
    scope: Pick<RecentQuery, 'types' | 'locales'>,
  ): Promise<ReadonlyMap<DocId, 'changed' | 'assisted'>> {
    if (docIds.length === 0) return new Map()
    const rows = await this.connection.all(aiSaves(this.dialect, docIds, scope))
    return new Map(rows.map(({ docId, byAi, byPeople }) => [docId, byAi > (byPeople ?? '') ? 'changed' : 'assisted']))
  }

  isSavedByAgentSince({ docId, locale }: TimelineRef, since: string, except: string | null): Promise<boolean> {
    // Keys of the environment are in no table: their ids say so.
    return this.hasRows(
      sql`select v.id from versions v where ${isOf(docId, locale)} and v.ai = 1 and v.mode = 'draft'
        and coalesce(v.updated_at, v.created_at) > ${since} and v.author_id is distinct from ${except}
        and (v.author_id like 'key-%' or exists (select 1 from api_keys k where k.id = v.author_id)) limit 1`,
    )
  }

  async contents(refs: readonly ContentRef[]): Promise<ClosedContent[]> {
    if (refs.length === 0) return []
    const { dialect } = this
    const cells = refs.map(({ docId, hash }) => [docId, hash])
    const rows = await this.connection.all<ContentRow & { docId: string; hash: string }>(
      sql`select ${columnsOf('c', 'docId', 'hash')}, ${CONTENT}
        from ${dialect.table('r', { doc_id: 'text', hash: 'text' }, cells)}
        ${dialect.joinInOrder} contents c on c.doc_id = r.doc_id and c.hash = r.hash`,
    )
    return rows.map((row) => {
      return { docId: row.docId, hash: row.hash, open: ({ type, slug }) => this.#opened(row, type, slug) }
    })
  }

  async packable(after: number, limit: number): Promise<PackableContents> {
    const rows = await this.connection.all<{ n: number; bytes: number | null; past: number }>(
      sql`select contents.n, octet_length(contents.body) as bytes, case when ${IS_PAST} then 1 else 0 end as past
        from contents where contents.n > ${after} order by contents.n limit ${limit}`,
    )
    const contents = rows.flatMap(({ n, bytes, past }) => (past === 1 ? [{ n, bytes: bytes ?? 0 }] : []))
    return { contents, last: rows.at(-1)?.n ?? null }
  }

  countDocuments(): Promise<number> {
    return this.countOf(sql`select count(distinct doc_id) as count from versions`)
  }

  async prunable({ before, keep }: Prunable, after: DocId, documents: number): Promise<PrunableVersions> {
    const looked = await this.connection.all<{ docId: string }>(
      sql`select distinct ${columns('docId')} from versions where doc_id > ${after} order by doc_id limit ${documents}`,
    )
    const last = looked.at(-1)?.docId ?? null
    if (last === null) return { ids: [], documents: 0, last }
    const isOld = before === null ? sql`` : sql`and changed_at < ${before}`
    const rows = await this.connection.all<{ id: string }>(
      sql`select id from (
          select v.id, v.mode, v.label, coalesce(v.updated_at, v.created_at) as changed_at,
            row_number() over (partition by v.doc_id, v.locale order by v.created_at desc, v.id desc) as place
          from versions v where v.doc_id > ${after} and v.doc_id <= ${last}) ranked
        where place > ${Math.max(1, keep)} and mode = 'draft' and label is null ${isOld}`,
    )
    return { ids: rows.map(({ id }) => id), documents: looked.length, last }
  }

  /** The first of the chosen versions; where `isAsThen` does not hold, with the content that it held earlier. */
  async #first(chosen: Sql, isAsThen = sql`true`): Promise<StoredVersion | null> {
    const then = (column: string) =>
      sql`case when ${isAsThen} then ${quotedName(`v.${column}`)} else ${quotedName(`v.earlier_${column}`)} end`
    const row = await this.firstRow<VersionRow & ContentRow & { slugThen: string | null }>(
      sql`select ${VERSION}, ${CONTENT}, ${then('slug')} as "slugThen"
        from versions v join contents c on c.n = ${then('content')} ${chosen}`,
    )
    if (row === null) return null
    return { version: toVersion(row), content: this.#opened(row, row.type, row.slugThen) }
  }

  async #versions(chosen: Sql): Promise<Version[]> {
    return (await this.connection.all<VersionRow>(sql`select ${VERSION} from versions v ${chosen}`)).map(toVersion)
  }

  #listed(chosen: Sql): Promise<ListedVersionRow[]> {
    return this.connection.all(listedFrom(sql`select v.* from versions v ${chosen}`))
  }

  #opened(row: ContentRow, type: string, slug: string | null): JsonObject {
    const stored: JsonObject = JSON.parse(textOf(row))
    if (slug !== null) stored.slug = slug
    return this.#form.read(type, stored)
  }
}
