import type { IncomingHttpHeaders } from 'node:http'
import { unauthorized } from '../../base/errors.ts'
import type { Actor } from '../../engine/permissions.ts'
import type { Answer } from './answer.ts'

/** What a request expects where nobody is signed in. */
const ANONYMOUS = 'anonymous'

/** The `_id` that `whoami` tells of a user or key; null for all other callers. */
function nameOf(actor: Actor): string | null {
  return actor.kind === 'user' || actor.kind === 'key' ? actor.id : null
}

/**
 * Adds the name of a known caller (`Quire-Caller`, §5.4) to an answer, which may be cached for all of the same role. What
 * anybody may store names nobody.
 */
export function namingCaller(answer: Answer, actor: Actor): Answer {
  const name = nameOf(actor)
  if (name === null || answer.headers['Cache-Control']?.startsWith('public')) return answer
  return { ...answer, headers: { ...answer.headers, 'Quire-Caller': name } }
}

/**
 * Throws `unauthorized` for a request that expects another caller (`Quire-Expect-Caller`, §5.4): the session is over, or
 * somebody else has signed in with the same browser.
 */
export function assertExpected(headers: IncomingHttpHeaders, actor: Actor): void {
  const expected = headers['quire-expect-caller']
  const name = nameOf(actor)
  if (expected === undefined || expected === (name ?? ANONYMOUS)) return
  throw unauthorized(
    name === null
      ? 'The caller that this request expects is not signed in, or no longer. Sign in, and send it again.'
      : 'This request expects another caller than the one who sent it. Nothing was done.',
  )
}
