import { isObject, type JsonObject } from '../../base/json.ts'
import { type ArchiveFile, type ArchivePart, archiveParts, bytesOf, skip } from '../archive/read-archive.ts'
import { UsageError } from '../command/failure.ts'
import { outsideObject } from '../command/outside-json.ts'
import type { ContentSource } from './import-content.ts'
import { assertNotTooLarge, type Fetch, writeTo } from './import-media.ts'
import { type AttachmentLine, DOCUMENTS, type DocumentLine, MEDIA } from './lines.ts'

const MOST_FACTS = 16 * 1024 * 1024
/** A part with documents has about a megabyte, unless one has more. */
const MOST_BYTES = 512 * 1024 * 1024
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d]

/** The content of an export, which was found whole. */
export function archiveSource(archive: ArchiveFile): ContentSource {
  return { documents: () => documentsIn(archive), fileIds: () => fileIdsIn(archive), files: () => filesIn(archive) }
}

async function* documentsIn(archive: ArchiveFile): AsyncGenerator<DocumentLine> {
  for await (const part of archiveParts(archive)) {
    if (part.name.startsWith(DOCUMENTS)) yield* linesOf(part)
    // Documents are before files.
    else if (part.name.startsWith(MEDIA)) return
    else await skip(part)
  }
}

async function* linesOf({ name, size, content }: ArchivePart): AsyncGenerator<DocumentLine> {
  if (size > MOST_BYTES) throw new UsageError(`${name} is too long to be read.`)
  let number = 0
  for await (const bytes of splitAtLineFeeds(content)) {
    number += 1
    const isBlank = bytes.every((byte) => byte === CARRIAGE_RETURN)
    if (!isBlank) yield lineIn(`${name} in the archive, line ${number},`, bytes)
  }
}

/** Text may hold the other characters that end lines elsewhere, such as U+2028. */
async function* splitAtLineFeeds(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = []
  for await (const chunk of content) {
    let from = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      yield Buffer.concat([...pieces, chunk.subarray(from, end)])
      pieces = []
      from = end + 1
    }
    pieces.push(chunk.subarray(from))
  }
  yield Buffer.concat(pieces)
}

function lineIn(where: string, bytes: Buffer): DocumentLine {
  const line = objectIn(where, bytes)
  const { docId, type, locale, draft, published } = line
  const areTexts = [docId, type, locale].every((value) => typeof value === 'string')
  if (!areTexts || !isCopy(draft) || !isCopy(published) || (draft === null && published === null)) throw foreign(where)
  // `as`: what else a line has is looked at by the import.
  return line as unknown as DocumentLine
}

function isCopy(value: unknown): boolean {
  return value === null || (isObject(value) && isObject(value.fields) && isObject(value.updatedBy))
}

function objectIn(where: string, bytes: Buffer): JsonObject {
  const object = outsideObject(bytes, where)
  if (object === null) throw foreign(where)
  return object
}

/** The refusal of an archive that has a line which `quire export` does not write. */
function foreign(where: string): UsageError {
  return new UsageError(`${where} is not as quire export writes it.`)
}

async function* fileIdsIn(archive: ArchiveFile): AsyncGenerator<string> {
  for await (const part of archiveParts(archive)) {
    const [, id] = /^media\/([^/.]+)\.json$/.exec(part.name) ?? []
    await skip(part)
    if (id !== undefined) yield id
  }
}

async function* filesIn(archive: ArchiveFile): ReturnType<ContentSource['files']> {
  let facts: AttachmentLine | null = null
  for await (const part of archiveParts(archive)) {
    if (!part.name.startsWith(MEDIA)) await skip(part)
    else if (facts === null) facts = factsIn(`${part.name} in the archive`, await bytesOf(part, MOST_FACTS))
    else {
      const { id, name, title, extension, crops, createdAt, updatedAt } = facts
      if (part.name !== `${MEDIA}${id}.${extension}`) throw new UsageError(`${archive.name} has no file for ${id}.`)
      let isFetched = false
      const fetch: Fetch = async (to, most) => {
        assertNotTooLarge(part.size, most)
        isFetched = true
        await writeTo(to, part.content)
      }
      yield { id, name, title, createdAt, updatedAt, fileName: `${name}.${extension}`, crops, fetch }
      if (!isFetched) await skip(part)
      facts = null
    }
  }
}

function factsIn(where: string, bytes: Buffer): AttachmentLine {
  const facts = objectIn(where, bytes)
  const { id, extension, title, createdAt, updatedAt, crops } = facts
  const areTexts = [id, facts.name, extension, title, createdAt, updatedAt].every((value) => typeof value === 'string')
  if (!areTexts || !Array.isArray(crops) || !crops.every(isObject)) throw foreign(where)
  // `as`: so much is used of it.
  return facts as unknown as AttachmentLine
}
