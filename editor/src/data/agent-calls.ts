import type { Editor } from './editor.ts'

/** A call of a tool by an agent (§4.10). */
export interface AgentCall {
  readonly _id: string
  readonly at: string
  readonly keyId: string
  /** The name of the key. */
  readonly key: string
  readonly tool: string
  /** Its subject: a document, or a file. */
  readonly document: string | null
  /** Null for files, and where the document is gone or archived. */
  readonly documentType: string | null
  readonly documentTitle: string | null
  readonly locale: string | null
  /** `ok`, or the name of an error. */
  readonly result: string
}

/** Which calls are listed. */
export interface AgentCallFilter {
  /** Empty for all keys. */
  readonly keyId: string
  readonly isFailedOnly: boolean
}

/** A page of calls. */
interface AgentCallPage {
  readonly results: readonly AgentCall[]
  readonly next: string | null
}

/** The calls of agents, newest first, fifty at a time. Rejects with a `QuireError`. */
export function readAgentCalls(
  { request }: Pick<Editor, 'request'>,
  { keyId, isFailedOnly }: AgentCallFilter,
  { before, signal }: { readonly before: string | null; readonly signal: AbortSignal },
): Promise<AgentCallPage> {
  const query = {
    ...(keyId !== '' && { keyId }),
    ...(isFailedOnly && { failed: true }),
    ...(before !== null && { before }),
  }
  return request<AgentCallPage>('GET', '@cms/agent-calls', { query, signal })
}
