import type { JsonObject } from '../base/json.ts'
import type { DocId, Locale, Mode } from '../model/document.ts'

/** What a save leaves behind (§2.4). `content` is the fields as stored, without secrets. */
export interface Version {
  readonly id: string
  readonly docId: DocId
  readonly locale: Locale
  readonly mode: Mode
  readonly type: string
  readonly createdAt: string
  readonly updatedAt: string | null
  readonly author: string
  readonly authorId: string | null
  readonly ai: boolean
  readonly restoredFrom: string | null
  /** Whether another save may update it in place (an autosaved draft). */
  readonly autosave: boolean
}

/** A version with its content. */
export interface StoredVersion {
  readonly version: Version
  readonly content: JsonObject
}

/** A version to add: its content, and the attachments that it names. */
export interface NewVersion extends StoredVersion {
  readonly attachments: readonly string[]
}

/** Reads versions. */
export interface VersionReader {
  /** The newest version of a document's timeline. */
  newest(docId: DocId, locale: Locale): Promise<Version | null>
  get(id: string): Promise<StoredVersion | null>
  /**
   * The newest version of a timeline that was complete at a time: for the published mode, of those that record the
   * published copy.
   */
  newestUntil(
    docId: DocId,
    locale: Locale,
    of: { readonly until: string; readonly mode: Mode },
  ): Promise<StoredVersion | null>
  /** Newest first. */
  list(docId: DocId, locale: Locale, limit: number): Promise<Version[]>
}

/** Changes versions. */
export interface VersionWriter {
  /** Adds a version, whose content names these attachments. Content is compressed, and equal content is stored once. */
  add(version: Version, content: JsonObject, attachments?: readonly string[]): Promise<void>
  /** The same for many versions, in two statements, or three where they name attachments. */
  addMany(versions: readonly NewVersion[]): Promise<void>
  /** Replaces a version's content in place (autosave). */
  update(id: string, updatedAt: string, content: JsonObject, attachments?: readonly string[]): Promise<void>
  /**
   * Deletes the history of a document in one locale, or everywhere. Returns the attachments that the document's
   * versions named, in whatever locale.
   */
  removeOf(docId: DocId, locale: Locale | null): Promise<readonly string[]>
}
