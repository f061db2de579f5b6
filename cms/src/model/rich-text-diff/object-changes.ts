import type { Alignment, Side } from '../text-diff/words.ts'
import { regionsOf } from './changed-regions.ts'
import { bareChange, formatChange, lineOf, type PlacedChange } from './describe-change.ts'
import type { FormatChange } from './format-change.ts'
import { Shelf } from './pairs.ts'
import { imageOf } from './rich-text-images.ts'
import type { RichObject, RichWord } from './rich-word.ts'

/** An object that only one text has, and where it stands. */
interface FoundObject {
  readonly object: RichObject
  readonly index: number
  /** What was replaced and what replaced it are in one region. */
  readonly region: string
}

/** Which images, lines and anchors were added, replaced and deleted (§2.5). */
export function objectChanges(alignment: Alignment<RichWord>): PlacedChange[] {
  const { older, newer, toNewer, toOlder } = alignment
  const regions = regionsOf(alignment)
  const removed = new Shelf(unmatchedObjects(older, toNewer, regions.older), ({ region }) => region)
  const changes: PlacedChange[] = []
  for (const found of unmatchedObjects(newer, toOlder, regions.newer)) {
    const { object, index } = found
    const replaced = removed.take(found)?.object
    changes.push({ index, found: objectChange(replaced, object, lineOf(newer, index, index + WORDS_BESIDE)) })
  }
  for (const { object, index } of removed.left) {
    const text = lineOf(older, index, index + WORDS_BESIDE)
    changes.push({ index: regions.older[index] ?? 0, found: objectChange(object, undefined, text) })
  }
  return changes
}

/** How many words tell where a line or an anchor is. */
const WORDS_BESIDE = 8

function unmatchedObjects({ words }: Side<RichWord>, matches: Int32Array, regions: Int32Array): FoundObject[] {
  return words.flatMap(({ richObject }, index) => {
    if (!richObject || (matches[index] ?? -1) >= 0) return []
    return { object: richObject, index, region: `${regions[index]} ${richObject.tag}` }
  })
}

/** The change of an object, or of the older one and the newer one that has replaced it. */
function objectChange(old: RichObject | undefined, now: RichObject | undefined, beside: string): FormatChange {
  const object = now ?? old
  if (object?.tag === 'img') {
    return formatChange('image', {
      ...imageOf(object),
      ...(old && { old: imageOf(old) }),
      ...(now && { new: imageOf(now) }),
    })
  }
  if (object?.tag === 'a') return formatChange('anchor', { text: beside, old: anchorOf(old), new: anchorOf(now) })
  return bareChange('rule', old ? (now ? 'modified' : 'deleted') : 'added', beside)
}

function anchorOf(object: RichObject | undefined): string | undefined {
  return object?.attributes.id ?? object?.attributes.name
}
