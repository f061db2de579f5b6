import { lift, setBlockType, wrapIn } from 'prosemirror-commands'
import type { Node, NodeType } from 'prosemirror-model'
import { liftListItem, wrapInList } from 'prosemirror-schema-list'
import type { Command, EditorState, Transaction } from 'prosemirror-state'
import { attributesOf } from './elements.ts'
import type { Attributes } from './html.ts'
import type { TextStyle } from './options.ts'
import { classesOf } from './policy.ts'
import { schema } from './schema.ts'
import { isPlain } from './to-html.ts'

const { nodes } = schema

/** The innermost node around the selection of one of the types, with its place. */
export function nodeAround(
  { selection: { $from } }: EditorState,
  types: readonly NodeType[],
): { readonly node: Node; readonly at: number } | null {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const node = $from.node(depth)
    if (types.includes(node.type)) return { node, at: $from.before(depth) }
  }
  return null
}

const LISTS = [nodes.bullet_list, nodes.ordered_list]

/** Makes a list of the selection, another kind of list of a list, and usual text of such a list. */
export function toggleList(type: NodeType): Command {
  return (state, dispatch) => {
    const list = nodeAround(state, LISTS)
    if (list?.node.type === type) return liftListItem(nodes.list_item)(state, dispatch)
    if (list === null) return wrapInList(type)(state, dispatch && ((tr) => dispatch(withoutParagraphs(tr))))
    dispatch?.(state.tr.setNodeMarkup(list.at, type, { ...list.node.attrs, attributes: {} }))
    return true
  }
}

/** Items of a new list hold their words as they are: `<li>Ink</li>`. */
function withoutParagraphs(tr: Transaction): Transaction {
  tr.doc.nodesBetween(tr.selection.from, tr.selection.to, (node, at, parent) => {
    if (parent?.type === nodes.list_item && node.type === nodes.paragraph && isPlain(node))
      tr.setNodeMarkup(at, nodes.line)
  })
  return tr
}

/** Puts the selection into a quotation, or out of it. */
export const toggleQuotation: Command = (state, dispatch) =>
  nodeAround(state, [nodes.quotation]) ? lift(state, dispatch) : wrapIn(nodes.quotation)(state, dispatch)

/** Makes the selection a block of code, or usual text of it. */
export const toggleCodeBlock: Command = (state, dispatch) => {
  const isCode = state.selection.$from.parent.type === nodes.code_block
  return setBlockType(isCode ? nodes.paragraph : nodes.code_block)(state, dispatch)
}

/** Gives the blocks of the selection a style of the declaration. */
export function setStyle(style: TextStyle): Command {
  const classes = classesOf(style).join(' ')
  const attributes: Attributes = classes === '' ? {} : { class: classes }
  if (style.tag === 'blockquote') return wrapIn(nodes.quotation, { attributes })
  if (style.tag === 'pre') return setBlockType(nodes.code_block, { attributes })
  return setBlockType(nodes.paragraph, ({ type, attrs }: Node) => {
    const { class: _, ...kept } = type === nodes.paragraph ? attrs.attributes : {}
    return { tag: style.tag, attributes: { ...attributes, ...kept }, gap: attrs.gap }
  })
}

/** The tag and class of the block at the selection; words without an element are paragraphs. */
export function styleAt({ selection: { $from } }: EditorState): TextStyle {
  const { type, attrs } = $from.parent
  const tag = type === nodes.code_block ? 'pre' : type === nodes.paragraph ? String(attrs.tag) : 'p'
  return { tag, class: attrs.attributes?.class ?? '' }
}

/** Aligns the blocks of the selection; those that are aligned so already are as usual again. */
export function align(value: string): Command {
  return (state, dispatch) => {
    const blocks = blocksIn(state)
    if (blocks.length === 0) return false
    const isOn = alignmentAt(state) === value
    const { tr } = state
    for (const { node, at } of blocks) {
      const attributes = withStyle(attributesOf(node) ?? {}, 'text-align', isOn ? '' : value)
      const isLine = node.type === nodes.line
      tr.setNodeMarkup(at, isLine ? nodes.paragraph : null, isLine ? { attributes } : { ...node.attrs, attributes })
    }
    dispatch?.(tr)
    return true
  }
}

/** How the block at the selection is aligned; empty: as usual. */
export function alignmentAt({ selection: { $from } }: EditorState): string {
  return declarationsOf(attributesOf($from.parent)?.style)['text-align'] ?? ''
}

function blocksIn({ doc, selection: { from, to } }: EditorState) {
  const found: { readonly node: Node; readonly at: number }[] = []
  doc.nodesBetween(from, to, (node, at) => {
    if (node.type === nodes.paragraph || node.type === nodes.line) found.push({ node, at })
  })
  return found
}

/** Attributes with a declaration of the style set, or removed where the value is empty. */
export function withStyle(attributes: Attributes, property: string, value: string): Attributes {
  const { style, ...others } = attributes
  const { [property]: _, ...kept } = declarationsOf(style)
  const all = Object.entries(value === '' ? kept : { ...kept, [property]: value })
  return all.length === 0 ? others : { ...others, style: all.map((one) => one.join(':')).join(';') }
}

function declarationsOf(style = ''): Readonly<Record<string, string>> {
  const declarations = style.split(';').map((one) => one.split(':').map((part) => part.trim()))
  return Object.fromEntries(declarations.flatMap(([name, value]) => (name && value ? [[name, value]] : [])))
}

/** Puts a block at the selection, and the caret after it. */
export function insertBlock(block: Node): Command {
  return (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith(block).scrollIntoView())
    return true
  }
}
