/** One mistake in a site's configuration: where it is, what is wrong and what to do. */
export interface ConfigurationProblem {
  /** The key path: `types.article.fields.add.minutes`. */
  readonly path: string
  readonly message: string
}

/** Reports a mistake. An empty path stands for the whole. */
export type Report = (path: string, message: string) => void

/** Reports names that several entries of a list have. `place`: what their indexes follow; `what`: one of them, `a job`. */
export function checkDistinct(
  list: readonly { readonly name: string }[],
  what: string,
  place: string,
  report: Report,
): void {
  const names = list.map(({ name }) => name)
  for (const [index, name] of names.entries()) {
    if (names.indexOf(name) < index) report(`${place}${index}.name`, `there is ${what} "${name}" already`)
  }
}

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
