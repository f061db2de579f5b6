import type { Mark, Node, NodeType } from 'prosemirror-model'
import { isBlock, isSpace, markOf } from './elements.ts'
import { type Attributes, type HtmlElement, type HtmlNode, htmlOf, parseHtml } from './html.ts'
import { schema } from './schema.ts'
import { blockHtml, spanOf } from './to-html.ts'

const { nodes, marks } = schema
const CONTAINERS: Readonly<Record<string, NodeType>> = {
  ul: nodes.bullet_list,
  ol: nodes.ordered_list,
  li: nodes.list_item,
  blockquote: nodes.quotation,
  div: nodes.box,
  figure: nodes.figure,
  tr: nodes.table_row,
  td: nodes.table_cell,
  th: nodes.table_header,
}

/** Words in them usually have an element; where they have none, that is remembered. */
const CONTAINERS_OF_BARE_TEXT = new Set([nodes.doc, nodes.box, nodes.quotation])

/** Thrown where an element does not fit into the schema. */
class Unfit extends RangeError {}

/** The document that HTML of the service is. `htmlOfDoc` of it is the same HTML. */
export function docOf(html: string): Node {
  return docOfNodes(parseHtml(html))
}

/** The document that a tree of HTML is. */
export function docOfNodes(children: readonly HtmlNode[]): Node {
  const { blocks, end } = new Reader().content(children, nodes.doc)
  return nodes.doc.createChecked({ end }, blocks.length > 0 ? blocks : [nodes.paragraph.create()])
}

/** The content of a container, and the white space before its closing tag. */
interface Content {
  readonly blocks: readonly Node[]
  readonly end: string
}

/** Reads one text; counts its inline elements. */
class Reader {
  #elements = 0

  content(children: readonly HtmlNode[], container: NodeType): Content {
    const blocks: Node[] = []
    let run: HtmlNode[] = []
    let gap = ''
    const endRun = () => {
      const { line, end } = this.#line(run, gap, CONTAINERS_OF_BARE_TEXT.has(container))
      if (line) blocks.push(line)
      gap = end
      run = []
    }
    for (const child of children) {
      if (typeof child === 'string' || !isBlock(child)) {
        run.push(child)
        continue
      }
      endRun()
      blocks.push(this.#block(child, gap, container))
      gap = ''
    }
    endRun()
    return { blocks, end: gap }
  }

  /** Words between blocks; the white space around them is not theirs. */
  #line(run: readonly HtmlNode[], gap: string, isBare: boolean): { readonly line?: Node; readonly end: string } {
    if (run.every(isSpace)) return { end: gap + run.join('') }
    const inner = [...run]
    const [first = ''] = inner
    const before = typeof first === 'string' ? (/^[ \t\r\n\f]*/.exec(first)?.[0] ?? '') : ''
    if (typeof first === 'string') inner[0] = first.slice(before.length)
    const last = inner.at(-1) ?? ''
    const after = typeof last === 'string' ? (/[ \t\r\n\f]*$/.exec(last)?.[0] ?? '') : ''
    if (typeof last === 'string') inner[inner.length - 1] = last.slice(0, last.length - after.length)
    const line = nodes.line.createChecked({ isBare, gap: gap + before }, this.#inline(inner, [], false))
    return { line, end: after }
  }

  /** The node of a block; where it is not exactly the element, its HTML as it is. */
  #block(element: HtmlElement, gap: string, container: NodeType): Node {
    const html = htmlOf([element])
    try {
      const node = this.#node(element, gap)
      node.check()
      if (container.contentMatch.matchType(node.type) && blockHtml(node) === html) return node
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
    return nodes.kept_block.create({ html, gap })
  }

  #node({ tag, attributes, children }: HtmlElement, gap: string): Node {
    if (tag === 'hr') return nodes.rule.create({ attributes, gap })
    if (tag === 'table') return this.#table(attributes, children, gap)
    if (tag === 'pre') return nodes.code_block.createChecked({ attributes, gap }, this.#inline(children, [], true))
    if (tag === 'figcaption') return nodes.caption.createChecked({ attributes, gap }, this.#inline(children, [], false))
    if (/^(?:p|h[1-6])$/.test(tag) || (tag === 'div' && !children.some(isBlock)))
      return nodes.paragraph.createChecked({ tag, attributes, gap }, this.#inline(children, [], false))
    const type = CONTAINERS[tag]
    if (type === undefined) throw new Unfit(tag)
    return this.#container(type, attributes, children, { gap })
  }

  #container(type: NodeType, attributes: Attributes, children: readonly HtmlNode[], more: object): Node {
    const { blocks, end } = this.content(children, type)
    const attrs = { attributes, end, ...more, ...spansOf(type, attributes) }
    const isEmpty = blocks.length === 0 && type !== nodes.table_row
    return type.createChecked(
      attrs,
      isEmpty ? [nodes.line.create({ isBare: CONTAINERS_OF_BARE_TEXT.has(type) })] : blocks,
    )
  }

  #table(attributes: Attributes, children: readonly HtmlNode[], gap: string): Node {
    const firstRow = children.findIndex(
      (child) => typeof child !== 'string' && /^(?:tr|thead|tbody|tfoot)$/.test(child.tag),
    )
    if (firstRow < 0) throw new Unfit('table')
    const lead = htmlOf(children.slice(0, firstRow))
    const { rows, end } = this.#rows(children.slice(firstRow))
    return nodes.table.createChecked({ attributes, gap, end, lead }, rows)
  }

  #rows(children: readonly HtmlNode[], section: object | null = null): { readonly rows: Node[]; readonly end: string } {
    const rows: Node[] = []
    let gap = ''
    for (const child of children) {
      if (isSpace(child)) gap += child
      else if (typeof child === 'string') throw new Unfit('text')
      else if (child.tag === 'tr')
        rows.push(this.#container(nodes.table_row, child.attributes, child.children, { gap, section }))
      else if (section === null) rows.push(...this.#section(child, gap))
      else throw new Unfit(child.tag)
      if (!isSpace(child)) gap = ''
    }
    return { rows, end: gap }
  }

  #section({ tag, attributes, children }: HtmlElement, gap: string): Node[] {
    this.#elements += 1
    const last = children.at(-1)
    const end = last !== undefined && isSpace(last) ? last : ''
    return this.#rows(children, { tag, attributes, gap, end, from: this.#elements }).rows
  }

  #inline(children: readonly HtmlNode[], around: readonly Mark[], isCode: boolean): Node[] {
    return children.flatMap((child) => {
      if (typeof child === 'string') return isCode ? textNodes(child, around) : wordNodes(child, around)
      if (isBlock(child)) throw new Unfit(child.tag)
      if (child.tag === 'br') return [nodes.line_break.create({ attributes: child.attributes }, null, around)]
      if (child.tag === 'img') return [nodes.image.create({ attributes: child.attributes }, null, around)]
      const name = markOf(child.tag)
      if (name === undefined || htmlOf(child.children) === '')
        return [nodes.kept_inline.create({ html: htmlOf([child]) }, null, around)]
      this.#elements += 1
      const { tag, attributes } = child
      const mark = marks[name]?.create({ tag, attributes, from: this.#elements })
      return this.#inline(child.children, mark ? mark.addToSet(around) : around, isCode)
    })
  }
}

/** The spans of a cell, for tables. */
function spansOf(type: NodeType, attributes: Attributes): object {
  if (type !== nodes.table_cell && type !== nodes.table_header) return {}
  const colspan = spanOf(attributes.colspan)
  const widths = (attributes.colwidth ?? '').split(',').map(Number)
  const hasWidths = widths.length === colspan && widths.every((width) => width > 0)
  return { colspan, rowspan: spanOf(attributes.rowspan), colwidth: hasWidths ? widths : null }
}

function textNodes(text: string, around: readonly Mark[]): Node[] {
  return text === '' ? [] : [schema.text(text, around)]
}

/** Text as it is shown: line breaks of the source are spaces that remember them. */
function wordNodes(text: string, around: readonly Mark[]): Node[] {
  return text.split(/([ \t\r\f]*[\n\r\t\f][ \t\r\n\f]*)/).flatMap((part, index) => {
    if (index % 2 === 0) return textNodes(part, around)
    const white = marks.white?.create({ source: part })
    return textNodes(' ', white ? white.addToSet(around) : around)
  })
}
