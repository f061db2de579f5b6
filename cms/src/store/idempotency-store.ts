/** A request that is carried out once, whoever repeats it (§0.9). */
export interface OnceOnly {
  /** Of the caller, the method, the path and the key. */
  readonly id: string
  /** A digest of the body: the same key stands for one body. */
  readonly body: string
  /** Until when the process that carries it out is believed to be there, in milliseconds since 1970. */
  readonly until: number
}

/** What is known of such a request. */
export interface OnceOnlyState extends OnceOnly {
  readonly since: number
  /** True once something that it does is committed. */
  readonly isCommitted: boolean
  /** The answer as text; null while there is none. */
  readonly answer: string | null
}

/** Reads requests that are carried out once. */
export interface IdempotencyReader {
  get(id: string): Promise<OnceOnlyState | null>
}

/** Notes requests that are carried out once. */
export interface IdempotencyWriter extends IdempotencyReader {
  /**
   * Claims a request for this process: true when it is new, older than `oldest`, or was left before anything of it was
   * committed.
   */
  claim(request: OnceOnly, now: number, oldest: number): Promise<boolean>
  extend(id: string, until: number): Promise<void>
  /** Notes, in the transaction of the request itself, that its work is committed. */
  commit(id: string): Promise<void>
  /** Keeps the answer; null for one that cannot be kept. */
  finish(id: string, answer: string | null): Promise<void>
  /** Forgets a request of which nothing was committed. */
  abandon(id: string): Promise<void>
  removeBefore(time: number): Promise<void>
}
