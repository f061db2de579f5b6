import { movedItems } from '../../model/changes/moved.ts'

/** A copy of a page, as far as it says where the page is. */
interface PageCopy {
  readonly docId: string
  readonly mode: 'draft' | 'published'
  /** The ids from the home page down. */
  readonly path: string
  readonly rank: number
}

/** A page of one locale, with its place: draft and published copy have the same one here. */
export interface PlacedPage<Copy extends PageCopy> {
  readonly copies: readonly Copy[]
  /** The id of the page above it; empty for the home page. */
  readonly parent: string
  /** The copy of a draft that stands elsewhere: below another page, or elsewhere among its siblings. */
  readonly movedDraft: Copy | null
}

/** The copies of a page. */
interface Page<Copy> {
  readonly docId: string
  readonly copies: readonly Copy[]
  readonly draft: Copy | undefined
  readonly published: Copy | undefined
  readonly parent: string
}

/**
 * Returns the pages of one locale, in the order in which they are made: each after the page above it and after the siblings
 * before it. A page stands where its published copy does; one that was never published follows the sibling that it
 * follows as a draft.
 */
export function placePages<Copy extends PageCopy>(groups: readonly (readonly Copy[])[]): PlacedPage<Copy>[] {
  const pages = groups.flatMap(pageOf)
  const known = new Set(pages.map(({ docId }) => docId))
  const children = Map.groupBy(pages, ({ parent }) => parent)
  const families = new Map([...children].map(([parent, siblings]) => [parent, inOrder(siblings)]))
  const roots = [...families].flatMap(([parent, siblings]) => (known.has(parent) ? [] : siblings))
  const ordered = new Set(roots)
  for (const { docId } of ordered) for (const page of families.get(docId) ?? []) ordered.add(page)
  const moved = new Set([...families.values()].flatMap(movedAmong))
  // Pages that are below themselves come last: there is no page above them.
  return [...new Set([...ordered, ...pages])].map((page) => {
    const { copies, parent, draft = null } = page
    return { copies, parent, movedDraft: moved.has(page) ? draft : null }
  })
}

function pageOf<Copy extends PageCopy>(copies: readonly Copy[]): Page<Copy>[] {
  const [draft, published] = (['draft', 'published'] as const).map((mode) => copies.find((copy) => copy.mode === mode))
  const live = published ?? draft
  return live === undefined ? [] : [{ docId: live.docId, copies, draft, published, parent: parentOf(live) }]
}

function parentOf({ path }: PageCopy): string {
  return path.split('/').at(-2) ?? ''
}

function inOrder<Copy extends PageCopy>(siblings: readonly Page<Copy>[]): Page<Copy>[] {
  const following = new Map<Page<Copy> | null, Page<Copy>[]>()
  let last: Page<Copy> | null = null
  for (const page of byRank(siblings, 'draft')) {
    if (page.published !== undefined) last = page
    else if (!following.get(last)?.push(page)) following.set(last, [page])
  }
  const after = (page: Page<Copy> | null) => following.get(page) ?? []
  return [...after(null), ...byRank(siblings, 'published').flatMap((page) => [page, ...after(page)])]
}

/** The siblings that have a copy of this mode below the same page, in its order. */
function byRank<Copy extends PageCopy>(siblings: readonly Page<Copy>[], mode: Copy['mode']): Page<Copy>[] {
  const ranked = siblings.flatMap((page) => {
    const copy = page[mode]
    return copy !== undefined && parentOf(copy) === page.parent ? [{ page, rank: copy.rank }] : []
  })
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ page }) => page)
}

/** The fewest pages whose drafts have moved. */
function movedAmong<Copy extends PageCopy>(siblings: readonly Page<Copy>[]): Page<Copy>[] {
  const both = siblings.filter(({ draft, published }) => draft !== undefined && published !== undefined)
  const drafts = byRank(both, 'draft').map(({ docId }) => docId)
  const among = movedItems(
    byRank(both, 'published').map(({ docId }) => docId),
    drafts,
  )
  return both.filter((page) => among.has(page.docId) || (page.draft && parentOf(page.draft) !== page.parent))
}
