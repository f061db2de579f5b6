import { inTurns, pauses } from '../../base/turns.ts'
import type { ChangeRow } from '../../model/changes/content-change.ts'
import { titleOf } from '../../model/terms/document.ts'
import { DocumentId } from '../../model/terms/document-id.ts'
import type { Proposal, RowDecision } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { type ListedChanges, listChanges, NO_CHANGES } from '../versions/changes-of.ts'
import { oneAtATime } from '../versions/comparisons.ts'
import { viewsOf } from '../view.ts'
import {
  assertKnown,
  type FoundProposal,
  foundProposal,
  mayAccept,
  mayWithdraw,
  obstacleOf,
} from './proposal-access.ts'
import { type ProposalWarning, warningsOf } from './proposal-warnings.ts'
import { type ProposedChanges, proposedChanges } from './proposed-changes.ts'

/** A row of a proposal (§4.9): the change, and what was decided about it. */
interface ProposedRow extends ChangeRow {
  /** Names the row where it is accepted or refused: the names of its path, joined by dots. */
  readonly key: string
  readonly state: 'open' | RowDecision['result']
  readonly decidedBy?: string
  readonly decidedAt?: string
  /** Why it was refused. */
  readonly refusal?: string
  /** The changes that others have made here since the proposal was made; absent where it is as it was. */
  readonly changedMeanwhile?: readonly ChangeRow[]
}

/** A proposal as lists have it. */
export interface ThinProposal {
  readonly _id: string
  /** The _id of the draft. */
  readonly docId: string
  readonly type: string
  readonly locale: string
  /** The title that the draft has now; empty where it is gone, or hidden from the caller. */
  readonly documentTitle: string
  readonly title: string
  readonly reason: string
  readonly state: Proposal['state']
  readonly maker: { readonly _id: string; readonly kind: 'user' | 'key'; readonly title: string }
  readonly ai: boolean
  readonly createdAt: string
  readonly decidedAt: string | null
  readonly expiresAt: string
}

/** A proposal with its rows, as the caller sees them. */
interface ShownProposal extends ThinProposal {
  /** Warnings to read before it is accepted. */
  readonly _warnings: readonly ProposalWarning[]
  readonly rows: readonly ProposedRow[]
  readonly counts: ListedChanges['counts']
  /** Why it cannot be accepted; absent where it can. */
  readonly obstacle?: string
  /** Whether the caller may accept it. */
  readonly _accept: boolean
  /** Whether the caller may withdraw it. */
  readonly _withdraw: boolean
}

/** One proposal with its rows (§4.9). Throws `unauthorized`, and `notfound` where the caller may not read the draft. */
export async function readProposal(ctx: Context, id: string): Promise<ShownProposal> {
  assertKnown(ctx)
  const found = await foundProposal(ctx, ctx.store, await ctx.store.proposals.get(id, ctx.now().toISOString()))
  return showProposal(ctx, found)
}

async function showProposal(ctx: Context, found: FoundProposal): Promise<ShownProposal> {
  const { proposal } = found
  const contents = await ctx.store.proposals.contents(proposal)
  return oneAtATime(ctx, async () => {
    const proposed = await proposedChanges(ctx, found, contents)
    const { rows, counts } = proposed ? await rowsOf(ctx, found, proposed) : { ...NO_CHANGES, rows: [] }
    const obstacle = obstacleOf(ctx, found)
    return {
      ...thinProposal(proposal, titleFor(ctx, found)),
      _warnings: proposed ? (await inTurns(warningsOf(ctx, found, proposed))).result : [],
      rows,
      counts,
      ...(obstacle !== null && { obstacle }),
      _accept: proposal.state === 'open' && obstacle === null && mayAccept(ctx.actor, found),
      _withdraw: mayWithdraw(ctx.actor, proposal),
    }
  })
}

function titleFor(ctx: Context, { draft }: FoundProposal): string {
  return draft ? titleOf(viewsOf(ctx).of(draft.type), draft) : ''
}

/** A proposal without its rows; the title of its document as far as the caller sees it. */
export function thinProposal(proposal: Proposal, documentTitle: string): ThinProposal {
  const { id, docId, locale, maker, title, reason, state, ai, createdAt, decidedAt, expiresAt } = proposal
  return {
    _id: id,
    docId: DocumentId.format({ docId, locale, mode: 'draft' }),
    type: proposal.type,
    locale,
    documentTitle,
    title,
    reason,
    state,
    maker: { _id: maker.id, kind: maker.kind, title: maker.name },
    ai,
    createdAt,
    decidedAt,
    expiresAt,
  }
}

async function rowsOf(ctx: Context, { proposal }: FoundProposal, { changes, since }: ProposedChanges) {
  const from = { locale: proposal.locale, mode: 'draft' } as const
  const { rows, counts } = await listChanges(ctx, from, changes, () => (proposal.ai ? 'changed' : false))
  const shown: ProposedRow[] = []
  const pause = pauses()
  for (const [index, row] of rows.entries()) {
    const key = changes[index]?.key ?? ''
    const decision = Object.hasOwn(proposal.decisions, key) ? proposal.decisions[key] : undefined
    const others = decision === undefined ? since(key) : []
    const meanwhile = others.length > 0 ? (await listChanges(ctx, from, others)).rows : null
    shown.push({ ...row, key, ...decided(decision), ...(meanwhile && { changedMeanwhile: meanwhile }) })
    await pause()
  }
  return { rows: shown, counts }
}

function decided(
  decision: RowDecision | undefined,
): Pick<ProposedRow, 'state' | 'decidedBy' | 'decidedAt' | 'refusal'> {
  if (decision === undefined) return { state: 'open' }
  const { result, by, at, reason } = decision
  return { state: result, decidedBy: by, decidedAt: at, ...(reason !== '' && { refusal: reason }) }
}
