import type { JsonObject } from '../../base/json.ts'
import type { DocId, Locale } from '../../model/terms/document.ts'

/** A content migration that has run on this database, or has begun to. */
export interface StoredMigration {
  readonly name: string
  /** A digest of its file; empty where it came from none. */
  readonly checksum: string
  readonly startedAt: string
  /** Null while it is not done. */
  readonly finishedAt: string | null
  /** How far it has come. */
  readonly progress: JsonObject
}

/** Some of the documents of a locale: of these types, after an id. */
export interface MigratedBatch {
  readonly types: readonly string[]
  readonly locale: Locale
  readonly after: DocId
  readonly limit: number
}

/** Reads content migrations, and which documents they go through, whatever the site declares. */
export interface ContentMigrationReader {
  /** All, by name. */
  all(): Promise<StoredMigration[]>
  get(name: string): Promise<StoredMigration | null>
  /** The locales that documents of these types are in; the empty one for types without locales. One statement. */
  locales(types: readonly string[]): Promise<Locale[]>
  /** How many documents of these types there are, counted in each locale; one statement. */
  count(types: readonly string[]): Promise<number>
  /** The ids of some documents, in their order; one statement. */
  following(batch: MigratedBatch): Promise<DocId[]>
}

/** Notes content migrations, in one transaction. */
export interface ContentMigrationWriter {
  /** Nobody else runs a migration until the transaction ends. Call it first. */
  lock(): Promise<void>
  put(migration: StoredMigration): Promise<void>
  /** Gives at most `limit` versions of one type to another one; returns how many. */
  renameVersions(from: string, to: string, limit: number): Promise<number>
}
