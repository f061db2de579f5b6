import type { Alignment } from '../text-diff/words.ts'
import { formatChange, lineOf, type PlacedChange } from './describe-change.ts'
import type { RichWord, Trait } from './rich-word.ts'
import { extentOf, haveSameTraits, TRAITS, traitOf } from './traits.ts'

/** Neighbouring words of which one trait has changed in the same way. */
interface TraitRun {
  readonly trait: Trait
  readonly old: string
  readonly new: string
  readonly start: number
  end: number
}

/** What has changed in the formatting of words that both texts have (§2.5), in the order of the newer one. */
export function traitChanges({ older, newer, toOlder }: Alignment<RichWord>): PlacedChange[] {
  const runs: TraitRun[] = []
  const last = new Map<Trait, TraitRun>()
  for (const [index, word] of newer.words.entries()) {
    const before = older.words[toOlder[index] ?? -1]
    if (!before || haveSameTraits(before, word)) continue
    for (const trait of TRAITS) {
      if (extentOf(before, trait) === extentOf(word, trait)) continue
      const change = { trait, old: traitOf(before, trait), new: traitOf(word, trait), start: index, end: index + 1 }
      const open = last.get(trait)
      if (open?.end === index && open.old === change.old && open.new === change.new) open.end += 1
      else {
        runs.push(change)
        last.set(trait, change)
      }
    }
  }
  return runs.map(({ trait, start, end, ...values }) => {
    return { index: start, found: formatChange(trait, { ...values, text: lineOf(newer, start, end) }) }
  })
}
