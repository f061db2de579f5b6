import { invalid, unauthorized } from '../../base/errors.ts'
import { foldText } from '../../base/text.ts'
import { type Account, findAccountByName } from '../../engine/access/accounts.ts'
import { hashSecret, isSecret } from '../../engine/access/secrets.ts'
import { countAttempt, forgive, throttleKey } from '../../engine/access/throttle.ts'
import { issueToken } from '../../engine/access/tokens.ts'
import type { Context } from '../../engine/context.ts'
import type { Token } from '../../store/store.ts'
import { networkOf } from './network.ts'
import { inTurn } from './turns.ts'

/** Who says they are whom. */
export interface SignIn {
  /** What `text` may be. */
  readonly names: readonly ('username' | 'email')[]
  readonly text: string
  readonly password: string
  /** Where from. */
  readonly address: string
  readonly kind: Token['kind']
}

/**
 * Signs a user in (decisions 1) and answers the secret of the new token or session. An unknown user, a disabled one and
 * a wrong password look the same and take the same. Throws `unauthorized`, and `toomany` after five failures for the
 * name or from the address within a minute: then the password is not even looked at.
 */
export async function signIn(ctx: Context, wanted: SignIn): Promise<string> {
  const nameKey = throttleKey('name', foldText(wanted.text))
  const addressKey = throttleKey('address', networkOf(wanted.address))
  return inTurn(addressKey, () =>
    inTurn(nameKey, async () => {
      const counted = await countAttempt(ctx, [nameKey, addressKey])
      const account = await findAccountByName(ctx, wanted.names, wanted.text)
      const isRight = await isPasswordOf(account, wanted.password)
      const secret = isRight && account?.isActive ? await issueToken(ctx, account, wanted.kind) : null
      if (secret === null) throw unauthorized('These are not the user name and password of anybody here.')
      await forgive(ctx, counted, nameKey)
      return secret
    }),
  )
}

/** What passwords of nobody are compared with, so that it takes as long. */
let nobodys: Promise<string> | null = null

async function isPasswordOf(account: Account | null, password: string): Promise<boolean> {
  nobodys ??= hashSecret('the password of nobody')
  const isRight = await isSecret(password, account?.passwordHash ?? (await nobodys))
  return isRight && account?.passwordHash !== null
}

/** Reads a text of the body; anything else is `invalid`, so that no object is ever taken for a password. */
export function textOf(body: { readonly [name: string]: unknown }, name: string): string | null {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string' && value.length <= LONGEST) return value
  throw invalid(`"${name}" must be a text of at most ${LONGEST} characters.`)
}

const LONGEST = 1000
