import { readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { messageOf } from '../../base/thrown.ts'
import { UsageError } from './failure.ts'

/** Where variables of the environment may be written down, in the current folder. */
export const ENV_FILE = '.env'

const fromFile = new Set<string>()

/**
 * Sets what the file `.env` of the current folder says, except for what the environment has already. Throws `UsageError`
 * where it cannot be read.
 */
export function readEnvFile(): void {
  for (const [name, value] of Object.entries(parseEnv(textOfFile()))) {
    if (process.env[name] !== undefined) continue
    process.env[name] = value
    fromFile.add(name)
  }
}

function textOfFile(): string {
  try {
    return statSync(ENV_FILE, { throwIfNoEntry: false })?.isFile() ? readFileSync(ENV_FILE, 'utf8') : ''
  } catch (error) {
    const reason = messageOf(error)
    throw new UsageError(`The settings cannot be read: ${reason}. Let this account read the file, or move it away.`)
  }
}

/** The environment without what the file has set: for a process that reads the file itself. */
export function environmentWithoutFile(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !fromFile.has(name)))
}
