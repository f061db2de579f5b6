import { invalid } from '../../base/errors.ts'
import type { Copies } from '../../model/terms/document.ts'
import type { Mode } from '../../model/terms/document-id.ts'
import type { TreePosition } from '../../store/contract/store.ts'
import type { WriteContext } from '../context.ts'
import { followSlugs, recordUrls } from '../pages/follow.ts'
import { type LockedPage, lockAnyCopy, type PageRef } from '../pages/locate-page.ts'
import { pageType } from '../pages/page-access.ts'
import { assertNotParked } from '../pages/parked.ts'
import { assertParentPublished, parentAmong } from '../pages/tree-rules.ts'
import { type Action, assertMay } from '../permissions.ts'
import { assertMatch, type DocumentRef } from '../save/copies.ts'
import { publish, revertDraft, undoPublish, unpublish } from './publish.ts'

/** Publishes a page (§4.1 publish), whose parent must be published. Returns its position. */
export function publishPage(ctx: WriteContext, ref: PageRef): Promise<TreePosition> {
  return changeState(ctx, ref, {
    action: 'publish',
    save: async (page) => {
      const { id, copies, position, nodes } = page
      const draft = refTo(ctx, page, 'draft')
      assertMay(ctx.actor, 'publish', draft.type)
      if (copies.published === null && position.parent !== '') {
        await assertParentPublished(ctx, parentAmong(nodes, position), id.locale)
      }
      return { ...copies, published: await publish(ctx, draft) }
    },
  })
}

/** Removes the published copy of a page that has no published children (§3.3). Returns its position. */
export function unpublishPage(ctx: WriteContext, ref: PageRef): Promise<TreePosition> {
  return changeState(ctx, ref, {
    action: 'publish',
    save: async (page) => {
      const { docId, locale } = page.id
      assertNotParked(ctx.site, docId, 'unpublished')
      const children = await ctx.tx.read.tree.countChildren(locale, docId, 'published')
      if (children > 0) throw invalid('This page has published children. Unpublish them first.')
      return { draft: await unpublish(ctx, refTo(ctx, page, 'draft')), published: null }
    },
  })
}

/** The draft of a page becomes equal to its published copy. Returns its position. */
export function revertDraftOfPage(ctx: WriteContext, ref: PageRef): Promise<TreePosition> {
  return changeState(ctx, ref, {
    action: 'editDraft',
    save: async (page) => ({ ...page.copies, draft: await revertDraft(ctx, refTo(ctx, page, 'published')) }),
  })
}

/** Puts the published copy of a page back to the previous publication (§4.4). Returns its position. */
export function undoPublishOfPage(ctx: WriteContext, ref: PageRef): Promise<TreePosition> {
  return changeState(ctx, ref, {
    action: 'publish',
    save: (page) => undoPublish(ctx, refTo(ctx, page, 'published')),
  })
}

/** Saves the copies of a locked page, and returns the saved ones. */
interface StateChange {
  readonly action: Action
  save(page: LockedPage): Promise<Copies>
}

async function changeState(
  ctx: WriteContext,
  { id, ifMatch }: PageRef,
  { action, save }: StateChange,
): Promise<TreePosition> {
  const page = await lockAnyCopy(ctx, id, { action })
  assertMatch(ifMatch, page.document)
  const after = await save(page)
  const { position, copies: before } = page
  const { locale } = page.id
  await recordUrls(ctx, locale, await followSlugs(ctx, { locale, position, before, after }))
  return position
}

/** The document of a page, with the type that one of its copies has. */
function refTo(ctx: WriteContext, { id: { docId, locale }, type, copies }: LockedPage, mode: Mode): DocumentRef {
  const copy = copies[mode]
  return { docId, locale, type: (copy && pageType(ctx, copy.type)) ?? type }
}
