import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { assertFile } from '../failure.ts'
import { ArchiveWriter } from './write.ts'

/** The file name that stands for standard input and output. */
export const STANDARD = '-'

/**
 * Writes an archive to a file, which is there when it is whole and on the disk, and which only its owner may read; or to
 * standard output.
 */
export async function writeArchive<T>(
  file: string,
  createdAt: Date,
  work: (archive: ArchiveWriter) => Promise<T>,
): Promise<T> {
  if (file === STANDARD) return filled(new ArchiveWriter(process.stdout, createdAt), work)
  await assertFile(file, 'Name a file, or one that is not there yet.')
  const unfinished = `${file}.unfinished`
  try {
    await rm(unfinished, { force: true })
    const output = createWriteStream(unfinished, { mode: 0o600, flush: true })
    const result = await filled(new ArchiveWriter(output, createdAt), work)
    await rename(unfinished, file)
    return result
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function filled<T>(archive: ArchiveWriter, work: (archive: ArchiveWriter) => Promise<T>): Promise<T> {
  try {
    const result = await work(archive)
    await archive.finish()
    return result
  } catch (error) {
    throw await archive.abort(error)
  }
}
