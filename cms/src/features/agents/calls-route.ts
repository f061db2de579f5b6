import { invalid } from '../../base/errors.ts'
import type { JsonSchema } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { type Actor, draftsOnly, refusal, roleOf } from '../../engine/permissions.ts'
import { textParameter, wholeNumber } from '../../http/requests/read-parameters.ts'
import { type Route, type RouteRequest, route } from '../../http/requests/route.ts'
import type { Site } from '../../model/declared/types.ts'
import type { AgentCall } from '../../store/contract/store.ts'
import type { CallLog } from './call-log.ts'

const MOST = 500

/** The calls of agents (§4.10), for admins. */
export function callsRoute({ namespace }: Site, log: CallLog): Route {
  return route({
    method: 'GET',
    path: `/api/v1/${namespace}/agent-calls`,
    summary: 'The calls of agents, newest first',
    description: 'Which key has called which tool, on which document, and how that ended; of the last 90 days.',
    tag: 'agents',
    operationId: 'agents.calls',
    ignoresLocale: true,
    isFor: isAdmin,
    permit: ({ actor }) => assertAdmin(actor),
    query: [
      { name: 'before', description: 'The _id of the last one of the page before.', schema: { type: 'string' } },
      {
        name: 'perPage',
        description: 'How many.',
        schema: { type: 'integer', minimum: 1, maximum: MOST, default: 50 },
      },
    ],
    answer: CALLS,
    handle: async (ctx, request) => {
      assertAdmin(ctx.actor)
      await log.written()
      return listCalls(ctx, request)
    },
  })
}

async function listCalls({ store }: Context, { query }: RouteRequest): Promise<object> {
  const before = textParameter(query, 'before') ?? null
  if (before !== null && !/^[0-9a-z]{26}$/.test(before)) throw invalid('before is the _id of a call.')
  const limit = wholeNumber(query, 'perPage', { min: 1, max: MOST, default: 50 })
  return { results: (await store.agentCalls.list({ limit, before })).map(shownCall) }
}

function shownCall({ id, at, keyId, keyName, tool, docId, result }: AgentCall): object {
  return { _id: id, at: new Date(at).toISOString(), keyId, key: keyName, tool, document: docId, result }
}

function isAdmin(actor: Actor): boolean {
  return roleOf(actor) === 'admin' && !draftsOnly(actor)
}

function assertAdmin(actor: Actor): void {
  if (!isAdmin(actor)) throw refusal(actor)
}

const text = (description: string): JsonSchema => ({ type: 'string', description })
const CALLS: JsonSchema = {
  type: 'object',
  required: ['results'],
  properties: {
    results: {
      type: 'array',
      description: 'One page of them.',
      items: {
        type: 'object',
        required: ['_id', 'at', 'keyId', 'key', 'tool', 'document', 'result'],
        properties: {
          _id: text('Of the call.'),
          at: { type: 'string', format: 'date-time', description: 'When it was made.' },
          keyId: text('The API key.'),
          key: text('What the key is called.'),
          tool: text('The tool that was called.'),
          document: { type: ['string', 'null'], description: 'The document that it was about; null for none.' },
          result: text('`ok`, or the name of an error.'),
        },
      },
    },
  },
}
