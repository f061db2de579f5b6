import { attributes, Html, html } from '../../base/html.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import { failureText, type TemplateError } from './template-error.ts'

/** An area of an answer, and the path of its field. */
interface PlacedArea {
  readonly area: JsonObject
  readonly path: string
}

/** No box of its own: what it holds is laid out as if it were not there. */
const WITHOUT_BOX = { style: 'display:contents' }

/**
 * A rendered widget that says which one it is and where it lies (§11.4), for callers who may edit it: on its own element
 * where it has a single one, else on an element around it that has no box.
 */
export function markedWidget(rendered: Html, widget: JsonObject, area: PlacedArea | undefined): Html {
  if (widget._edit !== true) return rendered
  const mark = {
    'data-apos-widget': String(widget._id ?? ''),
    'data-doc-id': String(widget._docId ?? ''),
    'data-field-id': area?.path,
  }
  const text = rendered.text.trim()
  const place = placeInElement(text)
  const isMarked = /^<[^>]*\sdata-apos-widget=/.test(text)
  if (place === null || isMarked) return html`<div${attributes({ ...mark, ...WITHOUT_BOX })}>${rendered}</div>`
  return new Html(text.slice(0, place) + attributes(mark).text + text.slice(place))
}

/** An area without widgets, for callers who may put some there; nothing for all others. */
export function markedEmptyArea({ area, path }: PlacedArea): Html {
  if (area._edit !== true) return html``
  return html`<div${attributes({
    'data-apos-area-newly-editable': true,
    'data-doc-id': String(area._docId ?? ''),
    'data-area-id': String(area._id ?? ''),
    'data-field-id': path,
  })}></div>`
}

/** The attribute of an element that shows a field of a document, a widget or an item of an array. */
export function fieldMark(holder: unknown, field: string): Html {
  if (!isObject(holder) || holder._edit !== true) return html``
  const { _id, _docId, metaType } = holder
  return attributes({
    'data-quire-field': metaType === 'doc' ? `${_id} ${field}` : `${_docId} @${_id}.${field}`,
  })
}

/** A message in place of a widget whose template failed, for those who edit it. */
export function failedWidget(error: TemplateError): Html {
  return html`<div data-quire-failed role="alert">${failureText(error)}</div>`
}

/** Elements without content, which nothing closes. */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Elements whose content is text, whatever it looks like. */
const TEXT_ONLY = new Set(['script', 'style', 'textarea', 'title', 'iframe', 'noscript', 'xmp'])

const TAG = /<!--[\s\S]*?-->|<(\/?)([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/iy
const STARTS_WITH_TAG = /^<[a-z][^\s/>]*/i

/**
 * Where attributes can be added to the one element that HTML consists of: the place behind its name. Null where there
 * are several elements or none, or where it takes a parser to tell.
 */
export function placeInElement(html: string): number | null {
  const [opening] = STARTS_WITH_TAG.exec(html) ?? []
  return opening !== undefined && endOfFirst(html) === html.length ? opening.length : null
}

/** Where the first element ends; null for one that is not closed. Gives up at the first tag that has no end. */
function endOfFirst(html: string): number | null {
  const lower = html.toLowerCase()
  const open: string[] = []
  for (let at = 0; at >= 0; at = html.indexOf('<', at)) {
    TAG.lastIndex = at
    const found = TAG.exec(html)
    if (found === null) return null
    at = TAG.lastIndex
    const [, slash, written, rest = ''] = found
    const name = written?.toLowerCase()
    if (name === undefined) continue
    if (slash === '/') {
      if (open.pop() !== name) return null
    } else if (!VOID.has(name) && !rest.endsWith('/')) open.push(name)
    if (open.length === 0) return at
    if (slash === '' && TEXT_ONLY.has(name)) at = lower.indexOf(`</${name}`, at)
    if (at < 0) return null
  }
  return null
}
