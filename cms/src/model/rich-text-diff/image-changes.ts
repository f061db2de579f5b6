import type { Alignment } from '../text-diff/words.ts'
import { type FormatChangeKind, formatChange, type PlacedChange } from './describe-change.ts'
import { describedImage, imageOf } from './rich-text-images.ts'
import type { RichWord } from './rich-word.ts'

/** What has changed about images that both texts have: how they are described, shown and linked (§2.5). */
export function imageChanges({ older, newer, toOlder }: Alignment<RichWord>): PlacedChange[] {
  return newer.words.flatMap(({ richObject: now }, index) => {
    const old = older.words[toOlder[index] ?? -1]?.richObject
    if (!old || now?.tag !== 'img') return []
    const [before, after] = [describedImage(old), describedImage(now)]
    return IMAGE_CHANGES.filter((change) => before[change] !== after[change]).map((change) => {
      return { index, found: formatChange(change, { ...imageOf(now), old: before[change], new: after[change] }) }
    })
  })
}

const IMAGE_CHANGES = ['imageAlt', 'imageStyle', 'imageLink'] as const satisfies readonly FormatChangeKind[]
