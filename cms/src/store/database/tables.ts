import type { Mode, Visibility } from '../../model/terms/document.ts'
import type { Role } from '../../model/terms/roles.ts'

/** A document as it is read. */
export interface DocumentRow {
  readonly n: number
  readonly doc_id: string
  readonly locale: string
  readonly mode: Mode
  readonly type: string
  /** These are not in the body, so that those of whole subtrees change without reading bodies. */
  readonly slug: string
  readonly archived: number
  readonly visibility: Visibility
  readonly copy_of: string | null
  /** All other fields, as JSON. */
  readonly body: string
  readonly created_at: string
  readonly updated_at: string
  /** The author, as JSON. */
  readonly updated_by: string
  readonly last_published_at: string | null
  readonly was_published: number
  readonly modified: number
  readonly revision: number
}

/** A copy of a document, without its fields. */
export interface SummaryRow
  extends Pick<DocumentRow, 'locale' | 'mode' | 'type' | 'slug' | 'archived' | 'updated_at' | 'last_published_at'> {
  readonly title: string
  readonly visibility: Visibility
}

/** A document of a list, without its fields. */
export interface ListedDocumentRow extends Omit<SummaryRow, 'type' | 'archived' | 'last_published_at' | 'visibility'> {
  readonly doc_id: string
  readonly slug_folded: string
  readonly bytes: number
}

/** A version, without its content. */
export interface VersionRow {
  readonly id: string
  readonly doc_id: string
  readonly locale: string
  readonly mode: Mode
  readonly type: string
  readonly created_at: string
  readonly updated_at: string | null
  readonly author: string
  readonly author_id: string | null
  readonly ai: number
  readonly restored_from: string | null
  readonly undo: number
  /** Null where it is in the content. */
  readonly slug: string | null
  readonly label: string | null
  readonly data: string | null
}

/** A version of a list, with where its content is and which version is before it. */
export interface ListedVersionRow extends VersionRow {
  readonly hash: string
  readonly bytes: number
  readonly previous_id: string | null
  readonly previous_type: string
  readonly previous_slug: string | null
  readonly previous_hash: string
  readonly previous_bytes: number
}

/** A row of `api_keys`. */
export interface KeyRow {
  readonly id: string
  readonly name: string
  readonly role: Role
  readonly ai: number
  readonly drafts_only: number
  readonly created_at: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly user_id: string | null
}

/** A row of `places`, without its locale. */
export interface PositionRow {
  readonly doc_id: string
  readonly parent: string
  readonly path: string
  readonly level: number
  readonly rank: number
}

/** A copy of a page, as its neighbours see it; without a mode there is none. */
export interface NodeCopyRow extends Pick<SummaryRow, 'type' | 'slug' | 'title' | 'visibility'> {
  readonly mode: Mode | null
}

/** The part of a page that decides where it is shown, and to whom. */
export interface OutlineRow {
  readonly n: number
  readonly bytes: number
  readonly doc_id: string
  readonly parent: string
  readonly path: string
  readonly level: number
  readonly rank: number
  readonly type: string
  readonly visibility: Visibility
  readonly archived: number
  readonly orphan: number
}

/** A published page, without its fields. */
export interface PublishedPageRow
  extends Pick<OutlineRow, 'n' | 'bytes' | 'doc_id' | 'parent' | 'type' | 'visibility'>,
    Pick<SummaryRow, 'slug' | 'title' | 'updated_at'> {}

/** A copy of a page in a subtree. */
export interface PageCopyRow {
  readonly n: number
  readonly doc_id: string
  readonly type: string
  readonly mode: Mode
  readonly slug: string
  readonly archived: number
  readonly parent: string
}
