/** Elements a browser may have to draw for one SVG, counting each again wherever it is reused. */
const MAX_DRAWN = 5_000_000
const MAX_LEVELS = 256

/** An element with an id, and everything in it up to the next elements with ids. */
interface Part {
  elements: number
  readonly within: Part[]
  /** Ids of other elements that it draws. */
  readonly references: string[]
}

/**
 * Counts the elements an SVG makes a browser draw. `use`, patterns and masks that refer to one another can double the
 * work with every line, so that a short file stops a browser.
 */
export class SvgCost {
  readonly #root = newPart()
  readonly #byId = new Map<string, Part>()
  readonly #open: Part[] = []

  open(attributes: ReadonlyMap<string, string>): void {
    const parent = this.#open.at(-1) ?? this.#root
    const id = attributes.get('id')
    const part = id === undefined || this.#byId.has(id) ? parent : newPart()
    if (id !== undefined && part !== parent) {
      this.#byId.set(id, part)
      parent.within.push(part)
    }
    part.elements += 1
    for (const id of referencesIn(attributes)) part.references.push(id)
    this.#open.push(part)
  }

  close(): void {
    this.#open.pop()
  }

  /** True when it is more than a browser should draw. */
  exceedsLimit(): boolean {
    const known = new Map<Part, number>()
    const drawn = (part: Part, level: number): number => {
      const before = known.get(part)
      if (before !== undefined) return before
      if (level > MAX_LEVELS) return Number.POSITIVE_INFINITY
      known.set(part, 0)
      let sum = part.elements
      for (const one of part.within) sum += drawn(one, level + 1)
      for (const id of part.references) {
        const other = this.#byId.get(id)
        if (other !== undefined) sum += drawn(other, level + 1)
      }
      known.set(part, sum)
      return sum
    }
    return drawn(this.#root, 0) > MAX_DRAWN
  }
}

function newPart(): Part {
  return { elements: 0, within: [], references: [] }
}

function* referencesIn(attributes: ReadonlyMap<string, string>): Generator<string> {
  for (const [name, value] of attributes) {
    if (name.endsWith('href') && value.startsWith('#')) yield value.slice(1)
    else if (value.includes('url(')) for (const [, id = ''] of value.matchAll(/#([^"')\s]+)/g)) yield id
  }
}
