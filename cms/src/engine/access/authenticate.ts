import { CacheMemory, LastingCache } from '../../base/bounded-cache.ts'
import { unauthorized } from '../../base/errors.ts'
import { hasRole, type Role } from '../../model/terms/roles.ts'
import type { ApiKey, Preview, Token } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import type { Actor } from '../permissions.ts'
import { write } from '../write.ts'
import { findAccount, userActor } from './accounts.ts'
import { type Credential, hashOf } from './secrets.ts'
import { isTokenValid, renewedExpiry } from './tokens.ts'

/** How long a looked-up credential is cached, in milliseconds, unless one is revoked. */
const CACHED_MS = 5_000
/** The bytes of all that are cached, and of one of them. */
const [CACHE_BYTES, ACTOR_BYTES] = [4_000_000, 500]

/** A key of the environment (tests, containers). */
export interface EnvironmentKey {
  readonly key: string
  readonly role: Role
  readonly name: string
  readonly ai?: boolean
}

/** Finds the actor of a credential. */
interface Authentication {
  /** Throws `unauthorized` for wrong, expired, revoked and half-finished ones. */
  authenticate(credential: Credential): Promise<Actor>
  /** Returns the cached actor; null when the credential must be looked up. */
  cached(credential: Credential): Actor | null
}

/** The actor of a credential, and when it expires. */
interface Caller {
  readonly actor: Actor
  readonly expiresAt: string | null
}

/**
 * Checks keys of the environment and of the database, login tokens and sessions. Results are cached for a few seconds,
 * until any process revokes a credential.
 */
export function authentication(ctx: Context, environment: readonly EnvironmentKey[]): Authentication {
  const fixed = new Map(environment.map((key) => [hashOf(key.key), namedActor(key)]))
  const sources: Sources = { ctx, fixed: [...fixed.values()] }
  const cache = new LastingCache<Actor>({ memory: new CacheMemory(CACHE_BYTES), bytesOf: () => ACTOR_BYTES })
  /** Returns a cache key that changes with each revocation; null while nothing is cached. */
  const keyOf = (kind: Credential['kind'], hash: string): string | null => {
    const revocations = ctx.store.revocations()
    return revocations === null ? null : `${revocations} ${kind} ${hash}`
  }
  const recognize = (kind: Credential['kind'], hash: string): Actor | null => {
    const known = kind === 'key' || kind === 'bearer' ? fixed.get(hash) : undefined
    if (known) return known
    const key = keyOf(kind, hash)
    return (key === null ? undefined : cache.get(key, ctx.now().getTime())) ?? null
  }
  return {
    cached: ({ kind, secret }) => recognize(kind, hashOf(secret)),
    authenticate: async ({ kind, secret }) => {
      const hash = hashOf(secret)
      const recognized = recognize(kind, hash)
      if (recognized) return recognized
      const key = keyOf(kind, hash)
      const now = ctx.now().getTime()
      const caller = await callerOf(sources, kind, hash, now)
      if (caller === null) throw unauthorized('This key or token is not valid. It may be mistyped, expired or revoked.')
      const { actor, expiresAt } = caller
      const until = Math.min(now + CACHED_MS, expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt))
      if (key !== null) cache.set(key, actor, until)
      return actor
    },
  }
}

/** Where callers are found: the database, and the keys of the environment. */
interface Sources {
  readonly ctx: Context
  readonly fixed: readonly KeyActor[]
}

type KeyActor = Extract<Actor, { readonly kind: 'user' | 'key' }>

async function callerOf(sources: Sources, kind: Credential['kind'], hash: string, now: number): Promise<Caller | null> {
  const { ctx } = sources
  if (kind === 'preview') return previewCaller(sources, hash, now)
  if (kind === 'session') return tokenCaller(ctx, kind, hash, now)
  const byKey = await keyCaller(ctx, await ctx.store.keys.byHash(hash), now)
  return byKey ?? (kind === 'key' ? null : await tokenCaller(ctx, 'token', hash, now))
}

async function keyCaller(
  ctx: Context,
  key: ApiKey | null,
  now: number,
): Promise<(Caller & { readonly actor: KeyActor }) | null> {
  if (key === null || key.revokedAt !== null) return null
  if (key.expiresAt !== null && Date.parse(key.expiresAt) <= now) return null
  const { expiresAt } = key
  if (key.userId === undefined) return { actor: actorOf(key), expiresAt }
  const account = await findAccount(ctx, key.userId)
  if (!account?.isActive) return null
  const role = hasRole(account.role, key.role) ? key.role : account.role
  return { actor: actorOf({ ...key, role }), expiresAt }
}

/** Shows no more than the preview's maker may see now; nothing when the maker is gone. */
async function previewCaller(sources: Sources, hash: string, now: number): Promise<Caller | null> {
  const preview = await sources.ctx.store.previews.byHash(hash)
  if (preview === null || Date.parse(preview.expiresAt) <= now) return null
  const maker = await makerOf(sources, preview.maker, now)
  if (maker === null) return null
  const { docId, locale, expiresAt } = preview
  return { actor: { kind: 'preview', docId, locale, makerRole: maker.role }, expiresAt }
}

async function makerOf({ ctx, fixed }: Sources, maker: Preview['maker'], now: number): Promise<KeyActor | null> {
  if (maker.kind === 'key') {
    const known = fixed.find(({ id }) => id === maker.id)
    return known ?? (await keyCaller(ctx, await ctx.store.keys.byId(maker.id), now))?.actor ?? null
  }
  const account = await findAccount(ctx, maker.id)
  return account?.isActive ? userActor(account) : null
}

/**
 * The actor with the rights that it has now; null for users and keys that are gone. A key that is not in the database
 * is one of the environment or of the site's code, and does not change.
 */
export async function currentActor(ctx: Context, actor: Actor): Promise<Actor | null> {
  if (actor.kind === 'user') {
    const account = await findAccount(ctx, actor.id)
    return account?.isActive ? { ...userActor(account), ai: actor.ai } : null
  }
  const key = actor.kind === 'key' ? await ctx.store.keys.byId(actor.id) : null
  return key === null ? actor : ((await keyCaller(ctx, key, ctx.now().getTime()))?.actor ?? null)
}

async function tokenCaller(ctx: Context, kind: Token['kind'], hash: string, now: number): Promise<Caller | null> {
  const token = await ctx.store.tokens.byHash(hash)
  if (token === null || token.kind !== kind || !isTokenValid(token, now)) return null
  const account = await findAccount(ctx, token.userId)
  if (!account?.isActive) return null
  const later = renewedExpiry(token, now)
  if (later !== null) await write(ctx, ({ tx }) => tx.tokens.extend(hash, later))
  return { actor: userActor(account), expiresAt: later ?? token.expiresAt }
}

/**
 * Returns the actor of a role and a name: for keys of the environment, and code of the site. The id is derived from the
 * name, since others see it: it contains nothing of a secret (§5.5).
 */
export function namedActor({ role, name, ai = false }: Omit<EnvironmentKey, 'key'>): KeyActor {
  return actorOf({ id: `key-${hashOf(name).slice(0, 12)}`, role, name, ai, draftsOnly: ai })
}

function actorOf(key: Pick<ApiKey, 'id' | 'role' | 'name' | 'ai' | 'draftsOnly'>): KeyActor {
  const { id, role, name, ai, draftsOnly } = key
  return { kind: 'key', id, role, name, username: null, firstName: '', lastName: '', ai, draftsOnly }
}
