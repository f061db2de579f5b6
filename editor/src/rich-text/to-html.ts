import type { Fragment, Mark, Node } from 'prosemirror-model'
import { attributesOf } from './elements.ts'
import { type Attributes, escaped, opening, wrapped } from './html.ts'
import { schema } from './schema.ts'

const { nodes } = schema
const TAGS: Readonly<Record<string, string>> = {
  code_block: 'pre',
  bullet_list: 'ul',
  ordered_list: 'ol',
  list_item: 'li',
  quotation: 'blockquote',
  box: 'div',
  figure: 'figure',
  caption: 'figcaption',
  table: 'table',
  table_row: 'tr',
  table_cell: 'td',
  table_header: 'th',
  rule: 'hr',
}

/** The HTML of a document; that of an empty one is empty. */
export function htmlOfDoc(doc: Node): string {
  const written = doc.children.filter((node, index) => node.type !== nodes.line || lineHtml(doc, node, index) !== '')
  const [first] = written
  const isBlank = written.length < 2 && (first === undefined || (first.content.size === 0 && isPlain(first)))
  return isBlank ? '' : contentHtml(doc)
}

/** Whether it is a paragraph without attributes, or words without an element. */
export function isPlain(node: Node): boolean {
  if (node.type === nodes.line) return true
  return node.type === nodes.paragraph && node.attrs.tag === 'p' && Object.keys(attributesOf(node)).length === 0
}

/** Nodes never change: what was written once is written for as long as there is the node. */
const written = new WeakMap<Node, string>()

/** The HTML of a block with an element of its own, without the white space before it. */
export function blockHtml(node: Node): string {
  const known = written.get(node)
  if (known !== undefined) return known
  const html = node.type === nodes.kept_block ? String(node.attrs.html) : elementHtml(node)
  written.set(node, html)
  return html
}

function elementHtml(node: Node): string {
  const tag = TAGS[node.type.name] ?? node.attrs.tag
  if (node.type === nodes.table)
    return wrapped(tag, attributesOf(node), node.attrs.lead + rowsHtml(node) + node.attrs.end)
  return wrapped(tag, elementAttributes(node), node.inlineContent ? inlineHtml(node.content) : contentHtml(node))
}

/** The attributes of an element; those of cells follow their spans, which can be changed. */
function elementAttributes(node: Node): Attributes {
  const { attributes, colspan, rowspan } = node.attrs
  if (colspan === undefined) return attributes
  const result: Record<string, string> = { ...attributes }
  setSpan(result, 'colspan', colspan)
  setSpan(result, 'rowspan', rowspan)
  if (colspan !== spanOf(attributes.colspan)) delete result.colwidth
  return result
}

function setSpan(attributes: Record<string, string>, name: 'colspan' | 'rowspan', span: number): void {
  if (span === spanOf(attributes[name])) return
  if (span === 1) delete attributes[name]
  else attributes[name] = String(span)
}

/** A number of columns or rows as browsers read it. */
export function spanOf(value: string | undefined): number {
  const count = Number.parseInt(value ?? '', 10)
  return count >= 1 && count <= 1000 ? count : 1
}

function contentHtml(parent: Node): string {
  const parts = parent.children.map((node, index) => {
    const html = node.type === nodes.line ? lineHtml(parent, node, index) : blockHtml(node)
    return String(node.attrs.gap) + html
  })
  return parts.join('') + parent.attrs.end
}

/** Words without an element; they get one where they would run together with others. */
function lineHtml(parent: Node, line: Node, index: number): string {
  const hasNeighbour = [index - 1, index + 1].some((at) => parent.maybeChild(at)?.type === nodes.line)
  const isUsual = [nodes.list_item, nodes.table_cell, nodes.table_header, nodes.figure].includes(parent.type)
  const inner = inlineHtml(line.content)
  return !hasNeighbour && (line.attrs.isBare || isUsual) ? inner : wrapped('p', {}, inner)
}

interface Section {
  readonly tag: string
  readonly attributes: Attributes
  readonly gap: string
  readonly end: string
  readonly from: number
}

/** Rows in their sections; a new row belongs to that of the row before it, or else after it. */
function rowsHtml(table: Node): string {
  let html = ''
  let open: Section | null = null
  table.children.forEach((row, index) => {
    const own: Section | null = row.attrs.section
    const section: Section | null = own ?? open ?? table.maybeChild(index + 1)?.attrs.section ?? null
    if (section?.from !== open?.from) {
      html += closing(open) + (section ? section.gap + opening(section.tag, section.attributes) : '')
      open = section
    }
    html += row.attrs.gap + blockHtml(row)
  })
  return html + closing(open)
}

function closing(section: Section | null): string {
  return section ? `${section.end}</${section.tag}>` : ''
}

/** Text and what stands among it as HTML. */
export function inlineHtml(content: Fragment): string {
  let html = ''
  let open: readonly Mark[] = []
  content.forEach((node) => {
    const around = nested(node.marks)
    const common = sharedDepth(open, around)
    html +=
      closed(open.slice(common)) +
      around
        .slice(common)
        .map((mark) => opening(mark.attrs.tag, attributesOf(mark)))
        .join('')
    html += leafHtml(node)
    open = around
  })
  return html + closed(open)
}

/** The marks that are elements, from the outermost: as they were, new links outside of them, other new ones inside. */
function nested(marks: readonly Mark[]): readonly Mark[] {
  return marks.filter(({ type }) => type.name !== 'white').sort((one, other) => depthOf(one) - depthOf(other))
}

function depthOf({ type, attrs }: Mark): number {
  return attrs.from ?? (type.name === 'link' ? -1 : Number.MAX_SAFE_INTEGER)
}

function sharedDepth(open: readonly Mark[], around: readonly Mark[]): number {
  const differs = around.findIndex((mark, index) => !open[index]?.eq(mark))
  return differs < 0 ? around.length : differs
}

function closed(marks: readonly Mark[]): string {
  return marks
    .map((mark) => `</${mark.attrs.tag}>`)
    .reverse()
    .join('')
}

function leafHtml(node: Node): string {
  if (node.isText) return escaped(sourceOf(node))
  if (node.type === nodes.line_break) return wrapped('br', attributesOf(node), '')
  if (node.type === nodes.image) return wrapped('img', attributesOf(node), '')
  return String(node.attrs.html)
}

/** Text as it was written. */
function sourceOf({ text = '', marks }: Node): string {
  const white = marks.find(({ type }) => type.name === 'white')
  return white && text === ' ' ? white.attrs.source : text
}

/** A part of a document as HTML that other programs understand. */
export function fragmentHtml(content: Fragment): string {
  if (content.firstChild?.isInline) return inlineHtml(content)
  const blocks: string[] = []
  content.forEach((node) => {
    blocks.push(node.type === nodes.line ? wrapped('p', {}, inlineHtml(node.content)) : blockHtml(node))
  })
  return blocks.join('')
}
