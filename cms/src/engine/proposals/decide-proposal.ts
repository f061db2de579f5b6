import { type Json, type JsonObject, pick, type UnknownObject } from '../../base/json.ts'
import { pauses } from '../../base/turns.ts'
import type { Change } from '../../model/changes/content-change.ts'
import type { Type } from '../../model/declared/types.ts'
import { openValues } from '../../model/terms/document.ts'
import { isNamedIn, propertyNames } from '../../model/values/walk.ts'
import type {
  AcceptedProposal,
  Proposal,
  ProposalState,
  RowDecision,
  RowDecisions,
} from '../../store/contract/store.ts'
import type { Context, WriteContext } from '../context.ts'
import { patchDraft } from '../operations/update-page.ts'
import { authorOf, refusal } from '../permissions.ts'
import { writtenModes } from '../save/copies.ts'
import { patchableForm } from '../values/field-access.ts'
import { unseenDocuments } from '../values/unseen-documents.ts'
import { write } from '../write.ts'
import { applyRows } from './apply-rows.ts'
import { assertValuesFit, namedRows, openRows, rowsToTake } from './chosen-rows.ts'
import {
  assertKnown,
  assertMayAccept,
  assertMayDecide,
  expiryFrom,
  type FoundProposal,
  foundProposal,
  mayWithdraw,
} from './proposal-access.ts'
import type { Chosen } from './proposal-bodies.ts'
import { type ProposedChanges, proposedChanges } from './proposed-changes.ts'

/**
 * Writes rows of a proposal to the draft, in one version by AI that names who accepted it (§4.9). Throws `forbidden`,
 * `notfound`, `invalid` for unknown rows and for what a PATCH would refuse, and `conflict` where all was
 * decided, or all has changed meanwhile.
 */
export function acceptProposal(ctx: Context, id: string, chosen: Chosen): Promise<void> {
  return decide(ctx, id, async (ctx, found) => {
    assertMayAccept(ctx, found)
    const contents = await ctx.tx.read.proposals.contents(found.proposal)
    const seen = await proposedChanges(ctx, found, contents)
    const taken = rowsToTake(found.proposal, seen, chosen)
    assertValuesFit(taken, chosen.values)
    await writeRows(ctx, found, { seen, taken, values: chosen.values })
    const result = (key: string) => (chosen.values.has(key) ? 'assisted' : 'accepted')
    return decisionsOn(ctx, taken, (key) => ({ result: result(key), reason: '' }))
  })
}

/** Refuses rows of a proposal, or all that are open; the draft is not touched. Throws as `acceptProposal` does. */
export function refuseProposal(ctx: Context, id: string, { rows, reason }: Chosen): Promise<void> {
  return decide(ctx, id, async (ctx, found) => {
    assertMayDecide(ctx, found)
    const contents = await ctx.tx.read.proposals.contents(found.proposal)
    const seen = await proposedChanges(ctx, found, contents)
    // One that can no longer be compared, or whose fields are gone, has no rows left to name.
    if (rows === null && (await allKeys(ctx, found)).length === 0) {
      return { '': { ...byline(ctx), result: 'refused', reason } }
    }
    const open = openRows(found.proposal, seen)
    const refused = rows === null ? open : namedRows(rows, seen, found.proposal)
    return decisionsOn(ctx, refused, () => ({ result: 'refused', reason }))
  })
}

/** Takes a proposal back: its maker may, or an admin. */
export async function withdrawProposal(ctx: Context, id: string): Promise<void> {
  assertKnown(ctx)
  await write(ctx, async (ctx) => {
    const found = await foundProposal(ctx, ctx.tx.read, await ctx.tx.proposals.lock(id, now(ctx)))
    if (!mayWithdraw(ctx.actor, found.proposal)) throw refusal(ctx.actor)
    await ctx.tx.proposals.remove(id)
  })
}

/** Decides in one transaction: of two people who do so at once, the second one sees what the first one has decided. */
async function decide(
  ctx: Context,
  id: string,
  work: (ctx: WriteContext, found: FoundProposal) => Promise<RowDecisions>,
): Promise<void> {
  assertKnown(ctx)
  await write(ctx, async (ctx) => {
    const proposal = await ctx.tx.proposals.lock(id, now(ctx))
    if (proposal !== null) await lockDraft(ctx, proposal)
    const found = await foundProposal(ctx, ctx.tx.read, proposal)
    const made = await work(ctx, found)
    const decisions = { ...found.proposal.decisions, ...made }
    const state = stateOf(decisions, await allKeys(ctx, found))
    const time = ctx.now()
    const decidedAt = state === 'open' ? null : time.toISOString()
    await ctx.tx.proposals.decide(id, { decisions, state, decidedAt, expiresAt: expiryFrom(time) })
  })
}

/** The draft stays as it is until the transaction ends; trees are locked before documents. */
async function lockDraft(ctx: WriteContext, { type, docId, locale }: Proposal): Promise<void> {
  if (ctx.site.types.get(type)?.family === 'page') await ctx.tx.tree.lock([locale])
  await ctx.tx.documents.lockCopies(docId, locale)
}

/** The keys of all rows, including those that the caller does not see. */
async function allKeys(ctx: WriteContext, found: FoundProposal): Promise<readonly string[]> {
  const everything: Context = { ...ctx, actor: { kind: 'operator' } }
  const all = await proposedChanges(everything, found, await ctx.tx.read.proposals.contents(found.proposal))
  return all?.changes.map(({ key }) => key) ?? []
}

function stateOf(decisions: RowDecisions, keys: readonly string[]): ProposalState {
  if (keys.some((key) => !Object.hasOwn(decisions, key))) return 'open'
  const results = new Set(Object.values(decisions).map(({ result }) => (result === 'refused' ? 'refused' : 'accepted')))
  return results.size > 1 ? 'partial' : results.has('refused') ? 'refused' : 'accepted'
}

/** The rows that are written to the draft. */
interface Taken {
  readonly seen: ProposedChanges | null
  readonly taken: readonly Change[]
  readonly values: Chosen['values']
}

async function writeRows(ctx: WriteContext, { proposal, type }: FoundProposal, rows: Taken): Promise<void> {
  if (!rows.seen || type === null) return
  const { docId, locale, ai, maker } = proposal
  const { draft } = await ctx.tx.documents.lockCopies(docId, locale)
  if (draft === null) return
  const unseen = await unseenDocuments(ctx, ctx.tx.read.documents, [{ fields: type.fields, values: draft.fields }])
  const form = (values: JsonObject) => patchableForm(ctx, type, values)
  const { proposed } = await ctx.tx.read.proposals.contents(proposal)
  const pause = pauses()
  const current = form(unseen.without(type.fields, draft.fields))
  await pause()
  const wanted = form(openValues({ fields: proposed }))
  await pause()
  const { slug = null } = current
  applyRows({ proposed: wanted, current, values: rows.values }, rows.taken)
  await pause()
  const body = bodyOf(ctx, type, { current, taken: rows.taken, slug })
  const assisted = rows.taken.map(({ key }) => key).filter((key) => rows.values.has(key))
  const accepted: AcceptedProposal = { id: proposal.id, author: maker.name, authorId: maker.id, assisted }
  await patchDraft(marked(ctx, ai), { type, docId, locale, proposal: accepted }, body)
}

/** The context of a save that is marked as written by AI. */
function marked(ctx: WriteContext, ai: boolean): WriteContext {
  const { actor } = ctx
  return actor.kind === 'user' ? { ...ctx, actor: { ...actor, ai: ai || actor.ai } } : ctx
}

interface Written {
  /** The draft as it is with the rows. */
  readonly current: JsonObject
  readonly taken: readonly Change[]
  /** The slug before. */
  readonly slug: Json
}

/** A body of the fields that the rows change. */
function bodyOf(ctx: Context, type: Type, { current, taken, slug }: Written): UnknownObject {
  // A slug that was not accepted does not follow the title.
  const keys = new Set(taken.map(({ key }) => key))
  const keeps = keys.has('title') && !keys.has('slug') && slug !== null ? { slug } : {}
  const isDraftOnly = !writtenModes(ctx, type, 'draft').includes('published')
  const changed = new Set(taken.map(({ segments: [first] }) => first?.name ?? ''))
  const fields = type.fields.list.filter((field) => isNamedIn(field, changed))
  const names = fields.flatMap((field) => [field.name, ...propertyNames(field)])
  return { ...keeps, ...(isDraftOnly && { _incomplete: true }), ...pick(current, names) }
}

function decisionsOn(
  ctx: Context,
  changes: readonly Change[],
  of: (key: string) => Pick<RowDecision, 'result' | 'reason'>,
): RowDecisions {
  const by = byline(ctx)
  return Object.fromEntries(changes.map(({ key }) => [key, { ...by, ...of(key) }]))
}

function byline(ctx: Context): Pick<RowDecision, 'by' | 'at'> {
  return { by: authorOf(ctx.actor).title, at: now(ctx) }
}

function now(ctx: Context): string {
  return ctx.now().toISOString()
}
