import { type PageRow, parentOf, TOP } from './page-row.ts'

/** The children of a page: null for those that are not loaded. */
export type Branch = readonly (PageRow | null)[]

/** Children by the id of their parent. */
export type Branches = ReadonlyMap<string, Branch>

/** One line of the tree: a page, or one that is not loaded. */
export interface Line {
  readonly key: string
  readonly page: PageRow | null
  readonly parent: string
  /** From 1. */
  readonly level: number
  /** Among its siblings, from 0. */
  readonly index: number
  /** How many siblings there are, with itself. */
  readonly all: number
  readonly isOpen: boolean
}

/** The lines that are shown where these pages are open, from top to bottom. */
export function linesOf(branches: Branches, open: ReadonlySet<string>): readonly Line[] {
  const lines: Line[] = []
  const add = (rows: Branch, parent: string, level: number) => {
    for (const [index, page] of rows.entries()) {
      const isOpen = page !== null && page._childCount > 0 && open.has(page.aposDocId)
      const key = page?.aposDocId ?? `${parent} ${index}`
      lines.push({ key, page, parent, level, index, all: rows.length, isOpen })
      if (isOpen) add(childrenOf(branches, page), page.aposDocId, level + 1)
    }
  }
  add(branches.get(TOP) ?? [], TOP, 1)
  return lines
}

/** The children of a page, as far as they are known. */
export function childrenOf(branches: Branches, { aposDocId, _childCount }: PageRow): Branch {
  const known = branches.get(aposDocId) ?? []
  return known.length > 0 ? known : Array<null>(_childCount).fill(null)
}

/** A page that is loaded. */
export function pageIn(branches: Branches, docId: string): PageRow | null {
  for (const branch of branches.values()) {
    const page = branch.find((one) => one?.aposDocId === docId)
    if (page) return page
  }
  return null
}

/** Some children of a page, one after the other. */
export interface Chunk {
  readonly rows: readonly PageRow[]
  /** The index of the first. */
  readonly from: number
  /** How many children there are. */
  readonly total: number
}

/** The branches with what was read of one of them. */
export function withChunk(branches: Branches, parent: string, { rows, from, total }: Chunk): Branches {
  const known = branches.get(parent) ?? []
  const read = new Set(rows.map(({ aposDocId }) => aposDocId))
  // A page that has moved into this chunk is not shown a second time.
  const kept = (index: number) => {
    const old = known[index] ?? null
    return old !== null && read.has(old.aposDocId) ? null : old
  }
  const branch = Array.from({ length: total }, (_, index) => rows[index - from] ?? kept(index))
  return withCount(new Map(branches).set(parent, branch), parent)
}

/** Where a page is put, as requests say it (§4.2). */
export interface Target {
  readonly docId: string
  readonly position: Position
}

export type Position = 'before' | 'after' | 'firstChild' | 'lastChild'

/** A place among the children of a page, counted without the page that is to stand there. */
interface Place {
  readonly parent: string
  readonly index: number
}

/** The place that a target means; null where it is not loaded. */
function placeOf(branches: Branches, page: PageRow, { docId, position }: Target): Place | null {
  const target = pageIn(branches, docId)
  if (target === null) return null
  const isBeside = position === 'before' || position === 'after'
  const parent = isBeside ? parentOf(target) : docId
  const siblings = without(isBeside ? (branches.get(parent) ?? []) : childrenOf(branches, target), page)
  if (!isBeside) return { parent, index: position === 'firstChild' ? 0 : siblings.length }
  const index = siblings.findIndex((one) => one?.aposDocId === docId)
  return { parent, index: position === 'before' ? index : index + 1 }
}

/** The branches once a page has moved there, with its new place; null where the place is not loaded. */
export function withMoved(branches: Branches, page: PageRow, target: Target) {
  const place = placeOf(branches, page, target)
  const above = place && pageIn(branches, place.parent)
  if (place === null || above === null) return null
  const from = parentOf(page)
  const left = withCount(new Map(branches).set(from, without(branches.get(from) ?? [], page)), from)
  const siblings = without(childrenOf(branches, above), page)
  const moved = { ...page, path: `${above.path}/${page.aposDocId}` }
  const branch = siblings.toSpliced(place.index, 0, moved)
  const after = withCount(new Map(left).set(place.parent, branch), place.parent)
  return { branches: after, parent: above, index: place.index, all: branch.length }
}

function without(branch: Branch, { aposDocId }: PageRow): Branch {
  return branch.filter((one) => one?.aposDocId !== aposDocId)
}

/** The page above a branch says how many children it has. */
function withCount(branches: Branches, docId: string): Branches {
  const page = pageIn(branches, docId)
  const count = branches.get(docId)?.length ?? 0
  if (page === null || page._childCount === count) return branches
  const above = parentOf(page)
  const counted = (branches.get(above) ?? []).map((one) =>
    one?.aposDocId === docId ? { ...one, _childCount: count } : one,
  )
  return new Map(branches).set(above, counted)
}
