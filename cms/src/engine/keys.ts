import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { unauthorized } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import type { Role } from '../model/roles.ts'
import type { ApiKey, Store } from '../store/store.ts'
import type { Actor, Context } from './context.ts'
import type { Credential } from './credential.ts'
import { write } from './write.ts'

/** How long a key that was looked up is believed, in milliseconds: revoking one takes effect within this time. */
const BELIEVED = 1_000
const REMEMBERED = 1_000

/** A key of the environment (tests, containers). */
export interface EnvironmentKey {
  readonly key: string
  readonly role: Role
  readonly name: string
  readonly ai?: boolean
}

/** What `createKey` needs to know. */
export interface NewKey {
  readonly name: string
  readonly role: Role
  readonly ai?: boolean
  /** AI keys may also publish; without it their writes go to the draft. */
  readonly mayPublish?: boolean
  /** ISO 8601. */
  readonly expiresAt?: string | null
}

/** Makes an API key (decisions 1): 32 random bytes, shown this once and stored only as a hash. */
export async function createKey(
  ctx: Context,
  wanted: NewKey,
): Promise<{ readonly key: string; readonly stored: ApiKey }> {
  const key = randomBytes(32).toString('base64url')
  const { name, role, ai = false, mayPublish = false, expiresAt = null } = wanted
  const createdAt = ctx.now().toISOString()
  const draftsOnly = ai && !mayPublish
  const stored: ApiKey = { id: newId(), name, role, ai, draftsOnly, createdAt, expiresAt, revokedAt: null }
  await write(ctx, ({ tx }) => tx.keys.add(stored, hashOf(key)))
  return { key, stored }
}

/** Ends a key at once. False when there is no such key, or it was revoked before. */
export function revokeKey(ctx: Context, id: string): Promise<boolean> {
  return write(ctx, ({ tx }) => tx.keys.revoke(id, ctx.now().toISOString()))
}

/** Says who bears a credential; throws `unauthorized` for wrong, expired and revoked ones. */
export type Authenticate = (credential: Credential) => Promise<Actor>

/** Checks keys of the environment and of the database; what was looked up is believed for a second. */
export function keyAuthentication(
  store: Pick<Store, 'keys'>,
  environment: readonly EnvironmentKey[],
  now: () => number = Date.now,
): Authenticate {
  const fixed = environment.map((key) => ({ hash: hashOf(key.key), actor: environmentActor(key) }))
  const believed = new Map<string, { readonly actor: Actor; readonly until: number }>()
  return async ({ secret }) => {
    const hash = hashOf(secret)
    const known = fixed.find((one) => isSameHash(one.hash, hash))
    if (known) return known.actor
    const remembered = believed.get(hash)
    if (remembered && remembered.until > now()) return remembered.actor
    const key = await validKey(store, hash, now())
    const expires = key.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(key.expiresAt)
    const actor = keyActor(key)
    if (believed.size >= REMEMBERED) believed.clear()
    believed.set(hash, { actor, until: Math.min(now() + BELIEVED, expires) })
    return actor
  }
}

async function validKey(store: Pick<Store, 'keys'>, hash: string, now: number): Promise<ApiKey> {
  const key = await store.keys.byHash(hash)
  const isOver = key === null || key.revokedAt !== null || (key.expiresAt !== null && Date.parse(key.expiresAt) <= now)
  if (isOver) throw unauthorized('This key is not valid. It may be mistyped, expired or revoked.')
  return key
}

function environmentActor({ key, role, name, ai = false }: EnvironmentKey): Actor {
  return keyActor({ id: `key-${hashOf(key).slice(0, 12)}`, role, name, ai, draftsOnly: ai })
}

function keyActor({
  id,
  role,
  name,
  ai,
  draftsOnly,
}: Pick<ApiKey, 'id' | 'role' | 'name' | 'ai' | 'draftsOnly'>): Actor {
  return { kind: 'key', id, role, name, username: null, firstName: '', lastName: '', ai, draftsOnly }
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

function isSameHash(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(left), Buffer.from(right))
}
