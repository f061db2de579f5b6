// HTML as a tree, and back: as it is written, not as browsers would repair it.

/** Names and values, in their order. */
export type Attributes = Readonly<Record<string, string>>

/** An element of HTML. */
export interface HtmlElement {
  readonly tag: string
  readonly attributes: Attributes
  readonly children: readonly HtmlNode[]
}

/** An element, or text without character references. */
export type HtmlNode = HtmlElement | string

interface OpenElement {
  readonly tag: string
  readonly attributes: Attributes
  readonly children: HtmlNode[]
}

const TOKEN =
  /<!--[\s\S]*?-->|<(\/?)([a-z][\w:-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>/gi
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const NAMED: Attributes = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/**
 * Reads HTML that the service has sanitised: every element is closed, and the tree is that of the tags. Comments are
 * left out. Nothing is interpreted, run or loaded.
 */
export function parseHtml(html: string): readonly HtmlNode[] {
  const root: OpenElement = { tag: '', attributes: {}, children: [] }
  const open = [root]
  let done = 0
  for (const token of html.matchAll(TOKEN)) {
    const [whole, slash, tag, attributes = ''] = token
    addText(innermost(open, root), html.slice(done, token.index))
    done = token.index + whole.length
    if (tag === undefined) continue
    if (slash) close(open, tag.toLowerCase())
    else start(open, innermost(open, root), tag.toLowerCase(), attributesIn(attributes))
  }
  addText(innermost(open, root), html.slice(done))
  return root.children
}

function innermost(open: readonly OpenElement[], root: OpenElement): OpenElement {
  return open.at(-1) ?? root
}

function start(open: OpenElement[], parent: OpenElement, tag: string, attributes: Attributes): void {
  const element = { tag, attributes, children: [] }
  parent.children.push(element)
  if (!VOID.has(tag)) open.push(element)
}

function close(open: OpenElement[], tag: string): void {
  const at = open.findLastIndex((element) => element.tag === tag)
  if (at > 0) open.length = at
}

function addText(parent: OpenElement, source: string): void {
  if (source === '') return
  const before = parent.children.at(-1)
  if (typeof before !== 'string') parent.children.push(decoded(source))
  else parent.children[parent.children.length - 1] = before + decoded(source)
}

function attributesIn(source: string): Attributes {
  const found = [...source.matchAll(ATTRIBUTE)].map(([, name = '', ...values]): [string, string] => [
    name.toLowerCase(),
    decoded(values.find((value) => value) ?? ''),
  ])
  return Object.fromEntries(found)
}

function decoded(source: string): string {
  return source.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}

/** The tree as HTML. */
export function htmlOf(nodes: readonly HtmlNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? escaped(node) : elementHtml(node))).join('')
}

function elementHtml({ tag, attributes, children }: HtmlElement): string {
  return wrapped(tag, attributes, htmlOf(children))
}

/** An element around HTML; an empty one where its kind has no content. */
export function wrapped(tag: string, attributes: Attributes, inner: string): string {
  return VOID.has(tag) ? `${opening(tag, attributes).slice(0, -1)} />` : `${opening(tag, attributes)}${inner}</${tag}>`
}

/** The tag that begins an element. */
export function opening(tag: string, attributes: Attributes): string {
  const written = Object.entries(attributes).map(
    ([name, value]) => ` ${name}="${escaped(value).replaceAll('"', '&quot;')}"`,
  )
  return `<${tag}${written.join('')}>`
}

/** Text with what HTML reserves written as references. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
