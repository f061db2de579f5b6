import { createHook } from 'node:async_hooks'
import type { App } from '../src/app.ts'
import { userType } from '../src/engine/access/accounts.ts'
import { insert } from '../src/engine/operations/insert.ts'
import { write } from '../src/engine/write.ts'

export const PASSWORD = 'correct horse battery'

/** Makes a user as the command line does; answers the id. */
export async function makeUser(app: App, username: string, fields: object = {}): Promise<string> {
  const ctx = app.context({ kind: 'operator' })
  const birth = { type: userType(app.site), locale: '', mode: 'published' } as const
  const body = { username, password: PASSWORD, role: 'editor', ...fields }
  return (await write(ctx, (ctx) => insert(ctx, birth, body))).id.docId
}

/** POSTs to a login route as a browser or a program would; `headers` are added. */
export function loginCall(address: string, step: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${address}/api/v1/@cms/login/${step}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** Signs in and answers the token. */
export async function tokenOf(address: string, username: string, password = PASSWORD): Promise<string> {
  const response = await loginCall(address, 'login', { username, password })
  const { token } = (await response.json()) as { token: string }
  if (response.status !== 200) throw new Error(`Signing in answered ${response.status}.`)
  return token
}

/** Signs in with a session and answers the `Cookie` header for it. */
export async function cookieOf(address: string, username: string, password = PASSWORD): Promise<string> {
  const response = await loginCall(address, 'login', { username, password, session: true })
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/** Counts the passwords that this process hashes or compares while `work` runs. */
export async function hashesDuring(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'ARGON2REQUEST') count += 1
    },
  }).enable()
  try {
    await work()
    return count
  } finally {
    hook.disable()
  }
}
