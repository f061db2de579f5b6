import { Selection, TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { Place, Point } from './options.ts'

/** Puts the caret, or a selection, into a text. */
export function place(view: EditorView, at: Place): void {
  view.dispatch(view.state.tr.setSelection(selectionAt(view, at)).scrollIntoView())
}

function selectionAt(view: EditorView, at: Place): Selection {
  const { doc } = view.state
  const [start, end] = [Selection.atStart(doc), Selection.atEnd(doc)]
  if (at === 'start') return start
  if (at === 'end') return end
  if (at === 'all') return TextSelection.between(start.$from, end.$to)
  const head = positionAt(view, at)
  const anchor = at.from === undefined ? head : positionAt(view, at.from)
  if (head === null) return end
  const $head = doc.resolve(head)
  return anchor === null || anchor === head ? Selection.near($head) : TextSelection.between(doc.resolve(anchor), $head)
}

function positionAt(view: EditorView, { x, y }: Point): number | null {
  const { left, top } = view.dom.getBoundingClientRect()
  return view.posAtCoords({ left: left + x, top: top + y })?.pos ?? null
}
