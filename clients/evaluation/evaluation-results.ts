import type { Tokens } from './language-model.ts'

/** The result of a model at one task. */
export interface TaskResult {
  readonly id: string
  /** None if it has passed. */
  readonly differences: readonly string[]
  readonly tokens: Tokens
  readonly steps: number
}

/** A run of tasks by a model. */
export interface EvaluationRun {
  readonly date: string
  readonly model: string
  readonly results: readonly TaskResult[]
  /** For a million tokens of input and of output, in whatever currency; null when not given. */
  readonly prices: Tokens | null
}

/** A run as a Markdown document: what it came to, and each task. */
export function resultsText({ date, model, results, prices }: EvaluationRun): string {
  const passed = results.filter(({ differences }) => differences.length === 0)
  const tokens = sumOf(results)
  const price = prices === null ? 'not given' : priceOf(tokens, prices).toFixed(4)
  return [
    `# ${model}`,
    '',
    '| Date | Model | Passed | Input tokens | Output tokens | Price |',
    '|---|---|---|---|---|---|',
    `| ${date} | ${cell(model)} | ${passed.length} of ${results.length} | ${tokens.input} | ${tokens.output} | ${price} |`,
    '',
    '| Task | Result | Steps | Input tokens | Output tokens |',
    '|---|---|---|---|---|',
    ...results.map(taskLine),
    '',
  ].join('\n')
}

function taskLine({ id, differences, steps, tokens: { input, output } }: TaskResult): string {
  const result = differences.length === 0 ? 'passed' : differences.map(cell).join('<br>')
  return `| ${id} | ${result} | ${steps} | ${input} | ${output} |`
}

/** A text that stays in its cell, and is no markup. */
function cell(text: string): string {
  return text
    .slice(0, 300)
    .replaceAll(/[\\|<>`*_[\]&]/g, '\\$&')
    .replaceAll(/\s+/g, ' ')
}

function sumOf(results: readonly TaskResult[]): Tokens {
  return results.reduce(
    (sum, { tokens }) => ({ input: sum.input + tokens.input, output: sum.output + tokens.output }),
    { input: 0, output: 0 },
  )
}

/** The price of tokens, by the prices of a million. */
export function priceOf(tokens: Tokens, prices: Tokens): number {
  return (tokens.input * prices.input + tokens.output * prices.output) / 1e6
}
