import { randomUUID } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { assertFile } from '../command/failure.ts'
import { progress } from '../command/progress.ts'
import { removedAfter } from '../command/replaceable.ts'
import { STANDARD } from './output.ts'
import { type ArchiveFile, verifyArchive } from './read-archive.ts'

/**
 * Runs `work` with the file of an archive that was found whole. Standard input goes to a temporary file first: nothing
 * may be changed before the last byte was seen.
 */
export async function withArchive<T>(file: string, work: (archive: ArchiveFile) => Promise<T>): Promise<T> {
  if (file !== STANDARD) return workWith({ path: file, name: file }, work)
  const folder = join(tmpdir(), `quire-archive-${randomUUID()}`)
  return removedAfter(folder, async () => {
    // At once: a signal between the two would leave it behind.
    mkdirSync(folder, { mode: 0o700 })
    const path = join(folder, 'archive')
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }))
    return workWith({ path, name: 'The archive on standard input' }, work)
  })
}

async function workWith<T>(archive: ArchiveFile, work: (archive: ArchiveFile) => Promise<T>): Promise<T> {
  await assertFile(archive.path, 'Name the file of an archive.')
  await verifyArchive(archive, progress('Checking'))
  return work(archive)
}
