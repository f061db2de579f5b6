import type { App } from '../app.ts'
import { findAccountByName } from '../engine/access/accounts.ts'
import type { Context } from '../engine/context.ts'
import { explain, Mistake } from './failure.ts'
import { askPassword } from './secret-input.ts'
import { Terminal } from './terminal.ts'
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
  if ((await allUsers(ctx)).length > 0) return
  console.error(OFFER)
  const terminal = new Terminal()
  try {
    while (!(await makesAdmin(ctx, terminal)));
  } finally {
    terminal.close()
  }
}

const OFFER = 'There is no user yet. Who is the first admin? (Enter: later, with “quire user create”.)'

/** False when what was typed cannot be, and was said to be so. */
async function makesAdmin(ctx: Context, terminal: Terminal): Promise<boolean> {
  const username = await terminal.ask('User name: ')
  if (username === null || username === '') return true
  try {
    await createUser(ctx, { username, password: await askPassword(terminal), role: 'admin' })
    console.error(`${username} can sign in now, as admin.`)
    return true
  } catch (error) {
    const message = explain(error)
    if (message === null) throw error
    console.error(message)
    return false
  }
}
