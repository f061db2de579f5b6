import { invalid, notFound } from '../../base/errors.ts'
import { own } from '../../base/json.ts'
import type { WriteContext } from '../../engine/context.ts'
import type { DocId, Locale } from '../../model/document.ts'
import type { Place } from '../../store/store.ts'

/** Where a body wants a page to be (§4.2): next to or below another page. */
export interface Target {
  /** An id in any accepted form, `_home` and `_archive` included. */
  readonly targetId: string
  readonly position: 'before' | 'after' | 'firstChild' | 'lastChild' | number
}

const WORDS = ['before', 'after', 'firstChild', 'lastChild'] as const

/** Reads `_targetId` and `_position`; null when the body has neither. One without the other is `invalid`. */
export function readTarget(body: { readonly [name: string]: unknown }): Target | null {
  const targetId = own(body, '_targetId')
  const position = own(body, '_position')
  if (targetId === undefined && position === undefined) return null
  if (typeof targetId !== 'string' || position === undefined) {
    throw invalid('To place a page send both: _targetId, the _id of a page, and _position.')
  }
  return { targetId, position: readPosition(position) }
}

function readPosition(position: unknown): Target['position'] {
  const word = WORDS.find((one) => one === position)
  if (word) return word
  const number = typeof position === 'string' && /^\d{1,9}$/.test(position) ? Number(position) : position
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  throw invalid(`_position is ${WORDS.join(', ')}, or the index among its siblings, from 0.`)
}

/** The place of the home page. */
export function topOf(docId: DocId): Place {
  return { docId, parent: '', path: docId, level: 0, rank: 0 }
}

/** The place at the end of a parent's children, behind the archive too: for built-in pages. */
export async function endOf(ctx: WriteContext, locale: Locale, parent: Place, docId: DocId): Promise<Place> {
  return below(parent, docId, await ctx.tx.tree.countChildren(locale, parent.docId, null))
}

/** What a target means in the tree as it is. */
export interface Landing {
  readonly parent: Place
  readonly place: Place
}

/** The built-in pages that have their own rules. */
export interface FixedPages {
  readonly homeId: DocId
  readonly archiveId: DocId
}

/**
 * The place that a target stands for, for a page that is new (`from` null) or moves. Throws `notfound` for an unknown
 * target, `invalid` for places where no page may be: beside home or the archive, in itself, below itself.
 */
export async function landing(
  ctx: WriteContext,
  locale: Locale,
  page: { readonly docId: DocId; readonly from: Place | null },
  target: { readonly docId: DocId; readonly position: Target['position'] },
  { homeId, archiveId }: FixedPages,
): Promise<Landing> {
  const anchor = await ctx.tx.tree.place(locale, target.docId)
  if (anchor === null) throw notFound('There is no such page to place it by.')
  if (page.from && isWithin(anchor, page.from)) throw invalid('A page cannot be placed beside or below itself.')
  const isBeside = target.position === 'before' || target.position === 'after'
  const isFixed = anchor.docId === homeId || anchor.docId === archiveId
  if (isBeside && isFixed) throw invalid('No page can be placed before or after the home page or the archive.')
  const parent = isBeside ? await ctx.tx.tree.place(locale, anchor.parent) : anchor
  if (parent === null) throw notFound('There is no such page to place it by.')
  const rank = isBeside
    ? rankBeside(page.from, anchor, target.position)
    : await rankBelow(ctx, locale, page.from, parent, target.position, homeId)
  return { parent, place: below(parent, page.docId, rank) }
}

/** True for a page and everything below it. */
export function isWithin(place: Place, ancestor: Place): boolean {
  return place.path === ancestor.path || place.path.startsWith(`${ancestor.path}/`)
}

function below(parent: Place, docId: DocId, rank: number): Place {
  return { docId, parent: parent.docId, path: `${parent.path}/${docId}`, level: parent.level + 1, rank }
}

/** Ranks are counted without the page that moves. */
function rankBeside(from: Place | null, anchor: Place, position: Target['position']): number {
  const leavesGap = from !== null && from.parent === anchor.parent && from.rank < anchor.rank
  return anchor.rank - (leavesGap ? 1 : 0) + (position === 'after' ? 1 : 0)
}

async function rankBelow(
  ctx: WriteContext,
  locale: Locale,
  from: Place | null,
  parent: Place,
  position: Target['position'],
  homeId: DocId,
): Promise<number> {
  if (position === 'firstChild') return 0
  const isSibling = from !== null && from.parent === parent.docId
  // The archive is always the last child of home.
  const others = (isSibling ? 1 : 0) + (parent.docId === homeId ? 1 : 0)
  const last = (await ctx.tx.tree.countChildren(locale, parent.docId, null)) - others
  return typeof position === 'number' ? Math.min(position, last) : last
}
