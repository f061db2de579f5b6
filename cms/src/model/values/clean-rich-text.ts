import { isAtHost } from '../terms/links.ts'
import { TOOLS, type Tool } from '../terms/rich-text-tools.ts'
import { sanitizer } from './html-libraries.ts'
import { isNestedTooDeep, plainText } from './html-text.ts'

/**
 * Stands for the address of a page of this service: pictures at addresses relative to it are its own. It has neither
 * scheme of pictures: `https:example.org` is relative on a page of that scheme only.
 */
const OWN_HOST = 'this-service.invalid'
const OWN_PAGE = `ftp://${OWN_HOST}/`

/** The tools and styles that an area declares for rich text. */
interface RichTextChoice {
  readonly toolbar?: readonly Tool[] | undefined
  readonly styles?: readonly { readonly tag: string; readonly class?: string | undefined }[] | undefined
}

/** The elements that sanitizing keeps, with their attributes, classes and inline styles. */
export interface RichTextPolicy {
  readonly allowedTags: string[]
  readonly allowedAttributes: { [tag: string]: string[] }
  readonly allowedClasses: { [tag: string]: string[] }
  readonly allowedStyles: { [tag: string]: { [property: string]: RegExp[] } }
  readonly allowedSchemes: string[]
  readonly allowedSchemesByTag: { [tag: string]: string[] }
  readonly exclusiveFilter: (element: { readonly tag: string; readonly attribs: { readonly src?: string } }) => boolean
  readonly disallowedTagsMode: 'discard'
  readonly nestingLimit: number
}

interface Allowance {
  readonly tags?: readonly string[]
  readonly attributes?: { readonly [tag: string]: readonly string[] }
  readonly styles?: { readonly [property: string]: RegExp }
}

const BLOCKS = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'li', 'td', 'th', 'div', 'figure']
const ALIGNED: { readonly [tag: string]: readonly string[] } = Object.fromEntries(BLOCKS.map((tag) => [tag, ['style']]))
const COLOR = /^(?:#[0-9a-f]{3,8}|(?:rgb|hsl)a?\([\d.,%/ ]{1,60}\)|var\(--[\w-]{1,60}\)|transparent)$/i

const alignment = (value: string): Allowance => ({
  attributes: ALIGNED,
  styles: { 'text-align': new RegExp(`^${value}$`) },
})

const ALLOWANCES: { readonly [Name in Tool]?: Allowance } = {
  bold: { tags: ['strong', 'b'] },
  italic: { tags: ['em', 'i'] },
  underline: { tags: ['u'] },
  strike: { tags: ['s', 'del', 'strike'] },
  superscript: { tags: ['sup'] },
  subscript: { tags: ['sub'] },
  highlight: { tags: ['mark'] },
  code: { tags: ['code'] },
  color: { tags: ['span'], attributes: { span: ['style'] }, styles: { color: COLOR } },
  link: { tags: ['a'], attributes: { a: ['href', 'target', 'rel', 'title', 'id', 'name', 'download'] } },
  anchor: { tags: ['span', 'a'], attributes: { span: ['id'], a: ['id', 'name'] } },
  bulletList: { tags: ['ul', 'li'] },
  orderedList: { tags: ['ol', 'li'], attributes: { ol: ['start', 'reversed'] } },
  blockquote: { tags: ['blockquote', 'p'] },
  codeBlock: { tags: ['pre', 'code'] },
  horizontalRule: { tags: ['hr'] },
  image: { tags: ['figure', 'img', 'figcaption'], attributes: { img: ['src', 'alt', 'width', 'height'] } },
  table: {
    tags: ['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tr', 'td', 'th'],
    attributes: { td: ['colspan', 'rowspan', 'colwidth'], th: ['colspan', 'rowspan', 'colwidth', 'scope'] },
  },
  alignLeft: alignment('left'),
  alignCenter: alignment('center'),
  alignRight: alignment('right'),
  alignJustify: alignment('justify'),
}

const USUAL_TOOLS: readonly Tool[] = [
  'styles',
  'bold',
  'italic',
  'strike',
  'link',
  'anchor',
  'bulletList',
  'orderedList',
  'blockquote',
]
const USUAL_STYLES = ['p', 'h2', 'h3', 'h4'].map((tag) => ({ tag }))

/**
 * Returns the elements that tools and styles allow; paragraphs and line breaks always are.
 * Pictures come from this service and from `imageHosts`, `*.` for subdomains, since others would learn who reads;
 * null: from anywhere.
 */
export function richTextPolicy(
  { toolbar = USUAL_TOOLS, styles = USUAL_STYLES }: RichTextChoice,
  imageHosts: readonly string[] | null,
): RichTextPolicy {
  const tags = new Set(['p', 'br', ...styles.map((style) => style.tag)])
  const attributes: { [tag: string]: string[] } = {}
  const inline: { [property: string]: RegExp[] } = {}
  for (const tool of toolbar) {
    const allowance = ALLOWANCES[tool] ?? {}
    for (const tag of allowance.tags ?? []) tags.add(tag)
    for (const [tag, names] of Object.entries(allowance.attributes ?? {}))
      attributes[tag] = [...(attributes[tag] ?? []), ...names]
    for (const [name, values] of Object.entries(allowance.styles ?? {}))
      inline[name] = [...(inline[name] ?? []), values]
  }
  return {
    allowedTags: [...tags],
    allowedAttributes: attributes,
    allowedClasses: classesOf(styles),
    allowedStyles: { '*': inline },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    allowedSchemesByTag: { img: ['http', 'https'] },
    exclusiveFilter: ({ tag, attribs: { src } }) =>
      tag === 'img' && imageHosts !== null && src !== undefined && !isPictureOf(src, imageHosts),
    disallowedTagsMode: 'discard',
    nestingLimit: 100,
  }
}

/** As browsers read an address: backslashes and line breaks in it, and a host without a scheme, lead elsewhere, too. */
function isPictureOf(src: string, hosts: readonly string[]): boolean {
  const url = URL.parse(src, OWN_PAGE)
  if (url === null) return false
  return url.host === OWN_HOST || hosts.some((host) => isAtHost(url, host))
}

function classesOf(styles: readonly { readonly tag: string; readonly class?: string | undefined }[]) {
  const classes: { [tag: string]: string[] } = {}
  for (const { tag, class: names = '' } of styles) {
    const found = names.split(' ').filter((name) => name !== '')
    if (found.length > 0) classes[tag] = [...(classes[tag] ?? []), ...found]
  }
  return classes
}

const MOST_ROUNDS = 10
const LONGEST_REMEMBERED = 50_000
const MOST_REMEMBERED = 64

/** The most recent results: drafts, published copies and hooks often sanitize the same text again. */
const recent = new Map<string, { readonly policy: RichTextPolicy; readonly clean: string }>()

/**
 * HTML reduced to what a policy allows. Idempotent. Null when elements are nested deeper than in any real text, since
 * parsing those takes unbounded time.
 */
export function sanitize(html: string, policy: RichTextPolicy): string | null {
  const known = recent.get(html)
  if (known?.policy === policy) return known.clean
  if (isNestedTooDeep(html)) return null
  const clean = sanitizedUntilStable(html, policy)
  cache(html, clean, policy)
  cache(clean, clean, policy)
  return clean
}

const STYLE_TAGS = 'p div span h1 h2 h3 h4 h5 h6 pre blockquote'.split(' ')
const WIDEST: RichTextPolicy = {
  ...richTextPolicy({ toolbar: TOOLS, styles: STYLE_TAGS.map((tag) => ({ tag })) }, null),
  allowedClasses: { '*': ['*'] },
}

/** HTML reduced to what any rich text may contain; null as for `sanitize`. */
export function sanitizeAny(html: string): string | null {
  return sanitize(html, WIDEST)
}

/** Removing something can change how the rest is parsed, so the result is sanitized again until nothing changes. */
function sanitizedUntilStable(html: string, policy: RichTextPolicy): string {
  const sanitizeHtml = sanitizer()
  let clean = html
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = round === 0 ? sanitizeHtml(clean, policy) : sanitizedAgain(clean, policy)
    if (next === clean) return clean
    clean = next
  }
  return sanitizeHtml(plainText(clean), { ...policy, allowedTags: [] })
}

/** Characters of private use that stand for the references which the sanitizer writes in texts. */
const STAND_INS = [
  ['\uE000', '&amp;'],
  ['\uE001', '&lt;'],
  ['\uE002', '&gt;'],
] as const

/**
 * Sanitizes what the sanitizer has written. It would decode and escape each reference in a text by itself, to the same one:
 * meanwhile they are single characters. Those in tags stay: attributes are checked by their values.
 */
function sanitizedAgain(clean: string, policy: RichTextPolicy): string {
  const sanitizeHtml = sanitizer()
  if (STAND_INS.some(([character]) => clean.includes(character))) return sanitizeHtml(clean, policy)
  // In what it writes, no attribute has a ">".
  const parts = clean.split(/(<[^>]*>)/)
  const short = parts.map((part, index) => (index % 2 === 1 ? part : withStandIns(part))).join('')
  return STAND_INS.reduce(
    (text, [character, reference]) => text.replaceAll(character, reference),
    sanitizeHtml(short, policy),
  )
}

function withStandIns(text: string): string {
  return STAND_INS.reduce((rest, [character, reference]) => rest.replaceAll(reference, character), text)
}

function cache(html: string, clean: string, policy: RichTextPolicy): void {
  if (html.length > LONGEST_REMEMBERED) return
  recent.delete(html)
  recent.set(html, { policy, clean })
  for (const oldest of recent.keys()) {
    if (recent.size <= MOST_REMEMBERED) break
    recent.delete(oldest)
  }
}
