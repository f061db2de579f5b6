import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(new URL('../bin/quire.js', import.meta.url))
const SITE = fileURLToPath(new URL('./serving-site.ts', import.meta.url))
const TINY_SITE = fileURLToPath(new URL('./tiny-site.ts', import.meta.url))
const START_MILLISECONDS = 50_000

/** The keys that `serve` gives the service: of the length that the command asks for. */
export const SERVING_KEYS = {
  admin: 'key-admin'.padEnd(32, '-'),
  editor: 'key-editor'.padEnd(32, '-'),
} as const

/** `quire serve` in a process of its own. */
export interface Serving {
  readonly address: string
  /** Where the process can be asked about. */
  readonly processId: number
  /** Ends it, and waits until it is gone: its exit code, null when a signal ended it. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
  /** Resolves when it has ended by itself: its exit code. */
  readonly ended: Promise<number | null>
  /** All that it has printed so far. */
  printed(): string
}

const serveOf = (site: string, command = COMMAND, port = 0) => {
  return [process.execPath, command, 'serve', '--site', site, '--port', String(port), '--host', '127.0.0.1']
}
/** Runs its arguments as npm does: a shell stands between, which passes no signal on. */
const SHELL = ['/bin/sh', '-c', '"$@"; exit $?', 'sh']

/**
 * Starts `quire serve` with the reference site, or that of a file, on a port, a free one when left out. Throws, with what it printed, when
 * it does not start.
 */
export function serve(
  databaseUrl: string,
  environment: Readonly<Record<string, string>> = {},
  site = SITE,
  port = 0,
): Promise<Serving> {
  return serveBy(serveOf(site, COMMAND, port), databaseUrl, environment)
}

/** As `serve`, with the site of one type. */
export function serveTiny(databaseUrl: string, environment: Readonly<Record<string, string>> = {}): Promise<Serving> {
  return serve(databaseUrl, environment, TINY_SITE)
}

/** As `serve`, by the command of another program. */
export function serveByProgram(
  { command, site }: { readonly command: string; readonly site: string },
  databaseUrl: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  return serveBy(serveOf(site, command), databaseUrl, environment)
}

/** As `serve`, from a script of npm: what is ended is the shell that npm started, or what stands for npm itself. */
export function serveByScript(databaseUrl: string, ended: 'shell' | 'npm'): Promise<Serving> {
  const shells = ended === 'shell' ? SHELL : [...SHELL, ...SHELL]
  return serveBy([...shells, ...serveOf(SITE)], databaseUrl, { npm_lifecycle_event: 'start' })
}

async function serveBy(
  [program = '', ...args]: readonly string[],
  databaseUrl: string,
  environment: Readonly<Record<string, string>>,
): Promise<Serving> {
  const child = spawn(program, args, {
    cwd: tmpdir(),
    env: {
      ...process.env,
      QUIRE_DATABASE: databaseUrl,
      QUIRE_API_KEYS: `admin:${SERVING_KEYS.admin},editor:${SERVING_KEYS.editor}`,
      NO_COLOR: '1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  const endWithUs = () => child.kill('SIGKILL')
  process.on('exit', endWithUs)
  void ended.then(() => process.off('exit', endWithUs))
  let printed = ''
  for (const output of [child.stdout, child.stderr])
    output.on('data', (data: Buffer) => {
      printed += data
    })
  const address = await addressOf(child)
  return {
    address,
    processId: child.pid ?? 0,
    ended: ended.then(([code]) => code),
    printed: () => printed,
    end: async (signal) => {
      child.kill(signal)
      const [code] = await ended
      return code
    },
  }
}

const STARTED = /"address":"([^"]+)".*"The service has started\."/

/** The address that the command logs. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`The service did not start in time: ${output}`))
    }, START_MILLISECONDS)
    const read = (data: Buffer) => {
      output += data
      const [, address] = STARTED.exec(output) ?? []
      if (address === undefined) return
      clearTimeout(timer)
      resolve(address)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.on('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`The service ended with ${code}: ${output}`))
    })
  })
}
