/** Within this many milliseconds after a wait for connections, work begins without another wait. */
const TURN_MS = 1
/** The longest that one wait for connections takes, in milliseconds. */
const MAX_WAIT_MS = 1_000
/** The longest pause after a step of background work, in milliseconds. */
const MAX_REST_MS = 100

let connections = 0
let began = 0
let last: Promise<void> = Promise.resolve()

/** Records that this process has accepted a connection. */
export function connectionAccepted(): void {
  connections += 1
}

/**
 * Resolves when work that blocks the event loop may go on: for one caller after another, and, but for what takes less
 * than a millisecond together, after all connections that wait were accepted. Node.js accepts only one in each turn of
 * the loop: if every turn held some work, the last of many would be accepted, and a health check on it answered, after
 * all that work.
 */
export function waitForTurn(): Promise<void> {
  last = last.then(waitForConnections)
  return last
}

/**
 * Resolves when others have had as long as a step of background work took, which began then on the clock of
 * `performance`, or several times as long: requests, and writers of all processes, since one that tries again now and
 * then would find a database that is always busy.
 */
export function restAfter(began: number, times = 1): Promise<void> {
  return new Promise((done) => setTimeout(done, Math.min(MAX_REST_MS, times * (performance.now() - began))))
}

/** How long steps go on until others may run, in milliseconds. */
const STEPS_MS = 5

/**
 * Makes a function to await between many short pieces of one work: it lets others run whenever the pieces since then have
 * taken some milliseconds together, and else takes no time.
 */
export function pauses(): () => Promise<void> {
  let end = performance.now() + STEPS_MS
  return async () => {
    if (performance.now() < end) return
    await waitForTurn()
    end = performance.now() + STEPS_MS
  }
}

/** The result of some work, and how many steps it took. */
interface Taken<Result> {
  readonly result: Result
  readonly steps: number
}

/**
 * Takes the steps of some work, each of which takes about a millisecond, and lets others run between them. Returns its
 * result, and how many steps it took; null when these were more than `most`.
 */
export function inTurns<Result>(work: Generator<void, Result>): Promise<Taken<Result>>
export function inTurns<Result>(work: Generator<void, Result>, most?: number): Promise<Taken<Result> | null>
export async function inTurns<Result>(
  work: Generator<void, Result>,
  most = Number.POSITIVE_INFINITY,
): Promise<Taken<Result> | null> {
  const pause = pauses()
  for (let steps = 1; steps <= most; steps += 1) {
    const { done, value } = work.next()
    if (done) return { result: value, steps }
    await pause()
  }
  return null
}

/**
 * Takes at most as long as the work before it, so that connections that never cease leave half of the time for work.
 */
async function waitForConnections(): Promise<void> {
  if (performance.now() - began < TURN_MS) return
  await nextTurn()
  const now = performance.now()
  const end = now + Math.min(now - began, MAX_WAIT_MS)
  let seen: number
  do {
    seen = connections
    await nextTurn()
  } while (connections !== seen && performance.now() < end)
  began = performance.now()
}

function nextTurn(): Promise<void> {
  return new Promise((done) => setImmediate(done))
}
