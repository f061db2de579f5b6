import type { Block, Piece, Run } from '../blocks.ts'
import { RemovedWords } from '../removed-words.ts'
import { closingOf, escapeText, type RichElement } from '../rich-element.ts'
import { InlineWriter } from './inline-writer.ts'
import type { MarkedRun, PlacesOfRemoved, PutBack } from './marks.ts'

/** Writes the blocks of a newer text, its words marked, with what was removed put back. */
export class MarkedBlocks {
  /** Runs that have words of older ones; null for those that are equal to one. All others are new. */
  readonly #runs: ReadonlyMap<Run, MarkedRun | null>
  readonly #places: PlacesOfRemoved
  readonly #removed: RemovedWords

  constructor(runs: ReadonlyMap<Run, MarkedRun | null>, places: PlacesOfRemoved, characters: number) {
    this.#runs = runs
    this.#places = places
    this.#removed = new RemovedWords(characters)
  }

  write(block: Block): string {
    const places = this.#places.get(block)
    const putBack = (index: number) => this.#writePutBack(places?.get(index) ?? [])
    const parts = block.parts.map((part, index) => {
      if (part.kind === 'block') return putBack(index) + this.write(part)
      return putBack(index) + (part.kind === 'run' ? this.#writeRun(part) : part.html)
    })
    return block.element.opening + parts.join('') + putBack(block.parts.length) + closingOf(block.element)
  }

  /** Neighbours that were in the same blocks are in one again. */
  #writePutBack(removed: readonly PutBack[]): string {
    const writer = new InlineWriter()
    for (const { part, within } of removed) {
      const path = within.map(({ element }) => this.#removed.copyOf(element))
      writer.write(this.#writeRemoved(part), path, null)
    }
    return writer.end()
  }

  #writeRemoved(part: Block | Run): string {
    if (part.kind === 'run') return this.#writeRemovedRun(part)
    const parts = part.parts.map((inner) => {
      if (inner.kind === 'bare') return inner.name === 'hr' ? '' : inner.html
      return inner.end > inner.start ? this.#writeRemoved(inner) : ''
    })
    return this.#removed.copyOf(part.element).opening + parts.join('') + closingOf(part.element)
  }

  #writeRemovedRun({ pieces }: Run): string {
    const writer = new InlineWriter()
    for (const piece of pieces) {
      const path = piece.path.map((element) => this.#removed.copyOf(element))
      if (!isEmpty(piece)) writer.write(htmlOf(piece), path, 'removed')
    }
    return writer.end()
  }

  #writeRun(run: Run): string {
    const marked = this.#runs.get(run)
    if (marked) return this.#writeMarked(marked)
    const writer = new InlineWriter()
    for (const piece of run.pieces) {
      const isNew = marked === undefined && !isEmpty(piece)
      writer.write(isEmpty(piece) ? '' : htmlOf(piece), piece.path, isNew ? 'added' : null)
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
      if (token) writer.write(token.html, token.path, isAdded[index] ? 'added' : null)
    }
    return writer.end()
  }
}

function htmlOf({ element, text }: Piece): string {
  return element === null ? escapeText(text) : element.opening
}

/** True for an inline element that holds nothing: it is among those that the piece is in. */
function isEmpty({ element, path }: Piece): boolean {
  return element !== null && path.includes(element)
}
