import { joinedChanges, matchTokens, runsOf } from './diff-tokens.ts'
import type { Region } from './shortest-edit.ts'
import type { Steps } from './steps.ts'

/** A text in pieces, each with spaces alone or without any. */
export interface Pieces {
  /** Equal for pieces that nobody could tell apart. */
  readonly keys: readonly string[]
  readonly texts: readonly string[]
}

/** A difference between two texts, with some of its surroundings. */
export interface Differences {
  readonly regions: readonly Region[]
  /** Characters of both texts that differ. */
  readonly characters: number
}

/** Texts that are shorter in all are compared as a whole. */
const SHORT = 40_000
/** Characters of what both texts have that are compared with a difference, so that it is aligned in its context. */
const CONTEXT = 500

/**
 * Finds what differs between two texts: lines first, in those that differ pieces. Where too much has changed for that,
 * all from the first difference to the last one.
 */
export function* differencesOf(older: Pieces, newer: Pieces): Steps<Differences> {
  const whole = { olderStart: 0, olderEnd: older.keys.length, newerStart: 0, newerEnd: newer.keys.length }
  const characters = sizeOf(older, newer, whole)
  if (characters <= SHORT) return { regions: [whole], characters }
  const regions: Region[] = []
  for (const region of yield* linesBetween(older, newer, withoutEnds(older, newer, whole))) {
    if (sizeOf(older, newer, region) <= SHORT) regions.push(region)
    else for (const part of yield* piecesBetween(older, newer, region)) regions.push(part)
  }
  yield
  const differing = regions.reduce((sum, region) => sum + sizeOf(older, newer, region), 0)
  return { regions: withContext(regions, older), characters: differing }
}

function sizeOf(older: Pieces, newer: Pieces, region: Region): number {
  let size = 0
  for (let index = region.olderStart; index < region.olderEnd; index += 1) size += older.texts[index]?.length ?? 0
  for (let index = region.newerStart; index < region.newerEnd; index += 1) size += newer.texts[index]?.length ?? 0
  return size
}

/** A region without what both sides of it have at their beginning and end. */
function withoutEnds(older: Pieces, newer: Pieces, region: Region): Region {
  let { olderStart, olderEnd, newerStart, newerEnd } = region
  while (olderStart < olderEnd && newerStart < newerEnd && older.keys[olderStart] === newer.keys[newerStart]) {
    olderStart += 1
    newerStart += 1
  }
  while (olderStart < olderEnd && newerStart < newerEnd && older.keys[olderEnd - 1] === newer.keys[newerEnd - 1]) {
    olderEnd -= 1
    newerEnd -= 1
  }
  return { olderStart, olderEnd, newerStart, newerEnd }
}

/** The parts of a region in which lines differ. */
function* linesBetween(older: Pieces, newer: Pieces, region: Region): Steps<readonly Region[]> {
  const olderLines = yield* linesOf(older, region.olderStart, region.olderEnd)
  const newerLines = yield* linesOf(newer, region.newerStart, region.newerEnd)
  const changes = yield* changesOf(olderLines.keys, newerLines.keys)
  return (changes ?? [{ olderStart: 0, olderEnd: -1, newerStart: 0, newerEnd: -1 }]).map((lines) => ({
    olderStart: olderLines.starts.at(lines.olderStart) ?? 0,
    olderEnd: olderLines.starts.at(lines.olderEnd) ?? 0,
    newerStart: newerLines.starts.at(lines.newerStart) ?? 0,
    newerEnd: newerLines.starts.at(lines.newerEnd) ?? 0,
  }))
}

/** The parts of a region in which pieces differ. */
function* piecesBetween(older: Pieces, newer: Pieces, region: Region): Steps<readonly Region[]> {
  const [olderKeys, newerKeys] = [
    older.keys.slice(region.olderStart, region.olderEnd),
    newer.keys.slice(region.newerStart, region.newerEnd),
  ]
  const changes = yield* changesOf(olderKeys, newerKeys)
  if (!changes) return [withoutEnds(older, newer, region)]
  return changes.map(({ olderStart, olderEnd, newerStart, newerEnd }) => ({
    olderStart: region.olderStart + olderStart,
    olderEnd: region.olderStart + olderEnd,
    newerStart: region.newerStart + newerStart,
    newerEnd: region.newerStart + newerEnd,
  }))
}

function* changesOf(older: readonly string[], newer: readonly string[]): Steps<readonly Region[] | null> {
  const matches = yield* matchTokens(older, newer)
  if (!matches) return null
  const runs = runsOf(matches, newer.length)
  yield
  return joinedChanges(runs).filter(({ change }) => change !== 'same')
}

/** How many pieces are put together in one step. */
const PIECES_AT_ONCE = 5_000

/** The keys of lines, and where they start; last of all the end. */
function* linesOf({ keys, texts }: Pieces, start: number, end: number): Steps<{ keys: string[]; starts: number[] }> {
  const lines = { keys: [] as string[], starts: [start] }
  let key = ''
  for (let index = start; index < end; index += 1) {
    if (index % PIECES_AT_ONCE === 0) yield
    key += `${keys[index]}\n`
    if (!texts[index]?.includes('\n') && index < end - 1) continue
    lines.keys.push(key)
    lines.starts.push(index + 1)
    key = ''
  }
  return lines
}

/** Regions that begin and end behind spaces, with some of what is around them; those that meet are one. */
function withContext(regions: readonly Region[], { texts }: Pieces): Region[] {
  const wide: Region[] = []
  for (const [index, region] of regions.entries()) {
    const last = wide.at(-1)
    const start = placeBefore(texts, region.olderStart, last?.olderEnd ?? 0)
    const end = placeAfter(texts, region.olderEnd, regions[index + 1]?.olderStart ?? texts.length)
    const newerEnd = region.newerEnd + end - region.olderEnd
    if (last && start <= last.olderEnd) wide[wide.length - 1] = { ...last, olderEnd: end, newerEnd }
    else
      wide.push({
        olderStart: start,
        olderEnd: end,
        newerStart: region.newerStart - region.olderStart + start,
        newerEnd,
      })
  }
  return wide
}

function placeBefore(texts: readonly string[], from: number, least: number): number {
  let characters = 0
  for (let index = from; index > least; index -= 1) {
    if (characters >= CONTEXT && isSpaceAt(texts, index - 1)) return index
    characters += texts[index - 1]?.length ?? 0
  }
  return least
}

function placeAfter(texts: readonly string[], from: number, most: number): number {
  let characters = 0
  for (let index = from; index < most; index += 1) {
    if (characters >= CONTEXT && isSpaceAt(texts, index - 1)) return index
    characters += texts[index]?.length ?? 0
  }
  return most
}

function isSpaceAt(texts: readonly string[], index: number): boolean {
  const text = texts[index] ?? ''
  return text !== '' && text.trim() === ''
}
