/** Waits for work for at most this many milliseconds; returns whether it has ended. Throws what the work throws. */
export async function endsWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>((done) => {
    timer = setTimeout(done, ms, false)
  })
  try {
    return await Promise.race([work.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
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
