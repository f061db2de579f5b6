import type { Steps } from '../words/steps.ts'
import { type Format, formatIn, PLAIN, withTrait } from './format.ts'
import { type Attributes, type HtmlReader, IN_LINE, readInSteps, UNSEEN, withoutTags } from './html.ts'
import type { RichObject } from './rich-word.ts'

/** An item of a rich text; neighbouring texts, which differ in their format, belong to one word. */
export type RichItem =
  | { readonly kind: 'text'; readonly text: string; readonly format: Format }
  | { readonly kind: 'object'; readonly object: RichObject }
  /** Between words: a line break, a space or nothing, and in what way the blocks around them are divided. */
  | { readonly kind: 'space'; readonly text: '\n' | ' ' | ''; readonly structure: string }

/** Reads the items of a rich text; of one whose elements are nested too deeply those of the text between its tags. */
export function* readItems(html: string, read: HtmlReader): Steps<RichItem[]> {
  const items = new ItemReader()
  const isWhole = yield* readInSteps(html, read, {
    open: (name, attributes) => items.open(name, attributes),
    text: (text) => items.addText(text),
    close: () => items.close(),
  })
  if (isWhole) return items.end()
  const plain = new ItemReader()
  plain.addText(withoutTags(html))
  return plain.end()
}

/** A block that is open, in those around it. */
interface Block {
  readonly outer: Block | null
  readonly depth: number
}

interface OpenElement {
  readonly tag: string
  readonly attributes: Attributes
  /** The innermost block that it stands in, or itself where it is one. */
  readonly block: Block
  readonly isPreformatted: boolean
  format: Format
  isEmpty: boolean
}

const OBJECTS = new Set(['img', 'hr'])
const COLUMNS = new Set(['col', 'colgroup'])
const WORDS_AND_SPACES = /\s+|\S+/g
const USUAL_SPACE = /[ \t\r\n\f]/g
const WHOLE: Block = { outer: null, depth: 0 }

class ItemReader {
  readonly #items: RichItem[] = []
  readonly #open: OpenElement[] = []
  /**
   * Since the last word or object: spaces as they were written, and blocks without anything in them, with their traits.
   */
  #space = ''
  #empties: string[] = []
  /** Of the last word or object. */
  #block: Block | null = null
  #unseen = 0

  open(tag: string, attributes: Attributes): void {
    if (UNSEEN.has(tag)) this.#unseen += 1
    else if (!IN_LINE.has(tag)) this.#space += '\n'
    if (COLUMNS.has(tag)) this.#addColumn(tag)
    if (OBJECTS.has(tag)) this.#addObject(tag, attributes)
    this.#open.push(this.#elementOf(tag, attributes))
  }

  addText(text: string): void {
    if (this.#unseen > 0) return
    for (const [part] of text.matchAll(WORDS_AND_SPACES)) {
      if (part.trim() === '') this.#space += part
      else {
        this.#addSpace()
        this.#addWord(part)
      }
    }
  }

  /** One that arrives in pieces is one item all the same. */
  #addWord(text: string): void {
    const last = this.#items.at(-1)
    const format = this.#format
    if (last?.kind !== 'text' || last.format !== format) this.#items.push({ kind: 'text', text, format })
    else this.#items[this.#items.length - 1] = { kind: 'text', text: last.text + text, format }
  }

  close(): void {
    const element = this.#open.pop()
    if (!element) return
    const { tag, attributes, isEmpty } = element
    if (isEmpty && IN_LINE.has(tag) && isAnchor(attributes)) this.#addObject('a', attributes)
    else if (isEmpty && !IN_LINE.has(tag))
      this.#empties.push(tag, ...Object.values(formatIn(tag, attributes, PLAIN).traits))
    if (UNSEEN.has(tag)) this.#unseen -= 1
    else if (!IN_LINE.has(tag)) this.#space += '\n'
  }

  end(): RichItem[] {
    this.#addSpace()
    return this.#items
  }

  get #format(): Format {
    return this.#open.at(-1)?.format ?? PLAIN
  }

  #elementOf(tag: string, attributes: Attributes): OpenElement {
    const outer = this.#open.at(-1)
    const block = outer?.block ?? WHOLE
    return {
      tag,
      attributes,
      block: IN_LINE.has(tag) ? block : { outer: block, depth: block.depth + 1 },
      isPreformatted: tag === 'pre' || outer?.isPreformatted === true,
      format: formatIn(tag, attributes, this.#format),
      isEmpty: !OBJECTS.has(tag) && !COLUMNS.has(tag),
    }
  }

  /** Columns stand before the rows of their table. */
  #addColumn(tag: string): void {
    const table = this.#open.findLast((element) => element.tag === 'table')
    if (table) table.format = { ...table.format, traits: withTrait(table.format.traits, 'table', tag) }
  }

  #addObject(tag: string, attributes: Attributes): void {
    this.#addSpace()
    this.#items.push({ kind: 'object', object: { tag, attributes, format: this.#format } })
  }

  /** Before a word or an object, and at the end. */
  #addSpace(): void {
    const structure = this.#structure()
    const text = this.#space === '' ? '' : this.#space.includes('\n') ? '\n' : ' '
    if (text !== '' || structure !== '') this.#items.push({ kind: 'space', text, structure })
    for (let depth = this.#open.length - 1; this.#open[depth]?.isEmpty; depth -= 1) {
      const element = this.#open[depth]
      if (element) element.isEmpty = false
    }
    this.#space = ''
    this.#empties = []
    this.#block = this.#open.at(-1)?.block ?? WHOLE
  }

  #structure(): string {
    const element = this.#open.at(-1)
    const block = element?.block ?? WHOLE
    const depth = this.#block === null || this.#block === block ? '' : `${sharedDepth(this.#block, block)}`
    const space = element?.isPreformatted ? this.#space : this.#space.replace(USUAL_SPACE, '')
    return depth + this.#empties.join() + space
  }
}

function isAnchor({ id, name }: Attributes): boolean {
  return id !== undefined || name !== undefined
}

/** Counts the blocks that contain both of two words. */
function sharedDepth(one: Block, other: Block): number {
  let [first, second]: (Block | null)[] = [one, other]
  while (first && second && first !== second) {
    const isDeeper = first.depth >= second.depth
    if (second.depth >= first.depth) second = second.outer
    if (isDeeper) first = first.outer
  }
  return first?.depth ?? 0
}
