import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { type ArchivePart, archiveParts, bytesOf } from '../archive/read.ts'
import { UsageError } from '../failure.ts'
import type { ContentSource } from './import.ts'
import { writeTo } from './import-media.ts'
import { type AttachmentLine, DOCUMENTS, type DocumentLine, MEDIA } from './lines.ts'

const MOST_FACTS = 16 * 1024 * 1024

/** The content of an export, which was found whole. */
export function archiveSource(path: string): ContentSource {
  return { documents: () => documentsIn(path), fileIds: () => fileIdsIn(path), files: () => filesIn(path) }
}

async function* documentsIn(path: string): AsyncGenerator<DocumentLine> {
  for await (const part of archiveParts(path)) {
    if (part.name.startsWith(DOCUMENTS)) yield* linesOf(part)
    // Documents are before files.
    else if (part.name.startsWith(MEDIA)) return
    else await skip(part)
  }
}

async function* linesOf({ content }: ArchivePart): AsyncGenerator<DocumentLine> {
  for await (const line of createInterface({ input: Readable.from(content), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line !== '') yield JSON.parse(line)
  }
}

async function* fileIdsIn(path: string): AsyncGenerator<string> {
  for await (const part of archiveParts(path)) {
    const [, id] = /^media\/([^/.]+)\.json$/.exec(part.name) ?? []
    await skip(part)
    if (id !== undefined) yield id
  }
}

async function* filesIn(path: string): ReturnType<ContentSource['files']> {
  let facts: AttachmentLine | null = null
  for await (const part of archiveParts(path)) {
    if (!part.name.startsWith(MEDIA)) await skip(part)
    else if (facts === null) facts = JSON.parse((await bytesOf(part, MOST_FACTS)).toString('utf8'))
    else {
      const { id, name, title, extension, crops, createdAt, updatedAt } = facts
      if (part.name !== `${MEDIA}${id}.${extension}`) throw new UsageError(`${path} has no file for ${id}.`)
      let isFetched = false
      const fetch = (to: string) => {
        isFetched = true
        return writeTo(to, part.content)
      }
      yield { id, name, title, createdAt, updatedAt, fileName: `${name}.${extension}`, crops, fetch }
      if (!isFetched) await skip(part)
      facts = null
    }
  }
}

async function skip({ content }: ArchivePart): Promise<void> {
  for await (const _ of content);
}
