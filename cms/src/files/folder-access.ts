import { constants } from 'node:fs'
import { access, lstat, mkdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { hasCode } from '../base/thrown.ts'

/**
 * Makes a folder, and those above it that are missing. Node's own way of doing so never ends where the system denies that
 * there is a folder which it will not make either, as below `/proc`.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const missing: string[] = []
  for (let at = resolve(path); !(await isThere(at)); at = dirname(at)) missing.unshift(at)
  for (const folder of missing) {
    // Another process may make it at the same moment.
    await mkdir(folder, mode).catch((error) => {
      if (!hasCode(error, 'EEXIST')) throw error
    })
  }
}

/** Throws where nothing can be stored in a folder, or where it is not there and cannot be made. */
export async function assertUsable(folder: string): Promise<void> {
  try {
    await access(join(folder, '.'), constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    await assertMissing(folder, error)
    await assertCanBeMade(dirname(resolve(folder)))
  }
}

async function assertCanBeMade(above: string): Promise<void> {
  try {
    await access(join(above, '.'), constants.W_OK | constants.X_OK)
  } catch (error) {
    await assertMissing(above, error)
    await assertCanBeMade(dirname(above))
  }
}

/** Throws the error unless it says that there is nothing of that name, not even a link that leads nowhere. */
async function assertMissing(path: string, error: unknown): Promise<void> {
  if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error
  const isLink = await lstat(path).then(
    () => true,
    () => false,
  )
  if (isLink) throw error
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT') && dirname(path) !== path) return false
    throw error
  }
}
