import { NodeSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { ask, asked } from './ask.ts'
import { withStyle } from './block-commands.ts'
import { attributesOf } from './elements.ts'
import { markAround, setMark } from './mark-commands.ts'
import type { RichTextOptions } from './options.ts'
import { figureOf, isAllowedPicture } from './pictures.ts'
import { schema } from './schema.ts'

/** Names the words of the selection, or the place of the caret, so that links can lead there. */
export function askForAnchor(host: HTMLElement, view: EditorView, { t }: RichTextOptions): void {
  const around = markAround(view.state, 'span')
  const before = around ? attributesOf(around.mark) : {}
  const name = asked(t.anchor.name, before.id ?? '')
  const { id: _, ...others } = before
  ask(host, {
    title: t.tools.anchor,
    t,
    rows: [name.row],
    onUse() {
      const id = name.input.value.trim()
      if (!/^[a-z][\w-]*$/i.test(id)) {
        name.complain(t.anchor.notAName)
        return false
      }
      putAnchor(view, id)
      return true
    },
    onRemove: around && before.id ? () => setSpan(view, Object.keys(others).length > 0 ? others : null) : undefined,
    onClose: () => view.focus(),
  })
}

function putAnchor(view: EditorView, id: string): void {
  const around = markAround(view.state, 'span')
  const { state } = view
  if (around || !state.selection.empty) setSpan(view, { ...(around && attributesOf(around.mark)), id })
  else
    view.dispatch(state.tr.replaceSelectionWith(schema.nodes.kept_inline.create({ html: `<span id="${id}"></span>` })))
}

function setSpan(view: EditorView, attributes: Readonly<Record<string, string>> | null): void {
  const { state } = view
  const { from, to, empty } = state.selection
  const around = markAround(state, 'span')
  view.dispatch(setMark(state.tr, empty && around ? around.range : { from, to }, 'span', attributes))
}

/** Asks for the colour of the selection. */
export function askForColor(host: HTMLElement, view: EditorView, { t }: RichTextOptions): void {
  const around = markAround(view.state, 'span')
  const before = around ? attributesOf(around.mark) : {}
  const shown = /color:(#[0-9a-f]{6})/i.exec(before.style ?? '')?.[1] ?? '#000000'
  const color = asked(t.color.value, shown, 'color')
  const set = (value: string) => {
    const attributes = withStyle(before, 'color', value)
    setSpan(view, Object.keys(attributes).length > 0 ? attributes : null)
  }
  ask(host, {
    title: t.tools.color,
    t,
    rows: [color.row],
    onUse() {
      set(color.input.value)
      return true
    },
    onRemove: before.style ? () => set('') : undefined,
    onClose: () => view.focus(),
  })
}

/** Lets somebody choose a picture; of the one that is selected, asks for the alternative text. */
export async function askForImage(host: HTMLElement, view: EditorView, options: RichTextOptions): Promise<void> {
  const { selection } = view.state
  if (selection instanceof NodeSelection && selection.node.type === schema.nodes.image) {
    askForAlternative(host, view, selection, options)
    return
  }
  if (!options.pickImage) {
    askForAddress(host, view, options)
    return
  }
  const picture = await options.pickImage()
  if (view.isDestroyed) return
  if (picture) view.dispatch(view.state.tr.replaceSelectionWith(figureOf(picture)).scrollIntoView())
  view.focus()
}

function askForAlternative(
  host: HTMLElement,
  view: EditorView,
  selection: NodeSelection,
  { t }: RichTextOptions,
): void {
  const attributes = attributesOf(selection.node)
  const alt = asked(t.image.alt, attributes.alt ?? '')
  ask(host, {
    title: t.tools.image,
    t,
    rows: [alt.row],
    onUse() {
      const changed = { attributes: { ...attributes, alt: alt.input.value } }
      view.dispatch(view.state.tr.setNodeMarkup(selection.from, null, changed))
      return true
    },
    onRemove: () => view.dispatch(view.state.tr.deleteSelection()),
    onClose: () => view.focus(),
  })
}

function askForAddress(host: HTMLElement, view: EditorView, options: RichTextOptions): void {
  const { t } = options
  const address = asked(t.image.address, '')
  const alt = asked(t.image.alt, '')
  ask(host, {
    title: t.tools.image,
    t,
    rows: [address.row, alt.row],
    onUse() {
      const src = address.input.value.trim()
      if (src === '' || !isAllowedPicture(src, options)) {
        address.complain(t.image.refused)
        return false
      }
      view.dispatch(view.state.tr.replaceSelectionWith(figureOf({ src, alt: alt.input.value })))
      return true
    },
    onClose: () => view.focus(),
  })
}
