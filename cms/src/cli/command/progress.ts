const BAR_WIDTH = 30
/** Narrower, a bar says nothing. */
const LEAST_WIDTH = 5

/** Where progress is shown: `process.stderr`, or a stand-in for tests. */
interface ProgressOutput {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/**
 * Shows the progress of a long command: a bar that is redrawn in place on a terminal, a plain line for each tenth
 * elsewhere. Call the result with what is done and the total, as often as you like.
 */
export function progress(
  label: string,
  output: ProgressOutput = process.stderr,
): (done: number, total: number) => void {
  let shown = -1
  return (done, total) => {
    const percent = total === 0 ? 100 : Math.floor((100 * done) / total)
    const step = output.isTTY ? percent : percent - (percent % 10)
    if (step <= shown) return
    shown = step
    output.write(
      output.isTTY
        ? drawn(`${label} `, ` ${percent} % (${done} of ${total})`, percent, output.columns)
        : `${label}: ${step} %\n`,
    )
  }
}

/** Draws the progress in one line: anything beyond it would not be drawn over. */
function drawn(before: string, after: string, percent: number, columns = 80): string {
  const left = Math.min(BAR_WIDTH, columns - 1 - before.length - after.length)
  const width = left < LEAST_WIDTH ? 0 : left
  const filled = Math.round((width * percent) / 100)
  const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
  const line = `${before}${bar}${after}`.slice(0, Math.max(columns - 1, LEAST_WIDTH))
  return `\r${line}${percent === 100 ? '\n' : ''}`
}
