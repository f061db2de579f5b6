import { xmlText } from './xliff-xml.ts'

/**
 * Tags, and what else of HTML is not text as it stands: entities but the three that texts are escaped with, lone `<`,
 * `>`, `&`.
 */
const CODE = /(<[^<>]*>|&(?!(?:amp|lt|gt);)(?:#?\w{1,40};)?|[<>])/
const OPENING = /^<([a-z][^\s/>]*)(?:\s.*)?>$/is
const CLOSING = /^<\/([a-z][^\s>]*)\s*>$/i
const TEXT: { readonly [entity: string]: string } = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }
const ENTITY: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** A text as HTML. */
export function htmlOf(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITY[character] ?? '')
}

/** The tags of a unit, which its inline elements refer to: `d1` is the first. */
export class OriginalData {
  readonly #numbers = new Map<string, number>()

  /** The name of a tag. */
  refTo(code: string): string {
    const number = this.#numbers.get(code) ?? this.#numbers.size + 1
    this.#numbers.set(code, number)
    return `d${number}`
  }

  toXml(): string {
    const data = [...this.#numbers].map(([code, number]) => `<data id="d${number}">${xmlText(code)}</data>`)
    return data.length === 0 ? '' : `<originalData>${data.join('')}</originalData>`
  }
}

/**
 * HTML as inline content of XLIFF: pairs of tags as `<pc>`, everything else that is not text as `<ph>`. The tags
 * themselves are in the unit's data, so that nothing of them is lost.
 */
export function inlineXml(html: string, data: OriginalData): string {
  const parts = html.split(CODE)
  const pairs = pairsOf(parts)
  let id = 0
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return xmlText(part.replace(/&(?:amp|lt|gt);/g, (entity) => TEXT[entity] ?? ''))
      const end = pairs.get(index)
      if (end !== undefined && end < index) return '</pc>'
      id += 1
      if (end === undefined) return `<ph id="${id}" dataRef="${data.refTo(part)}"/>`
      const [start, close] = [data.refTo(part), data.refTo(parts[end] ?? '')]
      return `<pc id="${id}" dataRefStart="${start}" dataRefEnd="${close}">`
    })
    .join('')
}

/** Returns the closing tag of each opening one, and the other way round. */
function pairsOf(parts: readonly string[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>()
  const open: { readonly index: number; readonly name: string }[] = []
  for (let index = 1; index < parts.length; index += 2) {
    const part = parts[index] ?? ''
    const closing = CLOSING.exec(part)?.[1]
    const opening = part.endsWith('/>') ? undefined : OPENING.exec(part)?.[1]
    if (opening !== undefined && !EMPTY.has(opening.toLowerCase())) open.push({ index, name: opening })
    const last = open.at(-1)
    if (closing === undefined || last?.name !== closing) continue
    open.pop()
    pairs.set(index, last.index)
    pairs.set(last.index, index)
  }
  return pairs
}

const EMPTY = new Set(['br', 'col', 'hr', 'img', 'input', 'wbr'])
