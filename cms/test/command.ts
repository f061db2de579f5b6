import { format } from 'node:util'
import { main } from '../src/cli/main.ts'

/** The outcome of a command: its exit code and what it printed. */
export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Names and values of an environment. */
export type Variables = Readonly<Record<string, string>>

/** What changes the service, or what it prints. */
const CHANGING = /^(QUIRE_|PORT$|HOST$|FORCE_COLOR$)/

/** The environment without what would change the service, and with these variables. */
export function cleanEnvironment(extra: Variables): Variables {
  const others = Object.entries(process.env).filter(([name]) => !CHANGING.test(name))
  return { ...definedOf(Object.fromEntries(others)), NO_COLOR: '1', no_proxy: 'localhost,127.0.0.1', ...extra }
}

/**
 * Runs `quire …` in a folder until it ends, in this process, where modules are loaded already: for commands that end by
 * themselves and read no standard input. A module of a site that has changed is not loaded again.
 */
export async function quire(folder: string, args: readonly string[], extra: Variables = {}): Promise<Ended> {
  const { exit, exitCode } = process
  const before = { environment: definedOf(process.env), folder: process.cwd() }
  const printed = { out: '', err: '' }
  const giveBack = capture(printed)
  process.chdir(folder)
  replaceEnvironment(cleanEnvironment(extra))
  process.exitCode = 0
  process.exit = (code) => {
    throw new Exit(Number(code))
  }
  try {
    const code = await main([...args]).then(() => Number(process.exitCode), exitCodeOf)
    return { ...printed, code }
  } finally {
    Object.assign(process, { exit, exitCode })
    replaceEnvironment(before.environment)
    process.chdir(before.folder)
    giveBack()
  }
}

/** What the command calls instead of ending this process. */
class Exit extends Error {
  readonly code: number
  constructor(code: number) {
    super(`The command exits with ${code}.`)
    this.code = code
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof Exit) return error.code
  throw error
}

/** Notes what is printed instead of printing it, until the returned function is called. */
function capture(printed: { out: string; err: string }): () => void {
  const { log, error } = console
  const writes = { out: process.stdout.write, err: process.stderr.write }
  const note = (to: 'out' | 'err') => (chunk: string | Uint8Array, done?: unknown) => {
    printed[to] += Buffer.from(chunk).toString()
    if (typeof done === 'function') done()
    return true
  }
  const noteLine =
    (to: 'out' | 'err') =>
    (...values: unknown[]) =>
      void note(to)(`${format(...values)}\n`)
  Object.assign(console, { log: noteLine('out'), error: noteLine('err') })
  process.stdout.write = note('out')
  process.stderr.write = note('err')
  return () => {
    Object.assign(console, { log, error })
    process.stdout.write = writes.out
    process.stderr.write = writes.err
  }
}

function replaceEnvironment(variables: Variables): void {
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name]
  Object.assign(process.env, variables)
}

function definedOf(environment: NodeJS.ProcessEnv): Variables {
  // `as`: a variable that is not set has no name among them.
  return { ...environment } as Variables
}
