import { hash } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { quotedName, type Sql, sql } from './sql.ts'

/** The body of a document `d`, as JSON; null where another transaction has replaced it since the statement began. */
export const BODY = sql`(select c.body from contents c where c.n = d.content)`

/**
 * The names whose values are columns of documents, and of versions as far as those have them: they are in no content.
 */
export const OUTSIDE_CONTENT = ['slug', 'archived', 'visibility', 'copyOfId'] as const

/** Characters of a hash in base64: 128 bits. */
export const HASH_LENGTH = 22

/** Identifies a content among those of its document. Both databases compute it in SQL, too, when they are migrated. */
export function contentHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, HASH_LENGTH)
}

/** The position of a content. */
export interface ContentPosition {
  readonly n: number
  /** How long its JSON is. */
  readonly bytes: number
  /** Whether a version is known to have it. */
  readonly isRecorded: boolean
}

/** A row of `contents` as versions read it: as JSON, or compressed. */
export interface ContentRow {
  readonly body: string | null
  readonly packed: Uint8Array | null
}

/** The columns of a content `c` that make it up. */
export const CONTENT = sql`c.body, c.packed`

/** Returns the size in bytes of a content of that name. */
export function contentBytes(name: string): Sql {
  const column = (of: string) => quotedName(`${name}.${of}`)
  return sql`coalesce(octet_length(${column('body')}), length(${column('packed')}))`
}

/** The JSON of a content. */
export function textOf({ body, packed }: ContentRow): string {
  if (body !== null) return body
  if (packed === null) throw new Error('A content is empty.')
  return zstdDecompressSync(packed).toString()
}

/** The condition that only versions have it, which are seldom read. */
export const IS_PAST = sql`contents.body is not null and not exists (
  select 1 from documents d where d.doc_id = contents.doc_id and d.content = contents.n)`
