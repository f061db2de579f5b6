import { invalid, invalidField, notFound } from '../../base/errors.ts'
import { own, type UnknownObject } from '../../base/json.ts'
import { isTrue } from '../../model/fields/boolean.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import type { TreeNode, TreePosition } from '../../store/contract/store.ts'
import { pageDocId, type TreeNodes } from './locate-page.ts'
import { archiveId, homeId } from './parked.ts'

/** The target in a body (§4.2): next to or below another page. */
export interface TreeTarget {
  readonly docId: DocId
  readonly placement: Placement
}

/** Where, as seen from the target: a word, or an index among its children. */
type Placement = (typeof WORDS)[number] | number

const WORDS = ['before', 'after', 'firstChild', 'lastChild'] as const

/**
 * Reads `_targetId` and `_position`; null when the body has neither. One without the other is `invalid`, what cannot be
 * the id of a page `notfound`.
 */
export function readTarget(body: UnknownObject): TreeTarget | null {
  const targetId = own(body, '_targetId')
  const placement = own(body, '_position')
  if (targetId === undefined && placement === undefined) return null
  if (typeof targetId !== 'string' || placement === undefined) {
    throw invalid('To move a page, send both _targetId (the _id of a page) and _position.')
  }
  return treeTarget(targetId, readPlacement(placement))
}

/** A target by any accepted id of a page, `_home` and `_archive` included. Throws `notfound`. */
export function treeTarget(targetId: string, placement: Placement): TreeTarget {
  return { docId: pageDocId(targetId), placement }
}

function readPlacement(placement: unknown): Placement {
  const word = WORDS.find((one) => one === placement)
  if (word) return word
  const number = typeof placement === 'string' && /^\d{1,9}$/.test(placement) ? Number(placement) : placement
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number
  throw invalid(`_position is ${WORDS.join(', ')}, or the index among its siblings, from 0.`)
}

/** The page that is placed; `from` is null for a new one. */
interface NewPlace {
  readonly docId: DocId
  readonly from: TreePosition | null
}

/**
 * The position that a target stands for; `nodes` holds the target. Throws `notfound` for an unknown target, `invalid`
 * for positions that are not allowed: next to home or the archive, in itself, below itself.
 */
export function positionAt(nodes: TreeNodes, page: NewPlace, { docId, placement }: TreeTarget): TreePosition {
  const target = nodes.get(docId)
  if (target === undefined) throw notFound('_targetId names no page, or one that you may not see.')
  const { position: anchor } = target
  if (page.from && isWithin(anchor, page.from)) throw invalid('A page cannot be placed next to or below itself.')
  if (placement === 'before' || placement === 'after') {
    const parent = nodes.get(anchor.parent)
    if (parent === undefined || anchor.docId === archiveId) {
      throw invalid('No page can be placed before or after the home page or the archive.')
    }
    return below(parent.position, page.docId, rankNextTo(page, anchor, placement))
  }
  return below(anchor, page.docId, rankBelow(page, target, placement))
}

/** True for a page and everything below it. */
function isWithin(position: TreePosition, ancestor: TreePosition): boolean {
  return position.path === ancestor.path || position.path.startsWith(`${ancestor.path}/`)
}

/** True for the archive and everything below it. */
export function isInArchive({ path }: TreePosition): boolean {
  return path.split('/')[1] === archiveId
}

/** Reads what bodies say of `archived`. */
export function statesIn(bodies: readonly UnknownObject[]): readonly boolean[] {
  return bodies.map((one) => own(one, 'archived')).flatMap((value) => (value === undefined ? [] : [isTrue(value)]))
}

/**
 * Refuses a body that asks for another state than the page's position has: a page is archived by its position alone.
 * Throws `invalid`, naming the field and how to move the page.
 */
export function assertState(position: TreePosition, archived: readonly boolean[]): void {
  const isArchived = isInArchive(position)
  if (archived.every((one) => one === isArchived)) return
  const message = `A page is ${isArchived ? 'restored' : 'archived'} by moving it: send "_targetId": "${isArchived ? '_home' : '_archive'}" and "_position": "lastChild".`
  throw invalidField('archived', message)
}

/** The position of a page below another one; the home page's when there is none. */
export function below(parent: TreePosition | null, docId: DocId, rank: number): TreePosition {
  if (parent === null) return { docId, parent: '', path: docId, level: 0, rank: 0 }
  return { docId, parent: parent.docId, path: `${parent.path}/${docId}`, level: parent.level + 1, rank }
}

/** Ranks are counted without the page that moves. */
function rankNextTo({ from }: NewPlace, anchor: TreePosition, placement: 'before' | 'after'): number {
  const leavesGap = from !== null && from.parent === anchor.parent && from.rank < anchor.rank
  return anchor.rank - (leavesGap ? 1 : 0) + (placement === 'after' ? 1 : 0)
}

function rankBelow({ from }: NewPlace, { position: parent, children }: TreeNode, placement: Placement): number {
  if (placement === 'firstChild') return 0
  const isSibling = from !== null && from.parent === parent.docId
  // The archive is always the last child of home.
  const last = children - (isSibling ? 1 : 0) - (parent.docId === homeId ? 1 : 0)
  return typeof placement === 'number' ? Math.min(placement, last) : last
}
