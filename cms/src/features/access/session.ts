import { forbidden, invalid, notFound } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import { findAccount } from '../../engine/access/accounts.ts'
import { revokeToken } from '../../engine/access/tokens.ts'
import type { Context } from '../../engine/context.ts'
import { clearedCookies, sessionCookies } from '../../http/requests/cookies.ts'
import { Reply, type RouteRequest } from '../../http/requests/route.ts'
import { readText, signIn } from './sign-in.ts'

/**
 * `{ username | email, password, session? }` → `{ token }`, or `{}` and a session cookie (§5.6). A session always gets
 * a new secret; the one that was sent along is revoked.
 */
export async function login(ctx: Context, { body, sender }: RouteRequest): Promise<Reply> {
  const username = readText(body, 'username')
  const text = username ?? readText(body, 'email')
  const password = readText(body, 'password')
  if (text === null || password === null) throw invalid('Send "username" (or "email") and "password".')
  const isSession = readFlag(body, 'session')
  if (isSession && sender.isForeign) throw forbidden('Sessions can only be started from pages of this site.')
  const names = username === null ? (['email'] as const) : (['username', 'email'] as const)
  const kind = isSession ? 'session' : 'token'
  const secret = await signIn(ctx, { names, text, password, address: sender.address, kind })
  if (!isSession) return new Reply({ token: secret }, NOT_STORED)
  if (sender.credential?.kind === 'session') await revokeToken(ctx, sender.credential.secret)
  return new Reply({}, NOT_STORED, 200, sessionCookies(ctx.site, secret, sender.isSecure))
}

/** Revokes the token or session that was sent. API keys are not affected. */
export async function logout(ctx: Context, { sender }: RouteRequest): Promise<Reply> {
  const { credential } = sender
  if (credential !== null && credential.kind !== 'key') await revokeToken(ctx, credential.secret)
  return new Reply({}, NOT_STORED, 200, credential?.kind === 'session' ? clearedCookies(ctx.site) : [])
}

/** The known caller (§5.6), without empty properties; `notfound` for everyone else. */
export async function whoAmI(ctx: Context): Promise<JsonObject> {
  const { actor } = ctx
  if (actor.kind !== 'user' && actor.kind !== 'key') throw notFound('You are not signed in.')
  const { id, name, role, username, firstName, lastName } = actor
  const email = actor.kind === 'user' ? ((await findAccount(ctx, id))?.email ?? '') : ''
  const texts = Object.entries({ username, email, firstName, lastName }).filter(([, text]) => text)
  return { _id: id, title: name, role, ...Object.fromEntries(texts) }
}

const NOT_STORED = { 'Cache-Control': 'no-store' }

function readFlag(body: RouteRequest['body'], name: string): boolean {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  if (value === undefined || value === null || value === '' || value === false || value === 'false') return false
  if (value === true || value === 'true' || value === '1') return true
  throw invalid(`"${name}" must be true or false.`)
}
