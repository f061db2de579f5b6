import { z } from 'zod'
import { isObject } from '../../base/json.ts'
import type { ChangeRow } from '../../model/changes/content-change.ts'
import type { Agent, Row } from './agent.ts'
import { rowsIn, sentencesOf } from './change-sentences.ts'
import { cursorOf, pageOfText, placeOf } from './cursors.ts'
import { bareId } from './document-text.ts'
import { assertKnownNames } from './known-names.ts'
import { CURSOR, ID, IDEMPOTENCY_KEY, LOCALE, type Tool, type ToolAnswer, tool } from './tool.ts'

const STATE = z.enum(['open', 'accepted', 'partial', 'refused'])

/** Holds a patch aside until a person accepts or refuses it. */
export const propose: Tool = tool({
  name: 'propose',
  title: 'Propose changes',
  description:
    'Holds a patch of a draft aside, which a person accepts or refuses row by row; the draft is not touched. For documents that people work on.',
  input: z.strictObject({
    id: ID,
    locale: LOCALE,
    title: z.string().min(1).max(200).describe('What changes, in a few words.'),
    reason: z.string().max(5000).optional(),
    patch: z.record(z.string(), z.unknown()).describe('As in write_draft.'),
    idempotencyKey: IDEMPOTENCY_KEY,
  }),
  facts: { proposal: z.string(), state: STATE },
  writes: true,
  run: async (agent, { id, locale = agent.ctx.locale, title, reason, patch }) => {
    const type = await agent.typeOf(id)
    assertKnownNames(agent, type, patch, { isPatch: true })
    const body = { docId: `${bareId(id)}:${locale}:draft`, title, patch, ...(reason && { reason }) }
    return stateAnswer(agent, (await agent.run('proposal.insert', { body }, { locale })).body, undefined)
  },
})

/** Says what became of proposals. */
export const proposalState: Tool = tool({
  name: 'proposal_state',
  title: 'See what became of proposals',
  description: 'Says which rows of a proposal were accepted or refused, and why; without it, lists your proposals.',
  input: z.strictObject({ proposal: ID.optional(), cursor: CURSOR }),
  facts: { proposal: z.string().optional(), state: STATE.optional() },
  run: async (agent, { proposal, cursor }) => {
    if (proposal === undefined) return listOwn(agent, cursor)
    return stateAnswer(agent, (await agent.run('proposal.read', { id: proposal })).body, cursor)
  },
})

async function stateAnswer(agent: Agent, body: unknown, cursor: string | undefined): Promise<ToolAnswer> {
  const proposal: Row = isObject(body) ? body : {}
  const { _id, state, obstacle, _warnings } = proposal
  const warnings = Array.isArray(_warnings) ? _warnings.filter(isObject).map(({ message }) => `! ${message}`) : []
  const rows = rowsIn(proposal).map((row) => `${decisionOf(row)}${sentencesOf([row])}`)
  const head = [lineOf(proposal), ...(typeof obstacle === 'string' ? [obstacle] : []), ...warnings]
  const text = [...head, ...(rows.length > 0 ? rows : ['Nothing is different.'])].join('\n')
  const page = await pageOfText(agent, { tool: 'proposal_state', of: [_id, state, rows.length] }, { text, cursor })
  return { ...page, proposal: String(_id), state }
}

/** The decision about a row, and its reason. */
function decisionOf(row: ChangeRow & { readonly state?: string; readonly refusal?: string }): string {
  const { state = 'open', refusal } = row
  return `${state}${refusal === undefined ? '' : ` (${JSON.stringify(refusal)})`} `
}

function lineOf({ _id, title, state, docId, documentTitle, createdAt }: Row): string {
  return `- ${_id} ${JSON.stringify(title)}: ${state}, of ${bareId(docId)} ${JSON.stringify(documentTitle)}, ${createdAt}`
}

/** The proposals of this key; the list of the interface has its own way of going on. */
async function listOwn(agent: Agent, cursor: string | undefined): Promise<ToolAnswer> {
  const continued = { tool: 'proposal_state', of: ['own'] }
  const before = await placeOf(agent, continued, cursor)
  const query = { makerId: agent.actor.id, ...(before !== null && { before }) }
  const { body } = await agent.run('proposal.list', { query })
  const { results = [], next }: Row = isObject(body) ? body : {}
  const lines = (Array.isArray(results) ? results : []).filter(isObject).map(lineOf)
  const text = lines.join('\n') || 'You have no proposals.'
  const page = await pageOfText(agent, { tool: 'proposal_state', of: [] }, { text, cursor: undefined })
  return { text: page.text, ...(typeof next === 'string' && { cursor: await cursorOf(agent, continued, next) }) }
}
