import { existsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { dirname, resolve } from 'node:path'
import { openImages } from '../../images/open-images.ts'
import { type Finding, Findings, sizeText } from './finding.ts'

/** The versions of Node.js on which the service runs. */
const NEEDED_NODE = [22, 18] as const
const LEAST_DISK = 1e9
/** For one process. */
const LEAST_MEMORY = 512e6

/** The machine: versions, who runs it, memory, the disks that folders are on. */
export async function checkMachine(folders: readonly string[], workers: number): Promise<readonly Finding[]> {
  const found = new Findings('machine')
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isOld = major < NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor < NEEDED_NODE[1])
  if (isOld) found.fail(`Node.js is ${process.version}.`, `Install ${NEEDED_NODE.join('.')} or newer.`)
  else found.ok(`Node.js is ${process.version}.`)
  if (process.getuid?.() === 0)
    found.warn('This runs as root.', 'Run the service as a user of its own, who owns its database and its uploads.')
  checkMemory(found, workers)
  for (const folder of await onOtherDisks(folders)) await checkDisk(found, folder)
  await checkImages(found)
  return found.all
}

function checkMemory(found: Findings, workers: number): void {
  const memory = Math.min(process.constrainedMemory() || totalmem(), totalmem())
  const needed = LEAST_MEMORY * workers
  const text = `${sizeText(memory)} of memory for ${workers === 1 ? 'one process' : `${workers} workers`}.`
  if (memory >= needed) found.ok(text)
  else found.warn(text, `Give it ${sizeText(needed)}, or lower QUIRE_WORKERS or QUIRE_CACHE_MB.`)
}

/** Returns the first folder on each disk; for one that does not exist yet, the one it will be in. */
async function onOtherDisks(folders: readonly string[]): Promise<readonly string[]> {
  const disks = new Map<number, string>()
  for (const folder of folders) {
    let there = resolve(folder)
    while (!existsSync(there) && dirname(there) !== there) there = dirname(there)
    const { dev } = await stat(there)
    if (!disks.has(dev)) disks.set(dev, there)
  }
  return [...disks.values()]
}

async function checkDisk(found: Findings, folder: string): Promise<void> {
  const disk = await statfs(folder).catch(() => null)
  if (disk === null) return
  const free = disk.bavail * disk.bsize
  const text = `${sizeText(free)} are free on the disk of ${folder}.`
  if (free >= LEAST_DISK) found.ok(text)
  else found.warn(text, 'Make room: a migration takes up to three times the size of the database.')
}

async function checkImages(found: Findings): Promise<void> {
  const { imageLibrary } = await openImages().catch(() => ({ imageLibrary: null }))
  if (imageLibrary !== null) found.ok(`Images are processed by ${imageLibrary}.`)
  else found.fail('The image library (sharp) cannot be loaded.', 'Install the packages again on this machine.')
}
