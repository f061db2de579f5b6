import type { JsonSchema } from '../../base/json.ts'
import { late } from '../../base/late.ts'
import { emptyAnswer } from '../../http/openapi/answer-schemas.ts'
import { type Route, route } from '../../http/requests/route.ts'
import type { Site } from '../../model/declared/types.ts'
import { ROLES } from '../../model/terms/roles.ts'

const login = late(() => import('./session.ts'), 'login')
const logout = late(() => import('./session.ts'), 'logout')
const whoAmI = late(() => import('./session.ts'), 'whoAmI')

/** Signing in and out (§5.6). */
export function accessRoutes(site: Site): readonly Route[] {
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

const text: JsonSchema = { type: 'string' }

const LOGIN: JsonSchema = {
  type: 'object',
  required: ['password'],
  properties: {
    username: { ...text, description: 'The user name; the e-mail address is accepted here too.' },
    email: { ...text, description: 'The e-mail address, in place of the user name.' },
    password: { ...text, description: 'The password.' },
    session: { type: 'boolean', description: 'True for a session cookie instead of a token.' },
  },
}

const TOKEN: JsonSchema = {
  type: 'object',
  properties: { token: { ...text, description: 'Valid for 14 days from its last use. Absent with `session`.' } },
}

const PERSON: JsonSchema = {
  type: 'object',
  description: 'What the caller lacks is left out: an API key has `_id`, `title` and `role`.',
  required: ['_id', 'title', 'role'],
  properties: {
    _id: { ...text, description: 'The id of the user or key.' },
    title: { ...text, description: 'The name to show.' },
    role: { type: 'string', enum: [...ROLES], description: 'What the caller may do.' },
    username: { ...text, description: 'The user name.' },
    email: { ...text, description: 'The e-mail address.' },
    firstName: { ...text, description: 'The first name.' },
    lastName: { ...text, description: 'The last name.' },
  },
}

const CONTEXT: JsonSchema = {
  type: 'object',
  required: ['name'],
  properties: { name: { ...text, description: 'The name of the site.' } },
}
