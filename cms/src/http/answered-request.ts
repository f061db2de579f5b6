/** What the access log says of a request, once its answer has left or its caller has gone. */
export interface AnsweredRequest {
  readonly requestId: string
  readonly method: string
  /** With the query, without keys and other secrets. */
  readonly path: string
  readonly status: number
  /** Milliseconds since the head of the request was read. */
  readonly ms: number
  /** What was sent to the caller, the head of the answer included. */
  readonly bytes: number
  /** The answer came from memory. */
  readonly cached: boolean
  /** The address that called, as the site's proxy names it. */
  readonly address: string
  /** The caller went away before the answer had left. */
  readonly aborted?: true
}
