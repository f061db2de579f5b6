import { existsSync } from 'node:fs'
import { copyFile, type FileHandle, lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { notFound } from '../../base/errors.ts'
import { isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { storedSingletonIds } from '../../engine/operations/singletons.ts'
import { parkedDocId } from '../../engine/pages/parked.ts'
import type { Crop } from '../../model/values/crop.ts'
import { UsageError } from '../command/failure.ts'
import { outsideObject } from '../command/outside-json.ts'
import type { ContentSource } from '../content/import-content.ts'
import { assertNotTooLarge, type Fetch } from '../content/import-media.ts'
import type { ImportReport } from '../content/import-report.ts'
import type { DocumentLine, LeftOut } from '../content/lines.ts'
import { attachmentId, copyOf, type NewIds } from './convert.ts'
import { objectsIn, plainObject } from './json-objects.ts'
import { type PlacedPage, placePages } from './page-order.ts'

/** How the source finds its way in this site. */
interface ApostropheOptions {
  readonly folder: string
  readonly report: ImportReport
  readonly renamed: (name: string) => string
  /** Only these types of the site, where given. */
  readonly types: ReadonlySet<string> | null
}

/** A document of the export: where it is in the file, and what decides about its order. */
interface Entry {
  readonly docId: string
  readonly type: string
  readonly locale: string
  readonly mode: 'draft' | 'published'
  readonly start: number
  readonly length: number
  /** Pages: the ids from the home page down; empty for pieces. */
  readonly path: string
  readonly rank: number
  readonly parkedId: string | null
}

const ENDINGS = ['.json', '.jsonl', '.ndjson']
const UPLOADS = ['uploads/attachments', 'public/uploads/attachments', 'attachments']

/**
 * The content of an ApostropheCMS database (3 and 4): a folder with what `mongoexport` wrote of the collections
 * `aposDocs` and `aposAttachments`, and with the uploads (§10.5).
 */
export async function apostropheSource(ctx: Context, options: ApostropheOptions): Promise<ContentSource> {
  const docs = fileOf(options.folder, 'aposDocs')
  if (docs === null) {
    throw new UsageError(
      `There is no aposDocs.json in ${options.folder}. Write it with: mongoexport -d DATABASE -c aposDocs`,
    )
  }
  const entries = await entriesIn(docs, options)
  const ids = await newIds(ctx, entries, options)
  const attachments = fileOf(options.folder, 'aposAttachments')
  return {
    documents: () => documentsIn(docs, { ctx, entries, ids, renamed: options.renamed }),
    fileIds: () => fileIdsIn(attachments),
    files: () => filesIn(attachments, options.folder),
  }
}

function fileOf(folder: string, name: string): string | null {
  return ENDINGS.map((ending) => join(folder, name + ending)).find((path) => existsSync(path)) ?? null
}

async function* plainObjectsIn(
  path: string,
): AsyncGenerator<{ readonly start: number; readonly length: number; readonly object: JsonObject }> {
  for await (const { start, bytes } of objectsIn(path)) {
    yield { start, length: bytes.length, object: parsed(path, start, bytes) }
  }
}

function parsed(path: string, start: number, bytes: Buffer): JsonObject {
  const object = outsideObject(bytes, `${path}: the object at byte ${start}`)
  if (object !== null) return plainObject(object)
  throw new UsageError(`${path} is not as mongoexport writes it: at byte ${start} there is no JSON.`)
}

async function entriesIn(path: string, { report, renamed, types }: ApostropheOptions): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const { start, length, object } of plainObjectsIn(path)) {
    const entry = entryOf(object, start, length)
    const [type, id] = [String(object.type), String(object._id)]
    if (type === '@apostrophecms/user' && types?.has(renamed(type))) {
      const message = 'Passwords cannot be taken over. Set one with: quire user password'
      report.add({ what: 'user without password', type, id, message })
    }
    if (typeof entry !== 'string') entries.push(entry)
    else if (entry !== '') {
      report.add({ what: entry, type, id, message: 'It was left out.' })
    }
  }
  return entries
}

/** An entry; why there is none, or an empty text for what is only kept to undo something. */
function entryOf(document: JsonObject, start: number, length: number): Entry | string {
  const { aposDocId, type, aposLocale, path, parkedId } = document
  if (typeof type !== 'string' || typeof aposDocId !== 'string') return 'not a document of ApostropheCMS 3 or 4'
  const [locale = '', mode = 'published'] = typeof aposLocale === 'string' ? aposLocale.split(':') : []
  if (mode === 'previous') return ''
  if (mode !== 'draft' && mode !== 'published') return 'unknown mode'
  return {
    ...{ docId: aposDocId, type, locale, mode, start, length },
    path: typeof path === 'string' ? path : '',
    rank: typeof document.rank === 'number' ? document.rank : 0,
    parkedId: typeof parkedId === 'string' ? parkedId : null,
  }
}

/** Built-in pages and documents have ids of their own here. */
async function newIds(ctx: Context, entries: readonly Entry[], { renamed }: ApostropheOptions): Promise<NewIds> {
  const { site } = ctx
  const singletonId = await storedSingletonIds(ctx)
  const parked = new Set(site.parked.map(({ parkedId }) => parkedId))
  const ids = new Map<string, string>()
  for (const { docId, parkedId, type: name } of entries) {
    const type = site.types.get(renamed(name))
    if (parkedId !== null && parked.has(parkedId)) ids.set(docId, parkedDocId(parkedId))
    else if (type?.singleton) ids.set(docId, singletonId(type))
  }
  return ids
}

interface Reading {
  readonly ctx: Context
  readonly entries: readonly Entry[]
  readonly ids: NewIds
  readonly renamed: (name: string) => string
}

/** A document in one locale, with what decides about its place. */
type DocumentCopies = Pick<PlacedPage<Entry>, 'copies'> & Partial<PlacedPage<Entry>>

async function* documentsIn(path: string, reading: Reading): AsyncGenerator<DocumentLine> {
  const groups = [...Map.groupBy(reading.entries, ({ docId, locale }) => `${docId}:${locale}`).values()]
  const isPage = ([first]: readonly Entry[]) => first !== undefined && first.path !== ''
  const pieces: readonly DocumentCopies[] = groups.filter((group) => !isPage(group)).map((copies) => ({ copies }))
  const pages = [...Map.groupBy(groups.filter(isPage), ([first]) => first?.locale).values()].flatMap(placePages)
  const file = await open(path, 'r')
  try {
    for (const placed of [...pieces, ...pages]) yield await lineOf(file, path, placed, reading)
  } finally {
    await file.close()
  }
}

async function lineOf(
  file: FileHandle,
  path: string,
  { copies: entries, parent, movedDraft }: DocumentCopies,
  { ctx, ids, renamed }: Reading,
): Promise<DocumentLine> {
  const copies: { [mode in Entry['mode']]?: JsonObject } = {}
  for (const { mode, start, length } of entries) {
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, start)
    copies[mode] = parsed(path, start, buffer)
  }
  const { draft, published } = copies
  const live = entries.find(({ mode }) => mode === 'published') ?? entries[0]
  if (live === undefined) throw new Error('A group has no document.')
  const { docId, type, locale } = live
  const fields = ctx.site.types.get(renamed(type))?.fields.byName
  const here = { ids, isField: (name: string) => fields?.has(name) ?? false }
  const leftOut = [
    ...(draft && draft.type !== type ? [otherType(draft)] : []),
    ...(movedDraft ? [moveOf(movedDraft)] : []),
  ]
  const line = {
    docId: ids.get(docId) ?? docId,
    type,
    locale,
    draft: draft ? copyOf(draft, here) : null,
    published: published ? copyOf(published, here) : null,
    ...(leftOut.length > 0 && { leftOut }),
  }
  if (parent === undefined) return line
  const formerUrls = formerUrlsOf(ctx, locale, published ?? draft ?? {})
  return { ...line, parent: ids.get(parent) ?? parent, ...(formerUrls.length > 0 && { formerUrls }) }
}

function otherType({ type = null }: JsonObject): LeftOut {
  return { path: 'type', value: type, message: 'Both copies have one type here: that of the published one.' }
}

function moveOf({ path }: Entry): LeftOut {
  return { path: 'path', value: path, message: 'Both copies have one place here: that of the published one.' }
}

/** Paths that a page had, without the prefix of their locale. */
function formerUrlsOf({ site }: Context, locale: string, { historicUrls, slug }: JsonObject): string[] {
  const prefix = site.locales.get(locale)?.prefix ?? ''
  const paths = Array.isArray(historicUrls) ? historicUrls.filter((one) => typeof one === 'string') : []
  return paths
    .map((path) => (prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path))
    .filter((path) => path.startsWith('/') && path !== slug && path !== '/')
}

async function* fileIdsIn(path: string | null): AsyncGenerator<string> {
  if (path === null) return
  for await (const { object } of plainObjectsIn(path)) yield attachmentId(String(object._id))
}

async function* filesIn(path: string | null, folder: string): ReturnType<ContentSource['files']> {
  if (path === null) return
  const uploads =
    UPLOADS.map((name) => join(folder, name)).find((one) => existsSync(one)) ?? join(folder, 'attachments')
  for await (const { object } of plainObjectsIn(path)) {
    const [id, name, extension] = [String(object._id), String(object.name), String(object.extension)]
    const fileName = `${id}-${name}.${extension}`
    const fetch: Fetch = async (to, most) => {
      const bytes = fileName.includes('/') ? null : await sizeOfPlainFile(join(uploads, fileName))
      if (bytes === null) throw notFound(`There is no file ${fileName} in ${uploads}.`)
      assertNotTooLarge(bytes, most)
      await copyFile(join(uploads, fileName), to)
    }
    yield {
      id: attachmentId(id),
      name,
      title: typeof object.title === 'string' ? object.title : name,
      fileName: `${name}.${extension}`,
      crops: Array.isArray(object.crops) ? object.crops.flatMap(cropIn) : [],
      ...(typeof object.createdAt === 'string' && { createdAt: object.createdAt }),
      fetch,
    }
  }
}

/** Returns the size of a file; null for anything else: symbolic links leave the folder, and a pipe would block. */
async function sizeOfPlainFile(path: string): Promise<number | null> {
  const found = await lstat(path).catch(() => null)
  return found?.isFile() ? found.size : null
}

function cropIn(value: Json): Crop[] {
  if (!isObject(value)) return []
  const { top, left, width, height } = value
  const isWhole = [top, left, width, height].every((number) => typeof number === 'number')
  return isWhole ? [{ top: Number(top), left: Number(left), width: Number(width), height: Number(height) }] : []
}
