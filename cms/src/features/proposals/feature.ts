import { invalid, notFound } from '../../base/errors.ts'
import { NEW_ID } from '../../base/ids.ts'
import type { Context } from '../../engine/context.ts'
import { parsePartialId } from '../../engine/pages/parked.ts'
import type { Actor } from '../../engine/permissions.ts'
import { acceptProposal, refuseProposal, withdrawProposal } from '../../engine/proposals/decide-proposal.ts'
import { listProposals, type ProposalFilter } from '../../engine/proposals/list-proposals.ts'
import { assertKnown, mayKnow } from '../../engine/proposals/proposal-access.ts'
import { readChosen, readWish } from '../../engine/proposals/proposal-bodies.ts'
import { propose } from '../../engine/proposals/propose.ts'
import { readProposal } from '../../engine/proposals/show-proposal.ts'
import type { Job } from '../../engine/run-jobs.ts'
import { write } from '../../engine/write.ts'
import { emptyAnswer } from '../../http/openapi/answer-schemas.ts'
import { textParameter } from '../../http/requests/read-parameters.ts'
import { type QueryValues, type Route, type RouteRequest, route } from '../../http/requests/route.ts'
import { DAILY } from '../../model/declared/job-schedules.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Feature } from '../feature.ts'
import {
  acceptBody,
  PROPOSAL_STATES,
  proposalBody,
  proposalList,
  proposalParameters,
  proposalWithRows,
  refuseBody,
} from './proposal-schemas.ts'

/** Deletes proposals 30 days after they were made, or decided. */
const CLEANING: Job = {
  name: 'proposal cleaning',
  schedule: DAILY,
  run: (ctx: Context) => write(ctx, ({ tx }) => tx.proposals.removeExpired(ctx.now().toISOString())),
}

/** Changes of drafts that wait until a person accepts or refuses them (§4.9). */
export const proposals: Feature = {
  name: 'proposals',
  routes: proposalRoutes,
  jobs: () => [CLEANING],
}

function proposalRoutes(site: Site): readonly Route[] {
  const path = `/api/v1/${site.namespace}/proposal`
  const common = {
    tag: 'proposal',
    isFor: (actor: Actor) => mayKnow({ site, actor }),
    permit: assertKnown,
  } as const
  return [
    route({
      ...common,
      method: 'GET',
      path,
      summary: 'Proposals, newest first',
      description: 'Those of drafts that the caller may read, without their rows.',
      operationId: 'proposal.list',
      query: proposalParameters,
      answer: proposalList,
      handle: (ctx, { query }) => listProposals(ctx, filterOf(query), textParameter(query, 'before') ?? null),
    }),
    route({
      ...common,
      method: 'POST',
      path,
      summary: 'Propose changes of a draft',
      description:
        'Holds a PATCH aside until a person accepts it; the draft is not touched. It is checked as a PATCH is.',
      operationId: 'proposal.insert',
      body: proposalBody,
      answer: proposalWithRows,
      handle: async (ctx, { body }) => readProposal(ctx, (await propose(ctx, readWish(body))).id),
    }),
    ...routesOfOne(`${path}/:_id`, common),
  ]
}

function routesOfOne(path: string, common: Pick<Route, 'tag' | 'isFor' | 'permit'>): readonly Route[] {
  return [
    route({
      ...common,
      method: 'GET',
      path,
      summary: 'One proposal with its rows',
      description: 'Compares the draft as it was with the draft as it would be, as far as the caller sees it.',
      operationId: 'proposal.read',
      isLong: () => true,
      answer: proposalWithRows,
      handle: (ctx, { params }) => readProposal(ctx, idOf(params)),
    }),
    route({
      ...common,
      method: 'DELETE',
      path,
      summary: 'Withdraw a proposal',
      description: 'Its maker may, and admins.',
      operationId: 'proposal.remove',
      answer: emptyAnswer,
      handle: async (ctx, { params }) => {
        await withdrawProposal(ctx, idOf(params))
        return {}
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: `${path}/accept`,
      summary: 'Accept a proposal, or some of its rows',
      description: 'Writes the rows to the draft in one version, which names who wrote them and who accepted them.',
      operationId: 'proposal.accept',
      body: acceptBody,
      answer: proposalWithRows,
      handle: decided(acceptProposal),
    }),
    route({
      ...common,
      method: 'POST',
      path: `${path}/refuse`,
      summary: 'Refuse a proposal, or some of its rows',
      operationId: 'proposal.refuse',
      body: refuseBody,
      answer: proposalWithRows,
      handle: decided(refuseProposal),
    }),
  ]
}

/** The proposal as it is after what was decided. */
function decided(work: typeof acceptProposal) {
  return async (ctx: Context, { params, body }: RouteRequest) => {
    const id = idOf(params)
    await work(ctx, id, readChosen(body))
    return readProposal(ctx, id)
  }
}

function idOf({ _id = '' }: RouteRequest['params']): string {
  if (!NEW_ID.test(_id)) throw notFound()
  return _id
}

function filterOf(query: QueryValues): ProposalFilter {
  const state = textParameter(query, 'state')
  const known = PROPOSAL_STATES.find((one) => one === state)
  if (state !== undefined && known === undefined) throw invalid(`state must be one of ${PROPOSAL_STATES.join(', ')}.`)
  const given = textParameter(query, 'docId')
  const document = given === undefined ? undefined : parsePartialId(given)
  if (document === null) throw notFound()
  return {
    docId: document?.docId,
    locale: document?.locale,
    type: textParameter(query, 'type'),
    makerId: textParameter(query, 'makerId'),
    state: known,
  }
}
