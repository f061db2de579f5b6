import type { Block, Part, Run } from './blocks.ts'
import type { Successors } from './marking/marks.ts'

/**
 * The blocks of the newer text that are those of the older text, by the runs in them; cells of a row that is still
 * there, and what a block has only one of, by their place. Blocks that such a block is in are the same ones, too.
 */
export function matchBlocks(older: Block, newer: Block, runs: ReadonlyMap<Run, Successors>): ReadonlyMap<Block, Block> {
  const pairs = new Pairs()
  pairs.add(older, newer)
  for (const [run, { main }] of runs) addAbove(pairs, run.parent, main.parent)
  addByPlace(pairs, older, newer)
  return pairs.successors
}

/** Blocks that are the same ones; none is the same as two others. */
class Pairs {
  readonly successors = new Map<Block, Block>()
  readonly #taken = new Set<Block>()

  /** False when they are not the same ones. */
  add(older: Block, newer: Block): boolean {
    const known = this.successors.get(older)
    if (known || this.#taken.has(newer)) return known === newer
    if (kindOf(older) !== kindOf(newer)) return false
    this.successors.set(older, newer)
    this.#taken.add(newer)
    return true
  }
}

/** A list stays the same one when its items get numbers, a cell when it becomes a heading. */
function kindOf({ element: { name } }: Block): string {
  return { ol: 'ul', th: 'td' }[name] ?? name
}

function addAbove(pairs: Pairs, older: Block, newer: Block): void {
  const olderLine = lineOf(older)
  for (const [depth, block] of lineOf(newer).entries()) {
    const other = olderLine[depth]
    if (!other || !pairs.add(other, block)) return
  }
}

/** A block and those that it lies in, outermost first. */
function lineOf(block: Block): Block[] {
  const line: Block[] = []
  for (let above: Block | null = block; above !== null; above = above.parent) line.push(above)
  return line.reverse()
}

/** What its block has only one of. */
const SINGLE = new Set(['caption', 'thead', 'tbody', 'tfoot', 'figcaption'])

function addByPlace(pairs: Pairs, older: Block, newer: Block): void {
  const [olderBlocks, newerBlocks] = [blocksIn(older), blocksIn(newer)]
  for (const name of SINGLE) {
    const [one, another] = [olderBlocks.filter(hasName(name)), newerBlocks.filter(hasName(name))]
    if (one[0] && another[0] && one.length === 1 && another.length === 1) pairs.add(one[0], another[0])
  }
  if (older.element.name === 'tr') addCells(pairs, olderBlocks, newerBlocks)
  for (const block of olderBlocks) {
    const successor = pairs.successors.get(block)
    if (successor?.parent === newer) addByPlace(pairs, block, successor)
  }
}

/** Pairs the cells between those that are the same ones, where as many are on either side. */
function addCells(pairs: Pairs, older: readonly Block[], newer: readonly Block[]): void {
  const positions = new Map(newer.map((cell, index) => [cell, index]))
  let [olderStart, newerStart] = [0, 0]
  for (let index = 0; index <= older.length; index += 1) {
    const cell = older[index]
    const successor = cell && pairs.successors.get(cell)
    const end = cell ? successor && positions.get(successor) : newer.length
    if (end === undefined) continue
    addInOrder(pairs, older.slice(olderStart, index), newer.slice(newerStart, end))
    olderStart = index + 1
    newerStart = end + 1
  }
}

function addInOrder(pairs: Pairs, older: readonly Block[], newer: readonly Block[]): void {
  if (older.length !== newer.length) return
  for (const [index, block] of older.entries()) {
    const other = newer[index]
    if (other) pairs.add(block, other)
  }
}

const hasName = (name: string) => (block: Block) => block.element.name === name
const isBlock = (part: Part): part is Block => part.kind === 'block'

function blocksIn({ parts }: Block): Block[] {
  return parts.filter(isBlock)
}
