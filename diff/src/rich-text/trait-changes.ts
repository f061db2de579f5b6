import type { Alignment, Side } from '../words/words.ts'
import { TRAITS, type Trait } from './format.ts'
import { type ChangeAt, formatChange, lineOf } from './format-change.ts'
import { ItemsByKey, lastMatches, withoutPairs } from './replacements.ts'
import { extentOf, haveSameTraits, type RichWord, traitOf } from './rich-word.ts'

/** Neighbouring words of which one trait has changed in the same way. */
interface TraitRun {
  readonly trait: Trait
  readonly old: string
  readonly new: string
  readonly start: number
  end: number
}

/** The changes of formatting of words that both texts have (§2.5), in the order of the newer one. */
export function traitChanges({ older, newer, toOlder }: Alignment<RichWord>): ChangeAt[] {
  const runs: TraitRun[] = []
  const last = new Map<Trait, TraitRun>()
  for (const [index, word] of newer.words.entries()) {
    const before = older.words[toOlder[index] ?? -1]
    if (!before || haveSameTraits(before, word)) continue
    for (const trait of TRAITS) {
      if (extentOf(before, trait) === extentOf(word, trait)) continue
      const run = { trait, old: traitOf(before, trait), new: traitOf(word, trait), start: index, end: index + 1 }
      const open = last.get(trait)
      if (open?.end === index && open.old === run.old && open.new === run.new) open.end += 1
      else {
        runs.push(run)
        last.set(trait, run)
      }
    }
  }
  return runs.map(({ trait, start, end, ...values }) => {
    return { index: start, change: formatChange(trait, { ...values, text: lineOf(newer, start, end) }) }
  })
}

/** Neighbouring words with one link, none of which is matched. */
interface UnmatchedLink {
  readonly href: string
  readonly text: string
  readonly start: number
  readonly region: number
}

/**
 * Links of words that were replaced, added or deleted as a whole: the words do not show where they lead (§2.5). A link
 * that was only moved, or whose words were replaced, leads where it led.
 */
export function linkChanges(alignment: Alignment<RichWord>): ChangeAt[] {
  const regions = lastMatches(alignment)
  const removed = unmatchedLinks(alignment.older, alignment.toNewer, regions.older)
  const added = unmatchedLinks(alignment.newer, alignment.toOlder, regions.newer)
  const keyOf = ({ region, href }: UnmatchedLink) => `${region} ${href}`
  const [onlyOlder, onlyNewer] = withoutPairs(
    ...withoutPairs(removed, added, keyOf),
    ({ href, text }) => `${href} ${text}`,
  )
  const replaced = new ItemsByKey(onlyOlder, ({ region }) => `${region}`)
  const changes = onlyNewer.map((link) => {
    const { href, text, start } = link
    const old = replaced.take(link)?.href
    return { index: start, change: formatChange('link', { text, old, new: href }) }
  })
  const deleted = replaced.left.map(({ href, text, region }) => {
    return { index: region, change: formatChange('link', { text, old: href }) }
  })
  return [...changes, ...deleted]
}

function unmatchedLinks(side: Side<RichWord>, matches: Int32Array, regions: Int32Array): UnmatchedLink[] {
  const links: UnmatchedLink[] = []
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
