import { forbidden, invalid, notFound } from '../../base/errors.ts'
import type { JsonObject, JsonSchema } from '../../base/json.ts'
import { boolean, object, text } from '../../base/json-schema.ts'
import { findAccount } from '../../engine/access/accounts.ts'
import { makeDeviceProof, revokeToken } from '../../engine/access/tokens.ts'
import type { Context } from '../../engine/context.ts'
import { emptyAnswer } from '../../http/openapi/answer-schemas.ts'
import {
  clearedCookies,
  deviceCookie,
  deviceCookieName,
  sentCookies,
  sessionCookies,
} from '../../http/requests/headers.ts'
import { Reply, type Route, type RouteRequest, route } from '../../http/requests/route.ts'
import type { Site } from '../../model/declared/types.ts'
import { ROLES } from '../../model/terms/roles.ts'
import type { Feature } from '../feature.ts'
import { readText, signIn } from './sign-in.ts'

/** Signing in and out (§5.6). Users themselves are pieces; API keys are created on the command line. */
export const access: Feature = { name: 'access', routes: accessRoutes }

/** Signing in and out (§5.6). */
function accessRoutes(site: Site): readonly Route[] {
  const path = (step: string) => `/api/v1/${site.namespace}/login/${step}`
  const tag = 'login'
  return [
    route({
      method: 'POST',
      path: path('login'),
      summary: 'Sign in: get a token for the Authorization header, or a session cookie',
      tag,
      operationId: 'login.login',
      ignoresLocale: true,
      body: LOGIN,
      answer: TOKEN,
      isSecret: true,
      isSignIn: true,
      handle: login,
    }),
    route({
      method: 'POST',
      path: path('logout'),
      summary: 'Sign out: revoke the token or session that is sent',
      tag,
      operationId: 'login.logout',
      ignoresLocale: true,
      answer: emptyAnswer,
      handle: logout,
    }),
    ...(['GET', 'POST'] as const).flatMap((method) => [
      route({
        method,
        path: path('whoami'),
        summary: 'Who the caller is',
        tag,
        operationId: `login.whoami-${method.toLowerCase()}`,
        ignoresLocale: true,
        answer: PERSON,
        handle: whoAmI,
      }),
      route({
        method,
        path: path('context'),
        summary: 'What a sign-in page shows',
        tag,
        operationId: `login.context-${method.toLowerCase()}`,
        ignoresLocale: true,
        answer: CONTEXT,
        handle: async (ctx) => ({ name: ctx.site.name }),
      }),
    ]),
  ]
}

const LOGIN: JsonSchema = object(['password'], {
  username: text('The user name; the e-mail address is accepted here too.'),
  email: text('The e-mail address, in place of the user name.'),
  password: text('The password.'),
  session: boolean('True for a session cookie instead of a token.'),
})

const TOKEN: JsonSchema = {
  type: 'object',
  properties: { token: text('Valid for 14 days from its last use. Absent with `session`.') },
}

const PERSON: JsonSchema = {
  type: 'object',
  description: 'What the caller lacks is left out: an API key has `_id`, `title` and `role`.',
  required: ['_id', 'title', 'role'],
  properties: {
    _id: text('The id of the user or key.'),
    title: text('The name to show.'),
    role: { type: 'string', enum: [...ROLES], description: 'What the caller may do.' },
    username: text('The user name.'),
    email: text('The e-mail address.'),
    firstName: text('The first name.'),
    lastName: text('The last name.'),
  },
}

const CONTEXT: JsonSchema = object(['name'], { name: text('The name of the site.') })

/**
 * `{ username | email, password, session? }` → `{ token }`, or `{}` and a session cookie (§5.6). A session always gets
 * a new secret; the one that was sent along is revoked. With it, the browser gets a cookie by which it is known later.
 */
async function login(ctx: Context, { body, sender, headers }: RouteRequest): Promise<Reply> {
  const username = readText(body, 'username')
  const text = username ?? readText(body, 'email')
  const password = readText(body, 'password')
  if (text === null || password === null) throw invalid('Send "username" (or "email") and "password".')
  const isSession = readFlag(body, 'session')
  if (isSession && sender.isForeign) throw forbidden('Sessions can only be started from pages of this site.')
  const names = username === null ? (['email'] as const) : (['username', 'email'] as const)
  const kind = isSession ? 'session' : 'token'
  const device = sentCookies(headers)[deviceCookieName(ctx.site)]
  const { secret, userId } = await signIn(ctx, { names, text, password, address: sender.address, kind, device })
  if (!isSession) return new Reply({ token: secret }, NOT_STORED)
  if (sender.credential?.kind === 'session') await revokeToken(ctx, sender.credential.secret)
  const cookies = [
    ...sessionCookies(ctx.site, secret, sender.isSecure),
    deviceCookie(ctx.site, await makeDeviceProof(ctx, userId), sender.isSecure),
  ]
  return new Reply({}, NOT_STORED, 200, cookies)
}

/** Revokes the token or session that was sent. API keys are not affected. */
async function logout(ctx: Context, { sender }: RouteRequest): Promise<Reply> {
  const { credential } = sender
  if (credential !== null && credential.kind !== 'key') await revokeToken(ctx, credential.secret)
  return new Reply({}, NOT_STORED, 200, credential?.kind === 'session' ? clearedCookies(ctx.site) : [])
}

/** The known caller (§5.6), without empty properties; `notfound` for everyone else. */
async function whoAmI(ctx: Context): Promise<JsonObject> {
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
