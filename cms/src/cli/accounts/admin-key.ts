import { createHash, randomBytes } from 'node:crypto'
import { open, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '../../base/ids.ts'
import { hasCode } from '../../base/thrown.ts'
import { makeFolder } from '../../files/folder-access.ts'
import type { Store } from '../../store/contract/store.ts'
import { MIN_KEY_LENGTH } from '../command/environment.ts'
import { UsageError } from '../command/failure.ts'

/** The admin key of the folder in which the service is started. */
export interface AdminKey {
  /** The file that holds the key, readable by its owner alone. */
  readonly path: string
  /** The key, when it was just created; it is shown once, and only at a terminal. */
  readonly created: string | null
}

const KEY_FILE = 'data/admin-key'

/**
 * Creates an admin key on the first start, when the database has none, and writes it to `data/admin-key` (§5.5). A key
 * that is already there is added to a new database. Null when the database has other keys. Throws `UsageError` when the
 * key in the file is short, or others can read it.
 */
export async function ensureAdminKey(store: Store, now: Date, file = KEY_FILE): Promise<AdminKey | null> {
  const path = resolve(file)
  const found = await readKeyFile(path)
  if (found === null && (await store.keys.list()).length > 0) return null
  const key = found ?? (await writeKeyFile(path))
  await addToDatabase(store, key, now)
  return { path, created: found === null ? key : null }
}

async function readKeyFile(path: string): Promise<string | null> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  })
  if (file === null) return null
  try {
    const key = (await file.readFile('utf8')).trim()
    assertSafe(path, key, (await file.stat()).mode)
    return key
  } finally {
    await file.close()
  }
}

function assertSafe(path: string, key: string, mode: number): void {
  // Windows has no such permissions.
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    throw new UsageError(
      `Others on this machine can read the admin key in ${path}. Delete the file and revoke the key (quire key list, ` +
        `quire key revoke), or, if nobody can have read it, run: chmod 600 '${path}'`,
    )
  }
  if (key.length >= MIN_KEY_LENGTH) return
  throw new UsageError(
    `The admin key in ${path} has fewer than ${MIN_KEY_LENGTH} characters, so it can be guessed. Delete the file; the ` +
      'next start of a database without keys makes a new one, and so does: quire key create --role admin --name admin',
  )
}

async function writeKeyFile(path: string): Promise<string> {
  const key = randomBytes(32).toString('base64url')
  await makeFolder(dirname(path), 0o750)
  try {
    await writeFile(path, `${key}\n`, { mode: 0o600, flag: 'wx' })
    return key
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    // Another process starts at the same moment: its key counts, once it is written.
    await pause(200)
    return (await readKeyFile(path)) ?? key
  }
}

async function addToDatabase(store: Store, key: string, now: Date): Promise<void> {
  const hash = createHash('sha256').update(key).digest('hex')
  await store.transaction(async (tx) => {
    if ((await tx.read.keys.byHash(hash)) !== null) return
    const name = 'Admin key of the first start'
    const createdAt = now.toISOString()
    const plain = { ai: false, draftsOnly: false, expiresAt: null, revokedAt: null }
    await tx.keys.add({ id: newId(), name, role: 'admin', createdAt, ...plain }, hash)
  })
}
