import { CmsError, type Problem } from '../base/errors.ts'
import { ConfigurationError } from '../model/configuration-error.ts'
import { UnusableDatabase } from '../store/store.ts'

/** What the person at the keyboard can put right: shown as its message alone, never with a stack. */
export class Mistake extends Error {}

/** What happened and what to do about it, for a terminal; null when the failure is a bug. */
export function explain(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error instanceof CmsError) return [error.message, ...fieldMessages(error)].join('\n')
  return KNOWN.some((known) => error instanceof known) ? error.message : explainSystem(error)
}

const KNOWN = [Mistake, ConfigurationError, UnusableDatabase]

/** What is wrong with each field, when that is the failure. */
function fieldMessages({ data }: CmsError): string[] {
  // `as`: engine and store put problems there, and nothing else (decisions 0).
  const errors = (data.errors ?? []) as readonly Problem[]
  return errors.map(({ path, message }) => `  ${path}: ${message}`)
}

const SYSTEM: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Another program already listens there. Stop it, or choose another port with --port or PORT.',
  EACCES: 'This needs a permission that you do not have here.',
  EADDRNOTAVAIL: 'This machine does not have that address. Give another one with --host or HOST.',
  ENOTFOUND: 'That host name is not known. Check the address.',
  ECONNREFUSED: 'Nothing answers there. Check that the database server runs and that QUIRE_DATABASE names it.',
  ENOTDIR: 'A folder is needed there. Check the path that QUIRE_DATABASE names.',
  EROFS: 'That place can only be read. Name another one in QUIRE_DATABASE.',
  ENOSPC: 'The disk is full.',
}

function explainSystem(error: Error): string | null {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const advice = Object.hasOwn(SYSTEM, code) ? SYSTEM[code] : undefined
  return advice === undefined ? null : `${error.message || code}\n${advice}`
}
