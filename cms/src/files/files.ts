import type { Readable } from 'node:stream'

/**
 * Where uploads are kept (decisions 4.3): a folder of this machine, or a bucket. Names are our own, never from outside:
 * `attachments/<id>-<name>.<size>.<extension>`, and what is under a name never changes its content.
 */
export interface Files {
  /**
   * Stores a file wholly or not at all: nobody ever reads half of one. Gives up after some attempts with `unavailable`,
   * and then leaves nothing under the name.
   */
  put(name: string, content: FileContent): Promise<void>
  /** The file or a part of it; null when there is none. The caller reads the stream to its end or destroys it. */
  open(name: string, range?: ByteRange): Promise<StoredFile | null>
  /** What is known of a file without opening it; null when there is none. */
  facts(name: string): Promise<FileFacts | null>
  /** Copies a stored file to a path of this machine, for work on it; false when there is none. */
  fetch(name: string, path: string): Promise<boolean>
  /** Removes these, as many as it can; those which are not there are no error. */
  remove(names: readonly string[]): Promise<void>
  /** All names that begin so, in no particular order. */
  list(prefix: string): AsyncIterable<string>
  /** Where browsers get the file: a path of this service, or an absolute URL of the bucket or a CDN. */
  url(name: string): string
  /** True when browsers get files from elsewhere than this service, which then cannot answer for other names of theirs. */
  readonly isServedElsewhere: boolean
  close(): Promise<void>
}

/** What is stored: bytes at hand, or a file of this machine. */
export interface FileContent {
  readonly source: Uint8Array | { readonly path: string }
  /** True for what another file may take the name of: browsers are to ask each time. */
  readonly mayChange?: boolean
}

/** Bytes from `start` to `end`, both counted from 0 and included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** What is known of a stored file. */
export interface FileFacts {
  /** Bytes of the whole file, whatever part was asked for. */
  readonly length: number
  /** A word that is another one should the content ever be another: letters, digits and `-`. */
  readonly tag: string
}

/** A stored file, opened: all of it or the part that was asked for. */
export interface StoredFile extends FileFacts {
  /** All bytes that were asked for, when they are few and at hand; then there is nothing to let go of. */
  readonly bytes: Buffer | null
  readonly stream: Readable
}
