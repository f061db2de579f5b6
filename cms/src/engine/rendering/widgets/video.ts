import { attributes, html, raw } from '../../../base/html.ts'
import { isObject } from '../../../base/json.ts'
import type { RenderBuiltIn } from './built-in-widget.ts'

const CSS =
  'div[data-video]>iframe,div[data-video]>img{display:block;width:100%;height:100%;border:0}div[data-video]{aspect-ratio:16/9}'

/** A video of another site, in its proportions; a link to it where that site does not say how to show it. */
export const renderVideo: RenderBuiltIn = ({ video }, scene) => {
  if (!isObject(video) || typeof video.url !== 'string') return html``
  const embed = scene.embeds.get(video.url)
  if (embed) {
    const { width, height } = embed
    const style = width && height ? `aspect-ratio:${width}/${height}` : null
    return html`${scene.style(CSS)}<div data-video${attributes({ style })}>${raw(embed.html)}</div>`
  }
  const title = typeof video.title === 'string' && video.title !== '' ? video.title : video.url
  return html`<p data-video><a href="${video.url}">${title}</a></p>`
}
