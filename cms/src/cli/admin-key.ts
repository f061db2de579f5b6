import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { newId } from '../base/ids.ts'
import type { Store } from '../store/store.ts'

/** The admin key of the folder in which the service is started. */
export interface AdminKey {
  /** The file that holds the key, readable by its owner alone. */
  readonly path: string
  /** The key, when it was just created; it is shown once. */
  readonly created: string | null
}

const KEY_FILE = 'data/admin-key'

/**
 * Creates an admin key on the first start, when the database has none, and writes it to `data/admin-key`. A key that is
 * already there is added to a new database. Null when the database has other keys.
 */
export async function ensureAdminKey(store: Store, now: Date, file = KEY_FILE): Promise<AdminKey | null> {
  const path = resolve(file)
  const found = await readKeyFile(path)
  if (found === null && (await store.keys.list()).length > 0) return null
  const created = found === null ? await writeKeyFile(path) : null
  await addToDatabase(store, created ?? found ?? '', now)
  return { path, created }
}

async function readKeyFile(path: string): Promise<string | null> {
  try {
    const text = (await readFile(path, 'utf8')).trim()
    return text === '' ? null : text
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

async function writeKeyFile(path: string): Promise<string> {
  const key = randomBytes(32).toString('base64url')
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `${key}\n`, { mode: 0o600 })
  return key
}

async function addToDatabase(store: Store, key: string, now: Date): Promise<void> {
  const hash = createHash('sha256').update(key).digest('hex')
  await store.transaction(async (tx) => {
    if ((await tx.keys.byHash(hash)) !== null) return
    const name = 'Admin key of the first start'
    const createdAt = now.toISOString()
    const plain = { ai: false, draftsOnly: false, expiresAt: null, revokedAt: null }
    await tx.keys.add({ id: newId(), name, role: 'admin', createdAt, ...plain }, hash)
  })
}
