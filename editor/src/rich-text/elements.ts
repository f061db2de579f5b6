import type { Node } from 'prosemirror-model'
import type { Attributes, HtmlNode } from './html.ts'

/** The marks that are elements, with their tags; the first is what a tool makes. */
export const MARK_TAGS = {
  link: ['a'],
  span: ['span'],
  bold: ['strong', 'b'],
  italic: ['em', 'i'],
  underline: ['u'],
  strike: ['s', 'del', 'strike'],
  superscript: ['sup'],
  subscript: ['sub'],
  highlight: ['mark'],
  code: ['code'],
} as const

/** The name of a mark that is an element. */
export type MarkName = keyof typeof MARK_TAGS

/** Whether there is a mark of this name that is an element. */
export function isMarkName(name: string): name is MarkName {
  return Object.hasOwn(MARK_TAGS, name)
}

const MARK_OF_TAG = new Map(
  Object.entries(MARK_TAGS).flatMap(([name, tags]) =>
    isMarkName(name) ? tags.map((tag): [string, MarkName] => [tag, name]) : [],
  ),
)

/** Which mark an element is; undefined for others. */
export function markOf(tag: string): MarkName | undefined {
  return MARK_OF_TAG.get(tag)
}

const BLOCK_TAGS = new Set(
  'p h1 h2 h3 h4 h5 h6 div blockquote pre ul ol li figure figcaption table caption colgroup col thead tbody tfoot tr td th hr'.split(
    ' ',
  ),
)

/** Whether a node stands on lines of its own: a block, or an element around one. */
export function isBlock(node: HtmlNode): boolean {
  return typeof node !== 'string' && (BLOCK_TAGS.has(node.tag) || node.children.some(isBlock))
}

/** Whether text is only what browsers draw as a space, if at all. */
export function isSpace(node: HtmlNode): node is string {
  return typeof node === 'string' && /^[ \t\r\n\f]*$/.test(node)
}

/** The attributes that an element had, and shall have, in HTML. */
export function attributesOf(node: { readonly attrs: Node['attrs'] }): Attributes {
  return node.attrs.attributes
}

const SHOWN = new Set('class title alt width height colspan rowspan scope start reversed target'.split(' '))
const SAFE_ADDRESS = /^(?:https?:|mailto:|tel:|[^:]*$|[^:]*[/?#])/i

/**
 * The attributes of content that stand in the page of the editor: no `id` or `name`, which could take the place of one
 * of the editor's, nothing that runs.
 */
export function shownAttributes(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]): [string, string][] => {
      if (SHOWN.has(name) || name === 'style') return [[name, value]]
      return (name === 'href' || name === 'src') && isSafeAddress(value) ? [[name, value]] : []
    }),
  )
}

/** Whether an address has one of the schemes that the service keeps, or none. */
export function isSafeAddress(address: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip them as well
  return SAFE_ADDRESS.test(address.replace(/[\u0000-\u0020]/g, ''))
}
