import type { Run } from './blocks.ts'
import { closingOf, type RichElement, repeatedOpening } from './rich-element.ts'
import type { Token } from './run-words.ts'

/** Whether words were added or removed; null for unchanged ones. */
export type Mark = 'added' | 'removed' | null

const OPENING = {
  added: '<ins data-version-change="added">',
  removed: '<del data-version-change="removed">',
}
const CLOSING = { added: '</ins>', removed: '</del>' }

/** A text or an object with its mark around it. */
export function withMark(html: string, mark: Exclude<Mark, null>): string {
  return OPENING[mark] + html + CLOSING[mark]
}

/** Writes words in their inline elements, and marks them inside the innermost ones. */
export class InlineWriter {
  #html = ''
  #open: readonly RichElement[] = []
  #mark: Mark = null

  write(html: string, path: readonly RichElement[], mark: Mark): void {
    if (mark !== this.#mark || !isSame(path, this.#open)) {
      this.#setMark(null)
      this.#setPath(path)
      this.#setMark(mark)
    }
    this.#html += html
  }

  /** Closes everything, and returns what was written. */
  end(): string {
    this.#setMark(null)
    this.#setPath([])
    return this.#html
  }

  #setMark(mark: Mark): void {
    if (this.#mark !== null) this.#html += CLOSING[this.#mark]
    if (mark !== null) this.#html += OPENING[mark]
    this.#mark = mark
  }

  #setPath(path: readonly RichElement[]): void {
    const common = commonDepth(path, this.#open, Object.is)
    for (const element of this.#open.slice(common).reverse()) this.#html += closingOf(element)
    for (const element of path.slice(common)) this.#html += element.opening
    this.#open = path
  }
}

/** Counts the elements that two paths have in common, from the outermost one on. */
export function commonDepth(
  path: readonly RichElement[],
  other: readonly RichElement[],
  isAlike: (one: RichElement, another: RichElement) => boolean,
): number {
  let depth = 0
  for (;;) {
    const [one, another] = [path[depth], other[depth]]
    if (!one || !another || !isAlike(one, another)) return depth
    depth += 1
  }
}

function isSame(path: readonly RichElement[], other: readonly RichElement[]): boolean {
  return path === other || (path.length === other.length && commonDepth(path, other, Object.is) === path.length)
}

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
