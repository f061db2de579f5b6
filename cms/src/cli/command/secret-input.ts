import { text } from 'node:stream/consumers'
import { UsageError } from './failure.ts'
import { Terminal } from './terminal.ts'

type Environment = { readonly [name: string]: string | undefined }

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
