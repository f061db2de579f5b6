import type { Alignment, Side } from '../text-diff/words.ts'
import { formatChange, oneLine, type PlacedChange } from './describe-change.ts'
import type { RichWord, Trait } from './rich-word.ts'

/** In the order in which changes of the same words are told. */
export const TRAITS: readonly Trait[] = [
  'link',
  'linkOptions',
  'anchor',
  'color',
  'class',
  'alignment',
  'table',
  'numbering',
  'attributes',
]

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

/** The words of a part of a text on one line. */
export function lineOf({ all, indexes }: Side<RichWord>, start: number, end: number): string {
  return oneLine(all.slice(indexes[start], (indexes[end - 1] ?? all.length) + 1))
}

/** The trait of a word; of one that has it in parts, the first that it has. */
export function traitOf({ parts }: RichWord, trait: Trait): string {
  return parts.find(({ format }) => format.traits[trait] !== undefined)?.format.traits[trait] ?? ''
}

/** Which parts of a word have a trait. */
function extentOf(word: RichWord, trait: Trait): string {
  const value = traitOf(word, trait)
  if (value === '' || word.parts.every(({ format }) => format.traits[trait] === value)) return value
  return word.parts.map(({ length, format }) => `${length} ${format.traits[trait] ?? ''}`).join('; ')
}

/** True when two words have the same traits in the same parts. */
export function haveSameTraits(older: RichWord, newer: RichWord): boolean {
  const [one, other] = [older.parts[0]?.format.traits, newer.parts[0]?.format.traits]
  if (one === other && older.parts.length <= 1 && newer.parts.length <= 1) return true
  return TRAITS.every((trait) => extentOf(older, trait) === extentOf(newer, trait))
}
