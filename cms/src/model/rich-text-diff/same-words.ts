import { describedImage } from './rich-text-images.ts'
import type { RichWord } from './rich-word.ts'
import { haveSameTraits } from './traits.ts'

/** True when two lists of words read and look alike. */
export function haveSameWords(older: readonly RichWord[], newer: readonly RichWord[]): boolean {
  if (older.length !== newer.length) return false
  return older.every((word, index) => {
    const other = newer[index]
    return other !== undefined && isSameWord(word, other)
  })
}

function isSameWord(one: RichWord, other: RichWord): boolean {
  if (one.text !== other.text || one.format !== other.format || one.object !== other.object) return false
  if (one.richObject?.tag !== 'img' || !other.richObject) return haveSameTraits(one, other)
  return JSON.stringify(describedImage(one.richObject)) === JSON.stringify(describedImage(other.richObject))
}
