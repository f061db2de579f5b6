import type { z } from 'zod'
import { attributes, type Html, html, raw } from '../../base/html.ts'
import { isObject, type JsonObject, type UnknownObject } from '../../base/json.ts'
import { BREAKPOINTS, DEFAULT_GAP, type GapOptions, type LAYOUT_OPTIONS } from '../../model/declared/layout-options.ts'
import { LAYOUT_GAP } from '../../model/styles/css-names.ts'
import { type LinkTargets, resolveLinks } from '../../model/values/rich-text-links.ts'
import type { Scene } from '../context.ts'
import type { Embed } from '../embed.ts'
import { isArea } from '../scene-parts.ts'
import { dimensionsOf } from './template-images.ts'

/** The data loaded for the built-in widgets of an answer. */
export interface LoadedForWidgets {
  readonly links: LinkTargets
  /** Embeds of other sites, by address. */
  readonly embeds: ReadonlyMap<string, Embed>
}

/** The input of a built-in widget. */
export interface BuiltInScene extends Scene, LoadedForWidgets {
  /** The options that its area sets for widgets of this type. */
  options(widget: object): object
  /** CSS of built-in widgets, where it is needed first. */
  style(css: string): Html
}

/** Renders widgets of one built-in type. */
export type RenderBuiltIn = (widget: JsonObject, scene: BuiltInScene) => Html

/** A link to a file. */
const renderFile: RenderBuiltIn = ({ _file }, scene) => {
  const [file] = Array.isArray(_file) ? _file : []
  const url = scene.attachmentUrl(file)
  if (!isObject(file) || url === '') return html``
  return html`<p data-file><a href="${url}" download>${String(file.title ?? '')}</a></p>`
}

/** An image with its caption, which may lead to a URL or to a page of the site (§4.3). */
const renderImage: RenderBuiltIn = (widget, scene) => {
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

function altOf({ alt, attachment }: UnknownObject): string {
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

type LayoutOptions = z.infer<typeof LAYOUT_OPTIONS> & GapOptions

/** Columns next to each other, in the markup that components of front ends use too. */
const renderLayout: RenderBuiltIn = (widget, scene) => {
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
const renderColumn: RenderBuiltIn = (widget, scene) => {
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

/** Rich text: it was sanitised when it was written (§2.13). */
const renderRichText: RenderBuiltIn = ({ content }, { links }) => {
  const text = typeof content === 'string' ? resolveLinks(content, links) : ''
  return text === '' ? html`` : html`<div data-rich-text>${raw(text)}</div>`
}

const CSS =
  'div[data-video]>iframe,div[data-video]>img{display:block;width:100%;height:100%;border:0}div[data-video]{aspect-ratio:16/9}'

/** A video of another site, in its proportions; a link to it where that site does not say how to show it. */
const renderVideo: RenderBuiltIn = ({ video }, scene) => {
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

/** How built-in widgets are rendered, by their names without the namespace. */
export const builtInWidgets: ReadonlyMap<string, RenderBuiltIn> = new Map<string, RenderBuiltIn>([
  ['rich-text', renderRichText],
  ['image', renderImage],
  ['video', renderVideo],
  // An area has to allow raw HTML by name: all who may write there are trusted with it.
  ['html', ({ code }) => raw(typeof code === 'string' ? code : '')],
  ['file', renderFile],
  ['layout', renderLayout],
  ['layout-column', renderColumn],
])

const { mobile, tablet } = BREAKPOINTS

/** Columns on a grid; on tablets two next to each other, on phones one below the other. */
export const LAYOUT_CSS = [
  '.layout-widget{display:grid;grid-template-columns:repeat(var(--grid-columns,12),minmax(0,1fr));',
  `gap:var(--grid-gap,var(${LAYOUT_GAP},${DEFAULT_GAP}));`,
  'justify-items:var(--justify-items,stretch);align-items:var(--align-items,stretch)}',
  '.layout-widget>*{grid-column:var(--colstart,auto)/span var(--colspan,1);',
  'grid-row:var(--rowstart,auto)/span var(--rowspan,1);order:var(--order,0);min-width:0}',
  `@media (max-width:${tablet.breakpoint}px){.layout-widget{grid-template-columns:repeat(2,minmax(0,1fr))}`,
  '.layout-widget>*{grid-column:auto;grid-row:auto}.layout-widget>[data-tablet-full]{grid-column:1/-1}}',
  `@media (min-width:${mobile.breakpoint + 1}px) and (max-width:${tablet.breakpoint}px)`,
  '{.layout-widget>[data-visible-tablet=false]{display:none}}',
  `@media (max-width:${mobile.breakpoint}px){.layout-widget{grid-template-columns:minmax(0,1fr)}`,
  '.layout-widget>[data-visible-mobile=false]{display:none}}',
].join('')
