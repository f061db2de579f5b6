import { z } from 'zod'
import { forbidden, invalid } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { seenContent } from '../../engine/values/seen-content.ts'
import { changesBetween, listChanges } from '../../engine/versions/changes-of.ts'
import { tryOut, write } from '../../engine/write.ts'
import type { Reply } from '../../http/requests/route.ts'
import type { Content, Type } from '../../model/declared/types.ts'
import { type Agent, type AgentRequest, operationOf, revisionOf } from './agent.ts'
import { sentencesOf } from './change-sentences.ts'
import { pageOfText } from './cursors.ts'
import { bareId } from './document-text.ts'
import { assertKnownNames } from './known-names.ts'
import { ID, IDEMPOTENCY_KEY, LOCALE, type Tool, type ToolAnswer, tool } from './tool.ts'

const FIELDS = z.record(z.string(), z.unknown())

const INPUT = z.strictObject({
  type: z.string().max(200).optional().describe('Of a new document.'),
  values: FIELDS.optional().describe('The fields of a new document.'),
  position: z
    .strictObject({ target: ID, at: z.enum(['before', 'after', 'firstChild', 'lastChild']) })
    .optional()
    .describe('Of a new page: next to or below which one; "_home" is the home page.'),
  id: ID.optional().describe('Of the document to change.'),
  patch: FIELDS.optional().describe(
    'Fields, paths ("address.city", "@itemId.label"), and operators ($push, $addToSet, $pullAll, $pullAllById, $move).',
  ),
  locale: LOCALE,
  copyFrom: LOCALE.describe('Begins a translation: copies the document from this locale to the other one first.'),
  revision: z.string().max(200).optional().describe('Refuses the change if the draft has changed since it was read.'),
  dryRun: z.boolean().optional().describe('Only reports problems and changes.'),
  idempotencyKey: IDEMPOTENCY_KEY,
})

type Input = z.infer<typeof INPUT>

/** Makes a document, or changes some fields of its draft. */
export const writeDraft: Tool = tool({
  name: 'write_draft',
  title: 'Write a draft',
  description:
    'Makes a document (type and values) or changes the draft of one (id and patch). Only drafts are written, marked as written by AI; people publish them.',
  input: INPUT,
  facts: { _id: z.string(), type: z.string(), revision: z.string().optional(), dryRun: z.boolean() },
  writes: true,
  run: async (agent, input) => {
    const planned = await plan(agent, input)
    return answerOf(agent, planned, await carryOut(agent, planned))
  },
})

/** A step of a write: an operation of the interface. */
interface Step {
  readonly verb: string
  readonly locale: string
  readonly request: AgentRequest
}

/** A write as a call asks for it. */
interface PlannedWrite {
  readonly type: Type
  /** Null for a new document. */
  readonly docId: string | null
  readonly locale: string
  readonly isDryRun: boolean
  readonly steps: readonly Step[]
}

async function plan(agent: Agent, input: Input): Promise<PlannedWrite> {
  const { locale = agent.ctx.locale, dryRun: isDryRun = false } = input
  if (input.id === undefined) return planNew(agent, input, { locale, isDryRun })
  if (input.patch === undefined || input.type !== undefined || input.values !== undefined) {
    throw invalid('Send id and patch to change a document, or type and values to make one.')
  }
  const docId = bareId(input.id)
  const type = writable(await agent.typeOf(docId))
  assertKnownNames(agent, type, input.patch, { isPatch: true })
  const ifMatch = input.revision === undefined ? null : `"${input.revision}"`
  const update = { verb: 'update', locale, request: { id: docId, body: input.patch, ifMatch } }
  return { type, docId, locale, isDryRun, steps: [...copyStep(docId, input, locale), update] }
}

function copyStep(docId: string, { copyFrom }: Input, toLocale: string): readonly Step[] {
  if (copyFrom === undefined) return []
  return [{ verb: 'localize', locale: copyFrom, request: { id: docId, body: { toLocale } } }]
}

function planNew(agent: Agent, input: Input, place: Pick<PlannedWrite, 'locale' | 'isDryRun'>): PlannedWrite {
  const { type: name, values = {}, position } = input
  if (name === undefined) throw invalid('Send id and patch to change a document, or type and values to make one.')
  const type = writable(agent.view(name).type)
  assertKnownNames(agent, type, values, { isPatch: false })
  if (type.family === 'page' && position === undefined) {
    throw invalid('A new page needs its position: { "target": "_home", "at": "lastChild" }.')
  }
  const at = position && { type: name, _targetId: position.target, _position: position.at }
  const body = type.family === 'page' ? { ...values, ...at } : values
  return { type, docId: null, ...place, steps: [{ verb: 'insert', locale: place.locale, request: { body } }] }
}

function writable(type: Type): Type {
  if (!type.localized) throw forbidden(`${type.pluralLabel} have no drafts: only people change them.`)
  return type
}

/** The outcome of a write, or of a trial. */
interface Written {
  readonly docId: string
  readonly revision: string | null | undefined
  readonly older: Content | null
  readonly newer: Content | null
}

/** Runs all steps in one transaction; of a dry run nothing stays. */
function carryOut(agent: Agent, planned: PlannedWrite): Promise<Written> {
  const run = planned.isDryRun ? tryOut<Written> : write<Written>
  return run(agent.ctx, (tx) => runSteps(agent.within(tx), tx, planned))
}

async function runSteps(
  agent: Agent,
  tx: WriteContext,
  { type, docId, locale, steps }: PlannedWrite,
): Promise<Written> {
  const older = docId === null ? null : await contentOf(agent, tx, docId, locale)
  let reply: Reply | null = null
  for (const { verb, locale, request } of steps) reply = await agent.run(operationOf(type, verb), request, { locale })
  const body = isObject(reply?.body) ? reply.body : {}
  const id = docId ?? bareId(body.aposDocId ?? body._id)
  return {
    docId: id,
    revision: reply && revisionOf(reply.headers),
    older,
    newer: await contentOf(agent, tx, id, locale),
  }
}

/** A draft in a transaction as the caller sees it; null where there is none. */
async function contentOf(
  { actor, ctx: { site } }: Agent,
  { tx }: WriteContext,
  docId: string,
  locale: string,
): Promise<Content | null> {
  const { draft } = await tx.read.documents.copies(docId, locale)
  return draft && seenContent({ site, actor }, draft.type, draft.fields)
}

async function answerOf(
  agent: Agent,
  planned: PlannedWrite,
  { docId, revision, older, newer }: Written,
): Promise<ToolAnswer> {
  const { type, locale, isDryRun } = planned
  const before = older ?? (newer && { type: newer.type, fields: {} })
  const text = await changesText(agent.at({ locale }), { older: before, newer, locale })
  const page = await pageOfText(agent, { tool: 'write_draft', of: [] }, { text, cursor: undefined })
  return { text: page.text, _id: docId, type: type.name, ...(revision && !isDryRun && { revision }), dryRun: isDryRun }
}

/** The changes between two contents, as sentences. */
async function changesText(
  ctx: Context,
  { older, newer, locale }: { readonly older: Content | null; readonly newer: Content | null; readonly locale: string },
): Promise<string> {
  const changes = await changesBetween(ctx, { older, newer })
  return sentencesOf((await listChanges(ctx, { locale, mode: 'draft' }, changes)).rows)
}
