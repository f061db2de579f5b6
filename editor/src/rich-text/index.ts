import { stay } from '../base/stay.ts'
import './rich-text.css'
import { dropCursor } from 'prosemirror-dropcursor'
import { gapCursor } from 'prosemirror-gapcursor'
import { history } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import { EditorState, Plugin } from 'prosemirror-state'
import { CellSelection, tableEditing } from 'prosemirror-tables'
import { EditorView } from 'prosemirror-view'
import { element } from './dom.ts'
import { docOf } from './from-html.ts'
import { keysOf } from './keys.ts'
import { askForLink } from './link-dialog.ts'
import type { RichText, RichTextOptions } from './options.ts'
import { pasteProps } from './paste.ts'
import { place } from './place.ts'
import { type Allowed, allowedBy } from './policy.ts'
import { htmlOfDoc } from './to-html.ts'
import { RichTextToolbar } from './toolbar.ts'
import { type } from './type.ts'
import { typingRules } from './typing-rules.ts'

/** Bars lie over the first and last lines of the window, in pixels: the caret is kept out of there. */
const BARS = { top: 64, bottom: 96, left: 0, right: 0 }

export type { RichTextWords } from '../words/rich-text.ts'
export type { LinkedDocument, Picture, Place, RichText, RichTextOptions, TextStyle, TypedKey } from './options.ts'

/**
 * Makes `host` a rich text that can be edited, with its toolbar above it. The whole part is meant to be loaded by
 * `import()` when somebody enters a text.
 */
export function mountRichText(host: HTMLElement, options: RichTextOptions): RichText {
  const allowed = allowedBy(options.toolbar, options.styles)
  const root = element('div', { class: 'q-rich-text' })
  host.append(root)
  let current = options.html
  const toolbar: { shown?: RichTextToolbar } = {}
  const view = new EditorView(root, {
    state: EditorState.create({ doc: docOf(options.html), plugins: plugins(root, options, allowed, toolbar) }),
    attributes: attributesFor(options),
    scrollThreshold: BARS,
    scrollMargin: BARS,
    ...pasteProps(options, allowed),
    dispatchTransaction(transaction) {
      view.updateState(view.state.apply(transaction))
      toolbar.shown?.update()
      if (!transaction.docChanged || transaction.getMeta(UPDATE)) return
      const html = htmlOfDoc(view.state.doc)
      if (html === current) return
      current = html
      options.onChange(html)
    },
  })
  const bar = new RichTextToolbar({ host: root, view, options, allowed })
  toolbar.shown = bar
  if (!bar.isEmpty) root.prepend(bar.element)
  const text: RichText = {
    focus(at) {
      view.focus()
      if (at !== undefined) place(view, at)
    },
    place: (at) => place(view, at),
    type: (typed) => type(view, typed),
    update(html) {
      if (html === current) return
      current = html
      takeOver(view, html)
    },
    destroy() {
      view.destroy()
      root.remove()
    },
  }
  options.signal?.addEventListener('abort', () => text.destroy(), { once: true })
  return text
}

/** Marks what others wrote. */
const UPDATE = 'update'

function attributesFor({ label, describedBy, direction, language }: RichTextOptions): Record<string, string> {
  return {
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': label,
    ...(describedBy && { 'aria-describedby': describedBy }),
    class: 'q-rich-text-content',
    dir: direction,
    lang: language,
    spellcheck: 'true',
  }
}

function plugins(
  root: HTMLElement,
  options: RichTextOptions,
  allowed: Allowed,
  toolbar: { readonly shown?: RichTextToolbar },
): Plugin[] {
  const leave = () => {
    if (toolbar.shown && !toolbar.shown.isEmpty) toolbar.shown.focus()
    else options.onLeave()
    return true
  }
  return [
    typingRules(allowed),
    keymap({
      Escape: leave,
      'Alt-F10': leave,
      'Mod-k': (_state, _dispatch, view) => {
        if (!view || !allowed.tools.includes('link')) return false
        askForLink(root, view, options)
        return true
      },
    }),
    keymap(keysOf(allowed)),
    ...(options.isUndoneOutside ? [] : [history()]),
    dropCursor({ class: 'q-rich-text-drop', color: false }),
    gapCursor(),
    tables(),
    keymap(AT_THE_EDGE),
    new Plugin({ props: { handleDOMEvents: { beforeinput: refuseHistory, click: (_view, event) => stay(event) } } }),
    ...(options.isUndoneOutside ? [leaveUndoing()] : []),
  ]
}

/** Tables as they are: they are made regular only by those who change their rows and columns. */
function tables(): Plugin {
  const { spec } = tableEditing()
  const plugin: Plugin = new Plugin({
    ...spec,
    appendTransaction: (transactions, _before, after) =>
      spec.appendTransaction?.call(plugin, transactions, after, after),
  })
  return plugin
}

/** Cells that are marked stay marked where there is no further cell in that direction. */
const AT_THE_EDGE = Object.fromEntries(
  ['Left', 'Right', 'Up', 'Down'].map((where) => [`Shift-Arrow${where}`, isOfCells]),
)

function isOfCells({ selection }: EditorState): boolean {
  return selection instanceof CellSelection
}

/** Lets the keys for undoing pass by the text, as if it were not there. */
function leaveUndoing(): Plugin {
  const isUndoing = ({ key, ctrlKey, metaKey }: KeyboardEvent) => (ctrlKey || metaKey) && /^[zy]$/i.test(key)
  return new Plugin({ props: { handleDOMEvents: { keydown: (_view, event) => isUndoing(event) } } })
}

/** The browser's own undoing would change the text behind the editor's back. */
function refuseHistory(_view: EditorView, event: InputEvent): boolean {
  const isHistory = event.inputType.startsWith('history')
  if (isHistory) event.preventDefault()
  return isHistory
}

/** Changes only what differs, so that the caret and what can be undone keep their places. */
function takeOver(view: EditorView, html: string): void {
  const doc = docOf(html)
  const { state } = view
  const start = state.doc.content.findDiffStart(doc.content)
  const end = state.doc.content.findDiffEnd(doc.content)
  if (start === null || end === null) return
  const overlap = Math.max(0, start - Math.min(end.a, end.b))
  const slice = doc.slice(start, end.b + overlap)
  const tr = state.tr
    .replace(start, end.a + overlap, slice)
    .setMeta(UPDATE, true)
    .setMeta('addToHistory', false)
  view.dispatch(tr.doc.eq(doc) ? tr : wholeText(state, doc))
}

function wholeText(state: EditorState, doc: ReturnType<typeof docOf>) {
  const tr = state.tr.replaceWith(0, state.doc.content.size, doc.content)
  return tr.setDocAttribute('end', doc.attrs.end).setMeta(UPDATE, true).setMeta('addToHistory', false)
}
