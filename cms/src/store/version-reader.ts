import { zstdDecompressSync } from 'node:zlib'
import type { DocId, Locale, Mode } from '../model/document.ts'
import { joined, literal, type Sql, sql } from './sql.ts'
import type { Connection } from './statement.ts'
import type {
  CompressedContent,
  ContentRef,
  ListedVersion,
  OlderStretch,
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
  VersionPosition,
  VersionReader,
} from './store.ts'
import type { StoredForm } from './stored-form.ts'
import type { ListedVersionRow, VersionRow } from './tables.ts'

const VERSION = sql`v.id, v.doc_id, v.locale, v.mode, v.type, v.created_at, v.updated_at, v.author, v.author_id, v.ai,
  v.restored_from, v.undo, v.label, v.data`

const NEWEST_FIRST = sql`order by v.created_at desc, v.id desc`

/** The version before `v` on its timeline. */
const PREVIOUS = sql`(select o.id from versions o where o.doc_id = v.doc_id and o.locale = v.locale
  and (o.created_at, o.id) < (v.created_at, v.id) order by o.created_at desc, o.id desc limit 1)`

/** Reads what saves left behind. */
export class SqlVersionReader implements VersionReader {
  readonly #connection: Connection
  readonly #form: StoredForm

  constructor(connection: Connection, form: StoredForm) {
    this.#connection = connection
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
    const rows = await this.#listed(sql`where ${this.#connection.dialect.oneOf(sql`v.id`, ids, 'text')}`)
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
      sql`case when ${isAsThen} then v.content else v.earlier_content end`,
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
        and v.content <> (select content from versions where id = ${id}) ${NEWEST_FIRST} limit 1`,
    )
  }

  async list({ docId, locale }: TimelineRef, query: TimelineQuery = {}): Promise<ListedVersion[]> {
    const tests = joined([isOf(docId, locale), ...testsOf(query)], ' and ')
    return (await this.#listed(sql`where ${tests} ${NEWEST_FIRST} ${limitOf(query)}`)).map(toListed)
  }

  async saves({ docId, locale }: TimelineRef, query: TimelineQuery): Promise<Save[]> {
    const tests = joined([isOf(docId, locale), ...testsOf(query)], ' and ')
    const rows = await this.#connection.all<Pick<VersionRow, 'id' | 'ai'>>(
      sql`select v.id, v.ai from versions v where ${tests} ${NEWEST_FIRST} ${limitOf(query)}`,
    )
    return rows.map(({ id, ai }) => ({ id, ai: ai === 1 }))
  }

  async count({ docId, locale }: TimelineRef, filter: VersionFilter): Promise<number> {
    const tests = joined([isOf(docId, locale), ...testsOf(filter)], ' and ')
    const [row] = await this.#connection.all<{ count: number }>(
      sql`select count(*) as count from versions v where ${tests}`,
    )
    return Number(row?.count ?? 0)
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
    const [row] = await this.#connection.all<{ at: string | null; id: string | null; mixed: unknown }>(
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
    const { dialect } = this.#connection
    const isOneOf = (column: Sql, names: readonly string[]) => dialect.oneOf(dialect.unindexed(column), names, 'text')
    const tests = [
      isOneOf(sql`v.locale`, locales),
      sql`not exists (select 1 from documents d where d.doc_id = v.doc_id and d.locale = v.locale
        and not ${isOneOf(sql`d.type`, types)})`,
      ...testsOf(query),
    ]
    const newest = (isOfType: Sql) =>
      sql`from versions v where ${joined([isOfType, ...tests], ' and ')} ${NEWEST_FIRST} ${limitOf(query)}`
    // Authors and AI have indexes in the order of time. Otherwise the newest of each type are looked for in its index, so
    // that versions of other types are never walked.
    const hasIndex = query.authorId !== undefined || query.ai !== undefined
    const chosen = hasIndex
      ? sql`select v.* ${newest(isOneOf(sql`v.type`, types))}`
      : sql`select v.* from ${this.#types(types)}
          ${dialect.joinEach(sql`versions v`, sql`v.id`, sql`select v.id ${newest(sql`v.type = t.type`)}`)}
          ${NEWEST_FIRST} ${limitOf(query)}`
    const title = sql`, (select d.title from documents d where d.doc_id = v.doc_id and d.locale = v.locale
      order by d.mode limit 1) as title`
    const rows = await this.#connection.all(listedFrom(chosen, title))
    return rows.map((row) => ({ ...toListed(row), title: row.title ?? '' }))
  }

  #types(types: readonly string[]): Sql {
    const rows = types.map((type) => [type])
    return this.#connection.dialect.table('t', { type: 'text' }, rows)
  }

  async contents(refs: readonly ContentRef[]): Promise<CompressedContent[]> {
    if (refs.length === 0) return []
    const { dialect } = this.#connection
    const wanted = refs.map(({ docId, hash }) => [docId, hash])
    const rows = await this.#connection.all<{ doc_id: string; hash: string; data: Uint8Array }>(
      sql`select c.doc_id, c.hash, c.data from ${dialect.table('r', { doc_id: 'text', hash: 'text' }, wanted)}
        join version_contents c on c.doc_id = r.doc_id and c.hash = r.hash`,
    )
    return rows.map(({ doc_id: docId, hash, data }) => ({ docId, hash, open: (type) => this.#opened(type, data) }))
  }

  async countDocuments(): Promise<number> {
    const [row] = await this.#connection.all<{ count: number }>(
      sql`select count(distinct doc_id) as count from versions`,
    )
    return Number(row?.count ?? 0)
  }

  async prunable({ before, keep }: Prunable, after: DocId, documents: number): Promise<PrunableVersions> {
    const looked = await this.#connection.all<{ doc_id: string }>(
      sql`select distinct doc_id from versions where doc_id > ${after} order by doc_id limit ${documents}`,
    )
    const last = looked.at(-1)?.doc_id ?? null
    if (last === null) return { ids: [], documents: 0, last }
    const isOld = before === null ? sql`` : sql`and changed_at < ${before}`
    const rows = await this.#connection.all<{ id: string }>(
      sql`select id from (
          select v.id, v.mode, v.label, coalesce(v.updated_at, v.created_at) as changed_at,
            row_number() over (partition by v.doc_id, v.locale order by v.created_at desc, v.id desc) as place
          from versions v where v.doc_id > ${after} and v.doc_id <= ${last}) ranked
        where place > ${Math.max(1, keep)} and mode = 'draft' and label is null ${isOld}`,
    )
    return { ids: rows.map(({ id }) => id), documents: looked.length, last }
  }

  async #first(chosen: Sql, content = sql`v.content`): Promise<StoredVersion | null> {
    const [row] = await this.#connection.all<VersionRow & { content: Uint8Array }>(
      sql`select ${VERSION}, c.data as content from versions v
        join version_contents c on c.doc_id = v.doc_id and c.hash = ${content} ${chosen}`,
    )
    if (row === undefined) return null
    return { version: toVersion(row), content: this.#opened(row.type, row.content) }
  }

  async #versions(chosen: Sql): Promise<Version[]> {
    return (await this.#connection.all<VersionRow>(sql`select ${VERSION} from versions v ${chosen}`)).map(toVersion)
  }

  #listed(chosen: Sql): Promise<ListedVersionRow[]> {
    return this.#connection.all(listedFrom(sql`select v.* from versions v ${chosen}`))
  }

  #opened(type: string, data: Uint8Array) {
    return this.#form.read(type, JSON.parse(zstdDecompressSync(data).toString()))
  }
}

/** Chosen rows of `versions`, few, with what lists need of their contents and of the versions before them. */
function listedFrom(chosen: Sql, more: Sql = sql``): Sql<ListedVersionRow & { title: string | null }> {
  return sql`select ${VERSION}, v.content, length(c.data) as bytes, p.id as previous_id, p.type as previous_type,
      p.content as previous_content, length(pc.data) as previous_bytes ${more}
    from (${chosen}) v
    join version_contents c on c.doc_id = v.doc_id and c.hash = v.content
    left join versions p on p.id = ${PREVIOUS}
    left join version_contents pc on pc.doc_id = p.doc_id and pc.hash = p.content
    ${NEWEST_FIRST}`
}

function isOf(docId: DocId, locale: Locale): Sql {
  return sql`v.doc_id = ${docId} and v.locale = ${locale}`
}

function testsOf({ authorId, ai, since, before, after, at }: TimelineQuery): Sql[] {
  return [
    ...(authorId === undefined ? [] : [sql`v.author_id = ${authorId}`]),
    ...(ai === undefined ? [] : [sql`v.ai = 1`]),
    ...(since === undefined ? [] : [sql`v.created_at >= ${since}`]),
    ...(before === undefined ? [] : [isBefore(before)]),
    ...(after === undefined ? [] : [sql`(v.created_at, v.id) > (${after.createdAt}, ${after.id})`]),
    ...(at === undefined ? [] : [sql`v.created_at = ${at}`]),
  ]
}

function isBefore(before: string | VersionPosition): Sql {
  if (typeof before === 'string') return sql`v.created_at < ${before}`
  return sql`(v.created_at, v.id) < (${before.createdAt}, ${before.id})`
}

function limitOf({ limit }: TimelineQuery): Sql {
  return limit === undefined ? sql`` : sql`limit ${limit}`
}

function toVersion(row: VersionRow): Version {
  return {
    id: row.id,
    docId: row.doc_id,
    locale: row.locale,
    mode: row.mode,
    type: row.type,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    author: row.author,
    authorId: row.author_id,
    ai: row.ai === 1,
    restoredFrom: row.restored_from,
    ...(row.undo === 1 && { isUndo: true }),
    label: row.label,
    data: row.data === null ? null : JSON.parse(row.data),
  }
}

function toListed(row: ListedVersionRow): ListedVersion {
  const { doc_id: docId } = row
  const previous = {
    docId,
    type: row.previous_type,
    hash: row.previous_content,
    bytes: Number(row.previous_bytes),
  }
  return {
    ...toVersion(row),
    content: { docId, type: row.type, hash: row.content, bytes: Number(row.bytes) },
    previous: row.previous_id === null ? null : { id: row.previous_id, content: previous },
  }
}
