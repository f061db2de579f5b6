import { invalid, invalidFields } from '../../base/errors.ts'
import { isObject, own } from '../../base/json.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { prepareCrops } from '../../engine/media/requested-crops.ts'
import { preparePatch, replace, update } from '../../engine/operations/update.ts'
import { readType } from '../../engine/pages/page-access.ts'
import { assertFixedFieldsUnchanged, homeId, isFixedType, parkedPage } from '../../engine/pages/parked.ts'
import { assertMay, editAction } from '../../engine/permissions.ts'
import { renderWrittenAreas } from '../../engine/rendering/open-scene.ts'
import { assertMatch, writtenModes } from '../../engine/save/copies.ts'
import { bodiesOf } from '../../engine/values/patch.ts'
import { write } from '../../engine/write.ts'
import { rendersAreas } from '../../http/requests/read-parameters.ts'
import type { Reply, RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { isTrue } from '../../model/fields/boolean.ts'
import type { DocumentId } from '../../model/terms/document.ts'
import type { TreePosition } from '../../store/contract/store.ts'
import { followSlugs } from './follow.ts'
import { type LockedPage, lockPage } from './locate-page.ts'
import { isMoveAlone, movePage } from './move-page.ts'
import { copyToEdit } from './permit-pages.ts'
import { readTarget, type TreeTarget } from './position.ts'
import { presentWrittenPage } from './reply.ts'
import { assertParentPublished, parentAmong, slugAbove } from './tree-rules.ts'
import { recordUrls, type UrlChange } from './urls.ts'

type Body = { readonly [name: string]: unknown }

/** The parsed request for a change of a page. */
interface PageChange {
  readonly body: Body
  readonly target: TreeTarget | null
  /** The name of the requested type. */
  readonly typeName: unknown
  readonly givesSlug: boolean
}

/** Replaces a page (§4.2 PUT), and moves it when the body names a target and a position. */
export function replacePage(ctx: Context, request: RouteRequest): Promise<Reply> {
  return change(ctx, request, { read: readReplacement, prepare: prepareReplacement }, async (ctx, page, wanted) => {
    const becomes = newType(ctx, page, wanted.typeName)
    return save(ctx, page, wanted, { becomes, work: replace })
  })
}

/** Changes some fields of a page (§4.2 PATCH), moves it when the body names a target and a position, or both. */
export function updatePage(ctx: Context, request: RouteRequest): Promise<Reply> {
  return change(ctx, request, { read: readPatch, prepare: preparePatch }, async (ctx, page, wanted) => {
    const { target, body, typeName } = wanted
    if (target && isMoveAlone(body)) return movePage(ctx, page, { target, given: [] })
    const becomes = newType(ctx, page, typeName)
    assertOneType(page, typeName)
    return save(ctx, page, wanted, { becomes, work: update })
  })
}

/** Where a page stands after a change, and how published URLs have changed. */
interface Changed {
  readonly position: TreePosition
  readonly urls: readonly UrlChange[]
  /** Values of a restored version that its fields no longer accept. */
  readonly notRestored?: readonly object[]
}

function prepareReplacement(ctx: Context, _id: DocumentId, body: Body): Promise<void> {
  return prepareCrops(ctx, body)
}

async function change(
  ctx: Context,
  request: RouteRequest,
  { read, prepare }: { readonly read: (body: Body) => PageChange; readonly prepare: typeof preparePatch },
  work: (ctx: WriteContext, page: LockedPage, wanted: PageChange) => Promise<Changed>,
): Promise<Reply> {
  const id = copyToEdit(ctx, request.params._id ?? '')
  assertNotArchivingHome(id, request.body)
  const wanted = read(request.body)
  await prepare(ctx, id, wanted.body)
  const { position, notRestored = [] } = await write(ctx, async (ctx) => {
    const beside = wanted.target ? [wanted.target.docId] : []
    const page = await lockPage(ctx, id, editAction(id.mode), beside)
    assertMatch(request.ifMatch, page.document)
    const changed = await work(ctx, page, wanted)
    await recordUrls(ctx, id.locale, changed.urls)
    return changed
  })
  const reply = await presentWrittenPage(ctx, id, position)
  if (rendersAreas(request.query)) await renderWrittenAreas(ctx, [reply.body])
  return notRestored.length > 0 ? reply.with({ notRestored }) : reply
}

/** Each of `_patches` may move the page, or change its type, as the body itself may: the last that does so counts. */
function readPatch(body: Body): PageChange {
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

/** Restoring a version never moves a page (§4.4). */
function readReplacement(body: Body): PageChange {
  const isRestored = own(body, '_restoreVersion') !== undefined
  return {
    body: withoutState(body),
    target: isRestored ? null : readTarget(body),
    typeName: own(body, 'type'),
    givesSlug: givesSlug(body),
  }
}

interface Saving {
  /** The page's type from now on. */
  readonly becomes: Type
  readonly work: typeof update
}

async function save(
  ctx: WriteContext,
  page: LockedPage,
  { body, target, givesSlug }: PageChange,
  { becomes, work }: Saving,
): Promise<Changed> {
  const { id, type } = page
  const { locale } = id
  const modes = writtenModes(ctx, becomes, id.mode)
  const moved = target && (await movePage(ctx, page, { target, given: givesSlug ? modes : [] }))
  const { copies: before, position } = moved ?? page
  const isNewlyPublished = modes.includes('published') && before.published === null
  // The parent is looked at only for a slug that may have to be made anew, or a page that is published by this.
  const isParentNeeded = position.parent !== '' && (isNewlyPublished || mayEmptySlug(body))
  const parent = moved?.parent ?? (isParentNeeded ? parentAmong(page.nodes, position) : null)
  if (parent && isNewlyPublished) await assertParentPublished(ctx, parent, locale)
  const parentSlug = slugAbove(parent, id.mode) ?? '/'
  const { copies: after, notRestored = [] } = await work(
    ctx,
    { type, becomes, id, ifMatch: null, parentSlug, copies: before },
    body,
  )
  assertFixedFieldsUnchanged(ctx.site, id.docId, before, after)
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
