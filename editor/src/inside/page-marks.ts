import { type Mark, markKey } from './protocol.ts'

/** All parts that say where they come from; elements of external front ends, too. */
const MARKED = '[data-apos-widget],[data-area-id],[data-quire-field]'

/** The mark of an element; null for one that is no part by itself, such as an area that holds widgets. */
export function markOf(element: Element): Mark | null {
  const { aposWidget: widgetId, areaId, quireField } = data(element)
  if (widgetId) return { kind: 'widget', docId: docIdOf(element), widgetId }
  if (quireField) {
    const [docId = '', path = ''] = quireField.split(' ')
    return { kind: 'field', docId, path }
  }
  if (!areaId || element.querySelector('[data-apos-widget]')) return null
  return { kind: 'area', docId: docIdOf(element), areaId, fieldId: data(element).fieldId ?? '' }
}

/** The innermost part that holds an element. */
export function partAround(start: Element | null): Element | null {
  for (let part = start?.closest(MARKED); part; part = part.parentElement?.closest(MARKED))
    if (markOf(part) !== null) return part
  return null
}

/** All parts, in the order of the page. */
export function partsIn(root: ParentNode): Element[] {
  return [...root.querySelectorAll(MARKED)].filter((element) => markOf(element) !== null)
}

/** The part with a mark; null where the page does not show it. */
export function partWith(mark: Mark, root: ParentNode): Element | null {
  const key = markKey(mark)
  return partsIn(root).find((element) => keyOf(element) === key) ?? null
}

/** The identity of the mark of a part. */
export function keyOf(part: Element): string {
  const mark = markOf(part)
  return mark === null ? '' : markKey(mark)
}

/** Where a part is in the window; one without a box of its own is where its content is. */
export function boxOf(part: Element): DOMRect {
  const range = document.createRange()
  range.selectNodeContents(part)
  const own = part.getBoundingClientRect()
  return own.width || own.height ? own : range.getBoundingClientRect()
}

/** An area of a front end stands around its widgets. */
function docIdOf(element: Element): string {
  const holder = element.closest('[data-doc-id]')
  return (holder && data(holder).docId) || ''
}

function data(element: Element): DOMStringMap {
  return element instanceof HTMLElement || element instanceof SVGElement ? element.dataset : {}
}
