import { attributes, type Html, html, json } from '../../base/html.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import { languageTag } from '../../base/text.ts'
import type { PageData } from '../../model/declared/page-data-types.ts'
import type { Context, Scene } from '../context.ts'
import { absoluteFor } from '../presentation/document-url.ts'
import { getChoiceFilter, getPageFilter, withFilter } from '../presentation/url-operations.ts'
import { fallbackIn } from './fallback-language.ts'
import { dimensionsOf } from './template-images.ts'

/** The description of a page for search engines and social networks. */
export interface PageMetadata {
  /** The title of the piece, or of the page, when left out. */
  readonly title?: string | null | undefined
  readonly description?: string | null | undefined
  /** An image document, as relationships hold it. */
  readonly image?: unknown
  /** The page is an article. */
  readonly article?: ArticleMetadata | null | undefined
}

/** The further properties of an article. */
export interface ArticleMetadata {
  /** A date, or a date and time. */
  readonly published?: string | null | undefined
  readonly modified?: string | null | undefined
  readonly section?: string | null | undefined
  readonly authors?: readonly { readonly title: string; readonly _url?: unknown }[] | undefined
}

/**
 * Renders what belongs into the head of the page (§4.2b): its description, its canonical URL, Open Graph, and as JSON-LD
 * its breadcrumbs and the article that it is. URLs are absolute, and left out where the site does not know its own.
 *
 *     ${pageMetadata(scene, { description: data.page?.intro })}
 */
export function pageMetadata(scene: Scene, about: PageMetadata): Html {
  const facts = factsOf(scene, about)
  const { description, canonical } = facts
  const graph = [breadcrumbs(scene, facts), article(scene, facts)].filter((part) => part !== null)
  return html`${description && html`<meta${attributes({ name: 'description', content: description })}>\n`}${
    // Of a page that stands in for a missing one the head has it already.
    canonical && fallbackIn(scene.page?.page) === null && html`<link rel="canonical" href="${canonical}">\n`
  }${openGraph(scene, facts)}${
    graph.length > 0 &&
    html`<script type="application/ld+json">${json({ '@context': 'https://schema.org', '@graph': graph })}</script>\n`
  }`
}

/** The facts that appear in several formats. */
interface Facts extends Pick<PageMetadata, 'article'> {
  readonly title: string
  readonly description: string
  readonly canonical: string | null
  readonly image: ImageFacts | null
}

interface ImageFacts {
  readonly url: string
  readonly alt: string
  readonly width: number | undefined
  readonly height: number | undefined
}

function factsOf(scene: Scene, { title, description, image, article }: PageMetadata): Facts {
  const { page, piece } = scene.page ?? {}
  return {
    title: title ?? String((piece ?? page)?.title ?? ''),
    description: description ?? '',
    canonical: scene.page === null ? null : canonicalOf(scene.ctx, scene.page),
    image: imageOf(scene, image),
    article,
  }
}

/** The URL of a page without the parameters that it does not know; null for what is no page, and for several filters. */
export function canonicalOf(ctx: Context, { page, piece, filters = [], currentPage = 1 }: PageData): string | null {
  if (page === null) return null
  if (piece) return absoluteFor(ctx, piece._url)
  const active = filters.flatMap(({ name, choices }) =>
    choices.filter((choice) => choice.active).map(({ value }) => ({ name, value })),
  )
  const [choice, ...others] = active
  if (others.length > 0) return null
  const end = choice ? getChoiceFilter(ctx, choice.name, choice.value, currentPage) : getPageFilter(ctx, currentPage)
  return absoluteFor(ctx, withFilter(String(page._url), end))
}

function imageOf({ ctx, attachmentUrl }: Scene, image: unknown): ImageFacts | null {
  const url = absoluteFor(ctx, attachmentUrl(image, { size: 'max' }))
  if (url === null) return null
  // The size of the original: networks scale it themselves, and ask for the proportions.
  return { url, alt: isObject(image) ? String(image.alt ?? '') : '', ...sizeOf(image) }
}

function sizeOf(image: unknown): Pick<ImageFacts, 'width' | 'height'> {
  const size = dimensionsOf(image)
  if (size === null) return { width: undefined, height: undefined }
  const scale = Math.min(1, LARGEST / size.width, LARGEST / size.height)
  return { width: Math.round(size.width * scale), height: Math.round(size.height * scale) }
}

/** The bounds of the size `max` (§4.3). */
const LARGEST = 1600

function openGraph(scene: Scene, { title, description, canonical, image, article }: Facts): Html {
  const [language = '', region] = languageTag(contentLocale(scene)).split('-')
  const properties: [string, string | number | null | undefined][] = [
    ['og:type', article ? 'article' : 'website'],
    ['og:title', title],
    ['og:description', description],
    ['og:url', canonical],
    ['og:site_name', scene.ctx.site.name],
    ['og:locale', region?.length === 2 ? `${language}_${region}` : null],
    ['og:image', image?.url],
    ['og:image:width', image?.width],
    ['og:image:height', image?.height],
    ['og:image:alt', image?.alt],
    ['article:published_time', article?.published],
    ['article:modified_time', article?.modified],
    ['article:section', article?.section],
  ]
  const present = properties.filter(([, content]) => content !== null && content !== undefined && content !== '')
  const card = image === null ? null : html`<meta name="twitter:card" content="summary_large_image">\n`
  return html`${present.map(([property, content]) => html`<meta${attributes({ property, content })}>\n`)}${card}`
}

/** The way to the page from the home page; null for the home page itself, and where URLs are not known. */
function breadcrumbs({ ctx, page: data }: Scene, { title, canonical }: Facts): JsonObject | null {
  if (!data?.page || canonical === null) return null
  // `as`: `_ancestors` of presented pages are presented pages.
  const above = (data.page._ancestors ?? []) as JsonObject[]
  const way = [...above, ...(data.piece ? [data.page] : [])].map(({ title, _url }) => [title, absoluteFor(ctx, _url)])
  const itemListElement = [...way, [title, canonical]].map(([name = null, item = null], index) => {
    return { '@type': 'ListItem', position: index + 1, name, item }
  })
  return way.length === 0 ? null : { '@type': 'BreadcrumbList', itemListElement }
}

function article(scene: Scene, { article, title, description, canonical, image }: Facts): JsonObject | null {
  if (!article || canonical === null) return null
  const { published, modified, section, authors = [] } = article
  const own = {
    headline: title,
    description,
    url: canonical,
    mainEntityOfPage: canonical,
    inLanguage: languageTag(contentLocale(scene)),
    image: image?.url,
    datePublished: published,
    dateModified: modified,
    articleSection: section,
    author: authors.map(({ title: name, _url }) => person(name, absoluteFor(scene.ctx, _url))),
    publisher: { '@type': 'Organization', name: scene.ctx.site.name },
  }
  const isPresent = ([, value]: [string, unknown]) => value !== null && value !== undefined && value !== ''
  return { '@type': 'Article', ...Object.fromEntries(Object.entries(own).filter(isPresent)) }
}

/** The locale of what is described. */
function contentLocale({ page, locale }: Scene): string {
  return fallbackIn(page?.piece ?? page?.page) ?? locale
}

function person(name: string, url: string | null): JsonObject {
  return { '@type': 'Person', name, ...(url === null ? {} : { url }) }
}
