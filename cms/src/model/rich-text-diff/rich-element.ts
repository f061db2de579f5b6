/** An element of a rich text. */
export interface RichElement {
  readonly name: string
  /** Its tag as it stands in the text. */
  readonly opening: string
  readonly attributes: { readonly [name: string]: string }
  readonly children: RichNode[]
}

/** An element, or text with its character references resolved. */
export type RichNode = RichElement | string

const VOID = new Set(['br', 'img', 'hr', 'col', 'wbr'])

/** What ends an element. */
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
