import type { Run } from './blocks.ts'
import { commonDepth, type InlineWriter } from './marking/inline-writer.ts'
import type { Token } from './marking/marks.ts'
import { type RichElement, repeatedOpening } from './rich-element.ts'

/** Puts words of an older text back between those of a newer one, in inline elements like their own. */
export class RemovedWords {
  readonly #copies = new Map<RichElement, RichElement>()
  /** Characters that tags of older elements may still take: each may be needed again for each word. */
  #left: number

  constructor(characters: number) {
    this.#left = characters
  }

  /** An element of the older text as it is put back. */
  copyOf(element: RichElement): RichElement {
    const known = this.#copies.get(element)
    if (known) return known
    const copy = { ...element, opening: repeatedOpening(element) }
    this.#copies.set(element, copy)
    return copy
  }

  /** Writes them between two words of a run, whose elements are opened only once: what both are in stays open. */
  writeBetween(
    writer: InlineWriter,
    words: readonly Token[],
    at: { readonly run: Run; readonly before: readonly RichElement[]; readonly after: readonly RichElement[] },
  ): void {
    const shared = commonDepth(at.before, at.after, Object.is)
    const outer = namesAbove(at.run)
    let side = at.before
    for (const { html, path } of words) {
      if (side !== at.after && commonDepth(path, at.after, hasName) > commonDepth(path, side, hasName)) side = at.after
      const depth = commonDepth(path, side, hasName)
      const base = side.slice(0, Math.max(depth, shared))
      writer.write(html, [...base, ...this.#ownElements(path.slice(depth), base, outer)], 'removed')
    }
  }

  /** The elements of a word that it is not in yet, each kind once. */
  #ownElements(path: readonly RichElement[], base: readonly RichElement[], outer: ReadonlySet<string>): RichElement[] {
    const names = new Set([...outer, ...base.map(({ name }) => name)])
    const own: RichElement[] = []
    for (const element of path.toReversed()) {
      if (names.has(element.name)) continue
      names.add(element.name)
      const copy = this.copyOf(element)
      this.#left -= copy.opening.length
      if (this.#left >= 0) own.push(copy)
    }
    return own.reverse()
  }
}

const hasName = (one: RichElement, another: RichElement) => one.name === another.name

function namesAbove(run: Run): ReadonlySet<string> {
  const names = new Set<string>()
  for (let block: Run['parent'] | null = run.parent; block !== null; block = block.parent) names.add(block.element.name)
  return names
}
