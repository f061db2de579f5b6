import { contextsOf, type HtmlContext, URL_ATTRIBUTES } from './html-contexts.ts'
import type { Json } from './json.ts'

/** HTML that is safe to send as it stands: made by `html`, or declared to be safe by `raw`. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

/** HTML that the site's own code vouches for: only this may stand among attributes, in scripts, styles and comments. */
class Trusted extends Html {
  readonly isTrusted = true
}

/**
 * A value in a template. Texts are escaped, lists are joined, `null`, `undefined` and `false` are nothing. Objects that
 * are not HTML are refused when the template is rendered.
 */
export type HtmlValue = Html | Json | undefined | readonly HtmlValue[]

const contexts = new WeakMap<TemplateStringsArray, readonly HtmlContext[]>()

/**
 * Makes HTML. Every value is escaped for where it stands: in text, in a quoted attribute, in a URL (one whose scheme is
 * not http, https, mailto or tel becomes `#`), in a style.
 *
 *     html`<a href="${article._url}">${article.title}</a>`
 *
 * Where no value is safe, the template is refused: in attributes without quotes, in `on…` attributes, and, except for
 * what `json` and `raw` make, in scripts, styles and comments.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let places = contexts.get(strings)
  if (places === undefined) {
    places = contextsOf(strings)
    contexts.set(strings, places)
  }
  let text = strings[0] ?? ''
  for (let index = 0; index < values.length; index += 1) {
    text += written(values[index], places[index] ?? 'text') + (strings[index + 1] ?? '')
  }
  return new Html(text)
}

/** Text that becomes HTML as it stands. Only for what the site's own code has made or cleaned. */
export function raw(text: string): Html {
  return new Trusted(text)
}

/** JSON for a script: `<script type="application/json">${json(values)}</script>`. Nothing in it can end the script. */
export function json(value: unknown): Html {
  const text = JSON.stringify(value) ?? 'null'
  return new Trusted(text.replace(/[<>&\u2028\u2029]/g, escapeInScript))
}

function escapeInScript(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * Attributes by name, each with a space before it: `<input${attributes({ checked: isOn, value })}>`. `true` is an
 * attribute without a value; `null`, `undefined` and `false` leave it out.
 */
export function attributes(values: { readonly [name: string]: string | number | boolean | null | undefined }): Html {
  let text = ''
  for (const [name, value] of Object.entries(values)) {
    if (!/^[a-z_:][\w:.-]*$/i.test(name) || /^on/i.test(name)) throw new TypeError(`"${name}" cannot be an attribute.`)
    if (value === null || value === undefined || value === false) continue
    text += value === true ? ` ${name}` : ` ${name}="${written(value, contextOf(name.toLowerCase()))}"`
  }
  return new Trusted(text)
}

function contextOf(attribute: string): HtmlContext {
  if (attribute === 'style') return 'style'
  if (attribute === 'srcset') return 'srcset'
  if (attribute === 'srcdoc') return 'markup'
  return URL_ATTRIBUTES.has(attribute) ? 'url' : 'attribute'
}

function written(value: HtmlValue, context: HtmlContext): string {
  if (typeof value === 'string') return writtenText(value, context)
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return writtenHtml(value, context)
  if (typeof value === 'number' || value === true) return writtenText(String(value), context)
  if (Array.isArray(value)) {
    let text = ''
    for (const item of value) text += written(item, context)
    return text
  }
  throw new TypeError('An object cannot be rendered. Name the property to show; areas are rendered by scene.area(…).')
}

function writtenText(text: string, context: HtmlContext): string {
  switch (context) {
    case 'text':
    case 'attribute':
      return escapeHtml(text)
    case 'url':
      return escapeHtml(safeUrl(text))
    case 'urlRest':
      return escapeHtml(text.replaceAll(':', '%3A'))
    case 'srcset':
      return escapeHtml(text.split(',').every((one) => safeUrl(one.trim()) !== '#') ? text : '')
    case 'css':
      return escapeHtml(safeCss(text))
    case 'style':
      return escapeHtml(safeDeclarations(text))
    default:
      if (text === '') return ''
      throw new TypeError(`A text cannot stand ${REFUSALS[context]}`)
  }
}

function writtenHtml(value: Html, context: HtmlContext): string {
  const { text } = value
  if (context === 'text') return text
  if (context === 'attribute') return withoutQuotes(text)
  if (context === 'markup') return escapeHtml(text)
  if (value instanceof Trusted && context === 'attributes') return /^\S/.test(text) ? ` ${text}` : text
  if (value instanceof Trusted && context === 'raw') return text
  if (context === 'url') return withoutQuotes(/^[^/?#]*&/.test(text) ? '#' : safeUrl(text))
  if (text === '') return ''
  throw new TypeError(`HTML cannot stand ${REFUSALS[context]}`)
}

/** Where a value cannot stand, and what to write instead. */
const REFUSALS: { readonly [context in HtmlContext]: string } = {
  text: 'here.',
  attribute: 'here.',
  url: 'here.',
  urlRest: 'inside a URL. Use a text.',
  srcset: 'in a srcset. Use a text.',
  css: 'in a style. Use a text.',
  style: 'in a style. Use a text.',
  markup: 'in an attribute that holds HTML. Use html`…`.',
  attributes: 'among attributes. Use attributes({ name: value }).',
  raw: 'in a script, a style element or a comment. Use json(value), or raw(text) for what is safe there.',
}

const ESCAPES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as HTML shows it, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '') : text
}

/** HTML as the value of an attribute: its character references are as they were. */
function withoutQuotes(text: string): string {
  return text.replace(/[<>"']/g, (character) => ESCAPES[character] ?? '')
}

/** The URL, or `#` when its scheme is not http, https, mailto or tel. */
export function safeUrl(url: string): string {
  // Browsers drop these characters before they look for the scheme.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is they that must be found
  const read = /[\u0000-\u0020]/.test(url) ? url.replace(/^[\u0000-\u0020]+|[\t\n\r]/g, '') : url
  const [scheme] = /^[^/?#:]*:/.exec(read) ?? []
  return scheme === undefined || /^(?:https?|mailto|tel):$/i.test(scheme) ? url : '#'
}

const CSS_FUNCTIONS = /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|var|calc|min|max|clamp)$/i

/** A value of a declaration in CSS: colours, numbers, names. Empty when it holds anything else. */
function safeCss(text: string): string {
  if (!/^[\w\s#%.,()+/*-]*$/.test(text)) return ''
  // Each character is looked at once or twice, however long the text.
  for (const [, name = '', opening] of text.matchAll(/([\w-]+)(\s*\()?/g)) {
    if (opening !== undefined && !CSS_FUNCTIONS.test(name)) return ''
  }
  return text
}

/** The declarations of a `style` attribute; empty when one of them is not safe, no matter who wrote it. */
export function safeDeclarations(text: string): string {
  return text.split(';').every(isSafeDeclaration) ? text : ''
}

function isSafeDeclaration(declaration: string): boolean {
  const [, value] = /^\s*-{0,2}[a-z][\w-]*\s*:(.*)$/is.exec(declaration) ?? []
  return value === undefined ? declaration.trim() === '' : safeCss(value) === value
}

/** CSS as the text of a style element, which nothing in it can end. */
export function styleText(css: string): string {
  return css.replaceAll('</', '<\\/')
}
