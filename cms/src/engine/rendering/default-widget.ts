import { type Html, html } from '../../base/html.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import type { WidgetType } from '../../model/declared/types.ts'
import { textOf } from '../../model/values/walk.ts'
import type { Scene } from '../context.ts'
import { isArea } from './is-area.ts'

/** A widget whose type has no template: its texts, what it is related to, and its areas. */
export function renderDefaultWidget({ name, fields }: WidgetType, widget: JsonObject, scene: Scene): Html {
  const parts = fields.list.map((field) => {
    const value = widget[field.name]
    if (isArea(value)) return scene.area(value)
    if (field.type.relation !== undefined) return Array.isArray(value) ? value.map(renderRelated) : null
    const text = textOf(field, widget)
    return text === '' ? null : html`<p>${text}</p>`
  })
  return html`<div data-widget="${name}">${parts}</div>`
}

function renderRelated(document: unknown): Html {
  const { title, _url } = isObject(document) ? document : {}
  const text = String(title ?? '')
  return typeof _url === 'string' && _url !== '' ? html`<p><a href="${_url}">${text}</a></p>` : html`<p>${text}</p>`
}
