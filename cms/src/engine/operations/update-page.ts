import { invalid, invalidFields } from '../../base/errors.ts'
import { isObject, own } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import { isTrue } from '../../model/fields/boolean.ts'
import type { DocumentId } from '../../model/terms/document.ts'
import type { TreePosition } from '../../store/contract/store.ts'
import type { WriteContext } from '../context.ts'
import { followSlugs, recordUrls } from '../pages/follow.ts'
import { type LockedPage, lockPage, type PageRef } from '../pages/locate-page.ts'
import { readType } from '../pages/page-access.ts'
import type { UrlChange } from '../pages/page-slugs.ts'
import { assertFixedFieldsUnchanged, homeId, isFixedType, parkedPage } from '../pages/parked.ts'
import { readTarget, type TreeTarget } from '../pages/position.ts'
import { assertParentPublished, parentAmong, slugAbove } from '../pages/tree-rules.ts'
import { assertMay, editAction } from '../permissions.ts'
import { assertMatch, writtenModes } from '../save/copies.ts'
import { bodiesOf } from '../values/patch.ts'
import { movePage } from './move-page.ts'
import { replace, update } from './update.ts'

type Body = { readonly [name: string]: unknown }

/** What a body asks to be changed of a page. */
interface PageChange {
  readonly body: Body
  readonly target: TreeTarget | null
  /** The name of the requested type. */
  readonly typeName: unknown
  readonly givesSlug: boolean
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
  return changePage(ctx, { ...ref, change }, (page) => {
    const becomes = newType(ctx, page, change.typeName)
    return save(ctx, page, { ...change, becomes, work: replace })
  })
}

/** Changes some fields of a page (§4.2 PATCH), moves it when the body names a target and a position, or both. */
export function updatePage(ctx: WriteContext, ref: PageRef, change: PageChange): Promise<ChangedPage> {
  return changePage(ctx, { ...ref, change }, async (page) => {
    const { target, body, typeName } = change
    if (target && isMoveAlone(body)) return movePage(ctx, page, { target, given: [] })
    const becomes = newType(ctx, page, typeName)
    assertOneType(page, typeName)
    return save(ctx, page, { ...change, becomes, work: update })
  })
}

async function changePage(
  ctx: WriteContext,
  { id, ifMatch, change }: PageRef & { readonly change: PageChange },
  work: (page: LockedPage) => Promise<Changed>,
): Promise<ChangedPage> {
  const page = await lockPage(ctx, id, { action: editAction(id.mode), other: change.target?.docId })
  assertMatch(ifMatch, page.document)
  const changed = await work(page)
  await recordUrls(ctx, id.locale, changed.urls)
  return changed
}

/**
 * What a PATCH asks for. Each of `_patches` may move the page, or change its type, as the body itself may: the last that
 * does so counts.
 */
export function readPagePatch(id: DocumentId, body: Body): PageChange {
  assertNotArchivingHome(id, body)
  const bodies = bodiesOf(body)
  const targets = bodies.map(readTarget)
  const typeNames = bodies.map((one) => own(one, 'type'))
  return {
    body: withoutState(body),
    target: targets.findLast((target) => target !== null) ?? null,
    typeName: typeNames.findLast((name) => name !== undefined),
    givesSlug: bodies.some(givesSlug),
  }
}

/** What a PUT asks for. Restoring a version never moves a page (§4.4). */
export function readPageReplacement(id: DocumentId, body: Body): PageChange {
  assertNotArchivingHome(id, body)
  const isRestored = own(body, '_restoreVersion') !== undefined
  return {
    body: withoutState(body),
    target: isRestored ? null : readTarget(body),
    typeName: own(body, 'type'),
    givesSlug: givesSlug(body),
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
  { body, target, givesSlug, becomes, work }: Saving,
): Promise<Changed> {
  const { id, type } = page
  const { locale } = id
  const modes = writtenModes(ctx, becomes, id.mode)
  const moved = target && (await movePage(ctx, page, { target, given: givesSlug ? modes : [] }))
  const { copies: before, position } = moved ?? page
  const isNewlyPublished = modes.includes('published') && before.published === null
  // The parent is looked at only for a slug that may have to be made, or a page that is published by this.
  const isParentNeeded = position.parent !== '' && (isNewlyPublished || mayEmptySlug(body))
  const parent = moved?.parent ?? (isParentNeeded ? parentAmong(page.nodes, position) : null)
  if (parent && isNewlyPublished) await assertParentPublished(ctx, parent, locale)
  const parentSlug = slugAbove(parent, id.mode) ?? '/'
  const { copies: after, notRestored = [] } = await work(
    ctx,
    { type, becomes, id, ifMatch: null, parentSlug, copies: before },
    body,
  )
  assertFixedFieldsUnchanged(ctx.site, id.docId, { before, after })
  const urls = await followSlugs(ctx, { locale, position, before, after })
  return { position, urls: [...(moved?.urls ?? []), ...urls], notRestored }
}

/** The home page cannot be archived (§4.2). Throws `invalid`, naming the field. */
function assertNotArchivingHome({ docId }: DocumentId, body: Body): void {
  if (docId !== homeId || !bodiesOf(body).some((one) => isTrue(own(one, 'archived')))) return
  throw invalidFields([{ path: 'archived', name: 'invalid', message: 'The home page cannot be archived.' }])
}

/** A page is archived by its position alone: `archived` in a body says nothing. */
function withoutState(body: Body): Body {
  const { archived: _archived, ...rest } = body
  if (!Array.isArray(rest._patches)) return rest
  return { ...rest, _patches: rest._patches.map((patch: unknown) => (isObject(patch) ? withoutState(patch) : patch)) }
}

function givesSlug(body: Body): boolean {
  return typeof own(body, 'slug') === 'string' && body.slug !== ''
}

function mayEmptySlug(body: Body): boolean {
  return Object.hasOwn(body, '_patches') || (Object.hasOwn(body, 'slug') && !givesSlug(body))
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
