import { unauthorized } from '../../base/errors.ts'
import { hasRole, type Role } from '../../model/roles.ts'
import type { ApiKey, Token } from '../../store/store.ts'
import type { Context } from '../context.ts'
import type { Actor } from '../permissions.ts'
import { write } from '../write.ts'
import { findAccount, userActor } from './accounts.ts'
import type { Credential } from './credential.ts'
import { Endings } from './endings.ts'
import { hashOf, isTokenValid, renewedExpiry } from './tokens.ts'

/** How long a credential that was looked up is believed, in milliseconds, while nobody ends one. */
const BELIEVED = 5_000
/** How long it may be since that was last certain: what other processes end, ends within it. */
const CERTAIN = 800
const REMEMBERED = 10_000

/** A key of the environment (tests, containers). */
export interface EnvironmentKey {
  readonly key: string
  readonly role: Role
  readonly name: string
  readonly ai?: boolean
}

/** Says who bears a credential. */
export interface Authentication {
  /** Throws `unauthorized` for wrong, expired, revoked and half-finished ones. */
  authenticate(credential: Credential): Promise<Actor>
  /** The same from memory, at once; null when it would have to be looked up. */
  remembered(credential: Credential): Actor | null
}

/** Who bears a credential, and when it runs out. */
interface Bearer {
  readonly actor: Actor
  readonly expiresAt: string | null
}

interface Believed {
  readonly actor: Actor
  readonly seenAt: number
  readonly until: number
  readonly changes: number
}

/**
 * Checks keys of the environment and of the database, login tokens and sessions. What was looked up is believed for some
 * seconds, unless something was ended since then: by this process, which is known at once, or by another one.
 */
export function authentication(ctx: Context, environment: readonly EnvironmentKey[]): Authentication {
  const fixed = new Map(environment.map((key) => [hashOf(key.key), environmentActor(key)]))
  const believed = new Map<string, Believed>()
  const endings = new Endings(ctx.store, () => believed.clear())
  const recall = (kind: Credential['kind'], hash: string): Actor | null => {
    const known = kind === 'session' ? undefined : fixed.get(hash)
    if (known) return known
    const found = believed.get(`${kind} ${hash}`)
    if (!found || found.changes !== ctx.store.accessChanges()) return null
    const now = ctx.now().getTime()
    const isCertain = now - Math.max(found.seenAt, endings.checkedAt(now)) < CERTAIN
    return isCertain && found.until > now ? found.actor : null
  }
  return {
    remembered: ({ kind, secret }) => recall(kind, hashOf(secret)),
    authenticate: async ({ kind, secret }) => {
      const hash = hashOf(secret)
      const recalled = recall(kind, hash)
      if (recalled) return recalled
      const changes = ctx.store.accessChanges()
      const now = ctx.now().getTime()
      const { actor, expiresAt } = await lookUp(ctx, kind, hash, now)
      if (believed.size >= REMEMBERED) believed.clear()
      const until = Math.min(now + BELIEVED, expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt))
      believed.set(`${kind} ${hash}`, { actor, seenAt: now, until, changes })
      return actor
    },
  }
}

async function lookUp(ctx: Context, kind: Credential['kind'], hash: string, now: number): Promise<Bearer> {
  const byKey = kind === 'session' ? null : await keyBearer(ctx, hash, now)
  const bearer =
    byKey ?? (kind === 'key' ? null : await tokenBearer(ctx, kind === 'bearer' ? 'token' : kind, hash, now))
  if (bearer === null) throw unauthorized('This key or token is not valid. It may be mistyped, expired or revoked.')
  return bearer
}

async function keyBearer(ctx: Context, hash: string, now: number): Promise<Bearer | null> {
  const key = await ctx.store.keys.byHash(hash)
  if (key === null || key.revokedAt !== null) return null
  if (key.expiresAt !== null && Date.parse(key.expiresAt) <= now) return null
  const { expiresAt } = key
  if (key.userId === undefined) return { actor: actorOf(key), expiresAt }
  const account = await findAccount(ctx, key.userId)
  if (!account?.isActive) return null
  const role = hasRole(account.role, key.role) ? key.role : account.role
  return { actor: actorOf({ ...key, role }), expiresAt }
}

async function tokenBearer(ctx: Context, kind: Token['kind'], hash: string, now: number): Promise<Bearer | null> {
  const token = await ctx.store.tokens.byHash(hash)
  if (token === null || token.kind !== kind || !isTokenValid(token, now)) return null
  const account = await findAccount(ctx, token.userId)
  if (!account?.isActive) return null
  const later = renewedExpiry(token, now)
  if (later !== null) await write(ctx, ({ tx }) => tx.tokens.extend(hash, later))
  return { actor: userActor(account), expiresAt: later ?? token.expiresAt }
}

function environmentActor({ key, role, name, ai = false }: EnvironmentKey): Actor {
  return actorOf({ id: `key-${hashOf(key).slice(0, 12)}`, role, name, ai, draftsOnly: ai })
}

function actorOf(key: Pick<ApiKey, 'id' | 'role' | 'name' | 'ai' | 'draftsOnly'>): Actor {
  const { id, role, name, ai, draftsOnly } = key
  return { kind: 'key', id, role, name, username: null, firstName: '', lastName: '', ai, draftsOnly }
}
