import { cutCommonBlocks } from '../rich-text/common-blocks.ts'
import { type HtmlReader, withoutTags } from '../rich-text/html.ts'
import { finish, type Steps } from '../words/steps.ts'
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
  return finish(markRichTextInSteps(older, newer, options))
}

/** Marks the newer of two rich texts, as `markRichText` does, in steps. */
export function* markRichTextInSteps(older: string, newer: string, options: MarkOptions): Steps<string> {
  if (older.length + newer.length <= MOST_CHARACTERS) return yield* markWords(older, newer, options)
  const { start, end, ...rest } = cutCommonBlocks(older, newer)
  yield
  const isShort = rest.older.length + rest.newer.length <= MOST_CHARACTERS
  const marked = yield* isShort ? markWords(rest.older, rest.newer, options) : markReplaced(rest.older, rest.newer)
  return start + marked + end
}

/** The newer of two rich texts with its changes, found word by word, in steps. */
export function* markWords(older: string, newer: string, { read, clean }: MarkOptions): Steps<string> {
  const cleaned = (html: string) => clean(html) ?? escapeText(withoutTags(html))
  const before = cleaned(older)
  yield
  const after = cleaned(newer)
  yield
  if (before === after) return after
  const olderBlocks = blocksOf(yield* parseRichText(before, read))
  yield
  const newerBlocks = blocksOf(yield* parseRichText(after, read))
  yield
  const runs = new RunMatches()
  yield* runs.match(olderBlocks.runs, newerBlocks.runs)
  yield
  const places = placeRemoved(olderBlocks.root, newerBlocks.root, runs.successors)
  yield
  return new MarkedBlocks(runs.marked(), places, before.length + after.length).write(newerBlocks.root)
}

const TAG = /<[^<>]*>/g
const IMAGE = /^<img\b/
const RULE = /^<hr\b/
/** Attributes that only one element may have. */
const UNIQUE = /\s(?:id|name)="[^"]*"/g

/** Joins two sanitised rich texts, in steps: all of the older is removed, all of the newer added. */
export function* markReplaced(older: string, newer: string): Steps<string> {
  const removed = yield* markAll(older, 'removed', (tag) => (RULE.test(tag) ? '' : tag.replace(UNIQUE, '')))
  return removed + (yield* markAll(newer, 'added', (tag) => tag))
}

/** Marks texts and images in place, so that marks are inside all other elements. */
function* markAll(html: string, mark: Exclude<Mark, null>, written: (tag: string) => string): Steps<string> {
  let marked = ''
  let end = 0
  let tags = 0
  for (const { 0: tag, index } of html.matchAll(TAG)) {
    marked += marking(html.slice(end, index), mark)
    marked += IMAGE.test(tag) ? marking(written(tag), mark) : written(tag)
    end = index + tag.length
    tags += 1
    if (tags % TAGS_AT_ONCE === 0) yield
  }
  return marked + marking(html.slice(end), mark)
}

/** How many tags are written in one step. */
const TAGS_AT_ONCE = 2_000

function marking(html: string, mark: Exclude<Mark, null>): string {
  return html.trim() === '' ? html : withMark(html, mark)
}
