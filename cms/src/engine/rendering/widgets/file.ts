import { html } from '../../../base/html.ts'
import { isObject } from '../../../base/json.ts'
import type { RenderBuiltIn } from './built-in-widget.ts'

/** A link to a file. */
export const renderFile: RenderBuiltIn = ({ _file }, scene) => {
  const [file] = Array.isArray(_file) ? _file : []
  const url = scene.attachmentUrl(file)
  if (!isObject(file) || url === '') return html``
  return html`<p data-file><a href="${url}" download>${String(file.title ?? '')}</a></p>`
}
