/** Elements without content, which nothing closes. */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Elements whose content is text, whatever it looks like. */
const TEXT_ONLY = new Set(['script', 'style', 'textarea', 'title', 'iframe', 'noscript', 'xmp'])

const TAG = /<!--[\s\S]*?-->|<(\/?)([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/iy
const STARTS_WITH_TAG = /^<[a-z][^\s/>]*/i

/**
 * Where attributes can be added to the one element that HTML consists of: the place behind its name. Null where there
 * are several elements or none, or where it takes a parser to tell.
 */
export function placeInElement(html: string): number | null {
  const [opening] = STARTS_WITH_TAG.exec(html) ?? []
  return opening !== undefined && endOfFirst(html) === html.length ? opening.length : null
}

/** Where the first element ends; null for one that is not closed. Gives up at the first tag that has no end. */
function endOfFirst(html: string): number | null {
  const lower = html.toLowerCase()
  const open: string[] = []
  for (let at = 0; at >= 0; at = html.indexOf('<', at)) {
    TAG.lastIndex = at
    const found = TAG.exec(html)
    if (found === null) return null
    at = TAG.lastIndex
    const [, slash, written, rest = ''] = found
    const name = written?.toLowerCase()
    if (name === undefined) continue
    if (slash === '/') {
      if (open.pop() !== name) return null
    } else if (!VOID.has(name) && !rest.endsWith('/')) open.push(name)
    if (open.length === 0) return at
    if (slash === '' && TEXT_ONLY.has(name)) at = lower.indexOf(`</${name}`, at)
    if (at < 0) return null
  }
  return null
}
