import { z } from 'zod'
import { isObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Mode } from '../../model/terms/document-id.ts'
import type { Agent } from './agent.ts'
import { pageOfText } from './cursors.ts'
import { bareId, documentText, headOf } from './document-text.ts'
import { CURSOR, ID, LOCALE, MODE, type Tool, tool } from './tool.ts'
import type { ToolAnswer } from './tool-answer.ts'

const INPUT = z.strictObject({
  id: ID.describe('The bare id.'),
  locale: LOCALE,
  mode: MODE.describe('The draft when left out.'),
  cursor: CURSOR,
})

/** Reads one document as text. */
export const read: Tool = tool({
  name: 'read',
  title: 'Read a document',
  description: 'Reads a document or page as text, with the ids of its items and widgets, and its revision.',
  input: INPUT,
  facts: { _id: z.string(), type: z.string(), revision: z.string().optional() },
  run: (agent, input) => readDocument(agent, input),
})

/** Reads a document for a tool or as a resource. */
async function readDocument(agent: Agent, { id, locale, mode, cursor }: z.infer<typeof INPUT>): Promise<ToolAnswer> {
  const type = await agent.typeOf(id)
  const place = { locale, mode: agent.modeFor(type, mode) }
  const { document, revision } = await documentOf(agent, type, bareId(id), place)
  const fields = agent.view(String(document.type)).fields
  const text = `${headOf(agent, document, revision)}\n${documentText(agent.ctx.site, fields, document)}`
  const page = await pageOfText(agent, { tool: 'read', of: [bareId(id), place, revision] }, { text, cursor })
  return { ...page, _id: bareId(id), type: type.name, ...(revision && { revision }) }
}

/** A document as JSON, and its revision. */
async function documentOf(
  agent: Agent,
  type: Type,
  id: string,
  place: { readonly locale: string | undefined; readonly mode: Mode },
): Promise<{ readonly document: { readonly [name: string]: unknown }; readonly revision: string | undefined }> {
  const query = type.family === 'page' ? { children: 'false' } : {}
  const { body, headers } = await agent.read(type, id, place, query)
  return { document: isObject(body) ? body : {}, revision: headers.ETag?.replaceAll('"', '') }
}
