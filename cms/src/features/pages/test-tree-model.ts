import { type Carrying, carry, join, last, MODES, type Mode, ModelPage, type Slugs } from './test-model-page.ts'

interface Step {
  readonly kind: string
  readonly page: number
  readonly target: number
  readonly position: 'before' | 'after' | 'firstChild' | 'lastChild' | number
  readonly mode: Mode
  readonly title: string
}

/** The expected tree of one locale (§4.2), as plain as it can be written: lists of objects. */
export class TreeModel {
  readonly #home: ModelPage
  readonly #archive: ModelPage

  constructor(homeId: string, archiveId: string) {
    this.#home = new ModelPage(homeId, { draft: '/', published: '/' })
    this.#archive = new ModelPage(archiveId, { draft: '/archive', published: '/archive' })
    this.#put(this.#archive, this.#home, 0)
  }

  ids(): string[] {
    return this.#home.subtree().map(({ id }) => id)
  }

  /** One line a page, depth first: path, level, rank, both slugs. */
  shown(): string[] {
    const lines = (page: ModelPage, above: readonly string[], rank: number): string[] => {
      const path = [...above, page.id]
      const copy = (mode: Mode) => {
        const slug = page.slugs[mode]
        return slug === null ? '-' : `${slug}${this.#isArchived(page) ? ' archived' : ''}`
      }
      const own = `${path.join('/')} ${above.length} ${rank} ${copy('draft')} | ${copy('published')}`
      return [own, ...page.children.flatMap((child, index) => lines(child, path, index))]
    }
    return lines(this.#home, [], 0)
  }

  /** Does a step; the status that it should be answered with. `newId` is the page that was made. */
  apply(step: Step, ids: readonly string[], newId: string | null, other: TreeModel): number {
    const page = this.#find(ids[step.page % ids.length])
    const target = this.#find(ids[step.target % ids.length])
    if (!page || !target) return 404
    switch (step.kind) {
      case 'insert':
        return this.#insert(step, target, newId)
      case 'move':
      case 'restore':
        return this.#move(step, page, target)
      case 'archive':
        return this.#move(step, page, this.#archive)
      case 'rename':
        return this.#rename(step, page)
      case 'publish':
        return this.#publish(page)
      case 'unpublish':
        return this.#unpublish(page)
      case 'revert':
        return this.#revert(page)
      case 'remove':
        return this.#remove(step, page)
      default:
        return this.#localize(page, other, step.target % 2 === 0)
    }
  }

  #find(id: string | undefined): ModelPage | undefined {
    return this.#home.subtree().find((page) => page.id === id)
  }

  #isArchived(page: ModelPage): boolean {
    return page.isWithin(this.#archive)
  }

  #put(page: ModelPage, parent: ModelPage, index: number): void {
    parent.children.splice(index, 0, page)
    page.parent = parent
  }

  #take(page: ModelPage): void {
    const siblings = page.parent?.children ?? []
    siblings.splice(siblings.indexOf(page), 1)
  }

  /** Parent and index, counted without the page that moves; null where no page may be. */
  #positionAt(target: ModelPage, position: Step['position'], moving: ModelPage | null): [ModelPage, number] | null {
    if (moving && target.isWithin(moving)) return null
    if (position === 'before' || position === 'after') {
      if (target.parent === null || target === this.#archive) return null
      const index = target.parent.children.filter((child) => child !== moving).indexOf(target)
      return [target.parent, position === 'before' ? index : index + 1]
    }
    const others = target.children.filter((child) => child !== moving && child !== this.#archive)
    if (position === 'firstChild') return [target, 0]
    return [target, position === 'lastChild' ? others.length : Math.min(position, others.length)]
  }

  #insert({ position, mode, title }: Step, target: ModelPage, newId: string | null): number {
    const positionAt = this.#positionAt(target, position, null)
    if (!positionAt) return 400
    const [parent, index] = positionAt
    if (mode === 'published' && parent.slugs.published === null) return 400
    const isArchived = this.#isArchived(parent)
    const above = isArchived ? '/' : (parent.slugs[mode] ?? parent.slugs.draft ?? '/')
    const modes = mode === 'published' ? MODES : ([mode] as const)
    const desired = join(above, title)
    const slug = isArchived ? desired : this.#free(desired, modes, new Set())
    const page = new ModelPage(newId ?? 'nobody', { draft: slug, published: mode === 'published' ? slug : null })
    this.#put(page, parent, index)
    return 200
  }

  #move({ position, mode }: Step, page: ModelPage, target: ModelPage): number {
    if (page.slugs[mode] === null) return 404
    if (page === this.#home || page === this.#archive) return 400
    const positionAt = this.#positionAt(target, position, page)
    if (!positionAt) return 400
    const [parent, index] = positionAt
    if (page.slugs.published !== null && parent.slugs.published === null) return 400
    const oldParent = page.parent
    const wasArchived = this.#isArchived(page)
    this.#take(page)
    this.#put(page, parent, index)
    if (this.#isArchived(page) || (parent === oldParent && !wasArchived)) return 200
    const desired = { ...page.slugs }
    for (const one of MODES) {
      const slug = page.slugs[one]
      const oldSlug = oldParent?.slugs[one] ?? oldParent?.slugs.draft ?? ''
      const isFollowing = wasArchived || (slug !== null && slug === join(oldSlug, last(slug)))
      if (slug !== null && isFollowing) desired[one] = join(parent.slugs[one] ?? parent.slugs.draft ?? '', last(slug))
    }
    this.#carry(page, desired, { isRestored: wasArchived, isRootDone: false })
    return 200
  }

  #rename({ mode, title, target }: Step, page: ModelPage): number {
    if (page.slugs[mode] === null) return 404
    const slug = `/${title}${target % 3 === 0 ? '/x' : ''}`
    const modes = mode === 'published' ? MODES : ([mode] as const)
    if (!this.#isArchived(page) && this.#free(slug, modes, new Set([page])) !== slug) return 409
    if (page === this.#home || page === this.#archive) return 400
    const desired = { ...page.slugs }
    for (const one of modes) desired[one] = slug
    this.#carry(page, desired, { isRestored: false, isRootDone: true })
    return 200
  }

  #publish(page: ModelPage): number {
    if (page.slugs.published === null && page.parent?.slugs.published === null) return 400
    const slug = page.slugs.draft
    if (slug !== null && !this.#isArchived(page) && this.#free(slug, ['published'], new Set([page])) !== slug)
      return 409
    if (page.slugs.published === null) page.slugs = { ...page.slugs, published: slug }
    else this.#carry(page, { ...page.slugs, published: slug }, { isRestored: false, isRootDone: true })
    return 200
  }

  #unpublish(page: ModelPage): number {
    if (page === this.#home || page === this.#archive) return 400
    if (page.slugs.published === null || page.children.some((child) => child.slugs.published !== null)) return 400
    page.slugs = { ...page.slugs, published: null }
    return 200
  }

  #revert(page: ModelPage): number {
    const slug = page.slugs.published
    if (slug === null) return 400
    if (!this.#isArchived(page) && this.#free(slug, ['draft'], new Set([page])) !== slug) return 409
    this.#carry(page, { ...page.slugs, draft: slug }, { isRestored: false, isRootDone: true })
    return 200
  }

  #remove({ mode }: Step, page: ModelPage): number {
    if (page.slugs[mode] === null) return 404
    if (page === this.#home || page === this.#archive || page.children.length > 0) return 400
    if (mode === 'draft' && page.slugs.published !== null) return 400
    this.#take(page)
    return 200
  }

  #localize(page: ModelPage, other: TreeModel, update: boolean): number {
    const there = other.#find(page.id)
    const parent = there ? there.parent : other.#find(page.parent?.id)
    if (!there && !parent) return 400
    if (there && !update) return 409
    const slug = page.slugs.draft ?? ''
    const isFollowing = page.parent !== null && slug === join(page.parent.slugs.draft ?? '', last(slug))
    const desired = isFollowing && parent ? join(parent.slugs.draft ?? '', last(slug)) : slug
    if (there) {
      if (there === other.#home || there === other.#archive) return 200
      const isFree = other.#isArchived(there)
      const free = isFree ? desired : other.#free(desired, ['draft'], new Set([there]))
      other.#carry(there, { ...there.slugs, draft: free }, { isRestored: false, isRootDone: true })
      return 200
    }
    if (!parent) return 400
    const isFree = other.#isArchived(parent)
    const made = new ModelPage(page.id, { draft: null, published: null })
    other.#put(made, parent, parent.children.length - (parent === other.#home ? 1 : 0))
    made.slugs = { draft: isFree ? desired : other.#free(desired, ['draft'], new Set()), published: null }
    return 200
  }

  #carry(root: ModelPage, desired: Slugs, how: Carrying): void {
    carry(root, desired, how, (page, slug, modes, waiting) => {
      return this.#isArchived(page) ? slug : this.#free(slug, modes, new Set(), waiting)
    })
  }

  /** The slug, or the first with a number, that nobody has in these modes. Who waits for a new one has none. */
  #free(
    slug: string,
    modes: readonly Mode[],
    except: ReadonlySet<ModelPage>,
    waiting: ReadonlySet<string> = new Set(),
  ) {
    const taken = new Set<string>()
    for (const page of this.#home.subtree()) {
      if (except.has(page) || this.#isArchived(page)) continue
      for (const mode of modes) if (!waiting.has(`${mode} ${page.id}`)) taken.add(page.slugs[mode] ?? '')
    }
    for (let number = 2, candidate = slug; ; number += 1) {
      if (!taken.has(candidate)) return candidate
      candidate = `${slug}-${number}`
    }
  }
}
