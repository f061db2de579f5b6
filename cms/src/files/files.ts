import type { Readable } from 'node:stream'
import { messageOf } from '../base/thrown.ts'

/**
 * The storage of uploads (§4.3): a local folder or a bucket. Names are made by the service:
 * `attachments/<id>-<name>.<size>.<extension>`, and the content under a name never changes.
 */
export interface Files {
  /**
   * Stores a file atomically: nobody ever reads half of one. Throws `unavailable` after some attempts, and then leaves
   * nothing under the name.
   */
  put(name: string, content: FileContent): Promise<void>
  /** The file or a part of it; null when there is none. The caller reads the stream to its end or destroys it. */
  open(name: string, range?: ByteRange): Promise<StoredFile | null>
  /** The facts of a file without opening it; null when there is none. */
  facts(name: string): Promise<FileFacts | null>
  /** Copies a stored file to a local path; false when there is none. */
  fetch(name: string, path: string): Promise<boolean>
  /** Removes files, as many as it can; missing ones are not an error. */
  remove(names: readonly string[]): Promise<void>
  /** All names with this prefix, in no particular order. */
  list(prefix: string): AsyncIterable<string>
  /** The public URL of a file: a path of this service, or an absolute URL of the bucket or a CDN. */
  url(name: string): string
  /** True when browsers fetch files elsewhere, so that this service cannot answer for their alternate names. */
  readonly isServedElsewhere: boolean
  /** Throws `unavailable` when uploads cannot be stored, or not be read; logs nothing. May take as long as the storage is silent. */
  check(): Promise<void>
  /** Removes what processes that were killed have left half-written, once it is older than an hour. */
  clean(): Promise<void>
  close(): Promise<void>
}

/** Content to store: bytes in memory, or a local file. */
export interface FileContent {
  readonly source: Uint8Array | { readonly path: string }
  /** True when another file may take over the name: browsers must revalidate. */
  readonly mayChange?: boolean
}

/** Bytes from `start` to `end`, inclusive, counted from 0. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** The facts of a stored file. */
export interface FileFacts {
  /** Bytes of the whole file, whatever range was requested. */
  readonly length: number
  /** Changes with the content: letters, digits and `-`. */
  readonly tag: string
}

/** An opened file: all of it or the requested range. */
export interface StoredFile extends FileFacts {
  /** All requested bytes when they are few and in memory; then the stream need not be destroyed. */
  readonly bytes: Buffer | null
  readonly stream: Readable
}

/** Uploads cannot be stored where they are to be: the message says who runs the service why. */
export class UnusableStorage extends Error {}

/** An error for a refusal of the system: `what` cannot be done, and the system's own words say why. */
export function unusable(what: string, error: unknown): UnusableStorage {
  const message = messageOf(error)
  return new UnusableStorage(`${what}: ${message}.`, { cause: error })
}
