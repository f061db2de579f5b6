import { rmSync } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
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

/** The signals that end a command. SIGHUP is left to the system, so that `nohup` keeps working. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Runs `work`, and removes a file or folder that is only there meanwhile; also when a signal ends the command. */
export async function removedAfter<T>(path: string, work: () => Promise<T>): Promise<T> {
  const stop = (signal: NodeJS.Signals) => {
    rmSync(path, { recursive: true, force: true })
    // With no listener any more, it ends the process.
    process.kill(process.pid, signal)
  }
  for (const signal of SIGNALS) process.once(signal, stop)
  try {
    return await work()
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
    await rm(path, { recursive: true, force: true })
  }
}
