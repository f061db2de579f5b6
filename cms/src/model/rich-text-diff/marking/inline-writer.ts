import { closingOf, type RichElement } from '../rich-element.ts'

/** What becomes of words: they were added, or removed; null for those that stay. */
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

  /** Closes everything, and answers what was written. */
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

/** How many elements two paths have in common, from the outermost one on. */
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
