import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm'
/** What a run of all tests writes at most, and again as much. */
const ROOM = 4 * 1024 ** 3

/**
 * For vitest: what tests write is kept in memory where the machine has room for it, by far the cheapest place for the
 * many databases that are made and dropped. Elsewhere it goes where temporary files go.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (!(await hasRoom())) return undefined
  const folder = await temporaryFolder('quire-tests', MEMORY)
  process.env.TMPDIR = folder
  // Whatever runs in processes of its own is compiled once.
  process.env.NODE_COMPILE_CACHE = join(folder, 'node-compile-cache')
  // Processes that are ending write there what they have compiled, until they have gone.
  return () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

/** A new folder that any account may enter. Those of processes that were killed are removed. */
export async function temporaryFolder(name: string, parent = tmpdir()): Promise<string> {
  for (const other of await readdir(parent)) {
    const processId = Number(other.startsWith(`${name}-`) ? other.slice(name.length + 1).split('-')[0] : undefined)
    if (processId && !isAlive(processId)) await rm(join(parent, other), { recursive: true, force: true })
  }
  const folder = await mkdtemp(join(parent, `${name}-${process.pid}-`))
  await chmod(folder, 0o711)
  return folder
}

async function hasRoom(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const free = await statfs(MEMORY).catch(() => null)
  return free !== null && free.bavail * free.bsize >= ROOM
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
