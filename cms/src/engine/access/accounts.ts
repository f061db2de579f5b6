import { invalid } from '../../base/errors.ts'
import { foldText } from '../../base/text.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import { type Document, openValues } from '../../model/terms/document.ts'
import { isRole, type Role } from '../../model/terms/roles.ts'
import type { Store } from '../../store/contract/store.ts'
import type { WriteContext } from '../context.ts'
import type { Actor } from '../permissions.ts'
import { scopeOf } from '../view.ts'

/** The properties of a user that signing in needs. */
export interface Account {
  readonly id: string
  readonly username: string
  readonly email: string
  readonly title: string
  readonly firstName: string
  readonly lastName: string
  readonly role: Role
  /** Null: signing in with a password is impossible. */
  readonly passwordHash: string | null
  /** Neither disabled nor archived. */
  readonly isActive: boolean
}

/** The type of users (§2.18). */
export function userType(site: Site): Type {
  const type = site.types.get(`${site.namespace}/user`)
  if (type === undefined) throw new Error('Every site has a type of users.')
  return type
}

/** The account of a user's document. */
export function accountOf(document: Document): Account {
  const { id } = document
  const fields = openValues(document)
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '')
  return {
    id: id.docId,
    username: text('username'),
    email: text('email'),
    title: text('title'),
    firstName: text('firstName'),
    lastName: text('lastName'),
    role: isRole(fields.role) ? fields.role : 'guest',
    passwordHash: text('password') || null,
    isActive: fields.disabled !== true && fields.archived !== true,
  }
}

/** The user with this id; null when there is none. */
export async function findAccount(
  ctx: { readonly site: Site; readonly store: Pick<Store, 'documents'> },
  id: string,
): Promise<Account | null> {
  const document = await ctx.store.documents.get({ docId: id, locale: '', mode: 'published' })
  return document?.type === userType(ctx.site).name ? accountOf(document) : null
}

/** The user with this user name, or else with this e-mail address, ignoring case. */
export async function findAccountByName(
  { site, store }: { readonly site: Site; readonly store: Pick<Store, 'documents'> },
  names: readonly ('username' | 'email')[],
  text: string,
): Promise<Account | null> {
  const wanted = foldText(text)
  const found = (await store.documents.byUnique(scopeOf(userType(site), '', 'published'), names, wanted)).map(accountOf)
  return found.find(({ username }) => names.includes('username') && foldText(username) === wanted) ?? found[0] ?? null
}

/** The actor of this user. */
export function userActor({
  id,
  role,
  title,
  username,
  firstName,
  lastName,
}: Account): Extract<Actor, { readonly kind: 'user' | 'key' }> {
  return { kind: 'user', id, role, name: title, username, firstName, lastName, ai: false, draftsOnly: false }
}

/**
 * Applies the consequences of a changed user, in the same transaction: when the password changed, or the user is
 * disabled, archived or gone, all the user's tokens, sessions and keys are revoked. Throws `invalid` when no active
 * admin is left.
 */
export async function applyAccountChange(
  ctx: WriteContext,
  type: Type,
  before: Document | null,
  after: Document | null,
): Promise<void> {
  if (type.name !== userType(ctx.site).name || before === null) return
  const previous = accountOf(before)
  const current = after && accountOf(after)
  await ctx.tx.tokens.lockAccounts()
  ctx.tx.tokens.roleChanged()
  const isRevoked = current === null || !current.isActive || current.passwordHash !== previous.passwordHash
  if (isRevoked) await ctx.tx.tokens.revokeAllOf(previous.id, ctx.now().toISOString())
  if (isAdmin(previous) && !isAdmin(current) && ctx.actor.kind !== 'operator') await assertAdminLeft(ctx)
}

function isAdmin(account: Account | null): boolean {
  return account?.isActive === true && account.role === 'admin'
}

async function assertAdminLeft({ site, tx }: WriteContext): Promise<void> {
  if ((await countAdmins({ site, store: tx.read })) > 0) return
  throw invalid('This is the last admin who can sign in. Make another user an admin first.')
}

/** Counts the admins who are not disabled. */
export function countAdmins(ctx: { readonly site: Site; readonly store: Pick<Store, 'documents'> }): Promise<number> {
  return ctx.store.documents.count({
    ...scopeOf(userType(ctx.site), '', 'published'),
    archived: false,
    visibility: null,
    conditions: [
      { kind: 'equals', name: 'role', anyOf: ['admin'] },
      { kind: 'equals', name: 'disabled', anyOf: [0] },
    ],
  })
}
