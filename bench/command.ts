import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../cms/test/free-port.ts'
import { startProgram } from './children.ts'
import type { Server } from './measure.ts'
import { processorMilliseconds, residentBytes } from './processes.ts'

/** This repository. */
export const HERE = fileURLToPath(new URL('..', import.meta.url))
/** The key of an admin. */
export const KEY = 'benchmark-key-0123456789-0123456789'

/** The key of the external front end. */
export const FRONT_KEY = 'benchmark-front-end-key-0123456789'

/** The settings with which a service is started. */
export interface Served {
  /** The folder of the repository whose service it is; left out: this one. */
  readonly root?: string
  readonly database: string
  readonly uploads: string
  /** The module of the site; left out: the one of the benchmark. */
  readonly site?: string
  /** Left out: the default. */
  readonly cacheMegabytes?: number | undefined
  /** A folder for a CPU profile. */
  readonly profile?: string | undefined
}

/** From the beginning of the command to the first answer. */
export interface FirstAnswer {
  readonly milliseconds: number
  /** Processor time of the process, in milliseconds. */
  readonly cpu: number
  /** Bytes of memory, when it has been at rest for a while. */
  readonly rss: number
}

const PROBE = new URL('probe.ts', import.meta.url).href
/** Longer than work in the background waits for its first turn. */
const REST_MS = 7000

/** Runs `quire serve` as a user does, with the probe inside, and waits until it answers. */
export async function startCommand(served: Served): Promise<Server> {
  const port = await freePort()
  const { profile } = served
  const child = await startProgram(program(served), {
    args: argumentsOf(served),
    env: environment(served, port),
    nodeOptions: [`--import=${PROBE}`, ...(profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`])],
    isSilent: true,
  })
  const server = { address: `http://127.0.0.1:${port}`, child }
  await firstAnswer(`${server.address}/api/v1/health`, child.failure)
  return server
}

/** A service of several processes. */
export interface ServiceOfWorkers {
  readonly address: string
  /** Of the process that has started them; where there is one alone, of that one. */
  readonly pid: number
  stop(): Promise<void>
}

/** Runs `quire serve --workers`, and waits until all of them answer. */
export async function startWorkers(served: Served, count: number): Promise<ServiceOfWorkers> {
  const port = await freePort()
  const child = spawnCommand(served, port, ['--workers', String(count)])
  const address = `http://127.0.0.1:${port}`
  await firstAnswer(`${address}/api/v1/health`, () => null)
  return { address, pid: child.pid ?? 0, stop: () => stopped(child) }
}

/** Starts the command alone, and asks for `path` until it answers. */
export async function firstAnswerOf(served: Served, path: string): Promise<FirstAnswer> {
  const port = await freePort()
  const started = performance.now()
  const child = spawnCommand(served, port)
  try {
    await firstAnswer(`http://127.0.0.1:${port}${path}`, () => null)
    const milliseconds = performance.now() - started
    const cpu = processorMilliseconds(child.pid ?? 0)
    await new Promise((resolve) => setTimeout(resolve, REST_MS))
    return { milliseconds, cpu, rss: residentBytes(child.pid ?? 0) }
  } finally {
    await stopped(child)
  }
}

function spawnCommand(served: Served, port: number, more: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [program(served), ...argumentsOf(served), ...more], {
    env: { ...process.env, ...environment(served, port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function stopped(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

function program({ root = HERE }: Served): string {
  return join(root, 'cms/bin/quire.js')
}

function argumentsOf({ root = HERE, site = join(root, 'bench/site.ts') }: Served): string[] {
  return ['serve', '--site', site]
}

function environment({ database, uploads, cacheMegabytes }: Served, port: number): Record<string, string> {
  return {
    QUIRE_DATABASE: database,
    QUIRE_UPLOADS: uploads,
    QUIRE_API_KEYS: `admin:${KEY}`,
    QUIRE_EXTERNAL_FRONT_KEY: FRONT_KEY,
    HOST: '127.0.0.1',
    PORT: String(port),
    // As the command does.
    MALLOC_ARENA_MAX: '2',
    // From the beginning, so that the probe brings no compiler of TypeScript into the process.
    NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
    ...(cacheMegabytes === undefined ? {} : { QUIRE_CACHE_MB: String(cacheMegabytes) }),
  }
}

async function firstAnswer(url: string, failure: () => string | null): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const response = await fetch(url).catch(() => null)
    await response?.arrayBuffer()
    if (response?.ok) return
    if (response) throw new Error(`${url} answers ${response.status}.`)
    const message = failure()
    if (message !== null) throw new Error(message)
    await new Promise((resolve) => setTimeout(resolve, 3))
  }
  throw new Error(`${url} does not answer.`)
}
