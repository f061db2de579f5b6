import { cutCommonBlocks } from '../rich-text/common-blocks.ts'
import { type HtmlReader, withoutTags } from '../rich-text/html.ts'
import { blocksOf } from './blocks.ts'
import { type Mark, withMark } from './inline-writer.ts'
import { MarkedBlocks } from './marked-blocks.ts'
import { RunMatches } from './match-runs.ts'
import { placeRemoved } from './place-removed.ts'
import { escapeText, parseRichText } from './rich-element.ts'

/** Characters of two rich texts that are marked word by word at most, without the blocks that they have in common. */
const MOST_CHARACTERS = 60_000

/** How rich texts are read. */
export interface MarkOptions {
  readonly read: HtmlReader
  /**
   * Brings what is marked word by word into a form that can be put together again: all elements closed, and nothing in
   * it that may not be displayed. Null if it is nested too deeply: then its text is marked.
   */
  readonly clean: (html: string) => string | null
}

/**
 * The newer of two sanitised rich texts with its changes (§4.4 annotate): `<ins data-version-change="added">` and
 * `<del data-version-change="removed">` around words, inside blocks and inline elements. Without what was removed, its
 * text is the newer one; without what was added, the older one, but for space between blocks. What is long and differs
 * too much is removed and added as a whole. For display only.
 */
export function markRichText(older: string, newer: string, options: MarkOptions): string {
  if (older.length + newer.length <= MOST_CHARACTERS) return markWords(older, newer, options)
  const { start, end, ...rest } = cutCommonBlocks(older, newer)
  const mark = rest.older.length + rest.newer.length <= MOST_CHARACTERS ? markWords : markReplaced
  return start + mark(rest.older, rest.newer, options) + end
}

/** The newer of two rich texts with its changes, found word by word. */
export function markWords(older: string, newer: string, { read, clean }: MarkOptions): string {
  const cleaned = (html: string) => clean(html) ?? escapeText(withoutTags(html))
  const [before, after] = [cleaned(older), cleaned(newer)]
  if (before === after) return after
  const [olderBlocks, newerBlocks] = [blocksOf(parseRichText(before, read)), blocksOf(parseRichText(after, read))]
  const runs = new RunMatches(olderBlocks.runs, newerBlocks.runs)
  const places = placeRemoved(olderBlocks.root, newerBlocks.root, runs.successors)
  return new MarkedBlocks(runs.marked(), places, before.length + after.length).write(newerBlocks.root)
}

const TAG = /(<[^<>]*>)/
const IMAGE = /^<img\b/
const RULE = /^<hr\b/
/** Attributes that only one element may have. */
const UNIQUE = /\s(?:id|name)="[^"]*"/g

/** Two sanitised rich texts, one after the other: all of the older is removed, all of the newer added. */
export function markReplaced(older: string, newer: string): string {
  const removed = markAll(older, 'removed', (tag) => (RULE.test(tag) ? '' : tag.replace(UNIQUE, '')))
  return removed + markAll(newer, 'added', (tag) => tag)
}

/** Marks texts and images in place, so that marks are inside all other elements. */
function markAll(html: string, mark: Exclude<Mark, null>, written: (tag: string) => string): string {
  const parts = html.split(TAG).map((part, index) => {
    const isTag = index % 2 === 1
    const shown = isTag ? written(part) : part
    return (isTag && !IMAGE.test(part)) || shown.trim() === '' ? shown : withMark(shown, mark)
  })
  return parts.join('')
}
