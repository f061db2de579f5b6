import { z } from 'zod'
import { isObject } from '../../base/json.ts'
import { revisionOf } from './agent.ts'
import { pageOfText } from './cursors.ts'
import { bareId, documentText, headOf } from './document-text.ts'
import { CURSOR, ID, LOCALE, MODE, type Tool, tool } from './tool.ts'

/** Reads one document as text. */
export const read: Tool = tool({
  name: 'read',
  title: 'Read a document',
  description: 'Reads a document or page as text, with the ids of its items and widgets, and its revision.',
  input: z.strictObject({
    id: ID.describe('The bare id.'),
    locale: LOCALE,
    mode: MODE.describe('The draft when left out.'),
    cursor: CURSOR,
  }),
  facts: { _id: z.string(), type: z.string(), revision: z.string().optional() },
  run: async (agent, { id, locale, mode, cursor }) => {
    const type = await agent.typeOf(id)
    const place = { locale, mode: agent.modeFor(type, mode) }
    const query = type.family === 'page' ? { children: 'false' } : {}
    const { body, headers } = await agent.read(type, bareId(id), place, query)
    const document = isObject(body) ? body : {}
    const revision = revisionOf(headers)
    const fields = agent.view(String(document.type)).fields
    const text = `${headOf(agent, document, revision)}\n${documentText(agent.ctx.site, fields, document)}`
    const page = await pageOfText(agent, { tool: 'read', of: [bareId(id), place, revision] }, { text, cursor })
    return { ...page, _id: bareId(id), type: type.name, ...(revision && { revision }) }
  },
})
