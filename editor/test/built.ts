import { mkdir, readdir, rmdir, stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CACHE = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))
/** A folder that is there while one of several test processes builds. */
const LOCK = `${CACHE}/editor-is-built`
/** Milliseconds after which a lock was left by a process that was killed. */
const LEFT_MS = 60_000
const CONFIGS = ['vite.config.ts', 'vite.inside.config.ts'] as const
const SOURCES = ['src', 'build', 'index.html', ...CONFIGS, '../client/src']

let building: Promise<void> | undefined

/** Builds the editor where its sources are newer than what was built. */
export function built(): Promise<void> {
  building ??= alone(buildIfStale)
  return building
}

async function buildIfStale(): Promise<void> {
  const times = await Promise.all(SOURCES.map((name) => newest(`${ROOT}${name}`)))
  const made = await newest(`${ROOT}dist/index.html`).catch(() => 0)
  if (Math.max(...times) <= made) return
  for (const name of CONFIGS) await build({ root: ROOT, configFile: `${ROOT}${name}`, logLevel: 'error' })
}

/** Does the work while no other process does it. */
async function alone(work: () => Promise<void>): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  while (!(await isOurs())) await setTimeout(100)
  try {
    await work()
  } finally {
    await rmdir(LOCK)
  }
}

/** Takes the lock where nobody has it; whether it is ours now. */
async function isOurs(): Promise<boolean> {
  try {
    await mkdir(LOCK)
    return true
  } catch {
    const age = Date.now() - (await stat(LOCK).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs
    if (age > LEFT_MS) await rmdir(LOCK).catch(() => {})
    return false
  }
}

/** When a file, or the newest of a folder, was changed. */
async function newest(path: string): Promise<number> {
  const { mtimeMs } = await stat(path)
  const names = await readdir(path, { recursive: true }).catch(() => [])
  const times = await Promise.all(names.map(async (name) => (await stat(`${path}/${name}`)).mtimeMs))
  return Math.max(mtimeMs, ...times)
}
