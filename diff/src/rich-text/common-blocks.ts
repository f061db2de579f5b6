import { CONTEXT, type CommonEnds, commonEnd, commonStart } from '../words/common-ends.ts'
import { IN_LINE, VOID } from './html.ts'

const TAG = /<(\/?)([a-z][a-z0-9]*)[^<>]*>/g

/**
 * Cuts off the blocks that two sanitised rich texts have in common at their beginning and end: most edits are small.
 */
export function cutCommonBlocks(older: string, newer: string): CommonEnds {
  const shorter = Math.min(older.length, newer.length)
  const alikeAtStart = commonStart(older, newer, shorter)
  const alikeAtEnd = commonEnd(older, newer, shorter - alikeAtStart)
  const ends = blockEnds(newer)
  const start = ends.findLast((index) => index <= alikeAtStart - CONTEXT) ?? 0
  const end = ends.find((index) => index >= newer.length - alikeAtEnd + CONTEXT) ?? newer.length
  const fromEnd = newer.length - end
  return {
    start: newer.slice(0, start),
    older: older.slice(start, older.length - fromEnd),
    newer: newer.slice(start, end),
    end: newer.slice(end),
  }
}

/** Finds the ends of blocks that are in no other element. */
function blockEnds(html: string): number[] {
  const ends: number[] = []
  let depth = 0
  for (const { index, 0: tag, 1: slash, 2: name = '' } of html.matchAll(TAG)) {
    if (VOID.has(name)) continue
    depth += slash === '' ? 1 : -1
    if (depth < 0) return []
    if (depth === 0 && !IN_LINE.has(name)) ends.push(index + tag.length)
  }
  return depth === 0 ? ends : []
}
