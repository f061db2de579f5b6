import { invalid } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { publish } from '../../engine/operations/publish.ts'
import { publishAlong, readAlsoPublish } from '../../engine/operations/publish-along.ts'
import { tagOfNamed } from '../../engine/save/copies.ts'
import { checkPublishing } from '../../engine/versions/check-publishing.ts'
import { wouldPublishAlong } from '../../engine/versions/check-publishing-along.ts'
import { editableCopies, listDraftChanges } from '../../engine/versions/draft-changes.ts'
import { write } from '../../engine/write.ts'
import { flag } from '../../http/requests/read-parameters.ts'
import { Reply, type RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { isTrue } from '../../model/field-type/outside.ts'
import { copyToChange } from './permit-pieces.ts'
import { presentWritten, wantedOf } from './write-piece.ts'

/** Publishes a piece, and others along with it (§3.3); with `check`, only reports what would happen. */
export async function publishPiece(ctx: Context, type: Type, request: RouteRequest): Promise<Reply> {
  const { params, query, body, ifMatch } = request
  const text = params._id ?? ''
  if (isTrue(body, 'check')) {
    const { id, copies } = await draftOf(ctx, type, text)
    const alsoPublished = await wouldPublishAlong(ctx, body, id)
    const check = await checkPublishing(ctx, { copies, alsoPublished })
    return new Reply(check, tagOfNamed(copies, id.mode))
  }
  const id = copyToChange(ctx, { type, action: 'publish' }, text)
  const project = wantedOf(ctx, type, query)
  const others = readAlsoPublish(ctx, body, id)
  const document = await write(ctx, async (ctx) => {
    const published = await publish(ctx, { type, ...id, ifMatch })
    await publishAlong(ctx, others, id.locale)
    return published
  })
  return presentWritten(ctx, { document, project })
}

/** Lists the changes from the published copy of a piece to its draft (§4.4). */
export async function listPieceChanges(ctx: Context, type: Type, { params, query }: RouteRequest): Promise<object> {
  const { id, copies } = await draftOf(ctx, type, params._id ?? '')
  return listDraftChanges(ctx, id, copies, flag(query, 'whole'))
}

async function draftOf(ctx: Context, type: Type, text: string) {
  const id = copyToChange(ctx, { type, action: 'editDraft' }, text)
  if (!type.localized) throw invalid(`${type.label} has no draft: every save is live at once.`)
  return { id, copies: await editableCopies(ctx, id, (name) => name === type.name) }
}
