import { type DOMOutputSpec, type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model'
import { attributesOf, MARK_TAGS, shownAttributes } from './elements.ts'
import { type Attributes, type HtmlNode, parseHtml } from './html.ts'

// The content of a rich text while it is edited: all that the service keeps for any tool. Which of it can be made anew
// is decided by tools (`policy.ts`), so that nothing is lost where a site once had more of them.
//
// `attributes` are those of the element, `gap` is the white space before it, `end` that before its closing tag.

const NONE: Attributes = {}
const OF_ELEMENT = { attributes: { default: NONE }, gap: { default: '' } }
const OF_CONTAINER = { ...OF_ELEMENT, end: { default: '' } }
/** Text that stands in a container as it is comes first: an empty list item or cell is filled with it. */
const CONTENT = '(line | block)+'

function container(tag: string, content: string, more: NodeSpec = {}): NodeSpec {
  return {
    content,
    attrs: OF_CONTAINER,
    parseDOM: [{ tag }],
    toDOM: (node) => [tag, shownAttributes(attributesOf(node)), 0],
    ...more,
  }
}

function cell(tag: 'td' | 'th'): NodeSpec {
  const spans = { colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: { default: null } }
  return container(tag, CONTENT, {
    attrs: { ...OF_CONTAINER, ...spans },
    tableRole: tag === 'td' ? 'cell' : 'header_cell',
    isolating: true,
    toDOM: ({ attrs }) => {
      const { colspan, rowspan } = attrs
      return [tag, { ...shownAttributes(attrs.attributes), colspan, rowspan }, 0]
    },
  })
}

const nodes = {
  doc: { content: '(paragraph | line | block)+', attrs: { end: { default: '' } } },
  /** Words in an element of their own: `p`, a heading, a `div` without others in it. */
  paragraph: {
    group: 'block',
    content: 'inline*',
    attrs: { ...OF_ELEMENT, tag: { default: 'p' } },
    parseDOM: [{ tag: 'p' }],
    toDOM: (node) => [node.attrs.tag, shownAttributes(attributesOf(node)), 0],
  },
  /** Words without an element of their own. `isBare`: so it was in the HTML. */
  line: {
    content: 'inline*',
    attrs: { isBare: { default: false }, gap: { default: '' } },
    toDOM: () => ['div', { class: 'q-line' }, 0],
  },
  code_block: {
    group: 'block',
    content: 'inline*',
    code: true,
    defining: true,
    attrs: OF_ELEMENT,
    parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
    toDOM: (node) => ['pre', shownAttributes(attributesOf(node)), 0],
  },
  bullet_list: container('ul', 'list_item+', { group: 'block' }),
  ordered_list: container('ol', 'list_item+', { group: 'block' }),
  list_item: container('li', CONTENT, { defining: true }),
  quotation: container('blockquote', CONTENT, { group: 'block', defining: true }),
  box: container('div', CONTENT, { group: 'block', parseDOM: [] }),
  figure: container('figure', '(line | caption | block)+', { group: 'block', defining: true, isolating: true }),
  caption: container('figcaption', 'inline*', { attrs: OF_ELEMENT }),
  /** Its rows know which of `thead`, `tbody` they are in; `lead` is the HTML before the first: caption and columns. */
  table: container('table', 'table_row+', {
    group: 'block',
    attrs: { ...OF_CONTAINER, lead: { default: '' } },
    tableRole: 'table',
    isolating: true,
    toDOM: (node) => ['table', shownAttributes(attributesOf(node)), ['tbody', 0]],
  }),
  table_row: container('tr', '(table_cell | table_header)*', {
    attrs: { ...OF_CONTAINER, section: { default: null } },
    tableRole: 'row',
  }),
  table_cell: cell('td'),
  table_header: cell('th'),
  rule: {
    group: 'block',
    attrs: OF_ELEMENT,
    parseDOM: [{ tag: 'hr' }],
    toDOM: () => ['hr'],
  },
  /** HTML of any other kind, as it is: it can be moved and removed. */
  kept_block: {
    group: 'block',
    atom: true,
    draggable: true,
    attrs: { html: {}, gap: { default: '' } },
    toDOM: (node) => ['div', { class: 'q-kept' }, ...parseHtml(node.attrs.html).map(shown)],
  },
  text: { group: 'inline' },
  line_break: {
    group: 'inline',
    inline: true,
    selectable: false,
    linebreakReplacement: true,
    attrs: { attributes: { default: NONE } },
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
    leafText: () => '\n',
  },
  image: {
    group: 'inline',
    inline: true,
    draggable: true,
    attrs: { attributes: { default: NONE } },
    toDOM: (node) => ['img', { alt: '', ...shownAttributes(attributesOf(node)) }],
  },
  kept_inline: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: { html: {} },
    toDOM: (node) => ['span', { class: 'q-kept' }, ...parseHtml(node.attrs.html).map(shown)],
  },
} satisfies Record<string, NodeSpec>

/** Elements of content, shown: only those that have no effect but looks. */
function shown(node: HtmlNode): DOMOutputSpec {
  if (typeof node === 'string') return ['span', node]
  const isVoid = node.tag === 'img' || node.tag === 'br' || node.tag === 'hr' || node.tag === 'col'
  const tag = HARMLESS.has(node.tag) ? node.tag : 'span'
  const attributes = shownAttributes(node.attributes)
  return isVoid ? [tag, attributes] : [tag, attributes, ...node.children.map(shown)]
}

const HARMLESS = new Set([
  ...Object.values(MARK_TAGS).flat(),
  ...'p h1 h2 h3 h4 h5 h6 div blockquote pre ul ol li figure figcaption hr br img col colgroup caption'.split(' '),
  ...'table thead tbody tfoot tr td th'.split(' '),
])

/**
 * An inline element. Two may be nested or stand side by side: `from` tells them apart. It is the element's place among
 * those of the HTML, outer ones first; null of one that was made while editing.
 */
function inlineElement(tags: readonly string[], isExtended: boolean): MarkSpec {
  return {
    attrs: { tag: { default: tags[0] }, attributes: { default: NONE }, from: { default: null } },
    excludes: '',
    inclusive: isExtended,
    parseDOM: tags.map((tag) => ({ tag, attrs: { tag } })),
    toDOM: (mark) => [mark.attrs.tag, shownAttributes(attributesOf(mark)), 0],
  }
}

const marks: Record<string, MarkSpec> = {
  ...Object.fromEntries(
    Object.entries(MARK_TAGS).map(([name, tags]) => [name, inlineElement(tags, name !== 'link' && name !== 'span')]),
  ),
  /** On a space that was written in another way, such as a line break in the source. */
  white: { attrs: { source: {} }, inclusive: false, toDOM: () => ['span', 0] },
}

/** The schema of every rich text. */
export const schema = new Schema({ nodes, marks })
