import { invalid } from '../../base/errors.ts'
import { isObject, own } from '../../base/json.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { assertMatch, writtenModes } from '../../engine/documents/copies.ts'
import { replace, update } from '../../engine/documents/update.ts'
import { assertMay, editAction } from '../../engine/permissions.ts'
import { write } from '../../engine/write.ts'
import type { Reply, RouteRequest } from '../../http/route.ts'
import type { Type } from '../../model/types.ts'
import { assertMaySome } from './access.ts'
import { assertParkedKept } from './fixed-fields.ts'
import { followSlugs } from './follow.ts'
import { readType } from './insert.ts'
import { type HeldPage, holdPage, locatePageForWrite } from './locate.ts'
import { isMoveAlone, movePage } from './move.ts'
import { isFixedType, parkedPage } from './parked.ts'
import { readTarget } from './position.ts'
import { presentWrittenPage } from './read.ts'
import { slugOfCopy } from './slugs.ts'
import { assertParentPublished, parentOf } from './tree-rules.ts'
import { rememberUrls, type UrlChange } from './urls.ts'

type Body = { readonly [name: string]: unknown }

/** Replaces a page (§4.2 PUT), and moves it when the body names a target and a position. */
export function replacePage(ctx: Context, request: RouteRequest): Promise<Reply> {
  return change(ctx, request, async (ctx, page, body) => {
    const becomes = newType(ctx, page, own(body, 'type'))
    return save(ctx, page, body, { becomes, work: replace })
  })
}

/** Changes some fields of a page (§4.2 PATCH), moves it when the body names a target and a position, or both. */
export function updatePage(ctx: Context, request: RouteRequest): Promise<Reply> {
  return change(ctx, request, async (ctx, page, body) => {
    const target = readTarget(body)
    if (target && isMoveAlone(body)) return (await movePage(ctx, page, { target, given: [] })).urls
    const becomes = newType(ctx, page, own(body, 'type'))
    assertOneType(page, body)
    return save(ctx, page, body, { becomes, work: update })
  })
}

async function change(
  ctx: Context,
  request: RouteRequest,
  work: (ctx: WriteContext, page: HeldPage, body: Body) => Promise<readonly UrlChange[]>,
): Promise<Reply> {
  const id = locatePageForWrite(ctx, request.params._id ?? '')
  assertMaySome(ctx, editAction(id.mode))
  readTarget(request.body)
  const body = withoutState(request.body)
  await write(ctx, async (ctx) => {
    const page = await holdPage(ctx, id, editAction(id.mode))
    assertMatch(request.ifMatch, page.document)
    const urls = await work(ctx, page, body)
    await rememberUrls(ctx, id.locale, urls)
  })
  return presentWrittenPage(ctx, id)
}

interface Saving {
  /** The page's type from now on. */
  readonly becomes: Type
  readonly work: typeof update
}

async function save(ctx: WriteContext, page: HeldPage, body: Body, { becomes, work }: Saving): Promise<UrlChange[]> {
  const { id } = page
  const { docId, locale } = id
  const modes = writtenModes(ctx, becomes, id.mode)
  const target = readTarget(body)
  const move = target && (await movePage(ctx, page, { target, given: givesSlug(body) ? modes : [] }))
  const before = move ? await ctx.tx.documents.copies(docId, locale) : page.copies
  const isNewlyPublished = modes.includes('published') && before.published === null
  // The parent is looked at only for a slug that may have to be made anew, or a page that is published by this.
  const isParentNeeded = page.position.parent !== '' && (isNewlyPublished || mayEmptySlug(body))
  const parent = move?.parent ?? (isParentNeeded ? await parentOf(ctx, locale, page.position) : null)
  if (parent && isNewlyPublished) await assertParentPublished(ctx, parent, locale)
  const parentSlug = slugOfCopy(parent && (parent.copies[id.mode] ?? parent.copies.draft)) ?? '/'
  await work(ctx, { type: page.type, becomes, id, ifMatch: null, parentSlug }, body)
  const after = await ctx.tx.documents.copies(docId, locale)
  assertParkedKept(ctx.site, docId, before, after)
  return [...(move?.urls ?? []), ...(await followSlugs(ctx, { docId, locale, before, after }))]
}

/** A page is archived by its place alone: `archived` in a body says nothing. */
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

/** A page may become one of another type, but built-in pages stay what they are. */
function newType(ctx: WriteContext, { id, type }: HeldPage, name: unknown): Type {
  if (name === undefined || name === type.name) return type
  if (isFixedType(ctx.site, type.name) || parkedPage(ctx.site, id.docId)) {
    throw invalid('This page is built in: its type is fixed.')
  }
  const becomes = readType(ctx, name)
  assertMay(ctx.actor, editAction(id.mode), becomes)
  return becomes
}

/** A patch of both copies cannot be read as fields of two types. */
function assertOneType({ id, type, copies }: HeldPage, body: Body): void {
  if (id.mode === 'draft' || own(body, 'type') !== undefined) return
  if (copies.draft === null || copies.draft.type === type.name) return
  throw invalid(`The draft of this page waits to become a ${copies.draft.type}. Publish it, revert it, or send type.`)
}
