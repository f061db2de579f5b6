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
