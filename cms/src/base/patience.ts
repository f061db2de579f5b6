import type { Log } from './log.ts'

/** The result of work that ends within this many milliseconds, else `late`. Throws what the work throws. */
export async function resultWithin<T, Late>(ms: number, work: Promise<T>, late: Late): Promise<T | Late> {
  const { promise, resolve } = Promise.withResolvers<Late>()
  const timer = setTimeout(resolve, ms, late)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for work for at most this many milliseconds; returns whether it has ended. Throws what the work throws. */
export function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  return resultWithin(
    ms,
    work.then(() => true),
    false,
  )
}

const MOST_MS = 60_000

/**
 * Waits for a site's own code, which may take a minute. Code that never ends would keep its place among the running
 * requests for ever, and everybody who waits for one. Throws what the work throws, and when it takes longer; `name`
 * says what it is.
 */
export async function inTime<T>(name: string, work: T): Promise<Awaited<T>> {
  const pending = Promise.resolve(work)
  if (await endsWithin(MOST_MS, pending)) return pending
  throw new Error(`${name} has not ended within a minute.`)
}

/** Work that goes on while the service listens: each part is begun, and then says how to end it. */
export function backgroundWork(begin: () => readonly Promise<() => Promise<void>>[], waitMs: number) {
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
      log.error({ part: name }, 'The service stops without waiting for a part that does not end.')
  }
}
