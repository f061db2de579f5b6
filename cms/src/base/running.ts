import type { Log } from './log.ts'
import { endsWithin } from './patience.ts'

/** Work that goes on while the service listens: each part is begun, and then says how to end it. */
export function besideRequests(begin: () => readonly Promise<() => Promise<void>>[], waitMs: number) {
  let timer: NodeJS.Timeout | undefined
  let begun: readonly Promise<() => Promise<void>>[] = []
  return {
    start: () => {
      timer = setTimeout(() => {
        begun = begin()
      }, waitMs).unref()
    },
    stop: async () => {
      clearTimeout(timer)
      await Promise.all(begun.map(async (end) => (await end)()))
    },
  }
}

/** The time that each part of the service has to close, in milliseconds, when those before it have used up the time. */
const LEAST_CLOSE_MS = 1_000

/**
 * Closes one part after another, in little more time than running requests get. One that hangs does not delay the
 * others.
 */
export async function closeAll(
  log: Log,
  ms: number,
  parts: readonly (readonly [name: string, close: () => Promise<unknown>])[],
): Promise<void> {
  const deadline = Date.now() + ms + LEAST_CLOSE_MS
  for (const [name, close] of parts) {
    const left = Math.max(LEAST_CLOSE_MS, deadline - Date.now())
    if (!(await endsWithin(left, close())))
      log.error({ part: name }, 'The service stops without a part that does not end.')
  }
}
