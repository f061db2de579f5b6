import type { Mode, Visibility } from '../../model/terms/document-id.ts'

/** A document as it is read. */
export interface DocumentRow {
  readonly n: number
  readonly docId: string
  readonly locale: string
  readonly mode: Mode
  readonly type: string
  /** Not in the body, so that these columns of whole subtrees change without reading bodies. */
  readonly slug: string
  readonly archived: number
  readonly visibility: Visibility
  readonly copyOf: string | null
  /** All other fields, as JSON. */
  readonly body: string
  readonly createdAt: string
  readonly updatedAt: string
  /** The author, as JSON. */
  readonly updatedBy: string
  readonly lastPublishedAt: string | null
  readonly wasPublished: number
  readonly modified: number
  readonly revision: number
}

/** A version, without its content. */
export interface VersionRow {
  readonly id: string
  readonly docId: string
  readonly locale: string
  readonly mode: Mode
  readonly type: string
  readonly createdAt: string
  readonly updatedAt: string | null
  readonly author: string
  readonly authorId: string | null
  readonly ai: number
  readonly restoredFrom: string | null
  readonly undo: number
  /** Null where it is in the content. */
  readonly slug: string | null
  readonly label: string | null
  readonly data: string | null
  /** The proposal that it accepts, as JSON. */
  readonly proposal: string | null
}

/** A version of a list, with where its content is and which version is before it. */
export interface ListedVersionRow extends VersionRow {
  readonly hash: string
  readonly bytes: number
  readonly previousId: string | null
  readonly previousType: string
  readonly previousSlug: string | null
  readonly previousHash: string
  readonly previousBytes: number
}

/** The kind of values in a column: bytes are copied as hexadecimal digits. */
export type ColumnKind = 'text' | 'integer' | 'number' | 'bytes'

/** A column of a table. */
interface ColumnShape {
  readonly name: string
  readonly kind: ColumnKind
  /** Whether each row has a value in it. */
  readonly isRequired: boolean
}

/** A table, as every kind of database has it. */
export interface TableShape {
  readonly name: string
  readonly columns: readonly ColumnShape[]
  /** The column of row numbers that the database assigns, never twice. */
  readonly rowNumber: string | null
}
