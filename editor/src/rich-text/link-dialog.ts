import type { EditorView } from 'prosemirror-view'
import { ask, asked, askedWhether } from './ask.ts'
import { element } from './dom.ts'
import { attributesOf, isSafeAddress } from './elements.ts'
import type { Attributes } from './html.ts'
import { markAround, setMark } from './mark-commands.ts'
import type { LinkedDocument, RichTextOptions } from './options.ts'
import { schema } from './schema.ts'

const PERMALINK = '#apostrophe-permalink-'
const LINKED = /^#apostrophe-permalink-([a-z0-9]+)/

/** Asks where the selection, or the link at the caret, shall lead: to an address or a document. */
export function askForLink(host: HTMLElement, view: EditorView, options: RichTextOptions): void {
  const { t } = options
  const around = markAround(view.state, 'link')
  const before = around ? attributesOf(around.mark) : {}
  const address = asked(t.link.address, before.href ?? '')
  const title = asked(t.link.title, before.title ?? '')
  const newTab = askedWhether(t.link.newTab, before.target === '_blank')
  const chosen = element('p', { class: 'q-rich-text-chosen' })
  let words = ''
  const closing = new AbortController()
  const find = finder(options, closing.signal, (found) => {
    address.input.value = `${PERMALINK}${found.id}`
    chosen.textContent = t.link.toDocument(found.title)
    words = found.title
    address.input.focus()
  })
  const linked = LINKED.exec(before.href ?? '')?.[1]
  if (linked !== undefined && options.titleOf) void showTitle(linked)
  async function showTitle(id: string): Promise<void> {
    const known = await options.titleOf?.(id, closing.signal).catch(() => null)
    if (known && words === '') chosen.textContent = t.link.toDocument(known)
  }
  ask(host, {
    title: t.tools.link,
    t,
    rows: [...find, address.row, chosen, title.row, newTab.row],
    onUse() {
      const href = addressOf(address.input.value)
      if (href === null) {
        address.complain(t.link.notAnAddress)
        return false
      }
      const kept = { ...before, ...optional('title', title.input.value), ...targetOf(newTab.input.checked, before) }
      putLink(view, { href, ...withoutEmpty(kept, href) }, words || address.input.value.trim())
      return true
    },
    onRemove: around ? () => view.dispatch(setMark(view.state.tr, around.range, 'link', null)) : undefined,
    onClose() {
      closing.abort()
      view.focus()
    },
  })
}

function optional(name: string, value: string): Attributes {
  return { [name]: value.trim() }
}

function targetOf(isNewTab: boolean, { rel = '', target = '' }: Attributes): Attributes {
  if (!isNewTab) return { target: target === '_blank' ? '' : target, rel }
  return { target: '_blank', rel: rel || 'noopener' }
}

function withoutEmpty(attributes: Attributes, href: string): Attributes {
  return Object.fromEntries(Object.entries({ ...attributes, href }).filter(([, value]) => value !== ''))
}

/** An address as it is stored: with the scheme that people leave out. Null of what is none, or would run something. */
export function addressOf(value: string): string | null {
  const address = value.trim()
  if (address === '' || /\s/.test(address) || !isSafeAddress(address)) return null
  if (/^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(address)) return `mailto:${address}`
  return /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:[/?#:]|$)/i.test(address) ? `https://${address}` : address
}

/** The link is put around the selection, in the place of the one at the caret, or around new words. */
function putLink(view: EditorView, attributes: Attributes, words: string): void {
  const { state } = view
  const { from, to, empty } = state.selection
  const around = markAround(state, 'link')
  if (!empty || around) {
    view.dispatch(setMark(state.tr, empty && around ? around.range : { from, to }, 'link', attributes))
    return
  }
  const mark = schema.marks.link?.create({ attributes })
  const marks = state.storedMarks ?? state.selection.$from.marks()
  view.dispatch(state.tr.replaceSelectionWith(schema.text(words, mark ? mark.addToSet(marks) : marks), false))
}

/** A search for documents; what is found are buttons. */
function finder(
  { t, pickDocument }: RichTextOptions,
  closed: AbortSignal,
  onChoose: (found: LinkedDocument) => void,
): readonly HTMLElement[] {
  const search = asked(t.link.find, '', 'search')
  const status = element('p', { role: 'status', class: 'q-rich-text-found' })
  const list = element('ul', { class: 'q-rich-text-documents' })
  let asking = new AbortController()
  search.input.addEventListener('input', async () => {
    asking.abort()
    asking = new AbortController()
    const signal = AbortSignal.any([asking.signal, closed])
    const query = search.input.value.trim()
    const found = query === '' ? [] : await pickDocument(query, signal).catch(() => [])
    if (signal.aborted) return
    status.textContent = query === '' ? '' : t.link.found(found.length)
    list.replaceChildren(...found.map((one) => documentRow(one, onChoose)))
  })
  return [search.row, status, list]
}

function documentRow(found: LinkedDocument, onChoose: (found: LinkedDocument) => void): HTMLElement {
  const detail = found.detail ? [element('small', {}, found.detail)] : []
  const button = element('button', { type: 'button', class: 'q-button' }, found.title, ' ', ...detail)
  button.addEventListener('click', () => onChoose(found))
  return element('li', {}, button)
}
