import type { z } from 'zod'
import { attributes, html } from '../../../base/html.ts'
import type { JsonObject } from '../../../base/json.ts'
import type { GapOptions, LAYOUT_OPTIONS } from '../../../model/declared/layout-options.ts'
import { isArea } from '../is-area.ts'
import { LAYOUT_CSS } from '../layout-css.ts'
import type { RenderBuiltIn } from './built-in-widget.ts'

type LayoutOptions = z.infer<typeof LAYOUT_OPTIONS> & GapOptions

/** Columns beside each other, in the markup that components of front ends use too. */
export const renderLayout: RenderBuiltIn = (widget, scene) => {
  if (!isArea(widget.columns)) return html``
  // `as`: the options of layouts, with their defaults (model/declared/layout-options.ts).
  const { columns, _gap, ...cells } = scene.options(widget) as LayoutOptions
  const gap = _gap === null ? '' : `--grid-gap:${_gap};`
  const style = attributes({
    style: `--grid-columns:${columns};${gap}--justify-items:${cells.defaultCellHorizontalAlignment};--align-items:${cells.defaultCellVerticalAlignment}`,
  })
  return html`${scene.style(LAYOUT_CSS)}<div class="layout-widget"${style}>${scene.area(widget.columns)}</div>`
}

/** One column of a layout. */
export const renderColumn: RenderBuiltIn = (widget, scene) => {
  const content = isArea(widget.content) ? scene.area(widget.content) : null
  return html`<div${attributes({
    'data-visible-tablet': String(widget.showTablet !== false),
    'data-visible-mobile': String(widget.showMobile !== false),
    style: placeOf(widget) || null,
  })}>${content}</div>`
}

function placeOf(widget: JsonObject): string {
  const names = ['colstart', 'colspan', 'rowstart', 'rowspan', 'order']
  return names.flatMap((name) => (widget[name] ? [`--${name}:${widget[name]}`] : [])).join(';')
}
