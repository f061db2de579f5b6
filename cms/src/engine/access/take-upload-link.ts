import { notFound } from '../../base/errors.ts'
import type { Context } from '../context.ts'
import type { Actor } from '../permissions.ts'
import { write } from '../write.ts'
import { currentActor } from './authenticate.ts'
import type { LinkedFile } from './make-upload-link.ts'
import { hashOf } from './secrets.ts'

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
