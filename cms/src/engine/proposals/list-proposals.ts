import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { CopyOutline, Proposal, ProposalState } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { viewsOf } from '../view.ts'
import { assertKnown, seenProposals } from './proposal-access.ts'
import { type ThinProposal, thinProposal } from './show-proposal.ts'

/** How many proposals a page of a list holds. */
const PAGE = 50

/** Selects proposals: all given properties must hold. */
export interface ProposalFilter {
  readonly docId?: DocId | undefined
  readonly locale?: Locale | undefined
  readonly type?: string | undefined
  readonly state?: ProposalState | undefined
  readonly makerId?: string | undefined
}

/** A page of proposals, newest first; `next` is given as `before` to get the following one. */
export interface ProposalPage {
  readonly results: readonly ThinProposal[]
  readonly total: number
  readonly next: string | null
}

/**
 * Lists the proposals of drafts that the caller may read (§4.9), without their rows. Throws `unauthorized`. Three
 * statements.
 */
export async function listProposals(
  ctx: Context,
  filter: ProposalFilter,
  before: string | null,
): Promise<ProposalPage> {
  assertKnown(ctx)
  const query = { ...filter, now: ctx.now().toISOString(), seen: seenProposals(ctx) }
  const found = await ctx.store.proposals.list(query, { limit: PAGE + 1, before })
  const total = await ctx.store.proposals.count(query)
  const shown = found.slice(0, PAGE)
  const drafts = await draftsOf(ctx, shown)
  const results = shown.map((proposal) => {
    return thinProposal(proposal, titleFor(ctx, drafts.get(placeOf(proposal)) ?? null))
  })
  return { results, total, next: found.length > PAGE ? (shown.at(-1)?.id ?? null) : null }
}

async function draftsOf({ store }: Context, proposals: readonly Proposal[]): Promise<ReadonlyMap<string, CopyOutline>> {
  const docIds = [...new Set(proposals.map(({ docId }) => docId))]
  const drafts = docIds.length === 0 ? [] : await store.documents.outlines(docIds, { mode: 'draft', archived: 'any' })
  return new Map(drafts.map((draft) => [placeOf(draft.id), draft]))
}

function titleFor(ctx: Context, draft: CopyOutline | null): string {
  return draft && viewsOf(ctx).of(draft.type)?.field('title') ? draft.title : ''
}

function placeOf({ docId, locale }: Pick<Proposal, 'docId' | 'locale'>): string {
  return `${docId}:${locale}`
}
