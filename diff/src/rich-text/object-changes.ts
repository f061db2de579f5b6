import type { Alignment, Side } from '../words/words.ts'
import {
  bareChange,
  type ChangeAt,
  type FormatChange,
  type FormatChangeKind,
  type FormatSide,
  formatChange,
  lineOf,
} from './format-change.ts'
import { ItemsByKey, lastMatches } from './replacements.ts'
import type { RichObject, RichWord } from './rich-word.ts'

/** An object that only one text has, and its position. */
interface UnmatchedObject {
  readonly object: RichObject
  readonly index: number
  /** Equal for an object that was replaced and for its replacement. */
  readonly region: string
}

/** Lists the images, lines and anchors that were added, replaced and deleted (§2.5). */
export function objectChanges(alignment: Alignment<RichWord>): ChangeAt[] {
  const { older, newer, toNewer, toOlder } = alignment
  const regions = lastMatches(alignment)
  const removed = new ItemsByKey(unmatchedObjects(older, toNewer, regions.older), ({ region }) => region)
  const changes: ChangeAt[] = []
  for (const added of unmatchedObjects(newer, toOlder, regions.newer)) {
    const { object, index } = added
    const context = lineOf(newer, index, index + CONTEXT_WORDS)
    changes.push({ index, change: objectChange(removed.take(added)?.object, object, context) })
  }
  for (const { object, index } of removed.left) {
    const context = lineOf(older, index, index + CONTEXT_WORDS)
    changes.push({ index: regions.older[index] ?? 0, change: objectChange(object, undefined, context) })
  }
  return changes
}

/** How many words say where a line or an anchor is. */
const CONTEXT_WORDS = 8

function unmatchedObjects({ words }: Side<RichWord>, matches: Int32Array, regions: Int32Array): UnmatchedObject[] {
  return words.flatMap(({ richObject }, index) => {
    if (!richObject || (matches[index] ?? -1) >= 0) return []
    return { object: richObject, index, region: `${regions[index]} ${richObject.tag}` }
  })
}

/** The change of an object: it was added or deleted, or the newer one has replaced the older one. */
function objectChange(old: RichObject | undefined, now: RichObject | undefined, context: string): FormatChange {
  const object = now ?? old
  if (object?.tag === 'img') {
    return formatChange('image', {
      ...imageOf(object),
      ...(old && { old: imageOf(old) }),
      ...(now && { new: imageOf(now) }),
    })
  }
  if (object?.tag === 'a') return formatChange('anchor', { text: context, old: anchorOf(old), new: anchorOf(now) })
  return bareChange('rule', old ? (now ? 'modified' : 'deleted') : 'added', context)
}

/** The name of an anchor. */
export function anchorOf(object: RichObject | undefined): string | undefined {
  return object?.attributes.id ?? object?.attributes.name
}

/** The changes of images that both texts have: of their description, style and link (§2.5). */
export function imageChanges({ older, newer, toOlder }: Alignment<RichWord>): ChangeAt[] {
  return newer.words.flatMap(({ richObject: now }, index) => {
    const old = older.words[toOlder[index] ?? -1]?.richObject
    if (!old || now?.tag !== 'img') return []
    const [before, after] = [describedImage(old), describedImage(now)]
    return IMAGE_CHANGES.filter((kind) => before[kind] !== after[kind]).map((kind) => {
      return { index, change: formatChange(kind, { ...imageOf(now), old: before[kind], new: after[kind] }) }
    })
  })
}

/** The changes of an image that stays. */
export const IMAGE_CHANGES = ['imageAlt', 'imageStyle', 'imageLink'] as const satisfies readonly FormatChangeKind[]

/** The description of an image, or the name of its file, and its address. */
export function imageOf({ attributes: { src = '', alt = '' } }: RichObject): FormatSide {
  return { text: alt === '' ? (src.split(/[?#]/)[0]?.split('/').at(-1) ?? '') : alt, href: src }
}

/** The compared properties of an image; its style is all that is neither its description nor its link. */
export function describedImage({ attributes, format }: RichObject) {
  const { src: _src, alt: imageAlt = '', ...others } = attributes
  const { link: imageLink = '', ...traits } = format.traits
  const blocks = format.blocks.split('>').filter((tag) => tag !== '' && tag !== 'p')
  const style = [...Object.entries(others).toSorted(), ...Object.entries(traits)].map((entry) => entry.join(' '))
  return { imageAlt, imageLink, imageStyle: [...style, ...blocks].join(', ') }
}
