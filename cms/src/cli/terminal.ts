import { on } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'

/**
 * Asks the person at the terminal. Lines that are pasted ahead answer the next questions, and nothing that is typed
 * shows but the answer to an open question. Ctrl-C does what it does everywhere, Ctrl-D ends the input.
 */
export class Terminal {
  readonly #typing: Interface
  readonly #lines: AsyncIterator<readonly string[]>
  #isShown = false

  constructor() {
    const screen = new Writable({
      write: (chunk, _encoding, done) => {
        if (this.#isShown) process.stderr.write(chunk)
        done()
      },
    })
    this.#typing = createInterface({ input: process.stdin, output: screen, terminal: true, historySize: 0 })
    this.#lines = on(this.#typing, 'line', { close: ['close'] })
    this.#typing.on('line', () => {
      this.#isShown = false
    })
    this.#typing.on('SIGINT', () => this.#interrupt())
  }

  /** What is typed in answer, without space around it; null when the input has ended. */
  async ask(question: string): Promise<string | null> {
    this.#isShown = true
    this.#typing.setPrompt(question)
    this.#typing.prompt(true)
    const line = await this.#nextLine()
    if (line === null) process.stderr.write('\n')
    return line?.trim() ?? null
  }

  /** As `ask`, but what is typed is not shown, and is taken as it is. */
  async askHidden(question: string): Promise<string | null> {
    this.#isShown = false
    process.stderr.write(question)
    const line = await this.#nextLine()
    process.stderr.write('\n')
    return line
  }

  /** Gives the terminal back. */
  close(): void {
    this.#typing.close()
  }

  async #nextLine(): Promise<string | null> {
    const { value, done } = await this.#lines.next()
    return done ? null : (value[0] ?? null)
  }

  /** The signal ends the process, at once or when its work is done: until then nobody is answered. */
  #interrupt(): void {
    process.stdin.setRawMode(false)
    process.stderr.write('\n')
    process.kill(process.pid, 'SIGINT')
  }
}
