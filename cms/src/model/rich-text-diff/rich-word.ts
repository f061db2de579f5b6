import type { Word } from '../text-diff/words.ts'

/** What formatting says beyond what shows in the words of a diff (§2.5). */
export type Trait =
  | 'link'
  | 'linkOptions'
  | 'anchor'
  | 'color'
  | 'class'
  | 'alignment'
  | 'table'
  | 'numbering'
  | 'attributes'

/** The traits of a part of a text; those that it does not have are absent. */
export type Traits = { readonly [Name in Trait]?: string }

/** How a part of a text is formatted. */
export interface Format {
  /** The elements that it stands in, outermost first, joined with `>`: what kind of block it is. */
  readonly blocks: string
  /** Such as `strong`, in alphabetical order. */
  readonly marks: readonly string[]
  readonly traits: Traits
  /** Blocks and marks in one: words that differ in it are different to a reader. */
  readonly key: string
}

/** The attributes of an element. */
export type Attributes = { readonly [name: string]: string }

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
