/** Work in steps of about a millisecond, between which others may run; it returns its result. */
export type Steps<Result> = Generator<void, Result>

/** Takes all steps at once, and returns the result. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}
