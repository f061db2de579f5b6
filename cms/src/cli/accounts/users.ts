import { type Account, accountOf, findAccountByName, userType } from '../../engine/access/accounts.ts'
import type { Context } from '../../engine/context.ts'
import { insert } from '../../engine/operations/insert.ts'
import { update } from '../../engine/operations/update.ts'
import { write } from '../../engine/write.ts'
import type { Role } from '../../model/terms/roles.ts'
import { UsageError } from '../command/failure.ts'

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
  change: { readonly password: string } | { readonly disabled: boolean },
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
