import { invalid } from '../../base/errors.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { publish, revertDraft, unpublish } from '../../engine/operations/publish.ts'
import { undoPublish } from '../../engine/operations/undo-publish.ts'
import { pageType } from '../../engine/pages/page-access.ts'
import { assertNotParked } from '../../engine/pages/parked.ts'
import { assertMay } from '../../engine/permissions.ts'
import { assertMatch } from '../../engine/save/copies.ts'
import { write } from '../../engine/write.ts'
import type { Reply, RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Copies, Document } from '../../model/terms/document.ts'
import { followSlugs } from './follow.ts'
import { type LockedPage, lockAnyCopy } from './locate-page.ts'
import { PAGE_STATE_ACTIONS, type PageStateVerb } from './page-state-actions.ts'
import { copyToChange } from './permit-pages.ts'
import { presentWrittenPage } from './reply.ts'
import { assertParentPublished, parentAmong } from './tree-rules.ts'
import { recordUrls } from './urls.ts'

/** A change of a page's state: the work, which returns the copies afterwards, and the copy that is answered. */
interface StateChange {
  readonly work: (ctx: WriteContext, page: LockedPage) => Promise<Copies>
  readonly answers: 'draft' | 'published'
}

const stateChanges: Readonly<Record<PageStateVerb, StateChange>> = {
  publish: { work: publishPage, answers: 'published' },
  unpublish: { work: unpublishPage, answers: 'draft' },
  'revert-draft-to-published': { work: revertPage, answers: 'draft' },
  'revert-published-to-previous': { work: undoPublishOfPage, answers: 'published' },
}

/** Changes the state of one page, whichever of its copies is named, and returns the copy that was changed. */
export async function changePageState(
  ctx: Context,
  verb: PageStateVerb,
  { params, ifMatch }: RouteRequest,
): Promise<Reply> {
  const [action, { work, answers }] = [PAGE_STATE_ACTIONS[verb], stateChanges[verb]]
  const id = copyToChange(ctx, action, params._id ?? '')
  const position = await write(ctx, async (ctx) => {
    const page = await lockAnyCopy(ctx, id, action)
    assertMatch(ifMatch, page.document)
    const after = await work(ctx, page)
    const { position, copies: before } = page
    const { locale } = page.id
    await recordUrls(ctx, locale, await followSlugs(ctx, { locale, position, before, after }))
    return position
  })
  return presentWrittenPage(ctx, { ...id, mode: answers }, position)
}

async function publishPage(ctx: WriteContext, { id, type, copies, position, nodes }: LockedPage): Promise<Copies> {
  const { docId, locale } = id
  const draftType = typeOf(ctx, copies.draft) ?? type
  assertMay(ctx.actor, 'publish', draftType)
  if (copies.published === null && position.parent !== '') {
    await assertParentPublished(ctx, parentAmong(nodes, position), locale)
  }
  return { draft: copies.draft, published: await publish(ctx, { type: draftType, docId, locale }) }
}

async function unpublishPage(ctx: WriteContext, { id, type, copies }: LockedPage): Promise<Copies> {
  const { docId, locale } = id
  assertNotParked(ctx.site, docId, 'unpublished')
  const children = await ctx.tx.read.tree.countChildren(locale, docId, 'published')
  if (children > 0) throw invalid('This page has published children. Unpublish them first.')
  const draft = await unpublish(ctx, { type: typeOf(ctx, copies.draft) ?? type, docId, locale })
  return { draft, published: null }
}

async function revertPage(ctx: WriteContext, { id, type, copies }: LockedPage): Promise<Copies> {
  const { docId, locale } = id
  const draft = await revertDraft(ctx, { type: typeOf(ctx, copies.published) ?? type, docId, locale })
  return { draft, published: copies.published }
}

function undoPublishOfPage(ctx: WriteContext, { id, type, copies }: LockedPage): Promise<Copies> {
  const { docId, locale } = id
  return undoPublish(ctx, { type: typeOf(ctx, copies.published) ?? type, docId, locale })
}

function typeOf(ctx: WriteContext, copy: Document | null): Type | null {
  return copy && pageType(ctx, copy.type)
}
