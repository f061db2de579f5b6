import { invalid, notFound } from '../../base/errors.ts'
import { own } from '../../base/json.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { prepareCrops } from '../../engine/media/requested-crops.ts'
import { insert } from '../../engine/operations/insert.ts'
import { assertSees, readType } from '../../engine/pages/page-access.ts'
import { assertMay } from '../../engine/permissions.ts'
import { writtenModes } from '../../engine/save/copies.ts'
import { write } from '../../engine/write.ts'
import type { Reply } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { type Document, DocumentId } from '../../model/terms/document.ts'
import type { TreePosition } from '../../store/contract/store.ts'
import { locatePage } from './locate-page.ts'
import { copyToInsert } from './permit-pages.ts'
import { isInArchive, positionAt, readTarget, type TreeTarget } from './position.ts'
import { presentWrittenPage } from './reply.ts'
import { slugOfCopy } from './slugs.ts'
import { assertMayPlace, assertParentPublished, assertSeesTarget, parentAmong, slugAbove } from './tree-rules.ts'
import { recordUrls } from './urls.ts'

type Body = { readonly [name: string]: unknown }

/** A new page below or beside another one (§4.2 POST). */
export async function addPage(ctx: Context, body: Body): Promise<Reply> {
  const { id, action } = copyToInsert(ctx)
  const copied = copiedPage(ctx, body)
  const type = readType(ctx, own(body, 'type') ?? (copied && (await typeOfCopied(ctx, copied))))
  assertMay(ctx.actor, action, type)
  const target = readTarget(body)
  if (!target) throw invalid('To add a page send _targetId, the _id of a page, and _position.')
  await prepareCrops(ctx, body)
  const { position } = await write(ctx, (ctx) => insertPage(ctx, { ...id, type, target }, body))
  return presentWrittenPage(ctx, id, position)
}

/** The page that `_copyingId` names, `_home` and `_archive` included; null when it names none. */
function copiedPage(ctx: Context, body: Body): DocumentId | null {
  const text = own(body, '_copyingId')
  return typeof text === 'string' && text !== '' ? locatePage(ctx, text) : null
}

/** Its id in place of `_home` and `_archive`. */
function copyingWithId(ctx: Context, body: Body): Body {
  const isName = body._copyingId === '_home' || body._copyingId === '_archive'
  const page = isName ? copiedPage(ctx, body) : null
  return page ? { _copyingId: DocumentId.format(page) } : {}
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

/** A page to create: its id and position. */
export interface NewPage extends DocumentId {
  readonly type: Type
  readonly target: TreeTarget
}

/** A created page: the requested copy, and its position. */
export interface InsertedPage {
  readonly document: Document
  readonly position: TreePosition
}

/**
 * Creates a page from a body, at its position in the tree (§4.2 POST). Returns the requested copy, and
 * the position. Throws `invalid` for positions where no page may be, `notfound` for an unknown target.
 */
export async function insertPage(ctx: WriteContext, page: NewPage, body: Body): Promise<InsertedPage> {
  const { docId, locale, mode, type, target } = page
  await ctx.tx.tree.lock([locale])
  const nodes = await ctx.tx.read.tree.nodes(locale, [target.docId])
  assertSeesTarget(ctx, nodes, target.docId)
  const position = positionAt(nodes, { docId, from: null }, target)
  const parent = parentAmong(nodes, position)
  assertMayPlace(ctx, parent)
  if (writtenModes(ctx, type, mode).includes('published')) await assertParentPublished(ctx, parent, locale)
  const archived = isInArchive(position)
  const parentSlug = archived ? '/' : (slugAbove(parent, mode) ?? '/')
  if (!(await ctx.tx.tree.insert(locale, position))) throw invalid('This page is in the tree already.')
  const values = { ...body, ...copyingWithId(ctx, body), archived }
  const document = await insert(ctx, { type, locale, mode, parentSlug }, values, docId)
  const slug = slugOfCopy(document)
  // A published page, or one that is published at once: then both copies have this slug.
  const isLive = !archived && writtenModes(ctx, type, mode).includes('published')
  if (isLive && slug !== null) await recordUrls(ctx, locale, [{ docId, from: null, to: slug }])
  return { document, position }
}
