import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { type Branches, type Line, linesOf, pageIn, type Target, withChunk, withMoved } from './branches.ts'
import { CHUNK, type PageRequests } from './page-requests.ts'
import { isArchived, type PageRow, TOP } from './page-row.ts'
import { recall, remember } from './remembered.ts'

/** Where a page stands after a move. */
export interface Standing {
  readonly parent: PageRow
  /** From 0. */
  readonly index: number
  readonly all: number
}

/** The tree of pages as one person looks at it: what is loaded, what is open, where the keyboard is. */
export interface Tree {
  readonly lines: ReadonlySignal<readonly Line[]>
  /** The failure of loading. */
  readonly failure: ReadonlySignal<unknown>
  /** The id of the page that the keyboard is at. */
  readonly active: Signal<string | null>
  /** The id of the page to go to, as soon as it is there. */
  readonly goal: Signal<string | null>
  /** Loads the home page and the archive. */
  start(): Promise<void>
  setOpen(docId: string, isOpen: boolean): void
  /** Loads what of these lines is not there, or old. */
  need(lines: readonly Line[]): void
  /** Everything is asked for again, as far as it is on the screen. */
  renew(): void
  /** Opens what is above a page, and goes there. */
  reveal(docId: string): Promise<void>
  /** Puts the keyboard at this page for the next visit. */
  leaveFor(docId: string): void
  page(docId: string): PageRow | null
  /** Shows a page at its new place before it is there, and puts it back where that is refused. Null: the place is not loaded. */
  move(page: PageRow, target: Target, save: () => Promise<unknown>): Promise<Standing | null>
}

/** A tree that remembers under a name what is open. */
export function createTree(requests: PageRequests, memory: string, end: AbortSignal): Tree {
  const remembered = recall(memory)
  const branches = signal<Branches>(new Map())
  const open = signal<ReadonlySet<string>>(new Set(remembered?.open))
  const active = signal<string | null>(null)
  const goal = signal<string | null>(null)
  const failure = signal<unknown>(null)
  const lines = computed(() => linesOf(branches.value, open.value))
  let fresh = new Set<string>()
  let epoch = 0
  let moves = 0
  let turn: Promise<unknown> = Promise.resolve()

  let next: string | null = null
  const keep = () => remember(memory, { open: [...open.peek()], active: next ?? active.peek() })
  const opened = (docIds: readonly string[]) => {
    open.value = new Set([...open.peek(), ...docIds])
    keep()
  }

  async function guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!end.aborted) failure.value = error
    }
  }

  async function load(parent: string, index: number): Promise<void> {
    const chunk = Math.floor(index / CHUNK)
    const name = `${parent} ${chunk}`
    if (parent === TOP || fresh.has(name)) return
    fresh.add(name)
    const asked = epoch
    const page = pageIn(branches.peek(), parent)
    const read = await requests.children(parent, {
      from: chunk * CHUNK,
      isArchived: page !== null && isArchived(page),
      signal: end,
    })
    if (asked === epoch) branches.value = withChunk(branches.peek(), parent, read)
  }

  async function reveal(docId: string): Promise<void> {
    const line = (await requests.one(docId, end)).path.split('/')
    for (const [index, child] of line.entries()) {
      const parent = line[index - 1]
      if (parent !== undefined && pageIn(branches.peek(), child) === null) await find(parent, child)
    }
    opened(line.slice(0, -1))
    goal.value = docId
  }

  /** Loads the chunk that has a page, which is mostly where its rank says. */
  async function find(parent: string, docId: string): Promise<void> {
    const { rank = 0 } = await requests.one(docId, end)
    await load(parent, rank)
    const all = branches.peek().get(parent)?.length ?? 0
    for (let from = 0; from < all && pageIn(branches.peek(), docId) === null; from += CHUNK) await load(parent, from)
  }

  function renew(): void {
    epoch += 1
    fresh = new Set()
    failure.value = null
    branches.value = new Map(branches.peek())
  }

  async function start(): Promise<void> {
    const [home, archive] = await Promise.all([requests.one('_home', end), archiveOf(requests, end)])
    const first = await requests.children(home.aposDocId, { from: 0, isArchived: false, signal: end })
    const top = [{ ...home, _childCount: first.total }, ...(archive === null ? [] : [archive])]
    fresh.add(`${home.aposDocId} 0`)
    branches.value = withChunk(new Map([[TOP, top]]), home.aposDocId, first)
    if (remembered === null) opened([home.aposDocId])
    const { active: last } = remembered ?? { active: null }
    active.value = home.aposDocId
    if (last !== null && last !== home.aposDocId) await reveal(last)
  }

  async function move(page: PageRow, target: Target, save: () => Promise<unknown>): Promise<Standing | null> {
    const before = branches.peek()
    const moved = withMoved(before, page, target)
    epoch += 1
    if (moved !== null) branches.value = moved.branches
    if (moved !== null && !isArchived(moved.parent)) {
      opened([moved.parent.aposDocId])
      goal.value = page.aposDocId
    }
    moves += 1
    const saved = turn.then(save)
    turn = saved.catch(() => undefined)
    try {
      await saved
      return moved
    } catch (error) {
      branches.value = before
      throw error
    } finally {
      moves -= 1
      if (moves === 0) renew()
    }
  }

  return {
    lines,
    failure,
    active,
    goal,
    start: () => guarded(start),
    setOpen(docId, isOpen) {
      const changed = new Set(open.peek())
      if (isOpen) changed.add(docId)
      else changed.delete(docId)
      open.value = changed
      keep()
    },
    need(shown) {
      keep()
      // A page that is being moved would be put back by an answer read meanwhile.
      if (moves > 0) return
      for (const { parent, index } of shown) void guarded(() => load(parent, index))
    },
    renew,
    leaveFor(docId) {
      next = docId
      keep()
    },
    reveal: (docId) => guarded(() => reveal(docId)),
    page: (docId) => pageIn(branches.peek(), docId),
    move,
  }
}

/** The archive, for those who see it. */
async function archiveOf(requests: PageRequests, signal: AbortSignal): Promise<PageRow | null> {
  try {
    const archive = await requests.one('_archive', signal)
    const { total } = await requests.children(archive.aposDocId, { from: 0, isArchived: true, signal })
    return { ...archive, _childCount: total }
  } catch (error) {
    if (signal.aborted) throw error
    return null
  }
}
