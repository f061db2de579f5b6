/** Waits for work, but only so many milliseconds: whether it has ended. Throws what the work throws meanwhile. */
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
