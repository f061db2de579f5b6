import type { Word } from '../words/words.ts'
import { type Format, TRAITS, type Trait } from './format.ts'
import type { Attributes } from './html.ts'

/** An image, a rule or an anchor: what stands in a rich text without being text. */
export interface RichObject {
  readonly tag: string
  readonly attributes: Attributes
  readonly format: Format
}

/** A part of a word in one format. */
export interface FormattedPart {
  readonly length: number
  readonly format: Format
}

/** A word, space, or object of a rich text (§2.5). */
export interface RichWord extends Word {
  /** A word may be formatted in parts; spaces have none. */
  readonly parts: readonly FormattedPart[]
  readonly richObject?: RichObject
}

/** The trait of a word; of one that has it in parts, the first that it has. */
export function traitOf({ parts }: RichWord, trait: Trait): string {
  return parts.find(({ format }) => format.traits[trait] !== undefined)?.format.traits[trait] ?? ''
}

/** Describes which parts of a word have a trait. */
export function extentOf(word: RichWord, trait: Trait): string {
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
