import { invalid, invalidField } from '../../base/errors.ts'
import { isObject, own, type UnknownObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import { isTrue } from '../../model/fields/boolean.ts'
import type { DocId, DocumentId } from '../../model/terms/document-id.ts'
import type { AcceptedProposal, TreePosition } from '../../store/contract/store.ts'
import type { WriteContext } from '../context.ts'
import { followSlugs, recordUrls } from '../pages/follow.ts'
import { type LockedPage, lockPage, type PageRef } from '../pages/locate-page.ts'
import { readType } from '../pages/page-access.ts'
import type { UrlChange } from '../pages/page-slugs.ts'
import { assertFixedFieldsUnchanged, homeId, isFixedType, parkedPage } from '../pages/parked.ts'
import { assertState, readTarget, statesIn, type TreeTarget, treeTarget } from '../pages/position.ts'
import { assertParentPublished, parentAmong, slugAbove } from '../pages/tree-rules.ts'
import { assertMay, editAction } from '../permissions.ts'
import { assertMatch, writtenModes } from '../save/copies.ts'
import { bodiesOf } from '../values/patch.ts'
import { movePage } from './move-page.ts'
import { replace, update } from './update.ts'

/** The changes that a body requests of a page. */
interface PageChange {
  readonly body: UnknownObject
  readonly target: TreeTarget | null
  /** The name of the requested type. */
  readonly typeName: unknown
  readonly givesSlug: boolean
  /** The values of `archived` in it; the page's position must agree with all of them. */
  readonly archived: readonly boolean[]
  /** The proposal that is accepted. */
  readonly proposal?: AcceptedProposal
}

/** Where a page stands after a change. */
export interface ChangedPage {
  readonly position: TreePosition
  /** Values of a restored version that its fields no longer accept. */
  readonly notRestored?: readonly object[]
}

type Changed = ChangedPage & { readonly urls: readonly UrlChange[] }

/** Replaces a page (§4.2 PUT), and moves it when the body names a target and a position. */
export function replacePage(ctx: WriteContext, ref: PageRef, change: PageChange): Promise<ChangedPage> {
  return changePage(ctx, { ...ref, targetId: change.target?.docId }, (page) => {
    const becomes = newType(ctx, page, change.typeName)
    return save(ctx, page, { ...change, becomes, work: replace })
  })
}

/** Changes some fields of a page (§4.2 PATCH), moves it when the body names a target and a position, or both. */
export function updatePage(ctx: WriteContext, ref: PageRef, change: PageChange): Promise<ChangedPage> {
  const { target, body, typeName } = change
  if (target && isMoveAlone(body)) return placePage(ctx, ref, { target, archived: change.archived })
  return changePage(ctx, { ...ref, targetId: target?.docId }, (page) => {
    const becomes = newType(ctx, page, typeName)
    assertOneType(page, typeName)
    return save(ctx, page, { ...change, becomes, work: update })
  })
}

/** A draft, and the proposal that a change of it accepts. */
interface PatchedDraft extends Pick<DocumentId, 'docId' | 'locale'> {
  readonly type: Type
  readonly proposal?: AcceptedProposal
}

/** Changes the draft of a piece or a page as a PATCH does (§4.1). */
export async function patchDraft(
  ctx: WriteContext,
  { type, docId, locale, proposal }: PatchedDraft,
  body: UnknownObject,
): Promise<void> {
  const id = { docId, locale, mode: 'draft' } as const
  const accepted = proposal && { proposal }
  if (type.family !== 'page') await update(ctx, { type, id, ifMatch: null, ...accepted }, body)
  else await updatePage(ctx, { id, ifMatch: null }, { ...readPagePatch(id, body), ...accepted })
}

/**
 * Archives a page with everything below it, or restores it as the last one below home (§3.5): both of its copies move,
 * since a page is in the archive by its position alone.
 */
export function setPageArchived(ctx: WriteContext, ref: PageRef, archived: boolean): Promise<ChangedPage> {
  const target = treeTarget(archived ? '_archive' : '_home', 'lastChild')
  return placePage(ctx, ref, { target, archived: [] })
}

function placePage(
  ctx: WriteContext,
  ref: PageRef,
  { target, archived }: Pick<PageChange, 'archived'> & { readonly target: TreeTarget },
): Promise<ChangedPage> {
  return changePage(ctx, { ...ref, targetId: target.docId }, async (page) => {
    const moved = await movePage(ctx, page, { target, givenSlugs: [] })
    assertState(moved.position, archived)
    return moved
  })
}

async function changePage(
  ctx: WriteContext,
  ref: ChangedRef,
  save: (page: LockedPage) => Promise<Changed>,
): Promise<ChangedPage> {
  const changed = await save(await lock(ctx, ref))
  await recordUrls(ctx, ref.id.locale, changed.urls)
  return changed
}

/** A page to change, and the target of its move. */
type ChangedRef = PageRef & { readonly targetId: DocId | undefined }

async function lock(ctx: WriteContext, { id, ifMatch, targetId }: ChangedRef): Promise<LockedPage> {
  const page = await lockPage(ctx, id, { action: editAction(id.mode), targetId })
  assertMatch(ifMatch, page.document)
  return page
}

/**
 * Reads the changes of a PATCH. Each of `_patches` may move the page, or change its type, as the body itself may: the
 * last that does so counts.
 */
export function readPagePatch(id: DocumentId, body: UnknownObject): PageChange {
  assertNotArchivingHome(id, body)
  const bodies = bodiesOf(body)
  const targets = bodies.map(readTarget)
  const typeNames = bodies.map((one) => own(one, 'type'))
  return {
    body: withoutState(body),
    target: targets.findLast((target) => target !== null) ?? null,
    typeName: typeNames.findLast((name) => name !== undefined),
    givesSlug: bodies.some(givesSlug),
    archived: statesIn(bodies),
  }
}

/** Reads the changes of a PUT. Restoring a version never moves a page (§4.4). */
export function readPageReplacement(id: DocumentId, body: UnknownObject): PageChange {
  assertNotArchivingHome(id, body)
  const isRestored = own(body, '_restoreVersion') !== undefined
  // The body of a restored version is not read.
  return {
    body: withoutState(body),
    target: isRestored ? null : readTarget(body),
    typeName: own(body, 'type'),
    givesSlug: givesSlug(body),
    archived: isRestored ? [] : statesIn([body]),
  }
}

/** A change of a page, the type that it has from now on, and what saves its fields. */
interface Saving extends PageChange {
  readonly becomes: Type
  readonly work: typeof update
}

async function save(
  ctx: WriteContext,
  page: LockedPage,
  { body, target, givesSlug, archived, becomes, work, proposal }: Saving,
): Promise<Changed> {
  const { id, type } = page
  const { locale } = id
  const modes = writtenModes(ctx, becomes, id.mode)
  const moved = target && (await movePage(ctx, page, { target, givenSlugs: givesSlug ? modes : [] }))
  const { copies: before, position } = moved ?? page
  assertState(position, archived)
  const isNewlyPublished = modes.includes('published') && before.published === null
  const parent = moved?.parent ?? (position.parent === '' ? null : parentAmong(page.nodes, position))
  if (parent && isNewlyPublished) await assertParentPublished(ctx, parent, locale)
  const parentSlug = slugAbove(parent, id.mode) ?? '/'
  const { copies: after, notRestored = [] } = await work(
    ctx,
    { type, becomes, id, ifMatch: null, parentSlug, copies: before, proposal },
    body,
  )
  assertFixedFieldsUnchanged(ctx.site, id.docId, { before, after })
  const urls = await followSlugs(ctx, { locale, position, before, after })
  return { position, urls: [...(moved?.urls ?? []), ...urls], notRestored }
}

/** The home page cannot be archived (§4.2). Throws `invalid`, naming the field. */
function assertNotArchivingHome({ docId }: DocumentId, body: UnknownObject): void {
  if (docId !== homeId || !bodiesOf(body).some((one) => isTrue(own(one, 'archived')))) return
  throw invalidField('archived', 'The home page cannot be archived.')
}

/** The body without `archived`, which says no more than the page's position. */
function withoutState(body: UnknownObject): UnknownObject {
  const { archived: _archived, ...rest } = body
  if (!Array.isArray(rest._patches)) return rest
  return { ...rest, _patches: rest._patches.map((patch: unknown) => (isObject(patch) ? withoutState(patch) : patch)) }
}

function givesSlug(body: UnknownObject): boolean {
  return typeof own(body, 'slug') === 'string' && body.slug !== ''
}

/** The type of a page may change, except that of built-in pages. */
function newType(ctx: WriteContext, { id, type }: LockedPage, name: unknown): Type {
  if (name === undefined || name === type.name) return type
  if (isFixedType(ctx.site, type.name) || parkedPage(ctx.site, id.docId)) {
    throw invalid('This page is built in: its type is fixed.')
  }
  const becomes = readType(ctx, name)
  assertMay(ctx.actor, editAction(id.mode), becomes)
  return becomes
}

/** A patch of both copies cannot apply to fields of two types. */
function assertOneType({ id, type, copies }: LockedPage, typeName: unknown): void {
  if (id.mode === 'draft' || typeName !== undefined) return
  if (copies.draft === null || copies.draft.type === type.name) return
  throw invalid(`The draft of this page waits to become a ${copies.draft.type}. Publish it, revert it, or send type.`)
}

/** True when a body asks for nothing but a move. */
function isMoveAlone(body: object): boolean {
  return Object.keys(body).every((name) => name === '_targetId' || name === '_position')
}
