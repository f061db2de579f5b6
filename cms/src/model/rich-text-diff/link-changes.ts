import type { Alignment, Side } from '../text-diff/words.ts'
import { regionsOf } from './changed-regions.ts'
import { formatChange, lineOf, type PlacedChange } from './describe-change.ts'
import { Shelf, withoutPairs } from './pairs.ts'
import type { RichWord } from './rich-word.ts'
import { traitOf } from './traits.ts'

/** A link none of whose words the other text has. */
interface FoundLink {
  readonly href: string
  readonly text: string
  readonly start: number
  readonly region: number
}

/**
 * Links of words that were replaced, added or deleted as a whole: where they lead does not show in the words (§2.5). A
 * link that was only moved, or whose words were replaced, leads where it led.
 */
export function linkChanges(alignment: Alignment<RichWord>): PlacedChange[] {
  const regions = regionsOf(alignment)
  const removed = unmatchedLinks(alignment.older, alignment.toNewer, regions.older)
  const added = unmatchedLinks(alignment.newer, alignment.toOlder, regions.newer)
  const keyOf = ({ region, href }: FoundLink) => `${region} ${href}`
  const [gone, come] = withoutPairs(...withoutPairs(removed, added, keyOf), ({ href, text }) => `${href} ${text}`)
  const replaced = new Shelf(gone, ({ region }) => `${region}`)
  const changes = come.map((link) => {
    const { href, text, start } = link
    const old = replaced.take(link)?.href
    return { index: start, found: formatChange('link', { text, old, new: href }) }
  })
  const deleted = replaced.left.map(({ href, text, region }) => {
    return { index: region, found: formatChange('link', { text, old: href }) }
  })
  return [...changes, ...deleted]
}

function unmatchedLinks(side: Side<RichWord>, matches: Int32Array, regions: Int32Array): FoundLink[] {
  const links: FoundLink[] = []
  const { words } = side
  const hrefAt = (index: number) => (words[index] ? traitOf(words[index], 'link') : '')
  for (let start = 0, end = 0; start < words.length; start = Math.max(end, start + 1)) {
    const href = hrefAt(start)
    if (href === '') continue
    let isMatched = false
    for (end = start; end < words.length && hrefAt(end) === href; end += 1) {
      if ((matches[end] ?? -1) >= 0) isMatched = true
    }
    if (isMatched || words.slice(start, end).every(({ richObject }) => richObject)) continue
    links.push({ href, text: lineOf(side, start, end), start, region: regions[start] ?? 0 })
  }
  return links
}
