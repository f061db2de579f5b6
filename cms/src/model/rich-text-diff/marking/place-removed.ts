import type { Block, Part, Run } from '../blocks.ts'
import { matchBlocks } from '../match-blocks.ts'
import type { PlacesOfRemoved, PutBack, Successors } from './marks.ts'

const MOST_ROUNDS = 5

/**
 * Where the runs of the older text that are gone are put back: in the blocks that they were in, between the words that
 * they were between. Where there is no such place, those words count as gone, too, and are marked as added.
 */
export function placeRemoved(older: Block, newer: Block, runs: Map<Run, Successors>): PlacesOfRemoved {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const placing = new Placing(older, newer, runs)
    if (placing.misplaced.size === 0) return placing.places
    for (const run of placing.misplaced) runs.delete(run)
  }
  runs.clear()
  return new Placing(older, newer, runs).places
}

class Placing {
  readonly places = new Map<Block, Map<number, PutBack[]>>()
  /** Runs that are still there, but in another place than what is put back requires. */
  readonly misplaced = new Set<Run>()
  readonly #runs: ReadonlyMap<Run, Successors>
  readonly #successors: ReadonlyMap<Block, Block>
  /** For each run of the older text, the next one that is still there, from itself on, and the last one before it. */
  readonly #next: (Run | null)[] = []
  readonly #previous: (Run | null)[] = [null]

  constructor(older: Block, newer: Block, runs: ReadonlyMap<Run, Successors>) {
    this.#runs = runs
    this.#successors = matchBlocks(older, newer, runs)
    const all = runsIn(older)
    for (const run of all) this.#previous.push(runs.has(run) ? run : (this.#previous.at(-1) ?? null))
    let next: Run | null = null
    for (const run of all.toReversed()) {
      if (runs.has(run)) next = run
      this.#next[run.start] = next
    }
    this.#place(older, newer)
  }

  #place(older: Block, newer: Block): void {
    const found = new Map<number, PutBack[]>()
    this.places.set(newer, found)
    let index = 0
    for (const gone of this.#goneOf(older, [])) {
      const previous = this.#previous[gone.part.start] ?? null
      const next = this.#next[gone.part.end] ?? null
      const least = previous ? (this.#runs.get(previous)?.last.end ?? 0) : 0
      const most = next ? (this.#runs.get(next)?.first.start ?? 0) : Number.POSITIVE_INFINITY
      index = Math.max(index, firstIndexFor(gone, newer))
      while (index < newer.parts.length && startAt(newer, index) < least) index += 1
      const start = startAt(newer, index)
      if (previous && start < least) this.misplaced.add(previous)
      if (next && start > most) this.misplaced.add(next)
      const others = found.get(index)
      if (others) others.push(gone)
      else found.set(index, [gone])
    }
  }

  /** What is gone of a block, in order; looks into blocks that are still there. */
  *#goneOf(block: Block, within: readonly Block[]): Generator<PutBack> {
    for (const part of block.parts) {
      const successor = part.kind === 'block' ? this.#successors.get(part) : undefined
      if (part.kind === 'block' && successor) this.#place(part, successor)
      else if (part.kind !== 'bare' && part.end > part.start) {
        const isGone = (this.#next[part.start]?.start ?? Number.POSITIVE_INFINITY) >= part.end
        if (isGone) yield { part, within }
        else if (part.kind === 'block') yield* this.#goneOf(part, [...within, part])
      }
    }
  }
}

function* partsIn(block: Block): Generator<Part> {
  for (const part of block.parts) {
    yield part
    if (part.kind === 'block') yield* partsIn(part)
  }
}

function runsIn(block: Block): Run[] {
  return [...partsIn(block)].filter((part) => part.kind === 'run')
}

/** How many runs of the newer text come before a part of a block, or before its end. */
function startAt(block: Block, index: number): number {
  return block.parts[index]?.start ?? block.end
}

const HEADS = new Set(['caption', 'colgroup', 'col', ''])

/** Rows stand behind the caption and the columns of their table. */
function firstIndexFor({ part, within: [outermost] }: PutBack, { element, parts }: Block): number {
  if (element.name !== 'table' || nameOf(outermost ?? part) === 'caption') return 0
  const first = parts.findIndex((one) => !HEADS.has(nameOf(one)))
  return first < 0 ? parts.length : first
}

function nameOf(part: Part): string {
  if (part.kind === 'run') return '#text'
  return part.kind === 'bare' ? part.name : part.element.name
}
