import { conflict, invalid, invalidFields, type Problem } from '../../base/errors.ts'
import type { Change } from '../../model/changes/content-change.ts'
import type { Proposal, ProposalState, RowDecision, RowDecisions } from '../../store/contract/store.ts'
import type { Context, WriteContext } from '../context.ts'
import { authorOf, refusal } from '../permissions.ts'
import { write } from '../write.ts'
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
import { writeRows } from './write-rows.ts'

/**
 * Writes rows of a proposal to the draft, in one version by AI that names who accepted it (§4.9). Throws `forbidden`,
 * `notfound`, `invalid` for rows that there are not and for what a PATCH would refuse, and `conflict` where all was
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
    const refused = rows === null ? open : named(rows, seen, found.proposal)
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

/** The keys of all rows, whoever may see them. */
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

function openRows({ decisions }: Proposal, seen: ProposedChanges | null): readonly Change[] {
  return seen?.changes.filter(({ key }) => !Object.hasOwn(decisions, key)) ?? []
}

/** The rows that are named, which must be open. */
function named(keys: readonly string[], seen: ProposedChanges | null, { decisions }: Proposal): readonly Change[] {
  const byKey = new Map(seen?.changes.map((change) => [change.key, change]))
  const unknown = keys.flatMap((key, index) => (byKey.has(key) ? [] : [noRow(`rows.${index}`, key)]))
  if (unknown.length > 0) throw invalidFields(unknown)
  const decided = keys.find((key) => Object.hasOwn(decisions, key))
  if (decided !== undefined) throw rowDecided(decided, decisions[decided])
  return keys.flatMap((key) => byKey.get(key) ?? [])
}

function rowDecided(key: string, decision: RowDecision | undefined): Error {
  const result = decision?.result === 'refused' ? 'refused' : 'accepted'
  const by = decision?.by ?? ''
  return conflict(`${by} has ${result} this change already. Read the proposal again.`, { key, by, state: result })
}

function rowsToTake(proposal: Proposal, seen: ProposedChanges | null, { rows, values }: Chosen): readonly Change[] {
  if (rows !== null) {
    if (rows.length === 0) throw invalid('Name at least one row, or leave rows out to accept all.')
    return stillDeclared(named(rows, seen, proposal))
  }
  const open = openRows(proposal, seen).filter((change) => !isUndeclared(change))
  if (open.length === 0) throw conflict('Nothing of this proposal is open for you. Read it again.')
  const taken = open.filter(({ key }) => values.has(key) || seen?.since(key).length === 0)
  if (taken.length === 0) {
    const keys = open.map(({ key }) => key)
    throw conflict('All of this has changed in the draft meanwhile. Accept rows by their keys.', { rows: keys })
  }
  return taken
}

/** Rows of fields that the site no longer declares can be refused only. */
function stillDeclared(rows: readonly Change[]): readonly Change[] {
  const gone = rows.flatMap((change, index) => {
    return isUndeclared(change) ? [wrong(`rows.${index}`, 'The site no longer has this field: refuse the row.')] : []
  })
  if (gone.length > 0) throw invalidFields(gone)
  return rows
}

function isUndeclared({ field, order, kind }: Change): boolean {
  return field === null && order === undefined && kind !== 'widget' && kind !== 'arrayItem'
}

/** Other values are given for values, not for items that come, go or move. */
function assertValuesFit(taken: readonly Change[], values: Chosen['values']): void {
  const byKey = new Map(taken.map((change) => [change.key, change]))
  const problems = [...values.keys()].flatMap((key) => {
    const change = byKey.get(key)
    if (!change) return [noRow(`values.${key}`, key)]
    const isValue = change.order === undefined && change.field !== null
    return isValue ? [] : [wrong(`values.${key}`, 'This row is no value: accept it, and change the draft after that.')]
  })
  if (problems.length > 0) throw invalidFields(problems)
}

function decisionsOn(
  ctx: Context,
  changes: readonly Change[],
  of: (key: string) => Pick<RowDecision, 'result' | 'reason'>,
): RowDecisions {
  return Object.fromEntries(changes.map(({ key }) => [key, { ...byline(ctx), ...of(key) }]))
}

function byline(ctx: Context): Pick<RowDecision, 'by' | 'at'> {
  return { by: authorOf(ctx.actor).title, at: now(ctx) }
}

function noRow(path: string, key: string): Problem {
  return { path, name: 'unknown', message: `The proposal has no row ${key.slice(0, 200)}.` }
}

function wrong(path: string, message: string): Problem {
  return { path, name: 'invalid', message }
}

function now(ctx: Context): string {
  return ctx.now().toISOString()
}
