import { open, stat } from 'node:fs/promises'
import { assertFile, UsageError } from './failure.ts'

const HEAD_BYTES = 1024

/**
 * Throws `UsageError` where a file is there that a command may not replace, since it has not written it: a slip of the
 * keyboard costs no database. An empty file is one that was made for this.
 */
export async function assertReplaceable(file: string, isOwn: (file: string) => Promise<boolean>): Promise<void> {
  await assertFile(file, 'Name a file, or one that is not there yet.')
  const found = await stat(file).catch(() => null)
  if (found === null || found.size === 0 || (await isOwn(file))) return
  throw new UsageError(
    `${file} is there already, and was not written by this command. Name another file, or remove it.`,
  )
}

/** Whether the first kilobyte of a file is as the pattern says. */
export function beginsLike(pattern: RegExp): (file: string) => Promise<boolean> {
  return async (path) => {
    const file = await open(path, 'r')
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      return pattern.test(buffer.toString('utf8', 0, bytesRead))
    } finally {
      await file.close()
    }
  }
}
