import { type RichTextPolicy, richTextPolicy, sanitize, TOOLS } from '../../values/clean-rich-text.ts'
import { withoutTags } from '../../values/html-text.ts'
import { blocksOf } from '../blocks.ts'
import { cutCommonBlocks } from '../common-blocks.ts'
import { RunMatches } from '../match-runs.ts'
import { parseRichText } from '../parse-rich-text.ts'
import { escapeText } from '../rich-element.ts'
import { markReplaced } from './mark-replaced.ts'
import { MarkedBlocks } from './marked-blocks.ts'
import { placeRemoved } from './place-removed.ts'

const STYLE_TAGS = 'p div span h1 h2 h3 h4 h5 h6 pre blockquote'.split(' ')

/** Everything that any rich text may contain. */
const WIDEST: RichTextPolicy = {
  ...richTextPolicy({ toolbar: TOOLS, styles: STYLE_TAGS.map((tag) => ({ tag })) }),
  allowedClasses: { '*': ['*'] },
}

/** Characters of two rich texts that are marked word by word at most, without the blocks that they have in common. */
const MOST_CHARACTERS = 60_000

/**
 * The newer of two sanitised rich texts with its changes (§4.4 annotate): `<ins data-version-change="added">` and
 * `<del data-version-change="removed">` around words, inside blocks and inline elements. Without what was removed, its
 * text is the newer one; without what was added, the older one, but for space between blocks. What is long and differs
 * too much is removed and added as a whole. For display only.
 */
export function markRichText(older: string, newer: string): string {
  if (older.length + newer.length <= MOST_CHARACTERS) return markWords(older, newer)
  const { start, end, ...rest } = cutCommonBlocks(older, newer)
  const mark = rest.older.length + rest.newer.length <= MOST_CHARACTERS ? markWords : markReplaced
  return start + mark(rest.older, rest.newer) + end
}

/** The newer of two rich texts with its changes, which are looked for word by word. */
export function markWords(older: string, newer: string): string {
  const [before, after] = [cleaned(older), cleaned(newer)]
  if (before === after) return after
  const [olderBlocks, newerBlocks] = [blocksOf(parseRichText(before)), blocksOf(parseRichText(after))]
  const runs = new RunMatches(olderBlocks.runs, newerBlocks.runs)
  const places = placeRemoved(olderBlocks.root, newerBlocks.root, runs.successors)
  return new MarkedBlocks(runs.marked(), places, before.length + after.length).write(newerBlocks.root)
}

/** What is nested deeper than any rich text may be is shown as text. */
function cleaned(html: string): string {
  return sanitize(html, WIDEST) ?? escapeText(withoutTags(html))
}
