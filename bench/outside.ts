import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { send } from '../cms/test/wire.ts'

/** A service as a caller sees it while something is done to it. */
export interface Seen {
  /** Milliseconds: the longest that the health check took, and half of them took less. */
  readonly longest: number
  readonly median: number
  readonly unhealthy: number
  /** Megabytes: before, and at most. */
  readonly rest: number
  readonly peak: number
}

const EVERY_MILLISECONDS = 50

/** Asks for the health of a service again and again while `work` runs, on a new connection each time. */
export async function watched(address: string, processId: number, work: () => Promise<unknown>): Promise<Seen> {
  const rest = await megabytes(processId)
  let peak = rest
  let unhealthy = 0
  let isOver = false
  const times: number[] = []
  const watching = (async () => {
    while (!isOver) {
      const started = performance.now()
      const { status } = await send(address, {
        method: 'GET',
        path: '/api/v1/health',
        headers: { connection: 'close' },
      })
      times.push(performance.now() - started)
      if (status !== 200) unhealthy += 1
      peak = Math.max(peak, await megabytes(processId))
      await pause(EVERY_MILLISECONDS)
    }
  })()
  try {
    await work()
  } finally {
    isOver = true
    await watching
  }
  const sorted = times.toSorted((a, b) => a - b)
  return { longest: sorted.at(-1) ?? 0, median: sorted[sorted.length >> 1] ?? 0, unhealthy, rest, peak }
}

/** Opens connections that send `text` each, and read nothing. */
export function silentReaders(address: string, count: number, text: (number: number) => string | Buffer): Socket[] {
  const { hostname, port } = new URL(address)
  return Array.from({ length: count }, (_, number) => {
    const socket = connect(Number(port), hostname, () => socket.write(text(number)))
    socket.pause()
    socket.on('error', () => {})
    return socket
  })
}

/** How much memory a process holds now; NaN where the system does not say. */
async function megabytes(processId: number): Promise<number> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}
