import type { Mode } from '../model/document.ts'
import type { Role } from '../model/roles.ts'

/** A document as it is read. */
export interface DocumentRow {
  readonly n: number
  readonly doc_id: string
  readonly locale: string
  readonly mode: Mode
  readonly type: string
  /** These two outweigh what the body says: whole subtrees of pages get new ones without their bodies being read. */
  readonly slug: string
  readonly archived: number
  /** The fields, as JSON. */
  readonly body: string
  readonly created_at: string
  readonly updated_at: string
  /** The author, as JSON. */
  readonly updated_by: string
  readonly last_published_at: string | null
  readonly modified: number
  readonly revision: number
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
  readonly autosave: number
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
