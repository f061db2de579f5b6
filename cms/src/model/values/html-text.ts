import { htmlParser } from './html-libraries.ts'

const DEEPEST_INPUT = 500

/** True when elements lie in one another deeper than 500 levels. */
export function isNestedTooDeep(html: string): boolean {
  return hasManyTags(html) && !parse(html, {})
}

type Handlers = Partial<Record<'onopentagname' | 'ontext' | 'onclosetag', (text: string) => void>>

/**
 * Parses HTML; false, and reads no further, when elements lie in one another deeper than 500 levels: the cost of each
 * grows with its depth.
 */
function parse(html: string, handlers: Handlers): boolean {
  let depth = 0
  let deepest = 0
  const parser = new (htmlParser().Parser)({
    onopentagname(name) {
      depth += 1
      deepest = Math.max(deepest, depth)
      handlers.onopentagname?.(name)
    },
    ontext(text) {
      handlers.ontext?.(text)
    },
    onclosetag(name) {
      depth -= 1
      handlers.onclosetag?.(name)
    },
  })
  for (let start = 0; start < html.length; start += 2000) {
    parser.write(html.slice(start, start + 2000))
    if (deepest > DEEPEST_INPUT) return false
  }
  parser.end()
  return true
}

function hasManyTags(html: string): boolean {
  let count = 0
  for (let at = html.indexOf('<'); at >= 0 && count <= DEEPEST_INPUT; at = html.indexOf('<', at + 1)) count += 1
  return count > DEEPEST_INPUT
}

/** Elements whose text nobody sees. */
export const UNSEEN: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'title'])
/** Elements that stand within a line. */
export const IN_LINE: ReadonlySet<string> = new Set(
  'a abbr b code del em i ins mark s small span strike strong sub sup u'.split(' '),
)

/**
 * The words of HTML as a reader sees them: blocks and line breaks on lines of their own, no runs of space. Of what is
 * nested too deep to be parsed, what lies between its tags.
 */
export function plainText(html: string): string {
  let text = ''
  let unseen = 0
  const isWhole = parse(html, {
    onopentagname(name) {
      if (UNSEEN.has(name)) unseen += 1
      else if (!IN_LINE.has(name)) text += '\n'
    },
    ontext(data) {
      if (unseen === 0) text += data
    },
    onclosetag(name) {
      if (UNSEEN.has(name)) unseen -= 1
      else if (!IN_LINE.has(name)) text += '\n'
    },
  })
  if (!isWhole) return withoutTags(html)
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()
}

/** What lies between tags, without parsing: of text that need not be rich text, nested however deep. */
export function withoutTags(html: string): string {
  return html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
