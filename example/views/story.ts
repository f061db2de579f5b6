import { attributes, type Html, html, type Scene } from 'quire-cms'
import type { Article, Author, Topic } from './shapes.ts'
import { dayIn, wordsIn } from './words.ts'

/** How a story looks in a list. */
export interface StoryLook {
  /** The level of its heading. */
  readonly heading?: 2 | 3
  /** How wide its picture is shown, for the attribute `sizes`; null for none. */
  readonly picture?: string | null
  /** It is at the top of the page: its picture is loaded at once. */
  readonly isFirst?: boolean
  readonly isWithStandfirst?: boolean
}

const IN_COLUMNS = '(min-width: 62rem) 24rem, (min-width: 40rem) 45vw, 92vw'

/** An article in a list. Its picture says nothing that its title does not: it has no text of its own here. */
export function story(
  article: Article,
  scene: Scene,
  { heading = 3, picture = IN_COLUMNS, isFirst = false, isWithStandfirst = true }: StoryLook = {},
): Html {
  const title = html`<a href="${article._url}">${article.title}</a>`
  return html`<article class="story">
${labelOf(article, scene)}
${heading === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}
${isWithStandfirst && html`<p class="standfirst">${article.subtitle}</p>`}
${datelineOf(article, scene)}
${picture === null ? null : pictureOf(article, scene, { sizes: picture, alt: '', isFirst })}
</article>`
}

/** Stories in columns. */
export function stories(some: readonly Article[], scene: Scene, look?: StoryLook): Html {
  return html`<div class="stories">${some.map((article) => story(article, scene, look))}</div>`
}

/** The section, next to a lamp in the colour of the first topic. */
export function labelOf({ section, _topics: [topic] }: Article, { locale }: Scene): Html {
  const link = topic && html`<a href="${topic._url}">${topic.title}</a>`
  return html`<p class="label">${topic && dot(topic)}<span>${section && wordsIn(locale).sections[section]}</span>${link}</p>`
}

/** A topic's colour, as a small lamp. */
export function dot({ color }: Topic): Html {
  return html`<span class="dot" style="--topic: ${color}"></span>`
}

/** The authors and the date of an article. */
export function datelineOf({ _authors, date }: Article, { locale }: Scene): Html {
  const names = _authors.length > 0 && namesOf(_authors, locale)
  const day = date && html`<time datetime="${date}">${dayIn(locale, date)}</time>`
  return html`<p class="small byline">${names}${names && day && ', '}${day}</p>`
}

/** Names with links: “Ines Moreau and Hugh Pemberton”. */
export function namesOf(authors: readonly Author[], locale: string): Html {
  const links = authors.map(({ _url, title }) => html`<a href="${_url}">${title}</a>`)
  return html`${wordsIn(locale).by} ${links.map((link, index) => html`${index > 0 && ` ${wordsIn(locale).and} `}${link}`)}`
}

/** The picture of an article, with its size, so that nothing moves when it arrives. */
export function pictureOf(
  { _image: [image] }: Article,
  scene: Scene,
  { sizes, alt, isFirst = false }: { readonly sizes: string; readonly alt: string; readonly isFirst?: boolean },
): Html | null {
  if (!image?.attachment) return null
  return html`<img${attributes({
    src: scene.attachmentUrl(image, { size: 'two-thirds' }),
    srcset: scene.srcset(image),
    sizes,
    width: image.attachment.width,
    height: image.attachment.height,
    alt,
    loading: isFirst ? null : 'lazy',
    fetchpriority: isFirst ? 'high' : null,
  })} style="object-position: ${scene.focalPoint(image)}">`
}

/** The newest articles, without pictures: for the home page, and where there is no page. */
export function newest(some: readonly Article[], scene: Scene): Html {
  const { locale } = scene
  const items = some.map(
    (article) => html`<li>
<p class="small"><time datetime="${article.date}">${dayIn(locale, article.date)}</time></p>
<div><h3><a href="${article._url}">${article.title}</a></h3><p class="standfirst">${article.subtitle}</p></div>
<p class="small">${namesOf(article._authors, locale)}</p>
</li>`,
  )
  return html`<ul class="latest">${items}</ul>`
}
