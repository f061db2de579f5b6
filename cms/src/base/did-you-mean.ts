/** The end of a message about an unknown name: `; did you mean "title"?` when a valid one is close, else nothing. */
export function didYouMean(name: string, names: Iterable<string>): string {
  const best = closest(name, names)
  return best === null ? '' : `; did you mean "${best}"?`
}

/** The name that an unknown one may have been meant for; null when none is close. */
export function closest(name: string, names: Iterable<string>): string | null {
  const letters = name.toLowerCase()
  let best: string | null = null
  let bestDistance = Math.max(2, Math.ceil(name.length / 3)) + 1
  for (const candidate of names) {
    // At least as many letters differ as one is longer than the other.
    if (Math.abs(candidate.length - letters.length) >= bestDistance) continue
    const distance = distanceOf(letters, candidate.toLowerCase())
    if (distance < bestDistance && distance < candidate.length) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** The edit distance of two texts: letters to insert, delete or replace. */
export function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (let column = 1; column <= to.length; column += 1) {
      const changed = (row[column - 1] ?? 0) + (to[column - 1] === letter ? 0 : 1)
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
