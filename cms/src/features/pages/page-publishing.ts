import type { Context } from '../../engine/context.ts'
import { publishAlong, readAlsoPublish } from '../../engine/operations/publish-along.ts'
import { publishPage as publish } from '../../engine/operations/publish-page.ts'
import { pageType } from '../../engine/pages/page-access.ts'
import { type UnpublishedPage, unpublishedAmong } from '../../engine/pages/tree-rules.ts'
import { tagOfNamed } from '../../engine/save/copies.ts'
import { checkPublishing } from '../../engine/versions/check-publishing.ts'
import { wouldPublishAlong } from '../../engine/versions/check-publishing-along.ts'
import { editableCopies, listDraftChanges } from '../../engine/versions/draft-changes.ts'
import { write } from '../../engine/write.ts'
import { flag } from '../../http/requests/read-parameters.ts'
import { Reply, type RouteRequest } from '../../http/requests/route.ts'
import { isTrue } from '../../model/field-type/outside.ts'
import type { DocumentId } from '../../model/terms/document-id.ts'
import { positionOf, presentWrittenPage } from './page-texts.ts'
import { copyToChange, pageForm } from './permit-pages.ts'

/** Publishes a page, and pieces along with it (§3.3); with `check`, only reports what would happen. */
export async function publishPage(ctx: Context, { params, query, body, ifMatch }: RouteRequest): Promise<Reply> {
  const text = params._id ?? ''
  if (isTrue(body, 'check')) {
    const { id, copies } = await draftOf(ctx, text)
    const unpublishedAncestors = copies.published === null ? await unpublishedAbove(ctx, id) : []
    const alsoPublished = await wouldPublishAlong(ctx, body, id)
    const check = await checkPublishing(ctx, { copies, unpublishedAncestors, alsoPublished })
    return new Reply(check, tagOfNamed(copies, id.mode))
  }
  const id = copyToChange(ctx, 'publish', text)
  const form = pageForm(ctx, query)
  const others = readAlsoPublish(ctx, body, id)
  const position = await write(ctx, async (ctx) => {
    const position = await publish(ctx, { id, ifMatch })
    await publishAlong(ctx, others, id.locale)
    return position
  })
  return presentWrittenPage(ctx, { ...id, mode: 'published' }, { ...form, position })
}

/** Lists the changes from the published copy of a page to its draft (§4.4). */
export async function listPageChanges(ctx: Context, { params, query }: RouteRequest): Promise<object> {
  const { id, copies } = await draftOf(ctx, params._id ?? '')
  return listDraftChanges(ctx, id, copies, flag(query, 'whole'))
}

async function draftOf(ctx: Context, text: string) {
  const id = copyToChange(ctx, 'editDraft', text)
  return { id, copies: await editableCopies(ctx, id, (name) => pageType(ctx, name) !== null) }
}

async function unpublishedAbove(ctx: Context, id: DocumentId): Promise<UnpublishedPage[]> {
  const { path } = await positionOf(ctx, id)
  return unpublishedAmong(ctx, ctx.store.tree, { ancestorIds: path.split('/').slice(0, -1), locale: id.locale })
}
