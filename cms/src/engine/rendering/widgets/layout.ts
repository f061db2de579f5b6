import { attributes, type Html, html } from '../../../base/html.ts'
import type { JsonObject } from '../../../base/json.ts'
import type { Scene } from '../../context.ts'
import { isArea } from '../is-area.ts'

/** Columns beside each other. */
export function drawLayout({ columns }: JsonObject, scene: Scene): Html {
  return isArea(columns) ? html`<div data-layout>${scene.area(columns)}</div>` : html``
}

/** One column of a layout. */
export function drawColumn({ content }: JsonObject, scene: Scene): Html {
  return html`<div${attributes({ 'data-layout-column': '' })}>${isArea(content) ? scene.area(content) : null}</div>`
}
