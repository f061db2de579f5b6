import { tooLarge } from '../../base/errors.ts'
import type { Context } from '../context.ts'
import { refusal } from '../permissions.ts'
import { write } from '../write.ts'
import { hashOf, newSecret, validFor } from './secrets.ts'

const LIFETIME_MS = 5 * 60 * 1000
/** The longest clipboard, and how many of one caller are stored at a time. */
const MAX_BYTES = 1_000_000
const MAX_OF_CALLER = 10

/** Stores a clipboard for five minutes; returns the token that fetches it, of which only a hash is stored (§4.5). */
export async function storeClipboard(ctx: Context, content: string): Promise<string> {
  const { actor } = ctx
  if (actor.kind !== 'user' && actor.kind !== 'key') throw refusal(actor)
  if (Buffer.byteLength(content) > MAX_BYTES) throw tooLarge('The clipboard may hold at most 1 MB.')
  const token = newSecret()
  const maker = `${actor.kind} ${actor.id}`
  const times = validFor(ctx.now(), LIFETIME_MS)
  await write(ctx, async ({ tx }) => {
    await tx.clipboards.lock()
    await tx.clipboards.removeOld(maker, MAX_OF_CALLER - 1, times.createdAt)
    await tx.clipboards.add({ hash: hashOf(token), maker, content, ...times })
  })
  return token
}

/** Returns the content of a clipboard, once; null when the token has none any more. */
export function takeClipboard(ctx: Context, token: string): Promise<string | null> {
  return write(ctx, ({ tx }) => tx.clipboards.take(hashOf(token), ctx.now().toISOString()))
}

/** Whether `takeClipboard` would find one. */
export function hasClipboard({ store, now }: Context, token: string): Promise<boolean> {
  return store.clipboards.has(hashOf(token), now().toISOString())
}

/** Deletes expired clipboards, as each new clipboard does. */
export async function forgetExpiredClipboards(ctx: Context): Promise<void> {
  await write(ctx, ({ tx }) => tx.clipboards.removeExpired(ctx.now().toISOString()))
}
