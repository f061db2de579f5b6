import type { Alignment } from '../text-diff/words.ts'

/**
 * For each word of both texts the last matched word up to it, as an index of the newer one: what was replaced and what
 * has replaced it have the same.
 */
export function regionsOf({ toNewer, toOlder }: Alignment): { readonly older: Int32Array; readonly newer: Int32Array } {
  const older = new Int32Array(toNewer.length)
  const newer = new Int32Array(toOlder.length)
  for (let index = 0, last = -1; index < older.length; index += 1) {
    const match = toNewer[index] ?? -1
    if (match >= 0) last = match
    older[index] = last
  }
  for (let index = 0, last = -1; index < newer.length; index += 1) {
    if ((toOlder[index] ?? -1) >= 0) last = index
    newer[index] = last
  }
  return { older, newer }
}
