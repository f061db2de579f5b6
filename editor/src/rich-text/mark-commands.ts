import type { Mark } from 'prosemirror-model'
import type { Command, EditorState, Transaction } from 'prosemirror-state'
import type { MarkName } from './elements.ts'
import type { Attributes } from './html.ts'
import { schema } from './schema.ts'

/** Whether all of the selection has an inline element, or what is typed next will have it. */
export function hasMark(state: EditorState, name: MarkName): boolean {
  const type = schema.marks[name]
  const { empty, from, to, $from } = state.selection
  if (type === undefined) return false
  if (empty) return type.isInSet(state.storedMarks ?? $from.marks()) !== undefined
  let hasWords = false
  let isWhole = true
  state.doc.nodesBetween(from, to, (node) => {
    if (!node.isInline) return
    hasWords = true
    if (!type.isInSet(node.marks)) isWhole = false
  })
  return hasWords && isWhole
}

/** Puts the selection, or what is typed next, into an inline element, or takes it out of all of this kind. */
export function toggleMark(name: MarkName): Command {
  return (state, dispatch) => {
    const type = schema.marks[name]
    const { empty, from, to, $from } = state.selection
    if (type === undefined || (empty && !$from.parent.inlineContent)) return false
    if (!dispatch) return true
    const isOn = hasMark(state, name)
    const { tr } = state
    if (empty) dispatch(isOn ? tr.removeStoredMark(type) : tr.addStoredMark(type.create()))
    else dispatch((isOn ? tr.removeMark(from, to, type) : addMark(tr, from, to, type.create())).scrollIntoView())
    return true
  }
}

/** Adds a mark where there is none of its kind: elements of the text stay as they are. */
function addMark(tr: Transaction, from: number, to: number, mark: Mark): Transaction {
  tr.doc.nodesBetween(from, to, (node, at) => {
    if (node.isInline && !mark.type.isInSet(node.marks))
      tr.addMark(Math.max(from, at), Math.min(to, at + node.nodeSize), mark)
  })
  return tr
}

/** Gives the words of a range an inline element with these attributes instead of those of its kind; null: none. */
export function setMark(tr: Transaction, range: Range, name: MarkName, attributes: Attributes | null): Transaction {
  const type = schema.marks[name]
  if (type === undefined) return tr
  tr.removeMark(range.from, range.to, type)
  return attributes === null ? tr : tr.addMark(range.from, range.to, type.create({ attributes }))
}

/** A part of a document. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** The inline element at the selection, and how far it reaches. */
export function markAround(state: EditorState, name: MarkName): { readonly mark: Mark; readonly range: Range } | null {
  const type = schema.marks[name]
  const { $from, empty } = state.selection
  if (type === undefined) return null
  const after = type.isInSet($from.nodeAfter?.marks ?? [])
  const mark = after ?? (empty ? type.isInSet($from.nodeBefore?.marks ?? []) : undefined)
  return mark ? { mark, range: rangeOf(state, mark) } : null
}

function rangeOf({ selection: { $from } }: EditorState, mark: Mark): Range {
  const { parent } = $from
  let first = $from.index()
  let last = first
  while (first > 0 && mark.isInSet(parent.child(first - 1).marks)) first -= 1
  while (last < parent.childCount && mark.isInSet(parent.child(last).marks)) last += 1
  return { from: $from.posAtIndex(first), to: $from.posAtIndex(last) }
}
