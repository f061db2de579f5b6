import { stat } from 'node:fs/promises'
import { CmsError, type Problem } from '../../base/errors.ts'
import { codeOf } from '../../base/thrown.ts'
import { UnusableStorage } from '../../files/files.ts'
import { ConfigurationError } from '../../model/terms/configuration-error.ts'
import { UnusableDatabase } from '../../store/contract/store.ts'

/** An error that the user of the command can correct: shown as its message alone, without a stack. */
export class UsageError extends Error {}

/** Throws where something else than a file is at a path: a folder, a pipe, a terminal. What is not there passes. */
export async function assertFile(path: string, advice: string): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found !== null && !found.isFile()) throw new UsageError(`${path} is not a file. ${advice}`)
}

/** Describes a failure and its remedy for a terminal; null when the failure is a bug. */
export function explain(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const known = [error, error.cause].find(isKnown)
  if (known !== undefined) return known.message
  if (isFull(error.cause)) return `The disk of the database is full. ${MAKE_ROOM}`
  if (error instanceof CmsError) return messageWithFields(error)
  return explainSystem(error)
}

const MAKE_ROOM = 'Make room there, then run the command again.'

/** True for a full disk, as reported by the system, SQLite or PostgreSQL. */
function isFull(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  const code = 'errcode' in cause ? cause.errcode : 'code' in cause ? cause.code : null
  return ['ENOSPC', 'EDQUOT', 13, '53100'].some((full) => full === code)
}

const KNOWN = [UsageError, ConfigurationError, UnusableDatabase, UnusableStorage]

function isKnown(error: unknown): error is Error {
  return KNOWN.some((known) => error instanceof known)
}

/** The message, and one line for each wrong field; a single line where it is the message of the only one. */
function messageWithFields({ message, data }: CmsError): string {
  // `as`: engine and store put problems there, and nothing else (§0.2).
  const errors = (data.errors ?? []) as readonly Problem[]
  const [only] = errors
  if (errors.length === 1 && only?.message === message) return `${only.path}: ${message}`
  return [message, ...errors.map((error) => `  ${error.path}: ${error.message}`)].join('\n')
}

const SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder. Check its path.',
  EADDRINUSE: 'Another program is listening there. Stop it, or choose another port with --port or PORT.',
  EACCES: 'This account does not have the permission. Grant it, or choose another location or port.',
  EADDRNOTAVAIL: 'This machine has no such address. Give another one with --host or HOST.',
  ENOTFOUND: 'The host name is unknown. Check the address.',
  ECONNREFUSED: 'Nothing answers there. Check that the database server runs and that QUIRE_DATABASE names it.',
  ENOTDIR: 'A folder is expected there. Check the path in QUIRE_DATABASE.',
  EEXIST: 'Something else has this name. Choose another location.',
  EROFS: 'The file system is read-only. Choose another location with QUIRE_DATABASE.',
  ENOSPC: `The disk is full. ${MAKE_ROOM}`,
  EPIPE: 'The program that was reading the output has ended.',
}

function explainSystem(error: Error): string | null {
  const code = codeOf(error)
  const advice = Object.hasOwn(SYSTEM, code) ? SYSTEM[code] : undefined
  return advice === undefined ? null : `${error.message || code}\n${advice}`
}
