import { DatabaseSync } from 'node:sqlite'
import { type JsonObject, sameJson } from '../src/base/json.ts'
import { foldText } from '../src/base/text.ts'
import { putsOf } from '../src/engine/save/change.ts'
import type { Site } from '../src/model/declared/types.ts'
import type { OpenDocument } from '../src/model/terms/document.ts'
import { withClient } from './postgres-server.ts'

interface DocumentCells {
  readonly n: number
  readonly doc_id: string
  readonly locale: string
  readonly mode: string
  readonly type: string
  readonly slug: string
  readonly slug_folded: string
  /** `/` for pages. */
  readonly slug_scope: string
  readonly title: string
  readonly visibility: string
  readonly archived: number
  readonly modified: number
  readonly was_published: number
  readonly search_stale: number
  readonly copy_of: string | null
  readonly bytes: number
  /** As JSON. */
  readonly updated_by: string
  readonly updated_by_id: string
  readonly last_published_at: string | null
  readonly body: string
}

interface IndexRowCells {
  readonly document: number
  readonly scope: string
  readonly state: number
  readonly kind: string
  readonly name: string
  readonly text: string | null
  readonly number: number | null
}

/** Everything that a database says twice, read past the service. */
interface Contents {
  readonly documents: readonly DocumentCells[]
  readonly indexRows: readonly IndexRowCells[]
  /** Row numbers that search knows. */
  readonly searched: readonly number[]
  /** How many versions each document and locale has, by `id:locale`. */
  readonly versions: ReadonlyMap<string, number>
  readonly lostContents: number
  readonly formerUrls: readonly FormerUrlCells[]
}

interface FormerUrlCells {
  readonly locale: string
  readonly slug: string
  readonly doc_id: string
}

/**
 * What does not agree with itself in a database: copies and their `modified` mark, columns and index rows against the
 * documents they were made from, search rows, versions, former URLs. Empty when all is well.
 */
export async function inconsistencies(databaseUrl: string, site: Site): Promise<string[]> {
  const contents = await readContents(databaseUrl)
  return [
    ...contents.documents.flatMap((row) => wrongColumns(row)),
    ...wrongCopies(contents.documents, site),
    ...wrongIndexRows(contents, site),
    ...wrongSlugs(contents.documents),
    ...wrongSearch(contents),
    ...wrongVersions(contents, site),
    ...wrongFormerUrls(contents),
  ]
}

/** How many versions a document has in a locale. */
export async function versionCount(databaseUrl: string, docId: string, locale = 'en'): Promise<number> {
  return (await readContents(databaseUrl)).versions.get(`${docId}:${locale}`) ?? 0
}

function wrongColumns(row: DocumentCells): string[] {
  const fields = fieldsOf(row)
  const stored = [row.title, row.bytes, row.updated_by_id]
  const meant = [fields.title, Buffer.byteLength(row.body), JSON.parse(row.updated_by)._id]
  return sameJson(stored, meant as typeof stored) ? [] : [`${nameOf(row)}: columns ${stored}, fields ${meant}`]
}

function wrongCopies(documents: readonly DocumentCells[], site: Site): string[] {
  const problems: string[] = []
  const copies = (mode: string) =>
    new Map(documents.filter((row) => row.mode === mode).map((row) => [localizedIdOf(row), row]))
  const [drafts, publisheds] = [copies('draft'), copies('published')]
  for (const [id, published] of publisheds) {
    if (!site.types.get(published.type)?.localized) continue
    if (!drafts.has(id)) problems.push(`${nameOf(published)}: no draft beside it`)
  }
  for (const [id, draft] of drafts) {
    const published = publisheds.get(id)
    const isSame = published?.type === draft.type && sameJson(contentOf(draft), contentOf(published))
    const isModified = !isSame
    if (isModified !== (draft.modified === 1)) problems.push(`${nameOf(draft)}: modified is ${draft.modified}`)
    if (published && draft.was_published !== 1) problems.push(`${nameOf(draft)}: not known to be published`)
    if (published && published.last_published_at !== draft.last_published_at)
      problems.push(`${nameOf(draft)}: not published when its published copy was`)
    if (published && published.archived !== draft.archived) problems.push(`${nameOf(draft)}: archived in one mode only`)
  }
  return problems
}

function wrongIndexRows({ documents, indexRows }: Contents, site: Site): string[] {
  const problems: string[] = []
  const held = Map.groupBy(indexRows, ({ document }) => document)
  for (const row of documents) {
    const type = site.types.get(row.type)
    if (type === undefined) continue
    const scope = `${row.type}:${row.locale}`
    const ofCopy = (row.visibility === 'loginRequired' ? 1 : 0) + (row.archived === 1 ? 2 : 0)
    const state = ofCopy + (row.mode === 'draft' ? 4 : 0)
    const draft = documentOf(row)
    const puts = putsOf(type, { draft: null, published: null }, { draft, published: null })
    const meant = puts.flatMap(({ indexRows }) => indexRows.map((entry) => keyOf({ ...entry, scope, state })))
    const found = (held.get(row.n) ?? []).map(keyOf)
    held.delete(row.n)
    if (meant.toSorted().join('\n') === found.toSorted().join('\n')) continue
    problems.push(
      `${nameOf(row)}: index holds ${found.toSorted().join(' ')}, should hold ${meant.toSorted().join(' ')}`,
    )
  }
  if (held.size > 0) problems.push(`index rows of ${held.size} documents that are not there`)
  return problems
}

function keyOf({ scope, state, kind, name, text, number }: Omit<IndexRowCells, 'document'>): string {
  return JSON.stringify([scope, state, kind, name, text, number])
}

function wrongSlugs(documents: readonly DocumentCells[]): string[] {
  const taken = Map.groupBy(
    documents.filter(({ archived }) => archived === 0),
    ({ type, locale, mode, slug_folded: slug }) => `${type}:${locale}:${mode} ${slug}`,
  )
  const twice = [...taken].filter(([, rows]) => rows.length > 1).map(([slug]) => `slug taken twice: ${slug}`)
  const folded = documents.filter((row) => foldText(row.slug) !== row.slug_folded)
  return [...twice, ...folded.map((row) => `${nameOf(row)}: slug ${row.slug} folded as ${row.slug_folded}`)]
}

function wrongSearch({ documents, searched }: Contents): string[] {
  const known = new Set(documents.map(({ n }) => n))
  const lost = searched.filter((n) => !known.has(n)).map((n) => `search knows row ${n}, which is not there`)
  const found = new Set(searched)
  const missing = documents.filter(({ n, search_stale: stale }) => stale === 0 && !found.has(n))
  return [...lost, ...missing.map((row) => `${nameOf(row)}: not known to search, and not waiting`)]
}

function wrongVersions({ documents, versions, lostContents }: Contents, site: Site): string[] {
  const places = new Set(documents.map(localizedIdOf))
  const lost = [...versions.keys()]
    .filter((place) => !places.has(place))
    .map((place) => `versions of ${place} are left`)
  const without = documents.filter((row) => site.types.get(row.type)?.versions && !versions.has(localizedIdOf(row)))
  return [
    ...lost,
    ...without.map((row) => `${nameOf(row)}: no version`),
    ...(lostContents > 0 ? [`${lostContents} contents that nothing has`] : []),
  ]
}

/** A former URL is of a page that is there, and none that a published page has. */
function wrongFormerUrls({ documents, formerUrls }: Contents): string[] {
  const pages = documents.filter((row) => row.slug_scope === '/')
  const known = new Set(pages.map(localizedIdOf))
  const live = pages.filter(({ mode, archived }) => mode === 'published' && archived === 0)
  const taken = new Set(live.map(({ locale, slug }) => `${locale} ${slug}`))
  return formerUrls.flatMap((url) => {
    const name = `former URL ${url.locale} ${url.slug} of ${url.doc_id}`
    const lost = known.has(localizedIdOf(url)) ? [] : [`${name}, which is not there`]
    return taken.has(`${url.locale} ${url.slug}`) ? [...lost, `${name} is the URL of a page`] : lost
  })
}

/** State is in columns alone; all else is in the body. */
function fieldsOf({ body, slug, archived, visibility, copy_of: origin }: DocumentCells): JsonObject {
  return { ...JSON.parse(body), slug, archived: archived === 1, visibility, ...(origin && { copyOfId: origin }) }
}

/** Enough of a document for its index rows to be made again. */
function documentOf(row: DocumentCells): OpenDocument {
  // `as`: the index is made of the fields alone.
  return { fields: fieldsOf(row) } as OpenDocument
}

function contentOf(row: DocumentCells): JsonObject {
  const { archived: _, ...content } = fieldsOf(row)
  return content
}

function localizedIdOf(row: Pick<DocumentCells, 'doc_id' | 'locale'>): string {
  return `${row.doc_id}:${row.locale}`
}

function nameOf(row: DocumentCells): string {
  return `${row.type} ${localizedIdOf(row)}:${row.mode}`
}

async function readContents(databaseUrl: string): Promise<Contents> {
  const isFile = databaseUrl.startsWith('sqlite:')
  const searched = isFile ? 'select document as n from search_rows' : 'select document as n from search'
  const [documents = [], indexRows = [], found = [], versions = [], lost = [], former = []] = await rowsOf(
    databaseUrl,
    [
      'select d.*, c.body from documents d left join contents c on c.n = d.content',
      'select * from entries',
      searched,
      'select doc_id, locale, count(*) as count from versions group by doc_id, locale',
      `select count(*) as count from contents c where not exists (
      select 1 from versions v where v.doc_id = c.doc_id and (v.content = c.n or v.earlier_content = c.n))
      and not exists (select 1 from documents d where d.doc_id = c.doc_id and d.content = c.n)`,
      'select locale, slug, doc_id from former_urls',
    ],
  )
  return {
    documents: documents.map((row) => withNumbers(row)) as unknown as DocumentCells[],
    indexRows: indexRows.map((row) => withNumbers(row)) as unknown as IndexRowCells[],
    searched: found.map(({ n }) => Number(n)),
    versions: new Map(versions.map((row) => [`${row.doc_id}:${row.locale}`, Number(row.count)])),
    lostContents: Number(lost[0]?.count),
    formerUrls: former as unknown as FormerUrlCells[],
  }
}

type Row = Record<string, unknown>

/** Runs statements on a database past the service, and answers the rows of each. All see one state of it. */
export async function rowsOf(databaseUrl: string, statements: readonly string[]): Promise<Row[][]> {
  if (databaseUrl.startsWith('sqlite:')) {
    const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length), { timeout: 5000 })
    database.exec('begin')
    const rows = statements.map((statement) => database.prepare(statement).all() as Row[])
    database.exec('commit')
    database.close()
    return rows
  }
  return withClient(databaseUrl, async (client) => {
    await client.query('begin isolation level repeatable read')
    const rows: Row[][] = []
    for (const statement of statements) rows.push((await client.query<Row>(statement)).rows)
    await client.query('commit')
    return rows
  })
}

/** Row numbers come as texts from one of the drivers. */
function withNumbers(row: Row): Row {
  const numbers = ['n', 'bytes', 'document', 'state', 'archived', 'modified', 'was_published', 'search_stale']
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, numbers.includes(name) ? Number(value) : value]),
  )
}
