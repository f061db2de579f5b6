import { readFileSync, statSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** Where variables of the environment may be written down, in the current folder. */
export const ENV_FILE = '.env'

const fromFile = new Set<string>()

/** Sets what the file `.env` of the current folder says, except for what the environment has already. */
export function readEnvFile(): void {
  if (!statSync(ENV_FILE, { throwIfNoEntry: false })?.isFile()) return
  for (const [name, value] of Object.entries(parseEnv(readFileSync(ENV_FILE, 'utf8')))) {
    if (process.env[name] !== undefined) continue
    process.env[name] = value
    fromFile.add(name)
  }
}

/** The environment without what the file has set: for a process that reads the file itself. */
export function environmentWithoutFile(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !fromFile.has(name)))
}
