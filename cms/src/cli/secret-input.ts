import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Mistake } from './failure.ts'

/**
 * A password: QUIRE_USER_PASSWORD, or typed twice on a terminal without being shown, or what is piped in. Never an
 * option, which everybody on the machine could see.
 */
export async function readPassword(env: { readonly [name: string]: string | undefined }): Promise<string> {
  const { QUIRE_USER_PASSWORD: given } = env
  if (given !== undefined && given !== '') return given
  if (!process.stdin.isTTY) return withoutNewline(await text(process.stdin))
  const password = await askHidden('Password: ')
  if (password !== (await askHidden('Once more: '))) throw new Mistake('The two passwords are not the same.')
  return password
}

/** Asks on the terminal. */
export async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question(question)).trim()
  } finally {
    terminal.close()
  }
}

async function askHidden(question: string): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}

function withoutNewline(piped: string): string {
  const password = piped.replace(/\r?\n$/, '')
  if (password === '') throw new Mistake('No password was given. Pipe one in, or set QUIRE_USER_PASSWORD.')
  return password
}
