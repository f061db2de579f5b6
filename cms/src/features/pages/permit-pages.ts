import { newId } from '../../base/ids.ts'
import { requestedProjection } from '../../engine/answers/wanted.ts'
import type { Context } from '../../engine/context.ts'
import { copyToWrite } from '../../engine/locate.ts'
import { locatePage, locatePageForWrite } from '../../engine/pages/locate-page.ts'
import { assertMaySome, pagesVisibility, pageViews } from '../../engine/pages/page-access.ts'
import { type Action, editAction, isContributor } from '../../engine/permissions.ts'
import { archivedParameter, hasChildren } from '../../http/requests/read-parameters.ts'
import type { QueryValues } from '../../http/requests/route.ts'
import type { DocumentId } from '../../model/terms/document-id.ts'

/**
 * The sub-routes of a page that take no body (§4.2 publish, §3.3), by the last step of their path, and what they take.
 */
export const PAGE_STATE_ACTIONS = {
  unpublish: 'publish',
  'revert-draft-to-published': 'editDraft',
  'revert-published-to-previous': 'publish',
} as const satisfies Record<string, Action>

/** The last step of a path that changes a page's state. */
export type PageStateVerb = keyof typeof PAGE_STATE_ACTIONS

/**
 * A new page's id, in the mode in which the caller writes, if they may create pages of any type. Knows nothing of the
 * body.
 */
export function copyToInsert(ctx: Context): { readonly id: DocumentId; readonly action: Action } {
  const id = copyToWrite(ctx, { localized: true }, { docId: newId(), locale: ctx.locale, mode: ctx.mode })
  const action = id.mode === 'draft' ? 'createDraft' : 'createPublished'
  assertMaySome(ctx, action)
  return { id, action }
}

/** The copy that an id means, if the caller may edit such copies of pages of any type. Nothing is looked up. */
export function copyToEdit(ctx: Context, idText: string): DocumentId {
  const id = locatePageForWrite(ctx, idText)
  assertMaySome(ctx, editAction(id.mode))
  return id
}

/** The copy that an id means, if the caller may delete such copies of pages of any type. Nothing is looked up. */
export function copyToDelete(ctx: Context, idText: string): DocumentId {
  const id = locatePageForWrite(ctx, idText)
  assertMaySome(ctx, id.mode === 'draft' ? 'deleteDraft' : 'deletePublished')
  return id
}

/** The copy that an id means, if the caller may do that to pages of any type. Nothing is looked up. */
export function copyToChange(ctx: Context, action: Action, idText: string): DocumentId {
  const id = locatePage(ctx, idText)
  assertMaySome(ctx, action)
  return id
}

/** The parts of a page that are answered: `project`, `withRelationships` and `children`. Throws `invalid`. */
export function pageForm(ctx: Context, query: QueryValues) {
  return { project: requestedProjection(ctx, pageViews(ctx), query), hasChildren: hasChildren(query) }
}

/** The copy of a page that a request names, and whether it may be archived. Nothing is looked up. */
export function requestedPage(ctx: Context, idText: string, query: QueryValues) {
  const id = locatePage(ctx, idText)
  const archived = isContributor(ctx.actor) ? archivedParameter(query) : false
  pagesVisibility(ctx, id.mode)
  return { id, archived }
}
