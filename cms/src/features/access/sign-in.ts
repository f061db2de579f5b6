import { isIPv6 } from 'node:net'
import { invalid, unauthorized } from '../../base/errors.ts'
import { Semaphore } from '../../base/semaphore.ts'
import { foldText } from '../../base/text.ts'
import { type Account, findAccountByName } from '../../engine/access/accounts.ts'
import { hashSecret, isSecret } from '../../engine/access/secrets.ts'
import { countAttempt, throttleKey, undoAttempt } from '../../engine/access/throttle.ts'
import { isDeviceOf, issueToken } from '../../engine/access/tokens.ts'
import type { Context } from '../../engine/context.ts'
import type { Token } from '../../store/contract/store.ts'

/** An attempt to sign in. */
interface SignIn {
  /** The names that `text` may match. */
  readonly names: readonly ('username' | 'email')[]
  readonly text: string
  readonly password: string
  /** The caller's address. */
  readonly address: string
  /** The device's proof of an earlier sign-in; see `makeDeviceProof`. */
  readonly device: string | undefined
  readonly kind: Token['kind']
}

/** A user who has signed in. */
interface SignedIn {
  readonly userId: string
  /** Of the new token or session. */
  readonly secret: string
}

/**
 * Signs a user in (§5.6). An unknown user, a disabled one and a wrong password get the same answer at the same cost.
 * Throws `unauthorized`, and `toomany` after five failures for the name or from the address within a minute: then the
 * password is not even checked. On a device where the user has signed in before, failures are counted for the device
 * instead of the name, so that others who fail with the name keep nobody out.
 */
export async function signIn(ctx: Context, attempt: SignIn): Promise<SignedIn> {
  const account = await findAccountByName(ctx, attempt.names, attempt.text)
  const nameKey = await nameKeyOf(ctx, attempt, account)
  const addressKey = throttleKey('address', networkOf(attempt.address))
  return oneAtATime(addressKey, () =>
    oneAtATime(nameKey, async () => {
      const counted = await countAttempt(ctx, [nameKey, addressKey])
      const isRight = await isPasswordOf(account, attempt.password)
      const secret = isRight && account?.isActive ? await issueToken(ctx, account, attempt.kind) : null
      if (account === null || secret === null) throw unauthorized('The user name or the password is wrong.')
      await undoAttempt(ctx, counted, nameKey)
      return { userId: account.id, secret }
    }),
  )
}

/** The key under which attempts on an account are counted: its name's, or that of a device its user has signed in on. */
async function nameKeyOf(ctx: Context, { text, device }: SignIn, account: Account | null): Promise<string> {
  const isKnown = device !== undefined && account !== null && (await isDeviceOf(ctx, device, account.id))
  return isKnown ? throttleKey('device', device) : throttleKey('name', foldText(text))
}

const semaphores = new Map<string, Semaphore>()

/** Runs the attempts of one key one after another in this process, so that each sees the failures before it. */
async function oneAtATime<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const semaphore = semaphores.get(key) ?? new Semaphore(1)
  semaphores.set(key, semaphore)
  try {
    return await semaphore.run(work)
  } finally {
    if (semaphore.isIdle) semaphores.delete(key)
  }
}

/** The hash that passwords of unknown users are compared with, so that they take as long. */
let dummyHash: Promise<string> | null = null

async function isPasswordOf(account: Account | null, password: string): Promise<boolean> {
  dummyHash ??= hashSecret('a password for comparison')
  const isRight = await isSecret(password, account?.passwordHash ?? (await dummyHash))
  return isRight && account?.passwordHash !== null
}

/** Reads a text of the body. Anything else is `invalid`, so that an object is never used as a password. */
export function readText(body: { readonly [name: string]: unknown }, name: string): string | null {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'string' && value.length <= MAX_LENGTH) return value
  throw invalid(`"${name}" must be a text of at most ${MAX_LENGTH} characters.`)
}

const MAX_LENGTH = 1000

/**
 * The unit that attempts are counted by: an IPv4 address, or the /64 network of an IPv6 one, which is usually one
 * household.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1] ?? address
  const [plain = ''] = address.split('%', 1)
  if (!isIPv6(plain)) return address
  // The URL parser writes every address in one way, with at most one `::`.
  const text = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [head = '', tail = ''] = text.split('::', 2)
  const groups = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const filled = text.includes('::') ? Array<string>(8 - groups.length - after.length).fill('0') : []
  return `${[...groups, ...filled, ...after].slice(0, 4).join(':')}::/64`
}
