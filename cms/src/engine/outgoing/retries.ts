import { codeOf } from '../../base/thrown.ts'

const MOST_REASON = 300

/** The meaning of error codes of the system and of certificates, for the one who manages a receiver. */
const REASONS: readonly (readonly [codes: RegExp, reason: string])[] = [
  [/^(ENOTFOUND|EINVAL)$/, 'There is no host of this name. Check the address of the receiver.'],
  [/^EAI_/, 'The name of the receiver’s host could not be looked up.'],
  [/^ECONNREFUSED$/, 'Nothing listens at the address of the receiver.'],
  [/^(ECONNRESET|EPIPE)$/, 'The receiver closed the connection without an answer.'],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, 'The receiver could not be reached.'],
  [/CERT|SIGNATURE|^ERR_TLS_|^EPROTO$|^ERR_SSL_/, 'The receiver has no valid certificate.'],
  [/^HPE_/, 'The answer of the receiver is not HTTP.'],
]

/** Why a request could not be sent, for people. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The receiver could not be reached.'
  const { name, message } = error
  if (name === 'TimeoutError' || name === 'AbortError') return 'The receiver did not answer in time.'
  return REASONS.find(([codes]) => codes.test(codeOf(error)))?.[1] ?? (message || name).slice(0, MOST_REASON)
}

/** How the delays between attempts grow, in milliseconds. */
interface Delays {
  readonly first: number
  readonly factor: number
  readonly most: number
}

/**
 * Milliseconds until something is sent again that has failed so often, with a fifth of jitter by `random`, which is from
 * 0 to 1: receivers that recover are not overrun.
 */
export function delayAfter(attempts: number, { first, factor, most }: Delays, random: number): number {
  return Math.round(Math.min(first * factor ** (attempts - 1), most) * (0.8 + random * 0.4))
}
