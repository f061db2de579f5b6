import type { DocumentId } from '../../model/terms/document-id.ts'
import type { Context } from '../context.ts'
import { refusal } from '../permissions.ts'
import { write } from '../write.ts'
import { hashOf, newSecret, validFor } from './secrets.ts'

/** A preview that was just made. */
interface IssuedPreview {
  /** Returned once, and stored only as a hash. */
  readonly secret: string
  /** ISO 8601. */
  readonly expiresAt: string
}

/** Makes a token that shows one draft to anyone who has it, for as long as the site says (§4.2b). */
export async function issuePreview(ctx: Context, { docId, locale }: DocumentId): Promise<IssuedPreview> {
  const { actor } = ctx
  if (actor.kind !== 'user' && actor.kind !== 'key') throw refusal(actor)
  const secret = newSecret()
  const times = validFor(ctx.now(), ctx.site.previewLifetime)
  const maker = { kind: actor.kind, id: actor.id }
  await write(ctx, async ({ tx }) => {
    await tx.previews.removeExpired(times.createdAt)
    await tx.previews.add({ hash: hashOf(secret), docId, locale, maker, ...times })
  })
  return { secret, expiresAt: times.expiresAt }
}

/** Revokes all previews of a document in its locale, by whichever user; returns how many there were. */
export function revokePreviews(ctx: Context, { docId, locale }: DocumentId): Promise<number> {
  return write(ctx, ({ tx }) => tx.previews.revokeAllOf(docId, locale))
}
