import { invalid, notFound } from '../../base/errors.ts'
import { own } from '../../base/json.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { copiedPage, insertPage } from '../../engine/operations/insert-page.ts'
import { isSet, readLocalization } from '../../engine/operations/localization.ts'
import { localizePage, localizeSubtree } from '../../engine/operations/localize-page.ts'
import { prepareCrops, preparePatch } from '../../engine/operations/prepare-crops.ts'
import { revertDraftOfPage, undoPublishOfPage, unpublishPage } from '../../engine/operations/publish-page.ts'
import { removePage } from '../../engine/operations/remove.ts'
import {
  type ChangedPage,
  readPagePatch,
  readPageReplacement,
  replacePage,
  setPageArchived,
  updatePage,
} from '../../engine/operations/update-page.ts'
import type { PageRef } from '../../engine/pages/locate-page.ts'
import { assertSees, readType } from '../../engine/pages/page-access.ts'
import { readTarget } from '../../engine/pages/position.ts'
import { assertMay } from '../../engine/permissions.ts'
import { problemsAfter } from '../../engine/save/draft-problems.ts'
import { write } from '../../engine/write.ts'
import { rendersAreas } from '../../http/requests/read-parameters.ts'
import type { Reply, RouteRequest } from '../../http/requests/route.ts'
import { DocumentId, type Mode } from '../../model/terms/document-id.ts'
import type { TreePosition } from '../../store/contract/store.ts'
import { presentWrittenPage, type WrittenPage } from './page-texts.ts'
import {
  copyToChange,
  copyToDelete,
  copyToEdit,
  copyToInsert,
  PAGE_STATE_ACTIONS,
  type PageStateVerb,
  pageForm,
} from './permit-pages.ts'

/** The content of a new page, and the parts of it that are answered. */
type Written = Pick<RouteRequest, 'body'> & Partial<Pick<RouteRequest, 'query'>>

const WHOLE = { project: null, hasChildren: true } as const

/** A new page below or next to another one (§4.2 POST). */
export async function postPage(ctx: Context, { body, query }: Written): Promise<Reply> {
  const form = query === undefined ? WHOLE : pageForm(ctx, query)
  const { id, action } = copyToInsert(ctx)
  const copied = copiedPage(ctx, body)
  const type = readType(ctx, own(body, 'type') ?? (copied && (await typeOfCopied(ctx, copied))))
  assertMay(ctx.actor, action, type)
  const target = readTarget(body)
  if (!target) throw invalid('To add a page, send _targetId (the _id of a page) and _position.')
  await prepareCrops(ctx, body)
  const { position } = await write(ctx, (ctx) => insertPage(ctx, { ...id, type, target }, body))
  return presentWrittenPage(ctx, id, { ...form, position, more: await problemsAfter(ctx, { id, body }) })
}

/** A copy is of its original's type, unless the body says otherwise (§4.2 POST). Throws `notfound`, also where the type is hidden. */
async function typeOfCopied(ctx: Context, id: DocumentId): Promise<string> {
  const copies = await ctx.store.documents.copies(id.docId, id.locale)
  const original = copies[id.mode] ?? copies.draft ?? copies.published
  const type = original && ctx.site.types.get(original.type)
  if (!type) throw notFound()
  assertSees(ctx, type)
  return type.name
}

/** Replaces a page (§4.2 PUT), and moves it when the body names a target and a position. */
export async function putPage(ctx: Context, request: RouteRequest): Promise<Reply> {
  const id = copyToEdit(ctx, request.params._id ?? '')
  const form = pageForm(ctx, request.query)
  const change = readPageReplacement(id, request.body)
  await prepareCrops(ctx, change.body)
  const changed = await write(ctx, (ctx) => replacePage(ctx, { id, ifMatch: request.ifMatch }, change))
  return changedReply(ctx, request, { ...changed, ...form, id })
}

/** Changes some fields of a page (§4.2 PATCH), moves it when the body names a target and a position, or both. */
export async function patchPage(ctx: Context, request: RouteRequest): Promise<Reply> {
  const id = copyToEdit(ctx, request.params._id ?? '')
  const form = pageForm(ctx, request.query)
  const change = readPagePatch(id, request.body)
  await preparePatch(ctx, id, change.body)
  const changed = await write(ctx, (ctx) => updatePage(ctx, { id, ifMatch: request.ifMatch }, change))
  return changedReply(ctx, request, { ...changed, ...form, id })
}

/** Puts a page into the archive or takes it out (`as` in process); the interface says so by a move (§4.2). */
export async function archivePage(ctx: Context, idText: string, archived: boolean): Promise<Reply> {
  const id = copyToEdit(ctx, idText)
  const { position } = await write(ctx, (ctx) => setPageArchived(ctx, { id, ifMatch: null }, archived))
  return presentWrittenPage(ctx, id, { ...WHOLE, position })
}

async function changedReply(
  ctx: Context,
  { query, body }: RouteRequest,
  { id, position, notRestored = [], ...form }: ChangedPage & WrittenPage & { readonly id: DocumentId },
): Promise<Reply> {
  const problems = await problemsAfter(ctx, { id, body })
  const more = notRestored.length > 0 ? { notRestored, ...problems } : problems
  return presentWrittenPage(ctx, id, { ...form, position, isRendered: rendersAreas(query), more })
}

/** Removes a page in one locale for good (§4.2 DELETE), but not home, the archive, or a page that has children. */
export async function deletePage(ctx: Context, { params, ifMatch }: RouteRequest): Promise<object> {
  const id = copyToDelete(ctx, params._id ?? '')
  await write(ctx, (ctx) => removePage(ctx, { id, ifMatch }))
  return {}
}

/** The operation that changes the state of a page, and the copy that is answered. */
interface StateChange {
  readonly change: (ctx: WriteContext, ref: PageRef) => Promise<TreePosition>
  readonly answers: Mode
}

const STATE_CHANGES: Readonly<Record<PageStateVerb, StateChange>> = {
  unpublish: { change: unpublishPage, answers: 'draft' },
  'revert-draft-to-published': { change: revertDraftOfPage, answers: 'draft' },
  'revert-published-to-previous': { change: undoPublishOfPage, answers: 'published' },
}

/** Changes the state of one page, whichever of its copies is named, and returns the copy that was changed. */
export async function changePageState(
  ctx: Context,
  verb: PageStateVerb,
  { params, query, ifMatch }: RouteRequest,
): Promise<Reply> {
  const id = copyToChange(ctx, PAGE_STATE_ACTIONS[verb], params._id ?? '')
  const form = pageForm(ctx, query)
  const { change, answers } = STATE_CHANGES[verb]
  const position = await write(ctx, (ctx) => change(ctx, { id, ifMatch }))
  return presentWrittenPage(ctx, { ...id, mode: answers }, { ...form, position })
}

/** Copies a page's draft to another locale's draft (§3.4, §4.2); with `subtree` everything below it, too. */
export async function localizePageTo(ctx: Context, { params, query, body, ifMatch }: RouteRequest): Promise<Reply> {
  const id = copyToChange(ctx, 'editDraft', params._id ?? '')
  const form = pageForm(ctx, query)
  const localization = { ...readLocalization(ctx.site, body), ifMatch }
  const localize = isSet(body, 'subtree') ? localizeSubtree : localizePage
  const { position, document, localized } = await write(ctx, (ctx) => localize(ctx, id, localization))
  return presentWrittenPage(ctx, document.id, {
    ...form,
    position,
    more: { localized: localized.map(DocumentId.format) },
  })
}
