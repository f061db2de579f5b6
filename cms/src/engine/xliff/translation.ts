/** The text that a translator has worked from, as plain text and as HTML. */
export interface Original {
  readonly path: string
  readonly text: string
  readonly html: string
}

/** A translation, and what recognizes the one that was exported; null where there was none. */
export interface TranslatedText extends Original {
  /** It has tags, which only rich text takes. */
  readonly hasTags: boolean
  readonly exported: string | null
  /** Tags of the original that the translation has not. */
  readonly missingTags: readonly string[]
}

/** Text with inline elements. */
export interface InlineText {
  text: string
  html: string
  hasTags: boolean
  readonly tags: string[]
}

/** A segment, or the text between two. */
interface Part {
  readonly isIgnorable: boolean
  source: InlineText | null
  target: InlineText | null
  /** Its place in the translation, from 1, where that differs from its place in the original. */
  order: number | null
}

/** A text and its translation, as they are read. */
export interface Unit {
  readonly path: string
  readonly data: Map<string, string>
  readonly parts: Part[]
  exported: string | null
  problem: string | null
}

/** An empty text, to which text is added. */
export function emptyText(): InlineText {
  return { text: '', html: '', hasTags: false, tags: [] }
}

/** Marks units whose text came before: of two translations of one text neither is better. */
export function markRepeated(units: readonly Unit[]): void {
  const known = new Set<string>()
  for (const unit of units) {
    if (known.has(unit.path)) unit.problem = 'The file has this text twice. Leave one of them in it.'
    known.add(unit.path)
  }
}

/** The original of a unit, all of its segments in one. */
export function originalOf({ path, parts }: Unit): Original {
  return { path, ...joined(parts.flatMap(({ source }) => source ?? [])) }
}

/** The translation of a unit, all of its segments in one; none when one of them has none. */
export function translationOf({ path, parts, exported }: Unit): TranslatedText[] {
  const targets: InlineText[] = []
  for (const { isIgnorable, source, target } of inTargetOrder(parts)) {
    const isEmpty = target === null || (isBlank(target) && source !== null && !isBlank(source))
    const part = isEmpty && isIgnorable ? source : target
    if (part === null || (isEmpty && !isIgnorable)) return []
    targets.push(part)
  }
  if (parts.length === 0) return []
  const whole = joined(targets)
  const original = joined(parts.flatMap(({ source }) => source ?? []))
  const { text, html, hasTags, tags } = whole
  return [{ path, text, html, hasTags, exported, missingTags: without(original.tags, tags) }]
}

/** The difference of two lists, in which an entry may occur several times. */
function without(tags: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const tag of others) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return tags.filter((tag) => {
    const count = counts.get(tag) ?? 0
    counts.set(tag, count - 1)
    return count <= 0
  })
}

function isBlank({ html }: InlineText): boolean {
  return html.trim() === ''
}

function joined(all: readonly InlineText[]): InlineText {
  return {
    text: all.map(({ text }) => text).join(''),
    html: all.map(({ html }) => html).join(''),
    hasTags: all.some(({ hasTags }) => hasTags),
    tags: all.flatMap(({ tags }) => tags),
  }
}

/** Parts of a translation may stand in another order than those of the original. */
function inTargetOrder(parts: readonly Part[]): readonly Part[] {
  const placed = new Map<number, Part>()
  const others: Part[] = []
  for (const part of parts) {
    const isFree = part.order !== null && part.order > 0 && part.order <= parts.length && !placed.has(part.order)
    if (part.order !== null && isFree) placed.set(part.order, part)
    else others.push(part)
  }
  let next = 0
  return parts.flatMap((_, index) => placed.get(index + 1) ?? others[next++] ?? [])
}
