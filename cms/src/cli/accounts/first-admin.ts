import { findAccountByName } from '../../engine/access/accounts.ts'
import type { Context } from '../../engine/context.ts'
import type { App } from '../../service.ts'
import { explain, UsageError } from '../command/failure.ts'
import { askPassword } from '../command/secret-input.ts'
import { Terminal } from '../command/terminal.ts'
import { allUsers, createUser } from './users.ts'

/** Creates the admin that QUIRE_ADMIN_USERNAME and QUIRE_ADMIN_PASSWORD name, unless that user exists. */
export async function createAdminFromEnvironment(
  app: App,
  env: { readonly [name: string]: string | undefined },
): Promise<void> {
  const { QUIRE_ADMIN_USERNAME: username = '', QUIRE_ADMIN_PASSWORD: password = '' } = env
  if (username.trim() === '' || password === '') {
    throw new UsageError('QUIRE_ADMIN_USERNAME and QUIRE_ADMIN_PASSWORD belong together: set both, or neither.')
  }
  const ctx = app.context({ kind: 'operator' })
  const exists = async () => (await findAccountByName(ctx, ['username'], username.trim())) !== null
  if (await exists()) return
  try {
    await createUser(ctx, { username, password, role: 'admin' })
  } catch (error) {
    // Another process may have started at the same moment.
    if (!(await exists())) throw error
  }
}

/** Offers somebody at a terminal to create the first admin. An empty answer skips it. */
export async function promptForFirstAdmin(app: App): Promise<void> {
  const ctx = app.context({ kind: 'operator' })
  if ((await allUsers(ctx)).length > 0) return
  console.error(OFFER)
  const terminal = new Terminal()
  try {
    while (!(await askForAdmin(ctx, terminal)));
  } finally {
    terminal.close()
  }
}

const OFFER = 'There is no user yet. Who is the first admin? (Enter: later, with “quire user create”.)'

/** Asks for one user; false when the answers were refused, which is then shown. */
async function askForAdmin(ctx: Context, terminal: Terminal): Promise<boolean> {
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
