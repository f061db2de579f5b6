import { z } from 'zod'
import { isObject } from '../../base/json.ts'
import { operationOf, type Row } from './agent.ts'
import { rowsIn, sentencesOf } from './change-sentences.ts'
import { pageOfText } from './cursors.ts'
import { bareId } from './document-text.ts'
import { CURSOR, ID, LOCALE, type Tool, tool } from './tool.ts'

/** Lists the versions of a document. */
export const history: Tool = tool({
  name: 'history',
  title: 'List versions',
  description: 'Lists the versions of a document, newest first: who saved them, when, and how much each changed.',
  input: z.strictObject({
    id: ID,
    locale: LOCALE,
    before: z.string().max(40).optional().describe('`next` of the answer before.'),
  }),
  facts: { total: z.int(), next: z.string().optional() },
  run: async (agent, { id, locale, before }) => {
    const docId = idIn(id, locale)
    const { body } = await agent.run(
      'document-versions.list',
      { query: { docId, ...(before && { before }) } },
      { locale },
    )
    // `as`: what the route answers.
    const { results, next, total } = body as VersionPage
    const { text } = await pageOfText(
      agent,
      { tool: 'history', of: [id] },
      { text: results.map(versionLine).join('\n'), cursor: undefined },
    )
    return { text, total, ...(next !== null && { next }) }
  },
})

interface VersionPage {
  readonly results: readonly Row[]
  readonly next: string | null
  readonly total: number
}

/** The id of a document in a locale. */
function idIn(id: string, locale: string | undefined): string {
  return locale === undefined ? bareId(id) : `${bareId(id)}:${locale}:draft`
}

function versionLine(version: Row): string {
  const { _id, createdAt, mode, author, ai, label, changeCount, live, restoredFrom } = version
  const facts = [
    mode === 'published' ? 'published' : 'draft',
    `by ${JSON.stringify(author)}${ai ? ' with AI' : ''}`,
    `${changeCount} changes`,
    label ? `called ${JSON.stringify(label)}` : null,
    restoredFrom ? `restores ${restoredFrom}` : null,
    live ? 'is the draft now' : null,
  ]
  return `- ${_id} ${createdAt}: ${facts.filter(Boolean).join(', ')}`
}

/** Says what is different between two states of a document. */
export const changes: Tool = tool({
  name: 'changes',
  title: 'Compare two states',
  description:
    'Says in sentences what is different: from the published copy to the draft; with "version" from the version before it, or from "against".',
  input: z.strictObject({
    id: ID,
    locale: LOCALE,
    version: z.string().max(40).optional(),
    against: z.string().max(40).optional(),
    cursor: CURSOR,
  }),
  facts: { counts: z.record(z.string(), z.int()) },
  run: async (agent, { id, locale, version, against, cursor }) => {
    const type = await agent.typeOf(id)
    const { body } =
      version === undefined
        ? await agent.run(operationOf(type, 'changes'), { id: bareId(id) }, { locale })
        : await agent.run(
            'document-versions.changes',
            { params: { versionId: version }, query: against ? { against } : {} },
            { locale },
          )
    const counts = isObject(body) && isObject(body.counts) ? body.counts : {}
    const continued = { tool: 'changes', of: [id, locale ?? null, version ?? null, against ?? null, counts] }
    return { ...(await pageOfText(agent, continued, { text: sentencesOf(rowsIn(body)), cursor })), counts }
  },
})
