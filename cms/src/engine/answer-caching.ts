import type { Visibility } from '../model/document.ts'
import type { SharedBytes, SharedText } from './shared-bytes.ts'

/** Parts that many answers have, by name: JSON, which nobody may change. */
export interface PartMemory {
  /** The part of this name, or what `make` makes: once, however many ask at a time. */
  get<Part>(name: string, make: () => Promise<Part>): Promise<Part>
}

/** Fragments by what they show, and to whom. */
export interface FragmentMemory {
  get(key: string): Fragment | undefined
  /** Makes one anew. */
  make(make: () => Promise<Fragment>, keysOf: () => readonly string[]): Promise<Fragment>
  readonly related: RelatedMemory
}

/** Related documents as text. */
export interface RelatedMemory {
  /** False while nothing can be cached. */
  readonly isOn: boolean
  /** Null for one that is not shown. */
  get(key: string): RelatedText | null | undefined
  /** What is cached, or what `make` makes: once, however many ask at a time. */
  fill(key: string, make: () => Promise<RelatedText | null>): Promise<RelatedText | null>
}

/** A related document as JSON text, as callers of one audience see it. */
export interface RelatedText {
  readonly text: SharedBytes
  /** How much it counts in an answer, with what is related to it. */
  readonly size: number
}

/** A document as JSON text, as callers of one audience see it. */
export interface Fragment {
  readonly text: SharedText
  /** How many bytes its fields take where they are stored. */
  readonly bytes: number
  /** How long the documents are that are related to it. */
  readonly related: number
  readonly isArchived: boolean
  readonly visibility: Visibility
  /** The entity tag of an answer with this document alone; null where that is made of its bytes. */
  readonly tag: string | null
}

/** Whether an answer may be cached (§0.7). */
export interface Caching {
  isAllowed(): boolean
  /** Says that the answer depends on more than stored content and the caller's role: on who they are, on time, on others. */
  forbid(): void
}
