import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { newId } from '../base/ids.ts'
import type { Store } from '../store/store.ts'

/** The admin key that belongs to the folder in which the service is started. */
export interface FolderKey {
  /** Where the key is kept, readable for its owner alone. */
  readonly path: string
  /** The key, when it was made just now; it is shown once. */
  readonly made: string | null
}

const FOLDER_KEY_FILE = 'data/admin-key'

/**
 * Makes an admin key on the first start, when the database knows none, and keeps it in `data/admin-key`. A key that
 * lies there already is made known to a new database. Null: the database has other keys, and nothing is to be said.
 */
export async function folderKey(store: Store, now: Date, file = FOLDER_KEY_FILE): Promise<FolderKey | null> {
  const path = resolve(file)
  const kept = await readKept(path)
  if (kept === null && (await store.keys.list()).length > 0) return null
  const made = kept === null ? await keep(path) : null
  await makeKnown(store, made ?? kept ?? '', now)
  return { path, made }
}

async function readKept(path: string): Promise<string | null> {
  try {
    const text = (await readFile(path, 'utf8')).trim()
    return text === '' ? null : text
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

async function keep(path: string): Promise<string> {
  const key = randomBytes(32).toString('base64url')
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `${key}\n`, { mode: 0o600 })
  return key
}

async function makeKnown(store: Store, key: string, now: Date): Promise<void> {
  const hash = createHash('sha256').update(key).digest('hex')
  await store.transaction(async (tx) => {
    if ((await tx.keys.byHash(hash)) !== null) return
    const name = 'Admin key of the first start'
    const createdAt = now.toISOString()
    const plain = { ai: false, draftsOnly: false, expiresAt: null, revokedAt: null }
    await tx.keys.add({ id: newId(), name, role: 'admin', createdAt, ...plain }, hash)
  })
}
