import { type Account, accountOf, findAccountByName, userType } from '../../engine/access/accounts.ts'
import type { Context } from '../../engine/context.ts'
import { insert } from '../../engine/operations/insert.ts'
import { update } from '../../engine/operations/update.ts'
import { write } from '../../engine/write.ts'
import type { Role } from '../../model/terms/roles.ts'
import type { App } from '../../service.ts'
import type { Environment } from '../command/environment.ts'
import { explain, UsageError } from '../command/failure.ts'
import { askPassword, Terminal } from '../command/terminal.ts'

/** A user to create. */
interface NewUser {
  readonly username: string
  readonly password: string
  readonly role: Role
  readonly email?: string | undefined
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
}

/** Creates a user. Throws `invalid` for wrong fields, and `conflict` for a name or address that is taken. */
export async function createUser(ctx: Context, user: NewUser): Promise<Account> {
  const target = { type: userType(ctx.site), locale: '', mode: 'published' } as const
  return accountOf(await write(ctx, (ctx) => insert(ctx, target, { ...user })))
}

/** Changes the user with this user name or e-mail address. */
export async function changeUser(
  ctx: Context,
  name: string,
  change: { readonly password: string } | { readonly disabled: boolean } | { readonly role: Role },
): Promise<void> {
  const account = await userNamed(ctx, name)
  const id = { docId: account.id, locale: '', mode: 'published' } as const
  await write(ctx, (ctx) => update(ctx, { type: userType(ctx.site), id, ifMatch: null }, { ...change }))
}

/** The user with this user name or e-mail address. Throws `UsageError` when there is none. */
export async function userNamed(ctx: Context, name: string): Promise<Account> {
  const account = await findAccountByName(ctx, ['username', 'email'], name.trim())
  if (account === null) throw new UsageError(`There is no user “${name}”. See: quire user list`)
  return account
}

/** All users by title, including archived ones. */
export async function allUsers(ctx: Context): Promise<Account[]> {
  const view = {
    type: userType(ctx.site).name,
    locale: '',
    mode: 'published',
    archived: 'any',
    visibility: null,
  } as const
  const sort = [{ by: 'column', column: 'title', direction: 1 }] as const
  const accounts: Account[] = []
  for (let offset = 0; ; offset += BATCH) {
    const { documents } = await ctx.store.documents.find({ ...view, conditions: [], sort, offset, limit: BATCH })
    accounts.push(...documents.map(accountOf))
    if (documents.length < BATCH) return accounts
  }
}

const BATCH = 500

/** Creates the admin that QUIRE_ADMIN_USERNAME and QUIRE_ADMIN_PASSWORD name, if they do, unless that user exists. */
export async function createAdminFromEnvironment(app: App, env: Environment): Promise<void> {
  const { QUIRE_ADMIN_USERNAME: username = '', QUIRE_ADMIN_PASSWORD: password = '' } = env
  if (username.trim() === '' && password === '') return
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

const OFFER = 'There is no user yet. Create the first admin (Enter: later, with “quire user create”).'

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
