import { invalid } from '../../base/errors.ts'
import { NEW_ID } from '../../base/ids.ts'
import type { JsonSchema } from '../../base/json.ts'
import { dateTime, object, text, textOrNull } from '../../base/json-schema.ts'
import type { Context } from '../../engine/context.ts'
import { assertAdmin, isAdmin } from '../../engine/permissions.ts'
import { flag, textParameter, wholeNumber } from '../../http/requests/read-parameters.ts'
import { type Route, type RouteRequest, route } from '../../http/requests/route.ts'
import type { Site } from '../../model/declared/types.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import type { AgentCall, CopyOutline } from '../../store/contract/store.ts'
import type { CallLog } from './call-log.ts'

const MOST = 500

/** The calls of agents (§4.10), for admins. */
export function callsRoute({ namespace }: Site, log: CallLog): Route {
  return route({
    method: 'GET',
    path: `/api/v1/${namespace}/agent-calls`,
    summary: 'The calls of agents, newest first',
    description:
      'Which key has called which tool, on which document, and how that ended; of the last 90 days. `next` of an answer is the `before` of the next page.',
    tag: 'agents',
    operationId: 'agents.calls',
    ignoresLocale: true,
    isFor: isAdmin,
    permit: assertAdmin,
    query: [
      { name: 'before', description: 'The _id of the last one of the page before.', schema: { type: 'string' } },
      { name: 'keyId', description: 'Only those of this API key.', schema: { type: 'string' } },
      {
        name: 'failed',
        description: '`true`: only those that were refused, or failed.',
        schema: { type: 'boolean', default: false },
      },
      {
        name: 'perPage',
        description: 'How many.',
        schema: { type: 'integer', minimum: 1, maximum: MOST, default: 50 },
      },
    ],
    answer: CALLS,
    handle: async (ctx, request) => {
      await log.written()
      return listCalls(ctx, request)
    },
  })
}

async function listCalls(ctx: Context, { query }: RouteRequest): Promise<object> {
  const before = textParameter(query, 'before') ?? null
  if (before !== null && !NEW_ID.test(before)) throw invalid('before is the _id of a call.')
  const limit = wholeNumber(query, 'perPage', { min: 1, max: MOST, default: 50 })
  const keyId = textParameter(query, 'keyId') ?? null
  const found = await ctx.store.agentCalls.list({ limit: limit + 1, before, keyId, isFailed: flag(query, 'failed') })
  const shown = found.slice(0, limit)
  const documents = await documentsOf(ctx, shown)
  const next = found.length > limit ? (shown.at(-1)?.id ?? null) : null
  return { results: shown.map((call) => shownCall(call, documents)), next }
}

/** The documents of calls as they are now, in the site's own locale where they are there. Two statements. */
async function documentsOf(
  { store, site }: Context,
  calls: readonly AgentCall[],
): Promise<ReadonlyMap<DocId, CopyOutline>> {
  const docIds = [...new Set(calls.flatMap(({ docId }) => docId ?? []))]
  if (docIds.length === 0) return new Map()
  const copies = [
    ...(await store.documents.outlines(docIds, { mode: 'published' })),
    ...(await store.documents.outlines(docIds, { mode: 'draft' })),
  ]
  const isMain = ({ id }: CopyOutline) => id.locale === site.defaultLocale
  const inOrder = [...copies.filter((one) => !isMain(one)), ...copies.filter(isMain)]
  return new Map(inOrder.map((one) => [one.id.docId, one]))
}

function shownCall(
  { id, at, keyId, keyName, tool, docId, result }: AgentCall,
  documents: ReadonlyMap<DocId, CopyOutline>,
): object {
  const document = docId === null ? undefined : documents.get(docId)
  const { type: documentType = null, title: documentTitle = null } = document ?? {}
  const about = { document: docId, documentType, documentTitle, locale: document?.id.locale || null }
  return { _id: id, at: new Date(at).toISOString(), keyId, key: keyName, tool, ...about, result }
}

const CALL: { readonly [name: string]: JsonSchema } = {
  _id: text('Of the call.'),
  at: dateTime('When it was made.'),
  keyId: text('The API key.'),
  key: text('What the key is called.'),
  tool: text('The tool that was called.'),
  document: textOrNull('The document that it was about, or the file; null for none.'),
  documentType: textOrNull('The type of the document; null for files, and where it is gone or archived.'),
  documentTitle: textOrNull('The title that the document has now.'),
  locale: textOrNull("A locale in which the document is, the site's own where it is there."),
  result: text('`ok`, or the name of an error.'),
}
const CALLS: JsonSchema = object(['results', 'next'], {
  results: {
    type: 'array',
    description: 'One page of them.',
    items: object(Object.keys(CALL), CALL),
  },
  next: textOrNull('For `before` of the next page; null on the last one.'),
})
