import { conflict, forbidden, invalid, notFound } from '../../base/errors.ts'
import type { Type } from '../../model/declared/types.ts'
import { type Document, stateOf } from '../../model/terms/document.ts'
import { hasRole } from '../../model/terms/roles.ts'
import type { Proposal, ProposalQuery, StoreReader } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import {
  type Actor,
  assertMay,
  isAdmin,
  may,
  refusal,
  roleOf,
  seenLocales,
  seesLocale,
  type Viewer,
} from '../permissions.ts'

/** A proposal that the caller may see, and its draft as it is now; null where that is gone. */
export interface FoundProposal {
  readonly proposal: Proposal
  readonly draft: Document | null
  /** Null where the site no longer has it. */
  readonly type: Type | null
}

/** The reader of a store, or of a transaction. */
type Reading = Pick<StoreReader, 'documents'>

/** Whether the caller may read some drafts, and so know of proposals. */
export function mayKnow({ site, actor }: Viewer): boolean {
  return [...site.types.values()].some((type) => may(actor, 'readDraft', type))
}

/** Throws `unauthorized` for anonymous callers, and `notfound` for those who may read no drafts. */
export function assertKnown(viewer: Viewer): void {
  if (roleOf(viewer.actor) === null) throw refusal(viewer.actor)
  if (!mayKnow(viewer)) throw notFound()
}

/** Selects the proposals that `maySee` lets the caller see; null for all. */
export function seenProposals(viewer: Viewer): ProposalQuery['seen'] {
  const { site, actor } = viewer
  if (isAdmin(actor)) return null
  const { true: seen = [], false: hidden = [] } = Object.groupBy(site.types.values(), (type) =>
    may(actor, 'readDraft', type) ? 'true' : 'false',
  )
  return {
    types: seen.map(({ name }) => name),
    hiddenTypes: hidden.map(({ name }) => name),
    locales: seenLocales(viewer),
    maker: actor.kind === 'user' || actor.kind === 'key' ? { kind: actor.kind, id: actor.id } : null,
  }
}

/** The draft that a proposal is for. Throws `notfound` where the caller may not read it. */
export async function foundProposal(ctx: Context, read: Reading, proposal: Proposal | null): Promise<FoundProposal> {
  if (proposal === null) throw notFound()
  const { docId, locale } = proposal
  const { draft } = await read.documents.copies(docId, locale)
  const type = ctx.site.types.get(draft?.type ?? proposal.type) ?? null
  if (!maySee(ctx, proposal, type)) throw notFound()
  return { proposal, draft, type }
}

/** Who made a proposal sees it, also where its type or locale is gone. */
function maySee(ctx: Context, proposal: Proposal, type: Type | null): boolean {
  const { site, actor } = ctx
  if (type !== null && !may(actor, 'readDraft', type)) return false
  const isWhole = type !== null && site.locales.has(proposal.locale)
  return isWhole ? seesLocale(ctx, proposal.locale) : isAdmin(actor) || isMaker(actor, proposal)
}

/** Why a proposal cannot be accepted any more, in words for people; null where it can. */
export function obstacleOf({ site }: Pick<Context, 'site'>, { proposal, draft, type }: FoundProposal): string | null {
  if (!site.locales.has(proposal.locale)) return `The site no longer has the locale ${proposal.locale}.`
  if (type === null) return `The site no longer has the type ${proposal.type}.`
  if (draft === null) return 'The document was deleted.'
  if (draft.type !== proposal.type) return `The document has become a ${type.label} since.`
  if (stateOf(draft).isArchived) return 'The document is archived. Restore it first.'
  return null
}

function isMaker(actor: Actor, { maker }: Pick<Proposal, 'maker'>): boolean {
  return (actor.kind === 'user' || actor.kind === 'key') && actor.kind === maker.kind && actor.id === maker.id
}

/** Whether the caller may accept the proposal, as far as their rights say. */
export function mayAccept(actor: Actor, { proposal, type }: FoundProposal): boolean {
  return actor.kind === 'user' && type !== null && may(actor, 'editDraft', type) && hasRightsOf(actor, proposal)
}

/** Throws what keeps the caller from deciding about a proposal: a person does who may edit the draft. */
export function assertMayDecide(ctx: Context, found: FoundProposal): void {
  const { actor } = ctx
  if (found.type) assertMay(actor, 'editDraft', found.type)
  if (actor.kind !== 'user') throw forbidden('A person decides about proposals. Sign in to do so.')
  if (found.proposal.state !== 'open') throw decided(found.proposal)
}

/** Throws what keeps the caller from accepting a proposal. */
export function assertMayAccept(ctx: Context, found: FoundProposal): void {
  assertMayDecide(ctx, found)
  const { role } = found.proposal.maker
  if (!hasRightsOf(ctx.actor, found.proposal)) {
    throw forbidden(`It was made with the role ${role}: to accept it takes that role, or a higher one.`)
  }
  const obstacle = obstacleOf(ctx, found)
  if (obstacle !== null) throw invalid(obstacle)
}

/** Whether the caller may withdraw a proposal: its maker, or an admin. */
export function mayWithdraw(actor: Actor, proposal: Proposal): boolean {
  return isMaker(actor, proposal) || isAdmin(actor)
}

function hasRightsOf(actor: Actor, { maker }: Proposal): boolean {
  return hasRole(roleOf(actor), maker.role)
}

const STATES = { accepted: 'accepted', refused: 'refused', partial: 'decided', open: 'decided' } as const

function decided({ state, decisions, decidedAt }: Proposal): Error {
  const by = Object.values(decisions).at(-1)?.by ?? ''
  return conflict(`${by || 'Somebody'} has ${STATES[state]} this proposal. Read it again.`, { state, by, decidedAt })
}

/** A proposal is kept for 30 days since it was made, or decided. */
const KEPT_MS = 30 * 86_400_000

/** The moment until which a proposal is kept that was made or decided at a time; ISO 8601. */
export function expiryFrom(time: Date): string {
  return new Date(time.getTime() + KEPT_MS).toISOString()
}
