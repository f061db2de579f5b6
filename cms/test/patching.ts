import * as steps from '../src/engine/values/patch.ts'

/** Applies a patch at once. */
export function patch(...given: Parameters<typeof steps.patch>) {
  return finished(steps.patch(...given))
}

/** Repeats a patch at once. */
export function repeat(...given: Parameters<typeof steps.repeat>): void {
  finished(steps.repeat(...given))
}

function finished<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
