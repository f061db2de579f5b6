import { on } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'

/**
 * Asks questions at the terminal. Lines pasted ahead answer the next questions, and only answers to open questions are
 * echoed. Ctrl-C interrupts as usual, Ctrl-D ends the input.
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

  /** Asks and returns the trimmed answer; null when the input has ended. */
  async ask(question: string): Promise<string | null> {
    this.#isShown = true
    this.#typing.setPrompt(question)
    this.#typing.prompt(true)
    const line = await this.#nextLine()
    if (line === null) process.stderr.write('\n')
    return line?.trim() ?? null
  }

  /** As `ask`, but the answer is not echoed and not trimmed. */
  async askHidden(question: string): Promise<string | null> {
    this.#isShown = false
    process.stderr.write(question)
    const line = await this.#nextLine()
    process.stderr.write('\n')
    return line
  }

  /** Releases the terminal. */
  close(): void {
    this.#typing.close()
  }

  async #nextLine(): Promise<string | null> {
    const { value, done } = await this.#lines.next()
    return done ? null : (value[0] ?? null)
  }

  /** Passes Ctrl-C on as the signal that ends the process. */
  #interrupt(): void {
    process.stdin.setRawMode(false)
    process.stderr.write('\n')
    process.kill(process.pid, 'SIGINT')
  }
}
