import { type Differences, differencesOf, type Pieces } from '../words/regions.ts'
import type { Steps } from '../words/steps.ts'
import { type Format, TRAITS } from './format.ts'
import type { HtmlReader } from './html.ts'
import { type RichItem, readItems } from './read-items.ts'
import { textOfItem, withSpaces } from './rich-words.ts'

/** Two rich texts in items, and what differs between them. */
export interface RichDifferences extends Differences {
  readonly older: readonly RichItem[]
  readonly newer: readonly RichItem[]
}

/** Reads two rich texts, and finds what differs between them; what both have is not compared by words. */
export function* richDifferencesOf(older: string, newer: string, read: HtmlReader): Steps<RichDifferences> {
  const before = withSpaces(yield* readItems(older, read))
  yield
  const after = withSpaces(yield* readItems(newer, read))
  yield
  const pieces = [yield* piecesOf(before), yield* piecesOf(after)] as const
  return { older: before, newer: after, ...(yield* differencesOf(...pieces)) }
}

/** How many keys are made in one step. */
const KEYS_AT_ONCE = 5000

function* piecesOf(items: readonly RichItem[]): Steps<Pieces> {
  const keys: string[] = []
  const formats = new Map<Format, string>()
  const formatKey = (format: Format): string => {
    const known = formats.get(format)
    const key = known ?? `${format.key}\n${TRAITS.map((trait) => format.traits[trait] ?? '').join('\n')}`
    if (known === undefined) formats.set(format, key)
    return key
  }
  for (const item of items) {
    keys.push(keyOf(item, formatKey))
    if (keys.length % KEYS_AT_ONCE === 0) yield
  }
  return { keys, texts: items.map(textOfItem) }
}

function keyOf(item: RichItem, formatKey: (format: Format) => string): string {
  if (item.kind === 'text') return `${item.text}\n${formatKey(item.format)}`
  if (item.kind === 'space') return `\n${item.text}\n${item.structure}`
  const { tag, attributes, format } = item.object
  return `\n${tag}\n${JSON.stringify(attributes)}\n${formatKey(format)}`
}
