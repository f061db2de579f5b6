/** One mistake in a site's configuration: where it is, what is wrong and what to do. */
export interface ConfigurationProblem {
  /** The key path: `types.article.fields.add.minutes`. */
  readonly path: string
  readonly message: string
}

/** Reports a mistake. An empty path stands for the whole. */
export type Report = (path: string, message: string) => void

/** A site that cannot be served. Holds all mistakes at once; the message lists each on a line of its own. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
  readonly problems: readonly ConfigurationProblem[]

  constructor(problems: readonly ConfigurationProblem[]) {
    const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    super(`The site's configuration has ${countOf(problems.length)}:\n${lines.map((line) => `  ${line}`).join('\n')}`)
    this.problems = problems
  }
}

function countOf(mistakes: number): string {
  return mistakes === 1 ? 'a mistake' : `${mistakes} mistakes`
}

/** The end of a message about an unknown name: `; did you mean "title"?` when a known one is close, else nothing. */
export function didYouMean(name: string, known: Iterable<string>): string {
  let best: string | null = null
  let bestDistance = Math.max(2, Math.ceil(name.length / 3)) + 1
  for (const candidate of known) {
    const distance = distanceOf(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance && distance < candidate.length) {
      best = candidate
      bestDistance = distance
    }
  }
  return best === null ? '' : `; did you mean "${best}"?`
}

/** The edit distance of two texts: letters to insert, delete or replace. */
function distanceOf(from: string, to: string): number {
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
