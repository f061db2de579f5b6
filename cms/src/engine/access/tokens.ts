import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Token } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { write } from '../write.ts'
import { type Account, accountOf } from './accounts.ts'
import { hashOf, newSecret, validFor } from './secrets.ts'

const HOUR = 60 * 60 * 1000

/** How long an unused token or session is valid (§5.6): 14 days, in milliseconds. */
export const LIFETIME = 14 * 24 * HOUR

/**
 * Issues a token or session to a user whose password was just verified; the secret is returned once and stored only as
 * a hash. Null when the user was disabled or given another password meanwhile.
 */
export async function issueToken(ctx: Context, account: Account, kind: Token['kind']): Promise<string | null> {
  const secret = newSecret()
  const times = validFor(ctx.now(), LIFETIME)
  return write(ctx, async ({ tx }) => {
    await tx.tokens.lockAccounts()
    const document = await tx.read.documents.get({ docId: account.id, locale: '', mode: 'published' })
    const current = document && accountOf(document)
    if (!current?.isActive || current.passwordHash !== account.passwordHash) return null
    await tx.tokens.removeExpired(times.createdAt)
    await tx.tokens.add({ hash: hashOf(secret), userId: account.id, kind, state: 'complete', ...times })
    return secret
  })
}

/** Revokes one token or session at once. */
export function revokeToken(ctx: Context, secret: string): Promise<void> {
  return write(ctx, ({ tx }) => tx.tokens.remove(hashOf(secret)))
}

/** True for a token of a completed sign-in that has not expired. */
export function isTokenValid({ state, expiresAt }: Token, now: number): boolean {
  return state === 'complete' && Date.parse(expiresAt) > now
}

/**
 * The new expiry of a token that is used; null when it was renewed within the last hour, so that reads rarely write.
 */
export function renewedExpiry({ expiresAt }: Token, now: number): string | null {
  const later = now + LIFETIME
  return later - Date.parse(expiresAt) < HOUR ? null : new Date(later).toISOString()
}

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
