/** The end of a message about an unknown name: `; did you mean "title"?` when a valid one is close, else nothing. */
export function didYouMean(name: string, names: Iterable<string>): string {
  const best = closest(name, names)
  return best === null ? '' : `; did you mean "${best}"?`
}

/**
 * The name that an unknown one may have been meant for; null when none is close: one letter in three may be wrong. Words
 * that both begin with do not count: all names of a kind may begin with `--` or `@cms/`.
 */
export function closest(name: string, names: Iterable<string>): string | null {
  let best: string | null = null
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of names) {
    const [given, meant] = withoutSharedWords(name.toLowerCase(), candidate.toLowerCase())
    const most = Math.min(bestDistance - 1, Math.max(1, Math.floor((given.length + 1) / 3)))
    // At least as many letters differ as one is longer than the other.
    if (Math.abs(meant.length - given.length) > most) continue
    const distance = distanceOf(given, meant)
    if (distance > most || distance >= meant.length) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

/** Two texts without the words that both begin with. */
function withoutSharedWords(one: string, other: string): readonly [string, string] {
  let start = 0
  for (let at = 0; at < one.length && one[at] === other[at]; at += 1) if (/[-_/]/.test(one[at] ?? '')) start = at + 1
  return [one.slice(start), other.slice(start)]
}

/** The edit distance of two texts: letters to insert, delete or replace, or to swap with the next one. */
export function distanceOf(from: string, to: string): number {
  let before: readonly number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (let column = 1; column <= to.length; column += 1) {
      const changed = (row[column - 1] ?? 0) + (to[column - 1] === letter ? 0 : 1)
      const isSwapped = column > 1 && to[column - 2] === letter && to[column - 1] === from[line - 1]
      const swapped = isSwapped ? (before[column - 2] ?? 0) + 1 : changed
      next.push(Math.min(changed, swapped, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}
