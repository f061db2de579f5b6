import { rowsOf } from './consistency.ts'

/** A page as the database holds it: its position, and the slug, state and title of each copy. */
export interface StoredPage {
  readonly docId: string
  readonly parent: string
  readonly path: string
  readonly level: number
  readonly rank: number
  readonly draft: StoredCopy | null
  readonly published: StoredCopy | null
}

export interface StoredCopy {
  readonly slug: string
  readonly archived: boolean
  readonly title: string
}

/** The trees of all locales, read past the service, by locale and aposDocId. */
export async function readTrees(databaseUrl: string): Promise<Map<string, Map<string, StoredPage>>> {
  const [places = [], copies = []] = await rowsOf(databaseUrl, [
    'select locale, doc_id, parent, path, level, rank from places order by locale, level, parent, rank',
    "select locale, doc_id, mode, slug, archived, title from documents where slug_scope = '/'",
  ])
  const copyOf = new Map(copies.map((row) => [`${row.locale} ${row.doc_id} ${row.mode}`, row]))
  const trees = new Map<string, Map<string, StoredPage>>()
  for (const row of places) {
    const locale = String(row.locale)
    const docId = String(row.doc_id)
    const copy = (mode: string): StoredCopy | null => {
      const found = copyOf.get(`${locale} ${docId} ${mode}`)
      copyOf.delete(`${locale} ${docId} ${mode}`)
      return found
        ? { slug: String(found.slug), archived: Number(found.archived) === 1, title: String(found.title) }
        : null
    }
    const { parent, path } = row
    const position = { parent: String(parent), path: String(path), level: Number(row.level), rank: Number(row.rank) }
    const tree = trees.get(locale) ?? new Map<string, StoredPage>()
    trees.set(locale, tree.set(docId, { docId, ...position, draft: copy('draft'), published: copy('published') }))
  }
  for (const [name] of copyOf) throw new Error(`${name} has no position in the tree`)
  return trees
}

/** What is wrong with a tree (§4.2); empty when it is sound. */
export function unsound(tree: ReadonlyMap<string, StoredPage>, archiveId: string): string[] {
  const problems: string[] = []
  const siblings = Map.groupBy(tree.values(), ({ parent }) => parent)
  for (const [parent, pages] of siblings) {
    const ranks = pages.map(({ rank }) => rank).toSorted((a, b) => a - b)
    if (ranks.some((rank, index) => rank !== index)) problems.push(`ranks below ${parent}: ${ranks}`)
  }
  const home = siblings.get('') ?? []
  if (home.length !== 1) problems.push(`${home.length} pages at the top`)
  const last = siblings.get(home[0]?.docId ?? '')?.toSorted((a, b) => b.rank - a.rank)[0]
  if (last?.docId !== archiveId) problems.push(`the last page below home is ${last?.docId}, not the archive`)
  for (const page of tree.values())
    problems.push(...wrongPlace(page, tree.get(page.parent)), ...wrongState(page, tree, archiveId))
  for (const mode of ['draft', 'published'] as const) {
    const live = [...tree.values()].flatMap((page) => (page[mode] && !page[mode].archived ? [page[mode].slug] : []))
    if (new Set(live).size !== live.length) problems.push(`${mode} slugs are taken twice: ${live}`)
  }
  return problems
}

function wrongPlace(page: StoredPage, parent: StoredPage | undefined): string[] {
  if (page.parent === '') return page.path === page.docId && page.level === 0 ? [] : [`home is at ${page.path}`]
  if (parent === undefined) return [`${page.docId} is below ${page.parent}, which is not there`]
  const isRight = page.path === `${parent.path}/${page.docId}` && page.level === parent.level + 1
  return isRight ? [] : [`${page.docId} is at ${page.path}, level ${page.level}, below ${parent.path}`]
}

function wrongState(
  { docId, path, parent, draft, published }: StoredPage,
  tree: ReadonlyMap<string, StoredPage>,
  archiveId: string,
): string[] {
  const isArchived = path.split('/').includes(archiveId)
  const problems = draft === null ? [`${docId} has no draft`] : []
  for (const copy of [draft, published]) {
    if (copy && copy.archived !== isArchived) problems.push(`${docId} is at ${path}, archived: ${copy.archived}`)
  }
  if (published && parent !== '' && tree.get(parent)?.published === null)
    problems.push(`${docId} is published, ${parent} is not`)
  return problems
}
