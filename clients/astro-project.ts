import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const PROJECT = join(import.meta.dirname, 'astro')
const START_MS = 20_000

/** The Astro project, built for a service and running. */
export interface AstroSite {
  readonly address: string
  /** Returns the output so far. */
  printed(): string
  stop(): Promise<void>
}

/** The options of building the Astro project. */
export interface AstroOptions {
  /** Names the folder that it is built into. */
  readonly name: string
  readonly service: string
  readonly frontKey: string
  readonly prefix?: string
  /** A free one when left out. */
  readonly port?: number
}

/** Installs what the Astro project depends on. */
export function installAstro(): Promise<void> {
  return installIn(PROJECT)
}

/**
 * Installs what a folder's package depends on, in the versions of its lock file. Not by `npm ci`, which refuses a lock
 * file without the binaries of all platforms.
 */
export async function installIn(cwd: string): Promise<void> {
  await run('npm', ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], { cwd })
}

/** Builds the Astro project for a service, and starts it on a free port. */
export async function startAstro(options: AstroOptions): Promise<AstroSite> {
  const env = { ...environmentOf(options), HOST: '127.0.0.1', PORT: String(options.port ?? 0) }
  await build(env)
  const child = spawn(process.execPath, [join(PROJECT, 'dist', options.name, 'server/entry.mjs')], {
    cwd: PROJECT,
    env,
  })
  let printed = ''
  const address = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Astro did not start:\n${printed}`)), START_MS)
    const read = (part: Buffer) => {
      printed += part
      const found = /listening on (http:\S+)/.exec(printed)?.[1]
      if (found === undefined) return
      clearTimeout(timer)
      resolve(found)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
  })
  return { address, printed: () => printed, stop: () => stopped(child) }
}

/** Builds the Astro project as files: the folder that they are in, and what was printed. */
export async function exportAstro(options: AstroOptions): Promise<{ folder: string; printed: string }> {
  const folder = join(PROJECT, 'dist', options.name)
  await rm(folder, { recursive: true, force: true })
  const printed = await build({ ...environmentOf(options), STATIC: '1' })
  return { folder, printed }
}

function environmentOf({ name, service, frontKey, prefix = '' }: AstroOptions): NodeJS.ProcessEnv {
  return {
    ...process.env,
    APOS_HOST: service,
    APOS_PREFIX: prefix,
    APOS_EXTERNAL_FRONT_KEY: frontKey,
    ASTRO_TELEMETRY_DISABLED: '1',
    OUT_DIR: `./dist/${name}`,
  }
}

async function build(env: NodeJS.ProcessEnv): Promise<string> {
  const astro = join(PROJECT, 'node_modules/astro/bin/astro.mjs')
  const { stdout, stderr } = await run(process.execPath, [astro, 'build'], {
    cwd: PROJECT,
    env,
    maxBuffer: 16 * 1024 * 1024,
  })
  return stdout + stderr
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}
