import { type Html, html } from '../../../base/html.ts'
import { isObject, type JsonObject } from '../../../base/json.ts'

/** A video of another site: a link to it. */
export function drawVideo({ video }: JsonObject): Html {
  if (!isObject(video) || typeof video.url !== 'string') return html``
  const title = typeof video.title === 'string' && video.title !== '' ? video.title : video.url
  return html`<p data-video><a href="${video.url}">${title}</a></p>`
}
