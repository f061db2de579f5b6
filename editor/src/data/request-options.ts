/** Options of a request. */
export interface RequestOptions {
  readonly query?: Readonly<Record<string, QueryValue>>
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly locale?: string
  readonly mode?: 'draft' | 'published'
  /** The ETag that the document must still have, else `conflict` (§0.8). */
  readonly ifMatch?: string | null
  /** Makes a write safe to be sent again (§0.9). */
  readonly idempotencyKey?: string
}

type QueryValue =
  | string
  | number
  | boolean
  | readonly (string | number)[]
  | undefined
  | { readonly [name: string]: QueryValue }
