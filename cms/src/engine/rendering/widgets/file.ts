import { type Html, html } from '../../../base/html.ts'
import { isObject, type JsonObject } from '../../../base/json.ts'
import type { Scene } from '../../context.ts'

/** A link to a file. */
export function drawFile({ _file }: JsonObject, scene: Scene): Html {
  const [file] = Array.isArray(_file) ? _file : []
  const url = scene.attachmentUrl(file)
  if (!isObject(file) || url === '') return html``
  return html`<p data-file><a href="${url}" download>${String(file.title ?? '')}</a></p>`
}
