import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { cleanEnvironment, type Ended, type Variables } from '../cms/test/command.ts'

/** The command, as a file to run with Node. */
export const QUIRE = fileURLToPath(new URL('../cms/bin/quire.js', import.meta.url))
const START_MS = 50_000

/** A service that runs in a process of its own. */
export interface Serving {
  readonly process: ChildProcess
  readonly address: string
  /** The output until it answered. */
  readonly printed: string
  /** How long the start took, in milliseconds. */
  readonly startedIn: number
  /** Asks it to stop; the exit code, and after how many milliseconds. */
  stop(): Promise<{ readonly code: number | null; readonly ms: number }>
}

/** Runs `quire …` in a folder until it ends, in a process of its own. */
export function quireProcess(folder: string, args: readonly string[], env: Variables = {}): Promise<Ended> {
  return run(process.execPath, [QUIRE, ...args], folder, env)
}

/** Runs a line as a person would paste it into a shell. */
export function paste(line: string, folder: string, env: Variables = {}): Promise<Ended> {
  return run('bash', ['-c', line], folder, env)
}

const STARTED = /"address":"(http:[^"]+)".*"The service has started\."\}?\n/

/** Starts `quire serve` on a free port, and waits until it has logged its address. */
export async function serve(folder: string, site: string, env: Variables = {}): Promise<Serving> {
  const started = performance.now()
  const child = spawn(process.execPath, [QUIRE, 'serve', '--site', site, '--port', '0'], {
    cwd: folder,
    env: cleanEnvironment(env),
  })
  const printed = await untilPrinted(child)
  const startedIn = performance.now() - started
  const address = STARTED.exec(printed)?.[1] ?? ''
  return { process: child, address, printed, startedIn, stop: () => stop(child) }
}

function untilPrinted(child: ChildProcess): Promise<string> {
  let text = ''
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The service did not start:\n${text}`)), START_MS)
    const read = (part: Buffer) => {
      text += part
      if (!STARTED.test(text)) return
      clearTimeout(timer)
      resolve(text)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.on('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`The service ended with ${code}:\n${text}`))
    })
  })
}

async function stop(child: ChildProcess): Promise<{ code: number | null; ms: number }> {
  const asked = performance.now()
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const [code] = await ended
  return { code, ms: performance.now() - asked }
}

function run(file: string, args: readonly string[], cwd: string, env: Variables): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(file, args, { cwd, env: cleanEnvironment(env) }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), out, err })
    })
  })
}
