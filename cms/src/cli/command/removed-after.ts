import { rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'

/** Those that end a command. One that hangs up (SIGHUP) is left to the system, so that `nohup` goes on to work. */
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
