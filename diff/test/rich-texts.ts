// Random rich texts, and edits of them as editors make them.

/** An element, or text. */
export type TextNode = string | TextElement
/** An element of a rich text. */
export interface TextElement {
  readonly tag: string
  readonly attributes?: string
  readonly children: readonly TextNode[]
}

const WORDS = [
  ...'the a of to and in is it over under quick brown fox jumps lazy dog market street Friday'.split(' '),
  ...[
    '“quoted”',
    'A&B',
    '<tag>',
    'isn’t',
    '3.14',
    'naïve',
    'Straße',
    '日本語の文章です。',
    '天気がいい',
    'مرحبا',
    'بالعالم',
  ],
]
const SPACES = [' ', ' ', ' ', ', ', '. ', '\u00a0', '']
const INLINE = ['strong', 'em', 'u', 's', 'sup', 'code', 'mark']
const KINDS = ['p', 'p', 'p', 'h2', 'h3', 'pre', 'ul', 'ol', 'blockquote', 'table', 'figure', 'hr'] as const

/** Draws a whole number, at least 0 and less than `count`. */
export type Draw = (count: number) => number

/** Draws the same numbers for the same seed. */
export function drawBy(seed: number): Draw {
  let state = seed | 0
  return (count) => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    const more = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((more ^ (more >>> 14)) >>> 0) % count
  }
}

/** A whole rich text that a browser parses as it is written. */
export function drawText(draw: Draw): TextNode[] {
  return drawList(draw, 6, () => drawBlock(draw, 2))
}

/** The text after some edits: words and blocks added, removed, replaced, moved; blocks split, merged, made others. */
export function drawEdits(draw: Draw, text: readonly TextNode[]): TextNode[] {
  let edited = [...text]
  for (let count = draw(6); count > 0; count -= 1) edited = editChildren(draw, edited)
  return edited
}

/** As HTML, in the form in which the service stores it. */
export function writeHtml(nodes: readonly TextNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? escaped(node) : writeElement(node))).join('')
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function writeElement({ tag, attributes = '', children }: TextElement): string {
  if (['br', 'img', 'hr'].includes(tag)) return `<${tag}${attributes} />`
  return `<${tag}${attributes}>${writeHtml(children)}</${tag}>`
}

function drawList<T>(draw: Draw, max: number, one: () => T): T[] {
  return Array.from({ length: 1 + draw(max) }, one)
}

const pick = <T>(draw: Draw, from: readonly T[]): T => from[draw(from.length)] as T

function drawBlock(draw: Draw, depth: number): TextElement {
  const tag = pick(draw, KINDS)
  const words = () => drawInline(draw, 2)
  const inner = (): TextNode[] => (depth > 0 && pick(draw, [true, false]) ? drawBlocks(draw, depth - 1) : words())
  if (tag === 'ul' || tag === 'ol')
    return { tag, children: drawList(draw, 4, () => ({ tag: 'li', children: inner() })) }
  if (tag === 'blockquote') return { tag, children: inner() }
  if (tag === 'table') return drawTable(draw, inner)
  if (tag === 'hr') return { tag, children: [] }
  if (tag === 'figure') return { tag, children: [image(draw), { tag: 'figcaption', children: words() }] }
  const attributes = tag === 'pre' ? '' : pick(draw, ['', '', ' style="text-align:center"'])
  return { tag, attributes, children: words() }
}

function drawBlocks(draw: Draw, depth: number): TextElement[] {
  return drawList(draw, 2, () => drawBlock(draw, depth))
}

function drawTable(draw: Draw, inner: () => TextNode[]): TextElement {
  const columns = 1 + draw(3)
  const row = () => ({ tag: 'tr', children: Array.from({ length: columns }, () => ({ tag: 'td', children: inner() })) })
  const caption = pick(draw, [true, false]) ? [{ tag: 'caption', children: drawInline(draw, 1) }] : []
  return { tag: 'table', children: [...caption, { tag: 'tbody', children: drawList(draw, 3, row) }] }
}

const image = (draw: Draw): TextElement => {
  return {
    tag: 'img',
    attributes: ` src="/${pick(draw, ['a', 'b', 'c'])}.png" alt="${pick(draw, ['', 'x'])}"`,
    children: [],
  }
}

function drawInline(draw: Draw, depth: number, within: readonly string[] = []): TextNode[] {
  const nodes: TextNode[] = []
  for (let count = 1 + draw(4); count > 0; count -= 1) {
    const kind = draw(10)
    if (kind === 0) nodes.push({ tag: 'br', children: [] })
    else if (kind === 1) nodes.push(image(draw))
    else if (kind < 5 && depth > 0) nodes.push(drawInlineElement(draw, depth, within))
    else nodes.push(drawWords(draw))
  }
  return nodes
}

function drawInlineElement(draw: Draw, depth: number, within: readonly string[]): TextNode {
  const tag = pick(draw, [...INLINE, 'span', 'a'])
  if (within.includes(tag)) return drawWords(draw)
  const attributes = { span: ' style="color:#aa0000"', a: ' href="https://example.org/?a=1&amp;b=2" id="x"' }[tag] ?? ''
  return { tag, attributes, children: drawInline(draw, depth - 1, [...within, tag]) }
}

function drawWords(draw: Draw): string {
  return drawList(draw, 8, () => pick(draw, WORDS) + pick(draw, SPACES)).join('')
}

function editChildren(draw: Draw, nodes: readonly TextNode[], parent = ''): TextNode[] {
  if (nodes.length === 0) return parent === '' ? drawText(draw) : [...nodes]
  const index = draw(nodes.length)
  const node = nodes[index] ?? ''
  const isDeeper = typeof node !== 'string' && node.children.length > 0 && draw(4) > 0
  if (isDeeper) return nodes.with(index, { ...node, children: editChildren(draw, node.children, node.tag) })
  if (typeof node === 'string') return nodes.with(index, editWords(draw, node))
  return editBlock(draw, nodes, index, node)
}

function editBlock(draw: Draw, nodes: readonly TextNode[], index: number, node: TextElement): TextNode[] {
  const edit = pick(draw, ['remove', 'repeat', 'move', 'change', 'split', 'merge'] as const)
  const next = nodes[index + 1]
  if (edit === 'remove') return nodes.toSpliced(index, 1)
  if (edit === 'repeat') return nodes.toSpliced(index, 0, node)
  if (edit === 'move') return nodes.toSpliced(index, 1).toSpliced(draw(nodes.length), 0, node)
  if (edit === 'change' && /^(?:p|h2|h3)$/.test(node.tag))
    return nodes.with(index, { ...node, tag: pick(draw, ['p', 'h2', 'h3']) })
  if (edit === 'split' && /^(?:p|li|h2)$/.test(node.tag)) {
    const at = draw(node.children.length + 1)
    const [first, second] = [node.children.slice(0, at), node.children.slice(at)]
    return nodes.toSpliced(index, 1, { ...node, children: first }, { ...node, children: second })
  }
  if (edit === 'merge' && typeof next === 'object' && next.tag === node.tag && node.tag !== 'table') {
    return nodes.toSpliced(index, 2, { ...node, children: [...node.children, ...next.children] })
  }
  return [...nodes]
}

function editWords(draw: Draw, text: string): string {
  const words = text.split(' ')
  const at = draw(words.length)
  const edit = pick(draw, ['remove', 'add', 'replace'] as const)
  if (edit === 'remove') return words.toSpliced(at, 1).join(' ')
  return words.toSpliced(at, edit === 'add' ? 0 : 1, drawWords(draw)).join(' ')
}
