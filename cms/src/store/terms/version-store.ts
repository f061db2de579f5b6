import type { JsonObject } from '../../base/json.ts'
import type { StoredValues } from '../../model/terms/document.ts'
import type { DocId, Locale, Mode } from '../../model/terms/document-id.ts'

/** A document in one locale: draft and published copy share one history (§2.4). */
export interface TimelineRef {
  readonly docId: DocId
  readonly locale: Locale
}

/** A version that a save has made (§2.4), without its content. */
export interface Version extends TimelineRef {
  readonly id: string
  readonly mode: Mode
  readonly type: string
  readonly createdAt: string
  /** When an autosave updated it last; null when none did. */
  readonly updatedAt: string | null
  readonly author: string
  readonly authorId: string | null
  readonly ai: boolean
  readonly restoredFrom: string | null
  /** Whether it took a publication back. */
  readonly isUndo?: true
  /** A name that somebody gave it. */
  readonly label: string | null
  /** Data that the hook `beforeVersion` added. */
  readonly data: JsonObject | null
  /** Of a version that accepts a proposal (§4.9): its author is who accepted it. */
  readonly proposal?: AcceptedProposal
}

/** The proposal that a version accepts, and who wrote it. */
export interface AcceptedProposal {
  readonly id: string
  readonly author: string
  readonly authorId: string
  /** The keys of the changes to which the person who accepted them gave another value. */
  readonly assisted: readonly string[]
}

/** A version with its content: the fields as stored, without secrets. */
export interface StoredVersion {
  readonly version: Version
  readonly content: StoredValues
}

/** A version to add: the fields that it records, whose state it leaves out, and the attachments that they name. */
export interface NewVersion extends StoredVersion {
  readonly content: JsonObject
  readonly attachments: readonly string[]
}

/** The position of the content of a version, and the bytes that it takes there. */
export interface ContentRef {
  readonly docId: DocId
  /** The type as which it was saved. */
  readonly type: string
  /** Equal contents of one document have the same. */
  readonly hash: string
  /** The slug of that time, which is stored outside of the content; null where the content has it. */
  readonly slug: string | null
  readonly bytes: number
}

/** A version in a long history. */
export interface Save {
  readonly id: string
  readonly ai: boolean
  readonly proposal?: AcceptedProposal
}

/** A version of a list. */
export interface ListedVersion extends Version {
  readonly content: ContentRef
  /** The version before it on its timeline; null for the first one. */
  readonly previous: PreviousVersion | null
}

/** The version before another one. */
export interface PreviousVersion {
  readonly id: string
  readonly content: ContentRef
}

/** A place on a timeline. Versions are in the order of their times; those of one time in that of their ids. */
export interface VersionPosition {
  readonly createdAt: string
  readonly id: string
}

/** Selects versions: all given properties must hold. */
export interface VersionFilter {
  readonly authorId?: string | undefined
  readonly ai?: true | undefined
  readonly mode?: Mode | undefined
  /** Only versions with a name. */
  readonly labelled?: true | undefined
  /** Made at this time or later. */
  readonly since?: string | undefined
}

/** Selects versions of a timeline, newest first. */
export interface TimelineQuery extends VersionFilter {
  /** Older than a time, or than a place among the versions of one time. */
  readonly before?: string | VersionPosition | undefined
  /** Newer than this place. */
  readonly after?: VersionPosition
  /** At this time. */
  readonly at?: string
  /** All, when left out. */
  readonly limit?: number
}

/** Selects the newest versions of all documents. */
export interface RecentQuery extends Omit<TimelineQuery, 'after'> {
  /** Only of documents of these types. */
  readonly types: readonly string[]
  readonly locales: readonly Locale[]
}

/** A version, and the title that the document has now. */
export interface RecentVersion extends ListedVersion {
  readonly title: string
}

/** The older part of a stretch: adjacent draft versions by one author, none of them restored. */
export interface OlderStretch {
  /** The newest version that is not part of it; null when it reaches the first one. */
  readonly end: VersionPosition | null
  /** Whether one of its versions has another AI mark than the version that was asked about. */
  readonly isMixed: boolean
}

/** Reads versions. */
export interface VersionReader {
  get(id: string): Promise<StoredVersion | null>
  /** A version as lists have it. */
  listed(id: string): Promise<ListedVersion | null>
  /** Versions as lists have them, by id; those that are gone are left out. One statement. */
  listedOf(ids: readonly string[]): Promise<ReadonlyMap<string, ListedVersion>>
  /** The newest version of a timeline. */
  newest(timeline: TimelineRef): Promise<Version | null>
  /** The oldest version of a timeline. */
  first(timeline: TimelineRef): Promise<ListedVersion | null>
  /**
   * The newest version of a timeline as it was at a time: for the published mode, of those that record the published
   * copy. A version that was autosaved again since counts where it is known what it held then.
   */
  newestUntil(
    docId: DocId,
    locale: Locale,
    of: { readonly until: string; readonly mode: Mode },
  ): Promise<StoredVersion | null>
  /** The newest publication of a timeline. */
  publication(timeline: TimelineRef): Promise<Version | null>
  /** The newest publication before one, with different content. */
  publicationBefore(publication: Version): Promise<StoredVersion | null>
  /** Newest first; one statement. */
  list(timeline: TimelineRef, query?: TimelineQuery): Promise<ListedVersion[]>
  /** `list` for thousands, without their long parts. */
  saves(timeline: TimelineRef, query: TimelineQuery): Promise<Save[]>
  /** Counts the versions of a timeline. */
  count(timeline: TimelineRef, filter: VersionFilter): Promise<number>
  /** The next newer version of the same timeline. */
  following(version: Version): Promise<Version | null>
  /** The part of a version's stretch that is older than itself. */
  olderStretch(version: Version): Promise<OlderStretch>
  /** Whether a key other than `except` has saved the draft with an AI mark after a moment (ISO 8601). One statement. */
  isSavedByAgentSince(timeline: TimelineRef, since: string, except: string | null): Promise<boolean>
  /**
   * How AI took part in documents, whose every copy is of these types, since a person published them last: `changed` where
   * AI has saved last, `assisted` where a person has after it; others are left out. One statement.
   */
  aiMarks(
    docIds: readonly DocId[],
    scope: Pick<RecentQuery, 'types' | 'locales'>,
  ): Promise<ReadonlyMap<DocId, 'changed' | 'assisted'>>
  /** The newest versions of all documents whose every copy is of the types of the query; one statement. */
  recent(query: RecentQuery): Promise<RecentVersion[]>
  /**
   * Contents, as they are stored; those that are gone are left out. One statement. `open` reads one of them, as its
   * type is declared now.
   */
  contents(refs: readonly ContentRef[]): Promise<ClosedContent[]>
  /** Contents that no document has any more, among the next `limit` after this one; start with 0. One statement. */
  packable(after: number, limit: number): Promise<PackableContents>
  /** Counts the documents that have versions. */
  countDocuments(): Promise<number>
  /** The versions that may be removed, of the next documents after this one; start with ''. */
  prunable(prunable: Prunable, after: DocId, documents: number): Promise<PrunableVersions>
}

/** A content as it is stored. */
export interface ClosedContent extends Pick<ContentRef, 'docId' | 'hash'> {
  open(as: Pick<ContentRef, 'type' | 'slug'>): StoredValues
}

/** Selects draft versions to delete, but no publications, labelled versions and newest of each timeline. */
export interface Prunable {
  /** Last changed before this time; at any time when null. */
  readonly before: string | null
  /** Not among this many newest versions of their timeline. */
  readonly keep: number
}

/** Some documents, and those of their versions that may go. */
export interface PrunableVersions {
  readonly ids: readonly string[]
  /** How many documents were looked at, and the last of them; null when there were none. */
  readonly documents: number
  readonly last: DocId | null
}

/** Some of all contents, in the order in which they came, and those of them that may be compressed. */
export interface PackableContents {
  readonly contents: readonly { readonly n: number; readonly bytes: number }[]
  /** The last one that was looked at; null when there were none. */
  readonly last: number | null
}

/** Changes versions. */
export interface VersionWriter {
  /**
   * Adds a version, whose content names these attachments. Equal contents of one document are stored once, and its
   * copies share them; state of the copies (`visibility`, `archived`, `copyOfId`) is left out.
   */
  add(version: Version, content: JsonObject, attachments?: readonly string[]): Promise<void>
  /** Adds many versions, in two statements, or three where they name attachments. */
  addMany(versions: readonly NewVersion[]): Promise<void>
  /** Replaces a version's content in place (autosave). */
  update(
    version: Pick<Version, 'id' | 'updatedAt' | 'data'>,
    content: JsonObject,
    attachments?: readonly string[],
  ): Promise<void>
  /** Names a version, or takes its name away. */
  label(id: string, label: string | null): Promise<void>
  /**
   * Deletes the history of a document in one locale, or everywhere. Returns the attachments that the document's
   * versions named, in whatever locale.
   */
  removeOf(docId: DocId, locale: Locale | null): Promise<readonly string[]>
  /** Deletes the histories of all documents in a locale but these, some at a time. */
  removeLocale(locale: Locale, except: readonly DocId[]): Promise<void>
  /**
   * Deletes those of these draft versions that have no label, and what nothing else needs of their contents. May run
   * alongside saves of the same documents. How many it deleted.
   */
  prune(ids: readonly string[]): Promise<number>
  /** Compresses those of these contents that only versions have, and deletes those that nothing has. */
  pack(contents: readonly number[]): Promise<void>
}
