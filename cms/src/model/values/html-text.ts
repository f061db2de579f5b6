import type { HtmlHandlers, Steps } from 'quire-diff'
import { diffLibrary, htmlParser } from './html-libraries.ts'

const DEEPEST_INPUT = 500

/** True when elements lie in one another deeper than 500 levels. */
export function isNestedTooDeep(html: string): boolean {
  return occursMoreThan(DEEPEST_INPUT, '<', html) && !readHtml(html, {})
}

/**
 * Parses HTML; false, and reads no further, when elements lie in one another deeper than 500 levels: the cost of each
 * grows with its depth.
 */
export function readHtml(html: string, handlers: HtmlHandlers): boolean {
  return diffLibrary().finish(readHtmlInSteps(html, handlers))
}

/** How much is parsed in one step. */
const PARSED_AT_ONCE = 10_000

/** Parses HTML, as `readHtml` does, in steps. */
export function* readHtmlInSteps(html: string, { open, text, close }: HtmlHandlers): Steps<boolean> {
  let depth = 0
  let deepest = 0
  const parser = new (htmlParser().Parser)({
    onopentag(name, attributes) {
      depth += 1
      deepest = Math.max(deepest, depth)
      open?.(name, attributes, html.slice(parser.startIndex, parser.endIndex + 1))
    },
    ontext(data) {
      text?.(data)
    },
    onclosetag(name) {
      depth -= 1
      close?.(name)
    },
  })
  for (let start = 0; start < html.length; start += 2000) {
    parser.write(html.slice(start, start + 2000))
    if (deepest > DEEPEST_INPUT) return false
    if (start > 0 && start % PARSED_AT_ONCE === 0) yield
  }
  parser.end()
  return true
}

/** True when a text has more than so many of a character. */
export function occursMoreThan(most: number, character: string, text: string): boolean {
  let count = 0
  for (let at = text.indexOf(character); at >= 0 && count <= most; at = text.indexOf(character, at + 1)) count += 1
  return count > most
}

/** The words of HTML as a reader sees them, block by block on lines of their own. */
export function plainText(html: string): string {
  return diffLibrary().plainText(html, readHtml)
}

/** The text between tags, found without parsing: of text that need not be rich text, nested to any depth. */
export function withoutTags(html: string): string {
  return diffLibrary().withoutTags(html)
}
