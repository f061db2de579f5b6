import { escapeHtml } from '../../base/html.ts'
import { IMAGE, LINK, PERMALINK } from '../terms/links.ts'

/** As many different documents are linked to in one answer, and known of one text; links to others are left out. */
export const MOST_LINKS = 2000

/** The target of a link in rich text, as far as the caller may see it. */
export interface LinkTarget {
  readonly title: string
  /** Empty where it has none. */
  readonly url: string
  /** Of an image, as displayed. */
  readonly width?: number
  readonly height?: number
  /** Its language, where that is another than the text's: `en`. */
  readonly language?: string
}

/** The aposDocIds of the documents that a rich text links to, and of the images that it shows (§2.13). */
export function linkedIds(content: string): { readonly permalinkIds: string[]; readonly imageIds: string[] } {
  const permalinkIds = new Set<string>()
  const imageIds = new Set<string>()
  if (content.includes(PERMALINK)) for (const { tag } of tagsOf(content, '<a ')) addId(permalinkIds, LINK.exec(tag))
  if (content.includes('/src"')) for (const { tag } of tagsOf(content, '<img ')) addId(imageIds, IMAGE.exec(tag))
  return { permalinkIds: [...permalinkIds], imageIds: [...imageIds] }
}

function addId(ids: Set<string>, found: RegExpExecArray | null): void {
  if (found?.[1] !== undefined) ids.add(found[1])
}

/** Yields the tags of an element; in sanitised HTML no attribute's value contains a `>`. */
function* tagsOf(content: string, opening: string): Generator<{ tag: string; start: number; end: number }> {
  for (let start = content.indexOf(opening), end = 0; start >= 0; start = content.indexOf(opening, end)) {
    end = content.indexOf('>', start) + 1
    if (end === 0) return
    yield { tag: content.slice(start, end), start, end }
  }
}

/** Link targets that the caller may see, by aposDocId. */
export type LinkTargets = ReadonlyMap<string, LinkTarget>

/**
 * Rich text with its internal links and images leading where their documents are. A link to what the caller may not see
 * is left out, but not its text. `updateTitle=1` makes the text the title of the document.
 */
export function resolveLinks(content: string, targets: LinkTargets): string {
  const linked = content.includes(PERMALINK)
    ? rewritten(content, LINKS, (tag, inner) => link(tag, inner, targets))
    : content
  return linked.includes('/src"') ? rewritten(linked, IMAGES, (tag) => image(tag, targets)) : linked
}

/** The replacement of an element: its tags, and the HTML between them. */
interface Replacement {
  readonly opening: string
  readonly inner: string
  readonly closing: string
}

/** The elements that are rewritten: those whose tag matches. */
interface Elements {
  readonly opening: string
  readonly closing: string
  readonly tag: RegExp
}

const LINKS: Elements = { opening: '<a ', closing: '</a>', tag: LINK }
const IMAGES: Elements = { opening: '<img ', closing: '', tag: IMAGE }

function rewritten(content: string, elements: Elements, replace: (tag: string, inner: string) => Replacement): string {
  let text = ''
  let done = 0
  for (const { tag, start, end } of tagsOf(content, elements.opening)) {
    // The end of an element is looked for only where it is rewritten: others may be nested, and all end far away.
    if (start < done || !elements.tag.test(tag)) continue
    const close = content.indexOf(elements.closing, end)
    if (close < 0) break
    const found = replace(tag, content.slice(end, close))
    text += content.slice(done, start) + found.opening + found.inner + found.closing
    done = close + elements.closing.length
  }
  return text + content.slice(done)
}

function link(tag: string, inner: string, targets: LinkTargets): Replacement {
  const [, id = '', query = ''] = LINK.exec(tag) ?? []
  const target = targets.get(id)
  if (!target || target.url === '') return { opening: '', inner, closing: '' }
  const takesTitle = /(?:^|&|;)updateTitle=1\b/.test(query) && !inner.includes('<img ')
  return {
    opening: tag.replace(LINK, () => ` href="${escapeHtml(target.url)}"${languageOf('hreflang', target)}`),
    inner: takesTitle && target.title !== '' ? titleOf(target) : inner,
    closing: '</a>',
  }
}

function titleOf(target: LinkTarget): string {
  const language = languageOf('lang', target)
  return language === '' ? escapeHtml(target.title) : `<span${language}>${escapeHtml(target.title)}</span>`
}

function languageOf(attribute: 'lang' | 'hreflang', { language }: LinkTarget): string {
  return language === undefined ? '' : ` ${attribute}="${escapeHtml(language)}"`
}

function image(tag: string, targets: LinkTargets): Replacement {
  const [, id = ''] = IMAGE.exec(tag) ?? []
  const target = targets.get(id)
  if (!target || target.url === '') return { opening: '', inner: '', closing: '' }
  const { width, height } = target
  const size = width && height && !/\s(?:width|height)=/.test(tag) ? ` width="${width}" height="${height}"` : ''
  const lazy = /\sloading=/.test(tag) ? '' : ' loading="lazy"'
  return {
    opening: tag.replace(IMAGE, () => ` src="${escapeHtml(target.url)}"${size}${lazy}`),
    inner: '',
    closing: '',
  }
}
