import { invalid, notFound } from '../../base/errors.ts'
import { own } from '../../base/json.ts'
import type { WriteContext } from '../../engine/context.ts'
import type { DocId, Locale } from '../../model/document.ts'
import type { TreePosition } from '../../store/store.ts'
import { archiveId, homeId } from './parked.ts'

/** Where a body wants a page to be (§4.2): next to or below another page. */
export interface Target {
  /** An id in any accepted form, `_home` and `_archive` included. */
  readonly targetId: string
  readonly position: Placement
}

/** Where, as seen from the target: a word, or an index among its children. */
export type Placement = (typeof WORDS)[number] | number

const WORDS = ['before', 'after', 'firstChild', 'lastChild'] as const

/** Reads `_targetId` and `_position`; null when the body has neither. One without the other is `invalid`. */
export function readTarget(body: { readonly [name: string]: unknown }): Target | null {
  const targetId = own(body, '_targetId')
  const position = own(body, '_position')
  if (targetId === undefined && position === undefined) return null
  if (typeof targetId !== 'string' || position === undefined) {
    throw invalid('To place a page send both: _targetId, the _id of a page, and _position.')
  }
  return { targetId, position: readPlacement(position) }
}

function readPlacement(position: unknown): Placement {
  const word = WORDS.find((one) => one === position)
  if (word) return word
  const number = typeof position === 'string' && /^\d{1,9}$/.test(position) ? Number(position) : position
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  throw invalid(`_position is ${WORDS.join(', ')}, or the index among its siblings, from 0.`)
}

/** The page that is placed; `from` is null for a new one. */
interface Placed {
  readonly docId: DocId
  readonly from: TreePosition | null
}

/**
 * The position that a target stands for. Throws `notfound` for an unknown target, `invalid` for places where no page may
 * be: beside home or the archive, in itself, below itself. One statement.
 */
export async function positionAt(
  ctx: WriteContext,
  locale: Locale,
  page: Placed,
  target: { readonly docId: DocId; readonly position: Placement },
): Promise<TreePosition> {
  const { position } = target
  const around = await ctx.tx.tree.around(locale, target.docId)
  if (around === null) throw notFound('There is no such page to place it by.')
  const anchor = around.position
  if (page.from && isWithin(anchor, page.from)) throw invalid('A page cannot be placed beside or below itself.')
  if (position === 'before' || position === 'after') {
    if (around.parent === null || anchor.docId === archiveId) {
      throw invalid('No page can be placed before or after the home page or the archive.')
    }
    return below(around.parent, page.docId, rankBeside(page, anchor, position))
  }
  return below(anchor, page.docId, rankBelow(page, anchor, position, around.children))
}

/** True for a page and everything below it. */
export function isWithin(position: TreePosition, ancestor: TreePosition): boolean {
  return position.path === ancestor.path || position.path.startsWith(`${ancestor.path}/`)
}

/** True for the archive and everything below it. */
export function isInArchive({ path }: TreePosition): boolean {
  return path.split('/')[1] === archiveId
}

/** The position of a page below another one; the home page's when there is none. */
export function below(parent: TreePosition | null, docId: DocId, rank: number): TreePosition {
  if (parent === null) return { docId, parent: '', path: docId, level: 0, rank: 0 }
  return { docId, parent: parent.docId, path: `${parent.path}/${docId}`, level: parent.level + 1, rank }
}

/** Ranks are counted without the page that moves. */
function rankBeside({ from }: Placed, anchor: TreePosition, position: 'before' | 'after'): number {
  const leavesGap = from !== null && from.parent === anchor.parent && from.rank < anchor.rank
  return anchor.rank - (leavesGap ? 1 : 0) + (position === 'after' ? 1 : 0)
}

function rankBelow({ from }: Placed, parent: TreePosition, position: Placement, children: number): number {
  if (position === 'firstChild') return 0
  const isSibling = from !== null && from.parent === parent.docId
  // The archive is always the last child of home.
  const last = children - (isSibling ? 1 : 0) - (parent.docId === homeId ? 1 : 0)
  return typeof position === 'number' ? Math.min(position, last) : last
}
