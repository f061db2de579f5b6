import { text } from 'node:stream/consumers'
import { Mistake } from './failure.ts'
import { Terminal } from './terminal.ts'

type Environment = { readonly [name: string]: string | undefined }

/**
 * A password: QUIRE_USER_PASSWORD, or typed twice on a terminal without being shown, or what is piped in. Never an
 * option, which everybody on the machine could see. Throws `Mistake` when there is none, or two different ones.
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

/** Asks for a password twice. Throws `Mistake` when none is typed, or two different ones. */
export async function askPassword(terminal: Terminal): Promise<string> {
  const password = notEmpty(await terminal.askHidden('Password (it is not shown): '))
  if (password !== (await terminal.askHidden('Once more: '))) throw new Mistake('The two passwords are not the same.')
  return password
}

function notEmpty(password: string | null): string {
  if (password) return password
  throw new Mistake('No password was given. Type one, pipe one in, or set QUIRE_USER_PASSWORD.')
}
