import type { ChangeRow, Json } from 'quire-client'
import { type Editor, useEditor } from './editor.ts'
import { type Answered, invalidate, useQuery } from './query.ts'

/** A proposal as lists have it (§4.9). */
export interface ThinProposal {
  readonly _id: string
  /** The _id of the draft. */
  readonly docId: string
  readonly type: string
  readonly locale: string
  /** Empty where the draft is gone. */
  readonly documentTitle: string
  readonly title: string
  readonly reason: string
  readonly state: 'open' | 'accepted' | 'partial' | 'refused'
  readonly maker: { readonly _id: string; readonly kind: 'user' | 'key'; readonly title: string }
  readonly ai: boolean
  readonly createdAt: string
  readonly decidedAt: string | null
}

/** A change of a proposal, and what was decided about it. */
export interface ProposedRow extends ChangeRow {
  readonly key: string
  readonly state: 'open' | 'accepted' | 'assisted' | 'refused'
  readonly decidedBy?: string
  readonly refusal?: string
  /** Changes that others have made here since. */
  readonly changedMeanwhile?: readonly ChangeRow[]
}

/** A proposal with its rows. */
export interface Proposal extends ThinProposal {
  readonly _warnings: readonly { readonly name: 'newLink' | 'html' | 'invisible'; readonly message: string }[]
  readonly rows: readonly ProposedRow[]
  /** Why it cannot be accepted. */
  readonly obstacle?: string
  readonly _accept: boolean
}

/** A page of a list of proposals. */
export interface ProposalPage {
  readonly results: readonly ThinProposal[]
  readonly total: number
  readonly next: string | null
}

const PATH = '@cms/proposal'
const TAG = 'proposals'

type Asks = Pick<Editor, 'request'>

/** Proposals, newest first; those that wait, or all. Rejects with a `QuireError`. */
export function readProposals(
  { request }: Asks,
  isOpenOnly: boolean,
  { before, signal }: { readonly before: string | null; readonly signal: AbortSignal },
): Promise<ProposalPage> {
  const query = { ...(isOpenOnly && { state: 'open' }), ...(before !== null && { before }) }
  return request<ProposalPage>('GET', PATH, { query, signal })
}

/** Whether there is anything that the caller may write: others have no proposals. */
export function useMayPropose(): boolean {
  const { types } = useEditor().schema.value
  return Object.values(types).some(({ denied, localized }) => localized && denied.editDraft === undefined)
}

/** The proposals that wait: of a document, or all. Nothing is asked for callers who edit nothing, nor before it `isWanted`. */
export function useWaitingProposals(docId: string | null = null, isWanted = true): Answered<ProposalPage> {
  const editor = useEditor()
  const isAsked = useMayPropose() && isWanted
  return useQuery<ProposalPage>([TAG, 'open', docId, isAsked], (signal) =>
    isAsked
      ? editor.request<ProposalPage>('GET', PATH, { query: { state: 'open', ...(docId && { docId }) }, signal })
      : Promise.resolve({ results: [], total: 0, next: null }),
  )
}

/** One proposal with its rows. */
export function useProposal(id: string): Answered<Proposal> {
  const { request } = useEditor()
  return useQuery<Proposal>([TAG, 'one', id], (signal) => request<Proposal>('GET', `${PATH}/${id}`, { signal }))
}

/** Which rows are accepted: all that can be, or one, perhaps with another value. */
export interface Acceptance {
  readonly rows?: readonly string[]
  readonly values?: Readonly<Record<string, Json>>
}

/** Writes rows of a proposal to the draft. Rejects with a `QuireError`. */
export function acceptRows(asks: Asks, proposal: ThinProposal, body: Acceptance): Promise<Proposal> {
  return decide(asks, proposal, 'accept', body)
}

/** Refuses rows of a proposal, or all that are open. Rejects with a `QuireError`. */
export function refuseRows(
  asks: Asks,
  proposal: ThinProposal,
  body: { readonly rows?: readonly string[]; readonly reason?: string },
): Promise<Proposal> {
  return decide(asks, proposal, 'refuse', body)
}

async function decide({ request }: Asks, { _id, type }: ThinProposal, verb: string, body: object): Promise<Proposal> {
  try {
    return await request<Proposal>('POST', `${PATH}/${_id}/${verb}`, { body })
  } finally {
    await invalidate(TAG, type, 'documents')
  }
}
