import { notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Role } from '../../model/terms/roles.ts'
import type { ApiKey } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { write } from '../write.ts'
import { findAccount } from './accounts.ts'
import { hashOf, newSecret } from './secrets.ts'

/** An API key to create. */
export interface NewKey {
  readonly name: string
  readonly role: Role
  readonly ai?: boolean
  /** True for AI keys that may publish; the writes of others go to drafts. */
  readonly mayPublish?: boolean
  /** ISO 8601. */
  readonly expiresAt?: string | null
  /** The user it belongs to: it never exceeds that user's role, and is revoked with them. */
  readonly userId?: string
}

/** Creates an API key (§5.5): 32 random bytes, returned once and stored only as a hash. */
export async function createKey(
  ctx: Context,
  wanted: NewKey,
): Promise<{ readonly key: string; readonly stored: ApiKey }> {
  const key = newSecret()
  const { name, role, ai = false, mayPublish = false, expiresAt = null, userId } = wanted
  const createdAt = ctx.now().toISOString()
  const user = userId === undefined ? {} : { userId }
  if (userId !== undefined && !(await findAccount(ctx, userId))?.isActive)
    throw notFound('There is no such user, or the account is disabled.')
  const stored = { id: newId(), name, role, ai, draftsOnly: ai && !mayPublish, createdAt, expiresAt, ...user }
  await write(ctx, ({ tx }) => tx.keys.add({ ...stored, revokedAt: null }, hashOf(key)))
  return { key, stored: { ...stored, revokedAt: null } }
}

/** Revokes a key at once. False when there is no such key, or it is already revoked. */
export function revokeKey(ctx: Context, id: string): Promise<boolean> {
  return write(ctx, ({ tx }) => tx.keys.revoke(id, ctx.now().toISOString()))
}
