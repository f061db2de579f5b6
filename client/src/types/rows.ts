/** The state of a document: without, with changes since, like, or out of what is published. */
export type DocumentState = 'draft' | 'modified' | 'published' | 'archived'

/** Selects documents of all types. */
export interface DocumentsQuery {
  readonly types?: readonly string[]
  readonly search?: string
  readonly autocomplete?: string
  readonly state?: DocumentState | readonly DocumentState[]
  /** The `_id` of a user or key, or several. */
  readonly updatedBy?: string | readonly string[]
  readonly updatedAt?: { readonly min?: string; readonly max?: string }
  /** When drafts are published and archived by themselves: `{ $exists: true }`, `{ min: '2026-01-01' }`. */
  readonly publishAt?: TimeBounds
  readonly archiveAt?: TimeBounds
  /** Only drafts whose schedule has failed. */
  readonly scheduleError?: true
  /** `'any'`: archived ones, too. */
  readonly archived?: boolean | 'any'
  /** Only these copies, in this order. */
  readonly _ids?: readonly string[]
  readonly sort?: `${'' | '-'}${'updatedAt' | 'title' | 'lastPublishedAt' | 'publishAt' | 'archiveAt'}`
  /** `'type,state'`: how many there are of each, in `counts`. */
  readonly counts?: 'type' | 'state' | 'type,state'
  readonly page?: number
  readonly perPage?: number
}

/** A time within bounds, which belong to it; or whether there is one. */
interface TimeBounds {
  readonly min?: string
  readonly max?: string
  readonly $exists?: boolean
}

/** A document in a list of all types. */
export interface DocumentRow {
  readonly _id: string
  readonly aposDocId: string
  readonly aposLocale?: string
  readonly aposMode?: 'draft' | 'published'
  readonly type: string
  readonly title: string
  readonly slug: string
  readonly updatedAt: string
  readonly lastPublishedAt?: string | null
  readonly modified?: boolean
  readonly archived?: boolean
  readonly updatedBy?: { readonly _id: string | null; readonly title: string }
  readonly _url?: string
  readonly state?: DocumentState
}
