import type { Block, Part, Piece, Run } from './blocks.ts'
import { InlineWriter, type Mark } from './inline-writer.ts'
import type { BlockMatches } from './match-blocks.ts'
import type { RunMatches } from './match-runs.ts'
import type { MarkedRun } from './match-words.ts'
import { closingOf, escapeText, type RichElement } from './parse-rich-text.ts'
import { RemovedWords } from './removed-words.ts'

/** Writes the blocks of a newer text, its words marked, with what was removed put back. */
export class MarkedBlocks {
  readonly #runs: RunMatches
  readonly #blocks: BlockMatches
  readonly #removed: RemovedWords

  constructor(runs: RunMatches, blocks: BlockMatches, characters: number) {
    this.#runs = runs
    this.#blocks = blocks
    this.#removed = new RemovedWords(characters)
  }

  write(block: Block): string {
    const older = this.#blocks.predecessors.get(block)
    const putBack = older ? this.#putBack(older, block) : new Map<number, string>()
    let html = block.element.opening
    for (const [index, part] of block.parts.entries()) {
      html += putBack.get(index) ?? ''
      if (part.kind === 'block') html += this.write(part)
      else html += part.kind === 'run' ? this.#writeRun(part) : part.html
    }
    return html + (putBack.get(block.parts.length) ?? '') + closingOf(block.element)
  }

  /** What is gone of an older block, by the index of the part of the newer one that it is put back before. */
  #putBack(older: Block, newer: Block): Map<number, string> {
    const found = new Map<number, string>()
    let index = 0
    for (const part of older.parts) {
      const kept = this.#lastKept(part)
      if (kept) index = Math.max(index, indexIn(newer, kept) + 1)
      if (part.kind === 'block' && this.#blocks.successors.has(part)) continue
      const html = part.kind === 'bare' ? '' : this.#writeRemoved(part)
      if (html === '') continue
      const at = Math.max(index, firstIndexFor(part, newer))
      found.set(at, (found.get(at) ?? '') + html)
    }
    return found
  }

  /** The last run of the newer text that words of this part of the older one are in. */
  #lastKept(part: Part): Run | Block | undefined {
    if (part.kind === 'bare') return undefined
    if (part.kind === 'run') return this.#runs.successors.get(part)
    return this.#blocks.successors.get(part) ?? this.#blocks.lastKept.get(part)
  }

  /** What is gone of a part of the older text; empty when it has no words. */
  #writeRemoved(part: Block | Run): string {
    if (part.kind === 'run') return this.#runs.successors.has(part) ? '' : this.#writeRemovedRun(part)
    const isGone = !this.#blocks.lastKept.has(part)
    let [html, hasWords] = ['', false]
    for (const inner of part.parts) {
      if (inner.kind === 'bare') html += isGone && inner.name !== 'hr' ? inner.html : ''
      else {
        const removed = this.#writeRemoved(inner)
        if (removed !== '') hasWords = true
        html += removed
      }
    }
    return hasWords ? this.#removed.copyOf(part.element).opening + html + closingOf(part.element) : ''
  }

  #writeRemovedRun({ pieces }: Run): string {
    if (!pieces.some(isSeen)) return ''
    const writer = new InlineWriter()
    for (const piece of pieces) {
      const path = piece.path.map((element) => this.#removed.copyOf(element))
      if (piece.element === null || !piece.path.includes(piece.element)) writer.write(htmlOf(piece), path, 'removed')
    }
    return writer.end()
  }

  #writeRun(run: Run): string {
    const marked = this.#runs.marked.get(run)
    if (marked) return this.#writeMarked(marked)
    const writer = new InlineWriter()
    for (const piece of run.pieces) {
      const isNew = marked === undefined && isSeen(piece)
      writer.write(htmlOf(piece), piece.path, isNew ? 'added' : null)
    }
    return writer.end()
  }

  #writeMarked({ run, tokens, isAdded, removed }: MarkedRun): string {
    const writer = new InlineWriter()
    const none: readonly RichElement[] = []
    for (let index = 0; index <= tokens.length; index += 1) {
      const token = tokens[index]
      const words = removed.get(index)
      if (words) {
        const before = tokens[index - 1]?.path ?? none
        this.#removed.writeBetween(writer, words, { run, before, after: token?.path ?? none })
      }
      const mark: Mark = isAdded[index] ? 'added' : null
      if (token) writer.write(token.html, token.path, mark)
    }
    return writer.end()
  }
}

function htmlOf({ element, path, text }: Piece): string {
  if (element === null) return escapeText(text)
  return path.includes(element) ? '' : element.opening
}

/** True for what a reader sees. */
function isSeen({ element, path, text }: Piece): boolean {
  return element === null ? /\S/.test(text) : !path.includes(element)
}

/** Where the part of a block stands that a run or a block is in; -1 when it is not in there. */
function indexIn(block: Block, part: Run | Block): number {
  let inner: Run | Block = part
  while (inner.parent !== null && inner.parent !== block) inner = inner.parent
  return inner.parent === block ? inner.index : -1
}

const HEADS = new Set(['caption', 'colgroup', 'col', ''])

/** Rows stand behind the caption and the columns of their table. */
function firstIndexFor(part: Part, { element, parts }: Block): number {
  if (element.name !== 'table' || (part.kind === 'block' && part.element.name === 'caption')) return 0
  const first = parts.findIndex((one) => !HEADS.has(nameOf(one)))
  return first < 0 ? parts.length : first
}

function nameOf(part: Part): string {
  if (part.kind === 'run') return '#text'
  return part.kind === 'bare' ? part.name : part.element.name
}
