import { createHmac, timingSafeEqual } from 'node:crypto'

/** The header with the time and the signature of a delivery: `t=1767225600,v1=…`. */
export const SIGNATURE_HEADER = 'Quire-Signature'
/** How long a delivery is valid, in seconds: one that was intercepted cannot be replayed later. */
const TOLERANCE_SECONDS = 300

/** The value of the header for a body sent at a time in seconds since 1970. */
export function signatureOf(secret: string, body: string, seconds: number): string {
  return `t=${seconds},v1=${digestOf(secret, body, seconds).toString('hex')}`
}

/** The headers with which a receiver verifies a delivery. */
export interface ReceivedDelivery {
  readonly secret: string
  /** The header `Quire-Signature`. */
  readonly signature: string | null | undefined
  /** The body as it came, before it is parsed. */
  readonly body: string
  /** How old it may be, in seconds: 300 when left out. */
  readonly toleranceSeconds?: number
  /** Milliseconds since 1970; now when left out. */
  readonly now?: number
}

/**
 * Verifies a delivery for receivers of webhooks (§6.7): true when it was signed with this secret, with this body, at
 * most `toleranceSeconds` ago (300 by default). Never throws for what was sent.
 */
export async function verifyWebhook({
  secret,
  signature,
  body,
  toleranceSeconds = TOLERANCE_SECONDS,
  now = Date.now(),
}: ReceivedDelivery): Promise<boolean> {
  const [, time = '', hex = ''] = /^t=(\d{1,12}),v1=([\da-f]{64})$/.exec(signature ?? '') ?? []
  if (hex === '' || Math.abs(now / 1000 - Number(time)) > toleranceSeconds) return false
  return timingSafeEqual(Buffer.from(hex, 'hex'), digestOf(secret, body, Number(time)))
}

function digestOf(secret: string, body: string, seconds: number): Buffer {
  return createHmac('sha256', secret).update(`${seconds}.${body}`).digest()
}
