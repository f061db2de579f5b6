import { plainText } from '../html-text.ts'
import type { DiffPart } from '../text-diff/diff-part.ts'
import { diffTexts } from '../text-diff/text-diff.ts'
import type { FormatChange } from './format-change.ts'

/** What has changed between two rich texts (§2.5): words and blocks in `diff`, the rest in `formatChanges`. */
export interface RichTextChanges {
  /** Null when the texts differ too much to be compared by words. */
  readonly diff: readonly DiffPart[] | null
  readonly formatChanges: readonly FormatChange[]
}

/** Compares two sanitised rich texts (§2.5). */
export function compareRichText(older: string, newer: string): RichTextChanges {
  return { diff: diffTexts(plainText(older), plainText(newer)), formatChanges: [] }
}
