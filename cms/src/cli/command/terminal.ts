import { on } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Environment } from './environment.ts'
import { UsageError } from './failure.ts'

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

  /** Like `ask`, but the answer is neither echoed nor trimmed. */
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

/**
 * Reads a password: from QUIRE_USER_PASSWORD, typed twice on a terminal without echo, or piped in. Never from an
 * option, which everybody on the machine could see. Throws `UsageError` when there is none, or the two differ.
 */
export async function readPassword(env: Environment): Promise<string> {
  const { QUIRE_USER_PASSWORD: given } = env
  if (given !== undefined && given !== '') return given
  if (!process.stdin.isTTY) return notEmpty((await text(process.stdin)).replace(/\r?\n$/, ''))
  const terminal = new Terminal()
  try {
    return await askPassword(terminal)
  } finally {
    terminal.close()
  }
}

/** Asks for a password twice. Throws `UsageError` when none is typed, or the two differ. */
export async function askPassword(terminal: Terminal): Promise<string> {
  const password = notEmpty(await terminal.askHidden('Password (it is not shown): '))
  if (password !== (await terminal.askHidden('Once more: ')))
    throw new UsageError('The two passwords are not the same.')
  return password
}

function notEmpty(password: string | null): string {
  if (password) return password
  throw new UsageError('No password was given. Type one, pipe one in, or set QUIRE_USER_PASSWORD.')
}
