import { DOMSerializer, type Fragment, Slice } from 'prosemirror-model'
import { type EditorState, Selection, type Transaction } from 'prosemirror-state'
import type { EditorProps, EditorView } from 'prosemirror-view'
import { cleaned } from './clean.ts'
import { domOf, treeOf } from './dom.ts'
import { isBlock } from './elements.ts'
import { docOfNodes } from './from-html.ts'
import { type HtmlNode, parseHtml } from './html.ts'
import type { RichTextOptions } from './options.ts'
import { isAllowedPicture, picturesIn, takePictures } from './pictures.ts'
import type { Allowed } from './policy.ts'
import { schema } from './schema.ts'
import { fragmentHtml } from './to-html.ts'

/** Copying: on the clipboard is the HTML that would be stored. */
class Copies extends DOMSerializer {
  override serializeFragment(content: Fragment, options: { document?: Document } = {}): DocumentFragment {
    return domOf(parseHtml(fragmentHtml(content)), options.document ?? document.implementation.createHTMLDocument())
  }
}

const copies = new Copies(DOMSerializer.nodesFromSchema(schema), DOMSerializer.marksFromSchema(schema))

/** Pasting, dropping and copying: what comes in is reduced to what the tools of the field make. */
export function pasteProps(options: RichTextOptions, allowed: Allowed): EditorProps {
  return {
    clipboardSerializer: copies,
    handleDOMEvents: {
      paste: (view, event) => take(view, event, event.clipboardData, options, allowed),
      drop: (view, event) => {
        if (view.dragging) return false
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY })
        if (at) view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(at.pos))))
        return take(view, event, event.dataTransfer, options, allowed)
      },
    },
  }
}

/** Takes data over instead of the browser. */
function take(
  view: EditorView,
  event: ClipboardEvent | DragEvent,
  data: DataTransfer | null,
  options: RichTextOptions,
  allowed: Allowed,
): boolean {
  if (data === null) return false
  event.preventDefault()
  const html = data.getData('text/html')
  const text = data.getData('text/plain')
  const files = picturesIn(data)
  if (files.length > 0 && text === '') void takePictures(view, files, options, allowed)
  else if (view.state.selection.$from.parent.type.spec.code) view.dispatch(view.state.tr.insertText(text))
  else insert(view, event, html === '' ? paragraphsOf(text) : readHtml(html, options, allowed))
  return true
}

/** Lines with an empty one between them are paragraphs; one line alone is words. */
function paragraphsOf(text: string): readonly HtmlNode[] {
  const paragraphs = text.replaceAll('\r\n', '\n').split(/\n{2,}/)
  const contents = paragraphs.map((paragraph) =>
    paragraph.split('\n').flatMap((line, index): HtmlNode[] => (index === 0 ? [line] : [LINE_BREAK, line])),
  )
  if (contents.length === 1) return contents[0] ?? []
  return contents.map((children) => ({ tag: 'p', attributes: {}, children }))
}

const LINE_BREAK: HtmlNode = { tag: 'br', attributes: {}, children: [] }

function readHtml(html: string, options: RichTextOptions, allowed: Allowed): readonly HtmlNode[] {
  const styleless = withoutStyles(html)
  const trusted = options.trustedHtml?.(styleless) ?? styleless
  const { body } = new DOMParser().parseFromString(trusted, 'text/html')
  let isRefused = false
  const tree = cleaned(treeOf(body), {
    allowed,
    isOwn: body.querySelector('[data-pm-slice]') !== null,
    isAllowedPicture(src) {
      const isKept = isAllowedPicture(src, options)
      if (!isKept) isRefused = true
      return isKept
    },
  })
  if (isRefused) options.onRefused?.(options.t.image.refused)
  return tree
}

/** Styles are read, but never applied: the page refuses styles in HTML, and would report each. */
function withoutStyles(html: string): string {
  const withoutSheets = html.replace(/<style\b[\s\S]*?<\/style\s*>/gi, '')
  return withoutSheets.replace(/<[a-z][^>]*>/gi, (tag) => tag.replace(/\sstyle\s*=/gi, ' data-style='))
}

function insert(view: EditorView, event: ClipboardEvent | DragEvent, tree: readonly HtmlNode[]): void {
  if (tree.length === 0) return
  const { content } = docOfNodes(tree)
  const slice = Slice.maxOpen(content)
  const isTaken =
    event instanceof ClipboardEvent && view.someProp('handlePaste', (handle) => handle(view, event, slice) || undefined)
  if (isTaken) return
  const tr = takesPlace(view.state, tree) ? inPlace(view.state, content) : view.state.tr.replaceSelection(slice)
  view.dispatch(tr.scrollIntoView().setMeta('paste', true))
}

/** In an empty paragraph a heading or a list stays one; elsewhere its words go on with those that are there. */
function takesPlace({ selection }: EditorState, [first]: readonly HtmlNode[]): boolean {
  const { parent } = selection.$from
  if (first === undefined || typeof first === 'string' || !isBlock(first) || first.tag === 'p') return false
  return parent.isTextblock && parent.content.size === 0
}

function inPlace({ tr, selection: { $from } }: EditorState, content: Fragment): Transaction {
  tr.replaceWith($from.before(), $from.after(), content)
  return tr.setSelection(Selection.near(tr.doc.resolve(tr.mapping.map($from.after())), -1))
}
