import type { Context } from '../context.ts'
import { assertContributor } from '../permissions.ts'
import { write } from '../write.ts'
import { hashOf, newSecret, validFor } from './secrets.ts'

/** How long a link can be used, in milliseconds. */
const LIFETIME_MS = 15 * 60_000

/** A file that may be uploaded by a link. */
export interface LinkedFile {
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
  assertContributor(ctx)
  const token = newSecret()
  const { expiresAt } = validFor(ctx.now(), LIFETIME_MS)
  const link = { hash: hashOf(token), maker: JSON.stringify(actor), name, mostBytes, expiresAt }
  await write(ctx, ({ tx }) => tx.uploadLinks.add(link))
  return { token, expiresAt }
}
