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
