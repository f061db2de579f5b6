import type { App } from '../app.ts'
import { findAccountByName } from '../engine/accounts.ts'
import { explain, Mistake } from './failure.ts'
import { ask, readPassword } from './secret-input.ts'
import { allUsers, createUser } from './users.ts'

/** QUIRE_ADMIN_USERNAME and QUIRE_ADMIN_PASSWORD make an admin at start, when there is no such user; else nothing. */
export async function adminOfEnvironment(
  app: App,
  env: { readonly [name: string]: string | undefined },
): Promise<boolean> {
  const { QUIRE_ADMIN_USERNAME: username = '', QUIRE_ADMIN_PASSWORD: password = '' } = env
  if (username.trim() === '' && password === '') return false
  if (username.trim() === '' || password === '') {
    throw new Mistake('QUIRE_ADMIN_USERNAME and QUIRE_ADMIN_PASSWORD belong together: set both, or neither.')
  }
  const ctx = app.context({ kind: 'operator' })
  const isThere = async () => (await findAccountByName(ctx, ['username'], username.trim())) !== null
  if (await isThere()) return false
  try {
    await createUser(ctx, { username, password, role: 'admin' })
    return true
  } catch (error) {
    // Another process may have started at the same moment.
    if (await isThere()) return false
    throw error
  }
}

/** On the first start, at a terminal: offers to make the first admin. Nothing typed means later. */
export async function offerAdmin(app: App): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return
  const ctx = app.context({ kind: 'operator' })
  while ((await allUsers(ctx)).length === 0) {
    const username = await ask('User name of the first admin (Enter: later, with “quire user create”): ')
    if (username === '') return
    try {
      await createUser(ctx, { username, password: await readPassword(process.env), role: 'admin' })
    } catch (error) {
      const message = explain(error)
      if (message === null) throw error
      console.error(message)
    }
  }
}
