import { notFound } from '../../base/errors.ts'
import { currentActor } from '../access/authenticate.ts'
import { hashOf, newSecret } from '../access/secrets.ts'
import type { Context } from '../context.ts'
import { type Actor, isContributor, refusal } from '../permissions.ts'
import { write } from '../write.ts'

/** How long a link can be used, in milliseconds. */
const LIFETIME_MS = 15 * 60_000

/** A file that may be uploaded by a link. */
interface LinkedFile {
  readonly name: string
  readonly mostBytes: number
}

/** A link as it is given away: of its token, only a hash is stored. */
interface NewUploadLink {
  readonly token: string
  /** ISO 8601. */
  readonly expiresAt: string
}

/** Makes a link for one upload within 15 minutes, in the name of the caller (§4.10). Throws `forbidden`. */
export async function makeUploadLink(ctx: Context, { name, mostBytes }: LinkedFile): Promise<NewUploadLink> {
  const { actor } = ctx
  if (!isContributor(actor)) throw refusal(actor)
  const token = newSecret()
  const expiresAt = new Date(ctx.now().getTime() + LIFETIME_MS).toISOString()
  const link = { hash: hashOf(token), maker: JSON.stringify(actor), name, mostBytes, expiresAt }
  await write(ctx, ({ tx }) => tx.uploadLinks.add(link))
  return { token, expiresAt }
}

/**
 * Uses up a link. Returns the file, and who made the link, with the rights that they have now. Throws `notfound` where it
 * was used, has expired or never was, and where its key is no longer valid.
 */
export async function takeUploadLink(ctx: Context, token: string): Promise<LinkedFile & { readonly actor: Actor }> {
  const hash = hashOf(token)
  const now = ctx.now().toISOString()
  // Nothing is written for those who only guess.
  if (!(await ctx.store.uploadLinks.has(hash, now))) throw gone()
  const link = await write(ctx, ({ tx }) => tx.uploadLinks.take(hash, now))
  // `as`: stored by `makeUploadLink`.
  const actor = link && (await currentActor(ctx, JSON.parse(link.maker) as Actor))
  if (link === null || actor === null) throw gone()
  return { actor, name: link.name, mostBytes: link.mostBytes }
}

function gone(): Error {
  return notFound('This link was used already, or is not valid any more. Ask for a new one.')
}
