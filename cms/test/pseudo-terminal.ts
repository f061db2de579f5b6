import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

const PATIENCE_MS = 50_000

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

/** What the tests inherit and a person's terminal does not: settings of the service, of colours, of automation. */
const NOT_INHERITED = /^(QUIRE_.*|PORT|HOST|CI|TMUX|COLORTERM|FORCE_COLOR|NO_COLOR|NODE_DISABLE_COLORS)$/

/**
 * Runs a command on a real terminal, which the command `script` of every Debian and macOS makes. It takes the place of
 * the shell that reads the line: some shells would end at Ctrl-C by themselves, and hide how the command has ended. The
 * environment is that of the tests without what a person's terminal would not hold, and with `settings`.
 */
export function onTerminal(line: string, cwd: string, settings: NodeJS.ProcessEnv = {}): PseudoTerminal {
  const inherited = Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name))
  const env = { ...Object.fromEntries(inherited), TERM: 'xterm', ...settings }
  const isBsd = process.platform === 'darwin'
  const command = `exec ${line}`
  const args = isBsd ? ['-q', '/dev/null', 'sh', '-c', command] : ['-qec', command, '/dev/null']
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
