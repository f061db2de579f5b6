let last: Promise<unknown> = Promise.resolve()

/** Runs work on images one after the other in this process, so that many uploads together need the memory of one. */
export function oneAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  const next = last.then(work)
  last = next.catch(() => undefined)
  return next
}
