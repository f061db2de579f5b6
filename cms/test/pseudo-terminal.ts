import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

const PATIENCE_MS = 20_000

/** A command on a terminal of its own, and what can be done at that terminal. */
export interface PseudoTerminal {
  /** Everything on the screen so far. */
  readonly screen: string
  /** Waits until the text is on the screen, below what earlier calls waited for. */
  sees(text: string): Promise<void>
  type(text: string): void
  /** Waits until the command has ended: its exit code, 128 and more when a signal ended it. */
  ended(): Promise<number>
}

/** Runs a line of the shell on a real terminal, which the command `script` of every Debian and macOS makes. */
export function onTerminal(line: string, cwd: string, env: NodeJS.ProcessEnv): PseudoTerminal {
  const isBsd = process.platform === 'darwin'
  const args = isBsd ? ['-q', '/dev/null', 'sh', '-c', line] : ['-qec', line, '/dev/null']
  const child = spawn('script', args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const failed = once(child, 'error').then(([error]) => {
    throw new Error('The tests of the prompts need the command “script” (Debian: bsdutils).', { cause: error })
  })
  failed.catch(() => {})
  const ended = once(child, 'close')
  let screen = ''
  let seen = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
  })
  const until = async (text: string) => {
    for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; ) {
      const at = screen.indexOf(text, seen)
      if (at >= 0) {
        seen = at + text.length
        return
      }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new Error(`The terminal does not show “${text}” but:\n${screen}`)
  }
  return {
    get screen() {
      return screen
    },
    sees: (text) => Promise.race([until(text), failed]),
    type: (text) => void child.stdin.write(text),
    ended: async () => Number((await Promise.race([ended, failed]))[0]),
  }
}
