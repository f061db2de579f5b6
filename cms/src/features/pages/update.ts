import { invalid, invalidFields, notFound } from '../../base/errors.ts'
import { isObject, own } from '../../base/json.ts'
import { sameJson } from '../../base/same-json.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { assertMatch } from '../../engine/copies.ts'
import { assertMay, editAction } from '../../engine/permissions.ts'
import { replace, update } from '../../engine/update.ts'
import { write } from '../../engine/write.ts'
import type { Reply, RouteRequest } from '../../http/route.ts'
import type { Copies } from '../../model/document.ts'
import { followSlugs } from './follow.ts'
import { readType } from './insert.ts'
import { type HeldPage, holdPage, locatePageForWrite } from './locate.ts'
import { movePage } from './move.ts'
import { isFixedType, parkedPage } from './parked.ts'
import { readTarget, type Target } from './position.ts'
import { presentWrittenPage } from './read.ts'
import { slugOfCopy } from './slugs.ts'

type Body = { readonly [name: string]: unknown }

/** Replaces a page (§4.2 PUT), and moves it when the body names a target and a position. */
export function replacePage(ctx: Context, request: RouteRequest): Promise<Reply> {
  return change(ctx, request, replace)
}

/** Changes some fields of a page (§4.2 PATCH), moves it when the body names a target and a position, or both. */
export function updatePage(ctx: Context, request: RouteRequest): Promise<Reply> {
  return change(ctx, request, update)
}

async function change(ctx: Context, request: RouteRequest, work: typeof update): Promise<Reply> {
  const id = locatePageForWrite(ctx, request.params._id ?? '')
  const target = readTarget(request.body)
  const body = withoutState(request.body)
  await write(ctx, async (ctx) => {
    const page = await holdPage(ctx, id)
    assertMay(ctx.actor, editAction(id.mode), page.type)
    assertMatch(request.ifMatch, page.document)
    const becomes = newType(ctx, page, own(body, 'type'))
    if (target) await movePage(ctx, page, target, slugKeeping(body))
    const parentSlug = await slugOfParent(ctx, page, target)
    await work(ctx, { type: page.type, becomes, id, ifMatch: null, parentSlug }, body)
    const after = await ctx.tx.documents.copies(id.docId, id.locale)
    assertParkedKept(ctx, page, after)
    await followSlugs(ctx, page, after)
  })
  return presentWrittenPage(ctx, id)
}

/** A page is archived by its place alone: `archived` in a body says nothing. */
function withoutState(body: Body): Body {
  const { archived: _archived, ...rest } = body
  if (!Array.isArray(rest._patches)) return rest
  return { ...rest, _patches: rest._patches.map((patch: unknown) => (isObject(patch) ? withoutState(patch) : patch)) }
}

function slugKeeping(body: Body): 'follow' | 'given' {
  return typeof own(body, 'slug') === 'string' && body.slug !== '' ? 'given' : 'follow'
}

/** A page may become one of another type, but built-in pages stay what they are. */
function newType(ctx: WriteContext, page: HeldPage, name: unknown) {
  if (name === undefined || name === page.type.name) return page.type
  if (isFixedType(ctx.site, page.type.name) || parkedPage(ctx.site, page.id.docId)) {
    throw invalid('This page is built in: its type is fixed.')
  }
  return readType(ctx, name)
}

async function slugOfParent(ctx: WriteContext, page: HeldPage, target: Target | null): Promise<string> {
  const { locale, mode, docId } = page.id
  const place = target ? await ctx.tx.tree.place(locale, docId) : page.place
  if (place === null) throw notFound()
  if (place.parent === '') return '/'
  const parents = await ctx.tx.documents.copies(place.parent, locale)
  return slugOfCopy(parents[mode] ?? parents.draft) ?? '/'
}

function assertParkedKept(ctx: WriteContext, page: HeldPage, after: Copies): void {
  const parked = parkedPage(ctx.site, page.id.docId)
  if (!parked) return
  const problems = parked.fixed.flatMap((name) => {
    const isKept = (['draft', 'published'] as const).every((mode) => {
      const before = page.copies[mode]
      return before === null || sameJson(before.fields[name], after[mode]?.fields[name])
    })
    const message = `This page is built in: its ${name} is fixed.`
    return isKept ? [] : [{ path: name, name: 'invalid' as const, message }]
  })
  if (problems.length > 0) throw invalidFields(problems)
}
