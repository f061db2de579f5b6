import { cleanUp } from './clean-up.ts'
import { cutCommonEnds } from './common-ends.ts'
import { matchTokens, runsOf, type TokenRun } from './diff-tokens.ts'
import { matchesWithSpaces, unmatchFormats } from './match-spaces.ts'
import { differencesOf, type Pieces } from './regions.ts'
import { slideChanges } from './slide.ts'
import { finish, type Steps } from './steps.ts'
import { type Alignment, sideOf, splitWords, type Word } from './words.ts'

/** A part of a word diff (§2.5): `same` and `removed` join to the older text, `same` and `added` to the newer one. */
export interface DiffPart {
  readonly text: string
  readonly change: 'same' | 'added' | 'removed'
}

/** Characters of both texts that differ at most. */
const MOST_CHARACTERS = 400_000

/** Compares two texts by words (§2.5); null when they differ too much to be compared by words. */
export function diffTexts(older: string, newer: string): readonly DiffPart[] | null {
  return finish(diffTextsInSteps(older, newer))
}

/** Compares two texts by words, as `diffTexts` does, in steps. */
export function* diffTextsInSteps(older: string, newer: string): Steps<readonly DiffPart[] | null> {
  const { start, end, ...rest } = cutCommonEnds(older, newer)
  yield
  const [before, after] = [yield* piecesOf(rest.older), yield* piecesOf(rest.newer)]
  const { regions, characters } = yield* differencesOf(before, after)
  if (characters > MOST_CHARACTERS) return null
  const parts: DiffPart[] = [{ text: start, change: 'same' }]
  let index = 0
  for (const { olderStart, olderEnd, newerStart, newerEnd } of regions) {
    const words = [
      yield* wordsOf(before.texts.slice(olderStart, olderEnd).join('')),
      yield* wordsOf(after.texts.slice(newerStart, newerEnd).join('')),
    ] as const
    const runs = yield* diffWords(...words)
    if (!runs) return null
    parts.push({ text: before.texts.slice(index, olderStart).join(''), change: 'same' }, ...partsOf(runs, ...words))
    index = olderEnd
  }
  return joinParts([...parts, { text: before.texts.slice(index).join('') + end, change: 'same' }])
}

const PIECES = /\s+|\S+/g

/** A text cut where spaces begin and end. */
function* piecesOf(text: string): Steps<Pieces> {
  const keys: string[] = []
  for (const [piece] of text.matchAll(PIECES)) {
    keys.push(piece)
    if (keys.length % PIECES_AT_ONCE === 0) yield
  }
  return { keys, texts: keys }
}

/** How many pieces are cut in one step. */
const PIECES_AT_ONCE = 10_000

function* wordsOf(text: string): Steps<Word[]> {
  return (yield* splitWords(text)).map((text) => ({ text }))
}

/**
 * Returns the words and spaces of two texts that a reader would call the same (§2.5); null when more than about 5,000
 * words of both differ. Words are matched by their text; those whose format differs are removed and added.
 */
export function* diffWords(older: readonly Word[], newer: readonly Word[]): Steps<readonly TokenRun[] | null> {
  const alignment = yield* align(older, newer)
  return alignment && seenRuns(alignment)
}

/** The runs of two texts whose words are matched; takes matches apart that a reader would not see. */
export function seenRuns(alignment: Alignment): readonly TokenRun[] {
  unmatchFormats(alignment)
  return runsOf(matchesWithSpaces(alignment), alignment.newer.all.length)
}

/** Matches the words of two texts, whatever their format; null when the texts differ too much. */
export function* align<Kind extends Word>(
  older: readonly Kind[],
  newer: readonly Kind[],
): Steps<Alignment<Kind> | null> {
  const sides = { older: sideOf(older), newer: sideOf(newer) }
  yield
  const toNewer = yield* matchTokens(sides.older.words.map(tokenOf), sides.newer.words.map(tokenOf))
  if (!toNewer) return null
  const toOlder = new Int32Array(sides.newer.words.length).fill(-1)
  for (const [index, match] of toNewer.entries()) if (match >= 0) toOlder[match] = index
  const alignment = { ...sides, toNewer, toOlder }
  yield
  cleanUp(alignment)
  yield
  slideChanges(alignment)
  yield
  return alignment
}

function tokenOf({ text, object }: Word): string {
  return object === undefined ? text : `\uFFFC${object}`
}

/** Runs of words as parts of a diff. */
export function partsOf(runs: readonly TokenRun[], older: readonly Word[], newer: readonly Word[]): DiffPart[] {
  return runs.map(({ change, olderStart, olderEnd, newerStart, newerEnd }) => {
    const words = change === 'added' ? newer.slice(newerStart, newerEnd) : older.slice(olderStart, olderEnd)
    return { text: words.map((word) => word.text).join(''), change }
  })
}

/** Parts without empty ones, neighbours of one change joined. */
export function joinParts(parts: readonly DiffPart[]): DiffPart[] {
  const joined: { text: string; change: DiffPart['change'] }[] = []
  for (const { text, change } of parts) {
    const last = joined.at(-1)
    if (text === '') continue
    if (last?.change === change) last.text += text
    else joined.push({ text, change })
  }
  return joined
}
