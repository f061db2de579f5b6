import type { JobRequest } from './children.ts'
import type { Samples } from './samples.ts'

/**
 * - `read`: each request has an address of its own, so that the cache does not have its answer;
 * - `cached`: the same addresses again and again;
 * - `mixed`: the same addresses, with writes between them;
 * - `write`: each request is sent once.
 */
export type RowKind = 'read' | 'cached' | 'mixed' | 'write'

/** One line of a table: what is asked. */
export interface Row<Content = Samples> {
  readonly name: string
  readonly kind: RowKind
  /** Of reads all there are; of writes as many as asked for, `from` being the number of the first of them. */
  requests(samples: Content, amount: number, from: number): JobRequest[]
  /** Of its reads; left out: an anonymous caller's. */
  headers?(samples: Content): Readonly<Record<string, string>>
  /** Writes that have to come before those. */
  prepare?(samples: Content, amount: number, from: number): JobRequest[]
  /** Writes after each of which it is read once. */
  changes?(samples: Content, amount: number, from: number): JobRequest[]
  /** The status that counts as success where it is not 2xx. */
  readonly status?: number
}
