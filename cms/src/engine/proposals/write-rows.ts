import type { Json, JsonObject } from '../../base/json.ts'
import type { Change } from '../../model/changes/content-change.ts'
import type { Type } from '../../model/declared/types.ts'
import { openValues } from '../../model/terms/document.ts'
import { isNamedIn, propertyNames } from '../../model/values/walk.ts'
import type { AcceptedProposal, Proposal } from '../../store/contract/store.ts'
import type { Context, WriteContext } from '../context.ts'
import { update } from '../operations/update.ts'
import { readPagePatch, updatePage } from '../operations/update-page.ts'
import { writtenModes } from '../save/copies.ts'
import { patchableForm } from '../values/field-access.ts'
import { unseenDocuments } from '../values/unseen-documents.ts'
import { applyRows } from './apply-rows.ts'
import type { FoundProposal } from './proposal-access.ts'
import type { Chosen } from './proposal-bodies.ts'
import type { ProposedChanges } from './proposed-changes.ts'

type Body = { readonly [name: string]: unknown }

/** The rows that are written to the draft. */
interface Taken {
  readonly seen: ProposedChanges | null
  readonly taken: readonly Change[]
  readonly values: Chosen['values']
}

/** Writes rows to the draft in one version, and nothing where it is gone. Throws as PATCH does. */
export async function writeRows(ctx: WriteContext, { proposal, type }: FoundProposal, rows: Taken): Promise<void> {
  if (!rows.seen || type === null) return
  const { docId, locale, ai, maker } = proposal
  const { draft } = await ctx.tx.documents.lockCopies(docId, locale)
  if (draft === null) return
  const unseen = await unseenDocuments(ctx, ctx.tx.read.documents, [{ fields: type.fields, values: draft.fields }])
  const form = (values: JsonObject) => patchableForm(ctx, type, values)
  const { proposed } = await ctx.tx.read.proposals.contents(proposal)
  const current = form(unseen.without(type.fields, draft.fields))
  const { slug = null } = current
  applyRows({ proposed: form(openValues({ fields: proposed })), current, values: rows.values }, rows.taken)
  const body = bodyOf(ctx, type, { current, taken: rows.taken, slug })
  const assisted = rows.taken.map(({ key }) => key).filter((key) => rows.values.has(key))
  const accepted: AcceptedProposal = { id: proposal.id, author: maker.name, authorId: maker.id, assisted }
  await save(marked(ctx, ai), type, { docId, locale, body, accepted })
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
function bodyOf(ctx: Context, type: Type, { current, taken, slug }: Written): Body {
  // A slug that was not accepted does not follow the title.
  const keys = new Set(taken.map(({ key }) => key))
  const keeps = keys.has('title') && !keys.has('slug') && slug !== null ? { slug } : {}
  const isDraftOnly = !writtenModes(ctx, type, 'draft').includes('published')
  const changed = new Set(taken.map(({ segments: [first] }) => first?.name ?? ''))
  const fields = type.fields.list.filter((field) => isNamedIn(field, changed))
  const names = fields.flatMap((field) => [field.name, ...propertyNames(field)])
  return { ...keeps, ...(isDraftOnly && { _incomplete: true }), ...onlyNamed(current, names) }
}

function onlyNamed(values: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name): [string, Json][] => (name in values ? [[name, values[name] ?? null]] : [])),
  )
}

/** A save that accepts rows. */
interface Acceptance extends Pick<Proposal, 'docId' | 'locale'> {
  readonly body: Body
  readonly accepted: AcceptedProposal
}

async function save(ctx: WriteContext, type: Type, { docId, locale, body, accepted }: Acceptance): Promise<void> {
  const id = { docId, locale, mode: 'draft' } as const
  if (type.family !== 'page') await update(ctx, { type, id, ifMatch: null, proposal: accepted }, body)
  else await updatePage(ctx, { id, ifMatch: null }, { ...readPagePatch(id, body), proposal: accepted })
}
