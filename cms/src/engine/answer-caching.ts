import type { Visibility } from '../model/terms/document-id.ts'
import type { SharedBytes, SharedText } from './shared-bytes.ts'

/** Values by key, each cached until the content that it was made of changes. Callers must not change them. */
interface Cache<Value> {
  /** False while nothing can be cached. */
  readonly isOn: boolean
  get(key: string): Value | undefined
  /** The cached value, or what `make` makes: once, however many ask at the same time. */
  fill(key: string, make: () => Promise<Value>): Promise<Value>
  /** Makes a value, and caches it under each of its keys. */
  make(make: () => Promise<Value>, keysOf: (value: Value) => readonly string[]): Promise<Value>
}

/** Caches of what answers are made of, in one memory with the answers themselves. */
export interface Caches {
  readonly parts: Parts
  /** Documents, by what is shown of them and to whom (`answers/fragments.ts`). */
  readonly fragments: Cache<Fragment>
  /** Related documents (`presentation/related-texts.ts`); null for one that is not shown. */
  readonly related: Cache<RelatedText | null>
}

/** JSON that many answers need, such as navigation; the key says what it is. */
export interface Parts {
  fill<Part>(key: string, make: () => Promise<Part>): Promise<Part>
}

/** How many related documents there are, and how long they are together. */
export interface RelatedExtent {
  readonly length: number
  readonly documents: number
}

/** A document as JSON text, as callers of one audience see it. */
export interface Fragment {
  readonly text: SharedText
  /** The bytes of its fields in the database. */
  readonly bytes: number
  /** The related documents in it (`RelatedSize`). */
  readonly related: RelatedExtent
  readonly isArchived: boolean
  readonly visibility: Visibility
  /** The entity tag of an answer with this document alone; null when it is a digest of the bytes. */
  readonly tag: string | null
}

/** A related document as JSON text, as callers of one audience see it. */
export interface RelatedText {
  readonly text: SharedBytes
  /** It, and what is in it, as `RelatedSize` counts it. */
  readonly size: RelatedExtent
}

/** Whether an answer may be cached (§0.7). */
export interface Caching {
  isAllowed(): boolean
  /** The answer depends on more than stored content and the caller's role: on who the caller is, on time, on others. */
  forbid(): void
}
