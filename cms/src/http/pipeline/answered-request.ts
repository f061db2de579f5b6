/** A request as the access log has it, once it was answered or the caller has disconnected. */
export interface AnsweredRequest {
  readonly requestId: string
  readonly method: string
  /** With the query, without keys and other secrets. */
  readonly path: string
  readonly status: number
  /** Milliseconds since the head of the request was read. */
  readonly ms: number
  /** Bytes sent to the caller, with the head of the answer. */
  readonly bytes: number
  /** The answer came from the cache. */
  readonly cached: boolean
  /** The address that called, as the site's proxy names it. */
  readonly address: string
  /** The caller disconnected before the whole answer was sent. */
  readonly aborted?: true
}
