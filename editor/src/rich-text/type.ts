import type { EditorView } from 'prosemirror-view'
import type { TypedKey } from './options.ts'

/** Does in a text what keys would have done, whether it has the focus or not. */
export function type(view: EditorView, typed: TypedKey): void {
  if ('text' in typed) typeText(view, typed.text)
  else pressKey(view, typed.key)
}

function typeText(view: EditorView, text: string): void {
  const { from, to } = view.state.selection
  const insert = () => view.state.tr.insertText(text, from, to)
  const isHandled = view.someProp('handleTextInput', (handle) => handle(view, from, to, text, insert))
  if (!isHandled) view.dispatch(insert().scrollIntoView())
}

function pressKey(view: EditorView, key: string): void {
  const event = new KeyboardEvent('keydown', { key, cancelable: true })
  if (view.someProp('handleKeyDown', (handle) => handle(view, event))) return
  const { $from } = view.state.selection
  const [from, to] = key === 'Delete' ? [$from.pos, $from.pos + 1] : [$from.pos - 1, $from.pos]
  // At the ends of paragraphs the keys above have joined them.
  if (from >= $from.start() && to <= $from.end()) view.dispatch(view.state.tr.delete(from, to))
}
