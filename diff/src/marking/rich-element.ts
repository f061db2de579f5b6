import { type Attributes, type HtmlReader, readInSteps, VOID } from '../rich-text/html.ts'
import type { Steps } from '../words/steps.ts'

/** An element of a rich text. */
export interface RichElement {
  readonly name: string
  /** Its start tag as written. */
  readonly opening: string
  readonly attributes: Attributes
  readonly children: RichNode[]
}

/** An element, or text with its character references resolved. */
export type RichNode = RichElement | string

/** The end tag of an element. */
export function closingOf({ name }: RichElement): string {
  return name === '' || VOID.has(name) ? '' : `</${name}>`
}

/** The tag of an element that is shown a second time: what only one element may have is left out. */
export function repeatedOpening({ name, opening, attributes }: RichElement): string {
  if (!('id' in attributes) && !('name' in attributes)) return opening
  const others = Object.entries(attributes).filter(([attribute]) => attribute !== 'id' && attribute !== 'name')
  return `<${name}${others.map(([attribute, value]) => ` ${attribute}="${escapeAttribute(value)}"`).join('')}>`
}

/** An element with all that it holds, or text, as HTML. */
export function htmlOf(node: RichNode): string {
  if (typeof node === 'string') return escapeText(node)
  return node.opening + node.children.map(htmlOf).join('') + closingOf(node)
}

/** Text as the sanitiser writes it. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function escapeAttribute(value: string): string {
  return escapeText(value).replaceAll('"', '&quot;')
}

/** The elements of a sanitised rich text, in one without a name that holds them all. */
export function* parseRichText(html: string, read: HtmlReader): Steps<RichElement> {
  const root: RichElement = { name: '', opening: '', attributes: {}, children: [] }
  const open: RichElement[] = [root]
  yield* readInSteps(html, read, {
    open(name, attributes, opening) {
      const outer = open.at(-1) ?? root
      // Browsers end a link where another one begins in it; here its words belong to the outer one.
      if (name === 'a' && open.some((above) => above.name === 'a')) open.push(outer)
      else {
        const element = { name, opening, attributes, children: [] }
        outer.children.push(element)
        open.push(element)
      }
    },
    text(text) {
      const children = open.at(-1)?.children ?? []
      const last = children.at(-1)
      if (typeof last === 'string') children[children.length - 1] = last + text
      else children.push(text)
    },
    close: () => void open.pop(),
  })
  return root
}
