import type { Block, Part, Run } from './blocks.ts'
import { matchBlocks } from './match-blocks.ts'
import type { Successors } from './match-words.ts'

/** A removed part of the older text. */
export interface PutBack {
  readonly part: Block | Run
  /** The blocks that it is in and that are not there either, outermost first. */
  readonly within: readonly Block[]
}

/**
 * The parts that were removed from the older text, by the block of the newer one and the index of the part that it precedes.
 */
export type PlacesOfRemoved = ReadonlyMap<Block, ReadonlyMap<number, readonly PutBack[]>>

const MOST_ROUNDS = 5

/**
 * Finds the places of removed runs in the newer text: in the blocks that they were in, between the words that they were
 * between. Where there is no such place, those words count as removed, too, and are marked as added.
 */
export function placeRemoved(older: Block, newer: Block, runs: Map<Run, Successors>): PlacesOfRemoved {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const removed = new RemovedPlaces(older, newer, runs)
    if (removed.misplaced.size === 0) return removed.places
    for (const run of removed.misplaced) runs.delete(run)
  }
  runs.clear()
  return new RemovedPlaces(older, newer, runs).places
}

class RemovedPlaces {
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
    const places = new Map<number, PutBack[]>()
    this.places.set(newer, places)
    let index = 0
    for (const removed of this.#removedFrom(older, [])) {
      const previous = this.#previous[removed.part.start] ?? null
      const next = this.#next[removed.part.end] ?? null
      const least = previous ? (this.#runs.get(previous)?.last.end ?? 0) : 0
      const most = next ? (this.#runs.get(next)?.first.start ?? 0) : Number.POSITIVE_INFINITY
      index = Math.max(index, firstIndexFor(removed, newer))
      while (index < newer.parts.length && startAt(newer, index) < least) index += 1
      const start = startAt(newer, index)
      if (previous && start < least) this.misplaced.add(previous)
      if (next && start > most) this.misplaced.add(next)
      const others = places.get(index)
      if (others) others.push(removed)
      else places.set(index, [removed])
    }
  }

  /** The removed parts of a block, in order; those of blocks that are still there are placed in them. */
  *#removedFrom(block: Block, within: readonly Block[]): Generator<PutBack> {
    for (const part of block.parts) {
      const successor = part.kind === 'block' ? this.#successors.get(part) : undefined
      if (part.kind === 'block' && successor) this.#place(part, successor)
      else if (part.kind !== 'bare' && part.end > part.start) {
        const isRemoved = (this.#next[part.start]?.start ?? Number.POSITIVE_INFINITY) >= part.end
        if (isRemoved) yield { part, within }
        else if (part.kind === 'block') yield* this.#removedFrom(part, [...within, part])
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

/** Counts the runs of the newer text before a part of a block, or before its end. */
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
