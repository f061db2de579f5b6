/** The mode of a copy. */
export type Mode = 'draft' | 'published'
/** The slugs of both copies; null for one that is not there. */
export type Slugs = { [mode in Mode]: string | null }

/** A page of the model: an object in its parent's list, and nothing else. */
export class ModelPage {
  readonly id: string
  slugs: Slugs
  parent: ModelPage | null = null
  children: ModelPage[] = []

  constructor(id: string, slugs: Slugs) {
    this.id = id
    this.slugs = slugs
  }

  isWithin(other: ModelPage): boolean {
    return this === other || (this.parent?.isWithin(other) ?? false)
  }

  /** The page and all below it, ancestors first, by level. */
  subtree(): ModelPage[] {
    const pages: ModelPage[] = [this]
    for (const page of pages) pages.push(...page.children)
    return pages
  }
}

/** Both, in the order in which they are changed. */
export const MODES: readonly Mode[] = ['draft', 'published']

/** How slugs are carried: whether the page comes out of the archive, and whether its own slugs are final. */
export interface Carrying {
  readonly isRestored: boolean
  readonly isRootDone: boolean
}

/** The slug that a page gets which wants this one; pages that wait for a new slug have none. */
type FreeSlug = (page: ModelPage, slug: string, modes: readonly Mode[], waiting: ReadonlySet<string>) => string

/** Gives a page its new slugs, and those below it whose slug began with the old one. */
export function carry(root: ModelPage, wanted: Slugs, { isRestored, isRootDone }: Carrying, free: FreeSlug): void {
  const before = new Map(root.subtree().map((page) => [page, { ...page.slugs }]))
  const old = (page: ModelPage, mode: Mode) => before.get(page)?.[mode] ?? null
  const carried = new Map<ModelPage, Set<Mode>>()
  const changes = (mode: Mode) => wanted[mode] !== old(root, mode)
  const isCarried = (page: ModelPage, mode: Mode): boolean => {
    if (old(page, mode) === null) return false
    if (isRestored || page === root) return isRestored || changes(mode)
    return ancestorsWithin(page, root).some((above) => {
      return (
        (above === root ? changes(mode) : carried.get(above)?.has(mode)) &&
        old(page, mode)?.startsWith(`${old(above, mode)}/`)
      )
    })
  }
  for (const page of root.subtree()) {
    carried.set(page, new Set(MODES.filter((mode) => isCarried(page, mode))))
  }
  if (isRootDone) root.slugs = wanted
  const waiting = new Set<string>()
  for (const [page, modes] of carried) for (const mode of modes) waiting.add(`${mode} ${page.id}`)
  if (isRootDone) for (const mode of MODES) waiting.delete(`${mode} ${root.id}`)
  for (const page of root.subtree()) {
    if (page === root && isRootDone) continue
    const planned = MODES.filter((mode) => carried.get(page)?.has(mode)).map((mode) => {
      return { mode, slug: page === root ? (wanted[mode] ?? '') : carriedSlug(page, mode) }
    })
    for (const [slug, group] of Map.groupBy(planned, (one) => one.slug)) {
      const modes = group.map(({ mode }) => mode)
      const own = free(page, slug, modes, waiting)
      for (const mode of modes) {
        page.slugs = { ...page.slugs, [mode]: own }
        waiting.delete(`${mode} ${page.id}`)
      }
    }
  }

  function carriedSlug(page: ModelPage, mode: Mode): string {
    const slug = old(page, mode) ?? ''
    for (const above of ancestorsWithin(page, root)) {
      const moved = above === root ? changes(mode) || isRestored : carried.get(above)?.has(mode)
      if (moved && slug.startsWith(`${old(above, mode)}/`))
        return above.slugs[mode] + slug.slice(old(above, mode)?.length)
    }
    return slug
  }
}

/** The pages above, the nearest first, up to the root of the subtree. */
function ancestorsWithin(page: ModelPage, root: ModelPage): ModelPage[] {
  const above: ModelPage[] = []
  for (let one = page === root ? null : page.parent; one; one = one === root ? null : one.parent) above.push(one)
  return above
}

/** The slug of a page below another one. */
export function join(parent: string, part: string): string {
  return parent === '/' ? `/${part}` : `${parent}/${part}`
}

/** The last part of a slug. */
export function last(slug: string): string {
  return slug.slice(slug.lastIndexOf('/') + 1)
}
