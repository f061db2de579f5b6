import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { hasCode } from '../../base/thrown.ts'
import { UsageError } from '../command/failure.ts'
import { assertReplaceable, removedAfter } from '../command/replaceable.ts'
import { isArchive } from './read-archive.ts'
import { ArchiveWriter } from './write-archive.ts'

/** The file name that stands for standard input and output. */
export const STANDARD = '-'

/**
 * Writes an archive to a file, which is there when it is whole and on the disk, and which only its owner may read; or
 * to standard output. An archive that is there already is replaced at that moment; any other file is kept, and refused.
 */
export async function writeArchive<T>(
  file: string,
  createdAt: Date,
  work: (archive: ArchiveWriter) => Promise<T>,
): Promise<T> {
  if (file === STANDARD) return filled(new ArchiveWriter(process.stdout, createdAt), work)
  await assertReplaceable(file, isArchive)
  const unfinished = `${file}.unfinished`
  return removedAfter(unfinished, async () => {
    try {
      await rm(unfinished, { force: true })
      const output = createWriteStream(unfinished, { mode: 0o600, flush: true })
      const result = await filled(new ArchiveWriter(output, createdAt), work)
      await rename(unfinished, file)
      return result
    } catch (error) {
      // A disk, a quota or a limit is full.
      const isFull = hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG')
      throw isFull ? new UsageError(`${file} cannot be written: ${error.message}. ${MAKE_ROOM}`) : error
    }
  })
}

/** Returns the place of an archive, as its command prints it. */
export function placeOf(file: string): string {
  if (file === STANDARD) return 'standard output'
  return existsSync(file) ? `${file}, in place of the one that was there` : file
}

const MAKE_ROOM = 'Make room there, then run the command again.'

async function filled<T>(archive: ArchiveWriter, work: (archive: ArchiveWriter) => Promise<T>): Promise<T> {
  try {
    const result = await work(archive)
    await archive.finish()
    return result
  } catch (error) {
    throw await archive.abort(error)
  }
}
