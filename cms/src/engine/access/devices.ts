import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'

type Stores = Pick<Context, 'store'>

const SEPARATOR = '.'

/**
 * A text that proves, when it is sent again, that a user has signed in on this device (§5.6). Only the service that made
 * it can tell, and it opens nothing.
 */
export async function makeDeviceProof(ctx: Stores, userId: string): Promise<string> {
  const nonce = randomBytes(16).toString('base64url')
  return `${nonce}${SEPARATOR}${(await signature(ctx, nonce, userId)).toString('base64url')}`
}

/** True when this user has signed in on the device that sends the proof. */
export async function isDeviceOf(ctx: Stores, proof: string, userId: string): Promise<boolean> {
  const [nonce = '', signed = ''] = proof.split(SEPARATOR)
  const given = Buffer.from(signed, 'base64url')
  const expected = await signature(ctx, nonce, userId)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

async function signature({ store }: Stores, nonce: string, userId: string): Promise<Buffer> {
  const secret = await store.secret()
  return createHmac('sha256', secret)
    .update(JSON.stringify(['device', nonce, userId]))
    .digest()
}
