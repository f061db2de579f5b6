import { invalid } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { own } from '../../base/json.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { insert } from '../../engine/insert.ts'
import { asWritten } from '../../engine/locate.ts'
import { assertMay } from '../../engine/permissions.ts'
import { write } from '../../engine/write.ts'
import type { Reply } from '../../http/route.ts'
import type { DocumentId } from '../../model/document.ts'
import type { Type } from '../../model/types.ts'
import { pageDocId, pageType } from './locate.ts'
import { archiveId, homeId, isFixedType } from './parked.ts'
import { isWithin, landing, readTarget, type Target } from './position.ts'
import { presentWrittenPage } from './read.ts'
import { rememberUrl, slugOfCopy } from './slugs.ts'
import { assertMayPlace, assertParentPublished } from './tree-rules.ts'

type Body = { readonly [name: string]: unknown }

/** A new page below or beside another one (§4.2 POST). */
export async function insertPage(ctx: Context, body: Body): Promise<Reply> {
  const id = asWritten(ctx, { localized: true }, { docId: newId(), locale: ctx.locale, mode: ctx.mode })
  const type = readType(ctx, own(body, 'type'))
  assertMay(ctx.actor, id.mode === 'draft' ? 'createDraft' : 'createPublished', type)
  const target = readTarget(body)
  if (!target) throw invalid('A new page needs a place: send _targetId, the _id of a page, and _position.')
  await write(ctx, (ctx) => insertAt(ctx, { id, type, target }, body))
  return presentWrittenPage(ctx, id)
}

/** The page type a body names. Throws `invalid` for piece types, built-in pages' types and unknown ones. */
export function readType(ctx: Context, name: unknown): Type {
  const type = typeof name === 'string' ? pageType(ctx, name) : null
  if (type && !isFixedType(ctx.site, type.name)) return type
  const types = [...ctx.site.types.values()].filter((one) => one.family === 'page' && !isFixedType(ctx.site, one.name))
  throw invalid(`type must be one of the page types: ${types.map((one) => one.name).join(', ')}.`)
}

interface NewPage {
  readonly id: DocumentId
  readonly type: Type
  readonly target: Target
}

async function insertAt(ctx: WriteContext, { id, type, target }: NewPage, body: Body): Promise<void> {
  const { docId, locale, mode } = id
  await ctx.tx.tree.hold(locale)
  const { targetId, position } = target
  const { parent, place } = await landing(
    ctx,
    locale,
    { docId, from: null },
    { docId: pageDocId(targetId), position },
    { homeId, archiveId },
  )
  const parents = await ctx.tx.documents.copies(parent.docId, locale)
  assertMayPlace(ctx, parents)
  const archive = await ctx.tx.tree.place(locale, archiveId)
  const archived = archive !== null && isWithin(place, archive)
  if (mode === 'published') await assertParentPublished(ctx, parent, locale)
  const parentSlug = archived ? '/' : (slugOfCopy(parents[mode] ?? parents.draft) ?? '/')
  await ctx.tx.tree.insert(locale, place)
  const page = await insert(ctx, { type, locale, mode, parentSlug }, { ...body, archived }, docId)
  const slug = slugOfCopy(page)
  if (page.id.mode === 'published' && slug !== null && !archived) await rememberUrl(ctx, docId, locale, null, slug)
}
