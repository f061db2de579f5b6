import { buffer } from 'node:stream/consumers'
import { inBatches } from '../../base/batches.ts'
import { ATTACHMENTS, attachmentIdOf, fileName } from '../../engine/media/file-names.ts'
import { holdingFiles } from '../../engine/media/held-files.ts'
import { LINK_FILE } from '../../features/media/uploads-link.ts'
import type { Files } from '../../files/files.ts'
import type { OnProgress } from '../../store/contract/store.ts'
import { databaseFile } from '../../store/database/database-file.ts'
import { TABLES_VERSION } from '../../store/migrations/index.ts'
import { type OpenOptions, open } from '../../store/open-store.ts'
import { type CopiedTable, readTables, type TablesSnapshot } from '../../store/table-copies.ts'
import { mapAhead } from '../archive/concurrency.ts'
import { MANIFEST, manifestText } from '../archive/manifest.ts'
import { writeArchive } from '../archive/output.ts'
import type { ArchiveWriter } from '../archive/write-archive.ts'

/** The parts of the service to back up, and the progress to report to. */
interface BackupOptions extends OpenOptions {
  readonly database: string
  readonly files: Files
  readonly site: string | null
  readonly onRows: OnProgress
  readonly onUploads: OnProgress
}

/** The counts of a backup. */
interface BackedUp {
  readonly rows: number
  readonly files: number
  /** Attachments whose files are not where they should be: how many, and the names of the first. */
  readonly missing: { readonly count: number; readonly names: readonly string[] }
}

const NAMES = 200
const AT_ONCE = 8
const IN_MEMORY = 1024 * 1024
const MOST_NAMED = 20

/**
 * Writes a database and its uploads, as they are at one moment, into one file; the service may go on. Files that are
 * removed meanwhile are in it nevertheless (§10.1).
 */
export async function makeBackup(file: string, options: BackupOptions): Promise<BackedUp> {
  const path = databaseFile(options.database)
  return holdingFilesOf(options, () =>
    readTables(options.database, options, async (snapshot) => {
      const createdAt = new Date()
      return writeArchive(file, createdAt, async (archive) => {
        await archive.addText(MANIFEST, manifestText('backup', options.site, createdAt, contentsOf(snapshot, path)))
        const rows = await addTables(archive, snapshot, options.onRows)
        return { rows, ...(await addUploads(archive, snapshot, options)) }
      })
    }),
  )
}

/** Services of earlier versions know nothing of files that are held. */
async function holdingFilesOf<T>(options: BackupOptions, work: () => Promise<T>): Promise<T> {
  const version = await readTables(options.database, options, async (snapshot) => snapshot.version)
  if (version < TABLES_VERSION) return work()
  const store = await open(options.database, { ...options, migrate: false })
  try {
    return await holdingFiles(store, work)
  } finally {
    await store.close()
  }
}

function contentsOf({ version, tables }: TablesSnapshot, path: string | null) {
  return {
    schema: version,
    database: path === null ? 'postgres' : 'sqlite',
    tables: tables.map(({ name, rows, last, columns }) => ({
      name,
      rows,
      last,
      columns: columns.map((column) => column.name),
    })),
  }
}

/** The rows of all tables, as JSON Lines of about a megabyte each. */
async function addTables(archive: ArchiveWriter, snapshot: TablesSnapshot, onProgress: OnProgress): Promise<number> {
  const total = snapshot.tables.reduce((sum, { rows }) => sum + rows, 0)
  let done = 0
  for (const table of snapshot.tables) {
    let part = 0
    for await (const rows of snapshot.rows(table)) {
      part += 1
      await archive.addText(partName(table, part), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
      done += rows.length
      onProgress(done, total)
    }
  }
  onProgress(total, total)
  return done
}

function partName({ name }: CopiedTable, number: number): string {
  return `tables/${name}/${String(number).padStart(6, '0')}.jsonl`
}

/** All files of the attachments that there were. */
async function addUploads(archive: ArchiveWriter, snapshot: TablesSnapshot, { files, onUploads }: BackupOptions) {
  const total = snapshot.tables.find(({ name }) => name === 'attachments')?.rows ?? 0
  let [added, originals] = [0, 0]
  for await (const { name, isOriginal, bytes } of mapAhead(uploadNames(snapshot, files), AT_ONCE, (one) =>
    read(files, one),
  )) {
    if (!(await addUpload(archive, files, name, bytes))) continue
    added += name === LINK_FILE ? 0 : 1
    if (isOriginal) onUploads(++originals, total)
  }
  return { files: added, missing: originals < total ? await missingOf(snapshot, files) : { count: 0, names: [] } }
}

interface UploadName {
  readonly name: string
  readonly isOriginal: boolean
}

async function* uploadNames(snapshot: TablesSnapshot, files: Files): AsyncGenerator<UploadName> {
  yield { name: LINK_FILE, isOriginal: false }
  for await (const names of inBatches(files.list(ATTACHMENTS), NAMES)) {
    const ids = names.map((name) => attachmentIdOf(name) ?? '')
    const known = await snapshot.attachments([...new Set(ids)])
    const originals = new Map(known.map((attachment) => [attachment.id, fileName(attachment)]))
    for (const [index, name] of names.entries()) {
      const original = originals.get(ids[index] ?? '')
      if (original !== undefined) yield { name, isOriginal: name === original }
    }
  }
}

/** Small files are read ahead; `bytes` is null for large ones, and for those that are gone. */
async function read(files: Files, upload: UploadName): Promise<UploadName & { readonly bytes: Buffer | null }> {
  const facts = await files.facts(upload.name)
  if (facts === null || facts.length > IN_MEMORY) return { ...upload, bytes: null }
  const file = await files.open(upload.name)
  return { ...upload, bytes: file && (file.bytes ?? (await buffer(file.stream))) }
}

/** Adds a file, unless it is gone. */
async function addUpload(archive: ArchiveWriter, files: Files, name: string, bytes: Buffer | null): Promise<boolean> {
  const part = `uploads/${name}`
  if (bytes !== null) {
    await archive.add(part, bytes.length, [bytes])
    return true
  }
  const file = await files.open(name)
  if (file !== null) await archive.add(part, file.length, file.bytes === null ? file.stream : [file.bytes])
  return file !== null
}

async function missingOf(snapshot: TablesSnapshot, files: Files): Promise<BackedUp['missing']> {
  const table = snapshot.tables.find(({ name }) => name === 'attachments')
  const names: string[] = []
  let count = 0
  for await (const rows of table === undefined ? [] : snapshot.rows(table)) {
    for (const { id, name, extension } of rows) {
      const original = fileName({ id: String(id), name: String(name), extension: String(extension) })
      if ((await files.facts(original)) !== null) continue
      count += 1
      if (names.length < MOST_NAMED) names.push(original)
    }
  }
  return { count, names }
}
