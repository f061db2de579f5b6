import { CmsError } from '../../base/errors.ts'

/** Passwords are slow to check on purpose: more than so many waiting are sent away. */
const WAITING = 500

const last = new Map<string, Promise<unknown>>()
let waiting = 0

/** Runs work of one name one after another, in this process: what the one before has found out, the next one knows. */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (waiting >= WAITING) throw new CmsError('toomany', 'Too many are signing in. Try again.', { retryAfter: 1 })
  waiting += 1
  const before = last.get(name) ?? Promise.resolve()
  const turn = before.then(work)
  // A failure is its caller's; who comes next only waits.
  const settled = turn.catch(() => {})
  last.set(name, settled)
  try {
    return await turn
  } finally {
    waiting -= 1
    if (last.get(name) === settled) last.delete(name)
  }
}
