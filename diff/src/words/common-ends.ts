/** The common beginning and end of two texts, and what differs between them. */
export interface CommonEnds {
  readonly start: string
  readonly older: string
  readonly newer: string
  readonly end: string
}

/** Characters of the common text that are kept next to a difference, so that changes are aligned in their context. */
export const CONTEXT = 500
const PLACES_TO_CUT = [' ', '\n', '。']

/** Cuts off what two texts have in common at their beginning and end, between words: most edits are small. */
export function cutCommonEnds(older: string, newer: string): CommonEnds {
  const shorter = Math.min(older.length, newer.length)
  const alikeAtStart = commonStart(older, newer, shorter)
  const start = Math.max(0, ...PLACES_TO_CUT.map((place) => older.lastIndexOf(place, alikeAtStart - CONTEXT)))
  const alikeAtEnd = commonEnd(older, newer, shorter - start) - CONTEXT
  const rests = PLACES_TO_CUT.map((place) => older.indexOf(place, older.length - alikeAtEnd))
  const places = rests.filter((index) => index >= 0)
  const length = alikeAtEnd <= 0 || places.length === 0 ? 0 : older.length - Math.min(...places)
  return {
    start: older.slice(0, start),
    older: older.slice(start, older.length - length),
    newer: newer.slice(start, newer.length - length),
    end: older.slice(older.length - length),
  }
}

/** Counts the characters that two texts have in common at their beginning. */
export function commonStart(older: string, newer: string, most: number): number {
  let length = 0
  while (length < most && older.charCodeAt(length) === newer.charCodeAt(length)) length += 1
  return length
}

/** Counts the characters that two texts have in common at their end. */
export function commonEnd(older: string, newer: string, most: number): number {
  let length = 0
  while (length < most && older.charCodeAt(older.length - 1 - length) === newer.charCodeAt(newer.length - 1 - length))
    length += 1
  return length
}
