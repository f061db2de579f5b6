import { attributes, type Html, html } from '../../../base/html.ts'
import { isObject, type JsonObject } from '../../../base/json.ts'
import { dimensionsOf } from '../template-images.ts'
import type { RenderBuiltIn } from './built-in-widget.ts'

/** An image with its caption, which may lead to a URL or to a page of the site (§4.3). */
export const renderImage: RenderBuiltIn = (widget, scene) => {
  const [image] = Array.isArray(widget._image) ? widget._image : []
  const src = scene.attachmentUrl(image)
  if (!isObject(image) || src === '') return html``
  const srcset = scene.srcset(image)
  const focalPoint = scene.focalPoint(image)
  const picture = html`<img${attributes({
    src,
    srcset: srcset || null,
    sizes: srcset === '' ? null : scene.sizes,
    ...dimensionsOf(image),
    alt: altOf(image),
    style: focalPoint === '50% 50%' ? null : `object-position:${focalPoint}`,
    loading: 'lazy',
    decoding: 'async',
  })}>`
  const { caption } = widget
  const text = typeof caption === 'string' && caption !== '' ? html`<figcaption>${caption}</figcaption>` : null
  return html`<figure>${withLink(widget, picture)}${text}</figure>`
}

function altOf({ alt, attachment }: { readonly [name: string]: unknown }): string {
  if (typeof alt === 'string') return alt
  return isObject(attachment) && typeof attachment._alt === 'string' ? attachment._alt : ''
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
