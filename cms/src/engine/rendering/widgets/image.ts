import { attributes, type Html, html } from '../../../base/html.ts'
import { isObject, type JsonObject } from '../../../base/json.ts'
import type { Scene } from '../../context.ts'
import { dimensionsOf } from '../images.ts'

/** An image with its caption, which may lead to a URL or to a page of the site (§4.3). */
export function drawImage(widget: JsonObject, scene: Scene): Html {
  const [image] = Array.isArray(widget._image) ? widget._image : []
  const src = scene.attachmentUrl(image)
  if (!isObject(image) || src === '') return html``
  const srcset = scene.srcset(image)
  const { alt, attachment } = image
  const picture = html`<img${attributes({
    src,
    srcset: srcset || null,
    sizes: srcset === '' ? null : scene.sizes,
    ...dimensionsOf(image),
    alt: String(alt ?? (isObject(attachment) ? attachment._alt : null) ?? ''),
    style: `object-position: ${scene.focalPoint(image)}`,
    loading: 'lazy',
    decoding: 'async',
  })}>`
  const linked = withLink(widget, picture)
  const { caption } = widget
  return typeof caption === 'string' && caption !== ''
    ? html`<figure>${linked}<figcaption>${caption}</figcaption></figure>`
    : html`<figure>${linked}</figure>`
}

function withLink(widget: JsonObject, picture: Html): Html {
  const { linkTo, linkTarget, linkTitle, linkHrefTitle } = widget
  if (typeof linkTo !== 'string' || linkTo === 'none') return picture
  const isUrl = linkTo === '_url'
  const href = isUrl ? widget.linkHref : urlOfFirst(widget[`_${linkTo}`])
  if (typeof href !== 'string' || href === '') return picture
  const isBlank = Array.isArray(linkTarget) && linkTarget.includes('_blank')
  const title = isUrl ? linkHrefTitle : linkTitle
  return html`<a${attributes({
    href,
    title: typeof title === 'string' && title !== '' ? title : null,
    target: isBlank ? '_blank' : null,
    rel: isBlank ? 'noopener noreferrer' : null,
  })}>${picture}</a>`
}

function urlOfFirst(documents: unknown): unknown {
  const [first] = Array.isArray(documents) ? documents : []
  return isObject(first) ? first._url : null
}
