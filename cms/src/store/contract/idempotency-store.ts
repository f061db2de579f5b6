/** A request that is carried out once, however often it is sent (§0.9). */
export interface IdempotentRequest {
  /** Of the caller, the method, the path and the key. */
  readonly id: string
  /** A digest of the body: the same key stands for one body. */
  readonly body: string
  /** Until when the process that carries it out is presumed alive, in milliseconds since 1970. */
  readonly until: number
}

/** The recorded state of such a request. */
export interface IdempotentRequestState extends IdempotentRequest {
  readonly since: number
  /** True once any of its work is committed. */
  readonly isCommitted: boolean
  /** The answer as text; null while there is none. */
  readonly answer: string | null
}

/** Reads requests that are carried out once. */
export interface IdempotencyReader {
  get(id: string): Promise<IdempotentRequestState | null>
}

/** Notes requests that are carried out once. */
export interface IdempotencyWriter {
  /**
   * Claims a request for this process: true when it is new, older than `oldest`, or was abandoned before any of it was
   * committed.
   */
  claim(request: IdempotentRequest, now: number, oldest: number): Promise<boolean>
  extend(id: string, until: number): Promise<void>
  /** Notes, in the transaction of the request itself, that its work is committed. */
  commit(id: string): Promise<void>
  /** Stores the answer; null for one that cannot be stored. */
  finish(id: string, answer: string | null): Promise<void>
  /** Deletes a request whose work was never committed. */
  abandon(id: string): Promise<void>
  removeBefore(time: number): Promise<void>
}
