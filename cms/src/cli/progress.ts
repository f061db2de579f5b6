const BAR_WIDTH = 30

/** Where progress is shown: `process.stderr`, or a stand-in for tests. */
export interface ProgressOutput {
  readonly isTTY?: boolean
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
    output.write(output.isTTY ? drawn(label, percent, done, total) : `${label}: ${step} %\n`)
  }
}

function drawn(label: string, percent: number, done: number, total: number): string {
  const filled = Math.round((BAR_WIDTH * percent) / 100)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)
  return `\r${label} ${bar} ${percent} % (${done} of ${total})${percent === 100 ? '\n' : ''}`
}
