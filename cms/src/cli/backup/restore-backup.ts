import { createWriteStream, existsSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { inBatches } from '../../base/batches.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import { counted } from '../../base/text.ts'
import { withTemporaryFile } from '../../engine/media/attachment-files.ts'
import { ATTACHMENTS, attachmentIdOf } from '../../engine/media/file-names.ts'
import { LINK, LINK_FILE, readLinkFile } from '../../features/media/uploads-link.ts'
import type { Files } from '../../files/files.ts'
import { isFileName } from '../../files/stored-names.ts'
import type { OnProgress } from '../../store/contract/store.ts'
import { databaseFile } from '../../store/database/database-file.ts'
import type { ColumnKind, TableShape } from '../../store/database/tables.ts'
import { TABLES_VERSION } from '../../store/migrations/index.ts'
import { type OpenOptions, tablesAt } from '../../store/open-store.ts'
import {
  type CopiedRow,
  type CopiedTable,
  readTables,
  restoreTables,
  type TablesWriter,
  targetSetting,
  targetStateOf,
} from '../../store/table-copies.ts'
import { TaskPool } from '../archive/concurrency.ts'
import { type Manifest, readManifest } from '../archive/manifest.ts'
import { type ArchiveFile, type ArchivePart, archiveParts, bytesOf, skip } from '../archive/read-archive.ts'
import { UsageError } from '../command/failure.ts'
import { outsideObject } from '../command/outside-json.ts'
import { WaitingWork } from './waiting-work.ts'

/** Where a backup is restored to, and how that is reported. */
interface RestoreOptions extends OpenOptions {
  readonly database: string
  readonly files: Files
  /** Replaces what is there. */
  readonly force: boolean
  /** False: webhooks are switched off in what is restored, and deliveries that wait are not sent. */
  readonly webhooks: boolean
  readonly onProgress: OnProgress
}

/** The counts of a restore. */
interface Restored {
  readonly rows: number
  readonly uploads: number
  readonly createdAt: string
  /** Whether the tables are those of an earlier version. */
  readonly isOlder: boolean
  readonly waiting: WaitingWork
}

const AT_ONCE = 8
const NAMES = 200
const IN_MEMORY = 1024 * 1024
/** A part of a table has about a megabyte, unless one row has more. */
const MOST_BYTES = 512 * 1024 * 1024

/**
 * Restores a verified backup. Uploads are added to those that are there, whose content under a name never differs; then
 * the database is replaced, in one step; then the uploads that are not in the backup go. Whenever this is interrupted,
 * the database that is there has all its uploads (§10.2).
 */
export async function restoreBackup(archive: ArchiveFile, options: RestoreOptions): Promise<Restored> {
  const manifest = await readManifest(archive, 'backup')
  const schema = schemaOf(manifest)
  const tables = await tablesOf(manifest, schema)
  if (!options.force) await assertNothingThere(options)
  const counts = { rows: 0, uploads: 0 }
  const waiting = new WaitingWork(options.webhooks)
  const former = await linkOfOthers(options)
  let link: Buffer | null = null
  await restoreTables(options.database, { ...options, version: schema, tables }, async (writer) => {
    const tasks = new TaskPool(AT_ONCE)
    for await (const part of archiveParts(archive, options.onProgress)) {
      const table = tables.find(({ name }) => part.name.startsWith(`tables/${name}/`))
      if (part.name === `uploads/${LINK_FILE}`) link = await bytesOf(part, IN_MEMORY)
      else if (table !== undefined) counts.rows += await addRows(writer, table, part, waiting)
      else if (part.name.startsWith(`uploads/${ATTACHMENTS}`)) {
        assertOwn(former, link)
        await addUpload(options.files, tasks, part)
        counts.uploads += 1
      } else await skip(part)
    }
    await tasks.done()
    const expected = tables.reduce((sum, { rows }) => sum + rows, 0)
    if (counts.rows !== expected)
      throw new UsageError(`${archive.name} has ${counted(counts.rows, 'row')} in place of ${expected}.`)
    assertOwn(former, link)
    // Before the database is replaced: when the command is repeated, the uploads are those of the backup.
    if (link !== null) await options.files.put(LINK_FILE, { source: link, mayChange: true })
  })
  await removeOthers(options)
  return { ...counts, createdAt: manifest.createdAt, isOlder: schema < TABLES_VERSION, waiting }
}

function schemaOf({ schema, product }: Manifest): number {
  if (typeof schema !== 'number' || !Number.isInteger(schema) || schema < 1)
    throw new UsageError('The backup names no version.')
  if (schema <= TABLES_VERSION) return schema
  throw new UsageError(`The backup is from a newer program. Restore it with Quire ${product}, or a later version.`)
}

/** The tables of a version, with what the backup says of each. */
async function tablesOf({ tables: listed }: Manifest, schema: number): Promise<CopiedTable[]> {
  const shapes = await tablesAt(schema)
  const facts = Array.isArray(listed) ? listed.filter(isObject) : []
  return shapes.map((shape) => {
    const fact = facts.find(({ name }) => name === shape.name)
    return { ...shape, rows: Number(fact?.rows ?? 0), last: typeof fact?.last === 'number' ? fact.last : null }
  })
}

async function assertNothingThere({ database, files, ...options }: RestoreOptions): Promise<void> {
  const path = databaseFile(database)
  const state = await targetStateOf(database, options, path === null || existsSync(path))
  const force = 'To replace it, and its uploads, add --force.'
  if (state === 'rows') throw new UsageError(`The database is not empty. ${force}`)
  if (state === 'damage') throw new UsageError(`${path} is damaged, or is no database. ${force}`)
  for await (const name of files.list(ATTACHMENTS)) {
    throw new UsageError(`There are uploads already, as ${name}. To replace them, add --force.`)
  }
}

/** The id that links the uploads with a database other than the one that is replaced; null where nothing says so. */
async function linkOfOthers({ database, files, ...options }: RestoreOptions): Promise<string | null> {
  const link = await readLinkFile({ files })
  if (link === null) return null
  const path = databaseFile(database)
  const isThere = path === null || existsSync(path)
  return link === (await targetSetting(database, options, { name: LINK, isThere })) ? null : link
}

/** Uploads of neither database would be lost by a wrong setting. */
function assertOwn(former: string | null, link: Buffer | null): void {
  if (former === null || former === link?.toString('utf8').trim()) return
  throw new UsageError(
    'The uploads belong to another database: neither to the one that is replaced, nor to that of the backup. Restoring would ' +
      `remove them. Check QUIRE_UPLOADS; if they are to be replaced, remove ${LINK_FILE} there first. Nothing was restored.`,
  )
}

async function addRows(
  writer: TablesWriter,
  table: CopiedTable,
  part: ArchivePart,
  waiting: WaitingWork,
): Promise<number> {
  const lines = (await bytesOf(part, MOST_BYTES)).toString('utf8').split('\n')
  const rows = lines.filter((line) => line !== '').map((line) => waiting.pass(table.name, rowIn(table, part, line)))
  await writer.insert(table, rows)
  return rows.length
}

function rowIn(table: CopiedTable, { name }: ArchivePart, line: string): CopiedRow {
  const row = outsideObject(Buffer.from(line), `${name} in the archive`)
  if (row === null || Object.values(row).some((cell) => typeof cell === 'object' && cell !== null)) throw foreign(name)
  const mistake = mistakeIn(row, table)
  if (mistake !== null) throw new UsageError(`In ${name} in the archive ${mistake}. ${MEND}`)
  // `as`: these are its columns, and no cell is an object or a list.
  return row as CopiedRow
}

const MEND = 'Correct it, or make the backup again with quire backup. Nothing was restored.'

/** The refusal of an archive that has a part which `quire backup` does not write. */
function foreign(name: string): UsageError {
  return new UsageError(`${name} in the archive is not as quire backup writes it.`)
}

/** Small files are stored several at a time, large ones one by one. */
async function addUpload(files: Files, tasks: TaskPool, part: ArchivePart): Promise<void> {
  const name = part.name.slice('uploads/'.length)
  if (!isFileName(name)) throw foreign(part.name)
  if (part.size <= IN_MEMORY) {
    const source = await bytesOf(part, IN_MEMORY)
    await tasks.begin(() => files.put(name, { source }))
    return
  }
  await withTemporaryFile(async (path) => {
    await pipeline(part.content, createWriteStream(path))
    await files.put(name, { source: { path } })
  })
}

/** Removes the files of attachments that the database does not have. */
async function removeOthers({ database, files, ...options }: RestoreOptions): Promise<void> {
  await readTables(database, options, async (snapshot) => {
    for await (const names of inBatches(files.list(ATTACHMENTS), NAMES)) {
      const ids = names.map((name) => attachmentIdOf(name))
      const known = new Set((await snapshot.attachments(ids.map((id) => id ?? ''))).map(({ id }) => id))
      await files.remove(names.filter((_name, index) => ids[index] !== null && !known.has(ids[index] ?? '')))
    }
  })
}

/** The mistake in a row of a backup, so that its table could not take it; null when nothing is. */
function mistakeIn(row: JsonObject, { name, columns }: TableShape): string | null {
  const known = new Set(columns.map((column) => column.name))
  const unknown = Object.keys(row).find((key) => !known.has(key))
  if (unknown !== undefined)
    return `a row of the table ${name} has the column ${unknown}, which that table does not have`
  for (const column of columns) {
    const cell = row[column.name]
    if (cell === undefined) return `a row of the table ${name} lacks the column ${column.name}`
    if (cell === null ? column.isRequired : !FITS[column.kind](cell)) {
      return `a row of the table ${name} has a wrong value in the column ${column.name}: ${EXPECTED[column.kind]} is expected`
    }
  }
  return null
}

const isText = (cell: unknown) => typeof cell === 'string'

const FITS: Readonly<Record<ColumnKind, (cell: unknown) => boolean>> = {
  text: isText,
  integer: (cell) => Number.isSafeInteger(cell),
  number: (cell) => typeof cell === 'number',
  bytes: (cell) => typeof cell === 'string' && /^([\da-f]{2})*$/i.test(cell),
}

const EXPECTED: Readonly<Record<ColumnKind, string>> = {
  text: 'a text',
  integer: 'a whole number',
  number: 'a number',
  bytes: 'an even count of hexadecimal digits',
}
