import { invalid } from '../../base/errors.ts'
import type { UnknownObject } from '../../base/json.ts'
import { foldText } from '../../base/text.ts'
import type { ParkedPage, Type } from '../../model/declared/types.ts'
import type { Document } from '../../model/terms/document.ts'
import { DocumentId, type Locale } from '../../model/terms/document-id.ts'
import type { TreePosition } from '../../store/contract/store.ts'
import type { Context, WriteContext } from '../context.ts'
import { recordUrls } from '../pages/follow.ts'
import { locatePage } from '../pages/locate-page.ts'
import { slugOfCopy } from '../pages/page-slugs.ts'
import { archiveId, homeId, parkedDocId } from '../pages/parked.ts'
import { assertState, below, isInArchive, positionAt, statesIn, type TreeTarget } from '../pages/position.ts'
import {
  assertMayPlace,
  assertParentPublished,
  assertSeesTarget,
  type Parent,
  parentAmong,
  slugAbove,
} from '../pages/tree-rules.ts'
import { writtenModes } from '../save/copies.ts'
import { countTreeChanges, recordTreeChange } from '../save/save-hooks.ts'
import { insert } from './insert.ts'

/** A page to create: its id and position. */
export interface NewPage extends DocumentId {
  readonly type: Type
  readonly target: TreeTarget
}

/** A created page: the requested copy, and its position. */
interface InsertedPage {
  readonly document: Document
  readonly position: TreePosition
}

/**
 * Creates a page at its position in the tree (§4.2 POST). Returns the requested copy and the position. Throws `invalid`
 * for positions where no page may be and for wrong fields, `notfound` for an unknown target, `conflict` for a taken
 * slug.
 */
export async function insertPage(ctx: WriteContext, page: NewPage, body: UnknownObject): Promise<InsertedPage> {
  const { docId, locale, mode, type } = page
  const { position, parent } = await lockPlace(ctx, page)
  const isPublished = writtenModes(ctx, type, mode).includes('published')
  if (isPublished) await assertParentPublished(ctx, parent, locale)
  const archived = isInArchive(position)
  assertState(position, statesIn([body]))
  const parentSlug = archived ? '/' : (slugAbove(parent, mode) ?? '/')
  if (!(await ctx.tx.tree.insert(locale, position))) throw invalid('This page is in the tree already.')
  recordTreeChange(ctx)
  const values = { ...body, ...copyingWithId(ctx, body), archived }
  const changes = countTreeChanges(ctx)
  const document = await insert(ctx, { type, locale, mode, parentSlug }, values, docId)
  if (countTreeChanges(ctx) !== changes) await assertStandsThere(ctx, locale, position)
  const slug = slugOfCopy(document)
  // A published page, or one that is published at once: then both copies have this slug.
  if (!archived && isPublished && slug !== null) await recordUrls(ctx, locale, [{ docId, from: null, to: slug }])
  return { document, position }
}

/** Throws when hooks have moved or archived what is above a new page: its slug and state were made for that place. */
async function assertStandsThere(ctx: WriteContext, locale: Locale, { docId, path }: TreePosition): Promise<void> {
  if ((await ctx.tx.read.tree.position(locale, docId))?.path !== path) throw new Error(MOVES_ITS_PLACE)
}

const MOVES_ITS_PLACE =
  'A beforeSave hook has moved, archived or removed the page above the one that is added. Do it in afterSave.'

/** Locks the tree, and finds the place in it where a caller may put a new page. */
async function lockPlace(
  ctx: WriteContext,
  { docId, locale, target }: NewPage,
): Promise<{ readonly position: TreePosition; readonly parent: Parent }> {
  await ctx.tx.tree.lock([locale])
  const nodes = await ctx.tx.read.tree.nodes(locale, [target.docId])
  assertSeesTarget(ctx, nodes, target.docId)
  const position = positionAt(nodes, { docId, from: null }, target)
  const parent = parentAmong(nodes, position)
  assertMayPlace(ctx, parent)
  return { position, parent }
}

/** The page that `_copyingId` names, `_home` and `_archive` included; null when it names none. */
export function copiedPage(ctx: Context, { _copyingId: text }: UnknownObject): DocumentId | null {
  return typeof text === 'string' && text !== '' ? locatePage(ctx, text) : null
}

/** Returns `_copyingId` with the id in place of `_home` or `_archive`; nothing for others. */
function copyingWithId(ctx: Context, body: UnknownObject): UnknownObject {
  const isName = body._copyingId === '_home' || body._copyingId === '_archive'
  const page = isName ? copiedPage(ctx, body) : null
  return page ? { _copyingId: DocumentId.format(page) } : {}
}

/** Makes one built-in page of a locale, unless it is there. */
export async function parkPage(ctx: WriteContext, locale: Locale, parked: ParkedPage): Promise<void> {
  const docId = parkedDocId(parked.parkedId)
  const type = ctx.site.types.get(parked.type)
  if (!type) throw new Error(`The built-in page ${parked.parkedId} is of an unknown type.`)
  await ctx.tx.tree.lock([locale])
  const home = docId === homeId ? undefined : (await ctx.tx.read.tree.nodes(locale, [homeId])).get(homeId)
  // The archive comes right after home, and stays the last.
  const rank = (home?.children ?? 0) - (docId === archiveId ? 0 : 1)
  // Of two processes that start at once, the one that comes second finds the page and leaves it.
  if (!(await ctx.tx.tree.insert(locale, below(home?.position ?? null, docId, rank)))) return
  const { title, slug, fields } = parked
  const archived = docId === archiveId
  const target = { type, locale, mode: 'published', yieldsSlug: true, kind: 'trusted' } as const
  const made = slugOfCopy(await insert(ctx, target, { ...fields, title, slug, archived }, docId)) ?? slug
  if (!archived) await recordUrls(ctx, locale, [{ docId, from: null, to: made }])
  if (foldText(made) === foldText(slug)) return
  const why = `The slug ${slug} is another page’s, never reached, or none: a built-in page has ${made} instead.`
  ctx.afterCommit(() => ctx.log.warn({ parkedId: parked.parkedId, locale, slug: made }, why))
}
