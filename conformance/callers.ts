import type { App, EnvironmentKey } from '../cms/src/app.ts'
import { findAccountByName } from '../cms/src/engine/access/accounts.ts'
import { insert } from '../cms/src/engine/operations/insert.ts'
import { write } from '../cms/src/engine/write.ts'
import { ROLES } from '../cms/src/model/terms/roles.ts'

/** An API key for each role: `key-admin`, `key-editor`, … */
export const KEYS: readonly EnvironmentKey[] = ROLES.map((role) => ({ key: `key-${role}`, role, name: role }))

/** The key of the external front end. */
export const FRONT_KEY = 'peer-front-key'

/** Makes a user for each role, called like it, with the password `<name>-password-1`, where there is none yet. */
export async function makeUsers(app: App): Promise<void> {
  const ctx = app.context({ kind: 'operator' })
  const type = app.site.types.get(`${app.site.namespace}/user`)
  if (type === undefined) throw new Error('The site has no users.')
  for (const role of ROLES) {
    if ((await findAccountByName(ctx, ['username'], role)) !== null) continue
    const user = { username: role, password: `${role}-password-1`, role }
    await write(ctx, (ctx) => insert(ctx, { type, locale: '', mode: 'published' }, user))
  }
}
