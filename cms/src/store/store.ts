import type { JsonObject } from '../base/json.ts'
import type { Crop } from '../model/crop.ts'
import type { Copies, DocId, Document, DocumentId, Locale, Mode, Visibility } from '../model/document.ts'
import type { Role } from '../model/roles.ts'

/**
 * Where content is kept, in the words of the domain. Reading methods are here; changing ones only on `StoreWriter`,
 * which only a transaction hands out. Reads outside a transaction see committed content only.
 */
export interface Store {
  readonly documents: DocumentReader
  readonly versions: VersionReader
  readonly keys: KeyReader
  readonly tokens: TokenReader
  readonly attachments: AttachmentReader
  readonly marks: MarkReader
  readonly tree: TreeReader
  /**
   * Which state of the content reads see: a text that changes with every committed change of documents, made by this
   * process or by another one. Null while that cannot be known: then nothing may be answered from memory.
   */
  revision(): string | null
  /** Rises whenever this process makes a credential worth less: what was known of credentials is to be looked up again. */
  accessChanges(): number
  /** Runs `work` in one transaction: all or nothing. Inside, everything goes through the writer it gets. */
  transaction<T>(work: (tx: StoreWriter) => Promise<T>): Promise<T>
  /**
   * Runs `work` on one state of the content, for answers that are too long to be read at once. One at a time in this
   * process: do not wait for callers inside.
   */
  snapshot<T>(work: (store: Snapshot) => Promise<T>): Promise<T>
  /** Throws when the database cannot be reached. */
  check(): Promise<void>
  close(): Promise<void>
}

/** A store whose documents and tree are those of one moment. */
export interface Snapshot extends Store {
  readonly tree: TreeSnapshot
}

/** One list of documents: all of one type in one locale and mode. Locale is empty for types without locales. */
export interface Scope {
  readonly type: string
  readonly locale: Locale
  readonly mode: Mode
}

/** Which documents of a scope the caller may know of. */
export interface View extends Scope {
  readonly archived: boolean | 'any'
  /** Null: all. */
  readonly visibility: Visibility | null
}

export interface DocumentReader {
  get(id: DocumentId): Promise<Document | null>
  /** Both copies; either may be missing. */
  copies(docId: DocId, locale: Locale): Promise<Copies>
  /** The documents of a view with these ids, in no order; one statement. */
  many(view: View, docIds: readonly DocId[]): Promise<Document[]>
  /** A page of a list. At most two statements, whatever the length. */
  find(query: Query): Promise<Found>
  /** How many documents match. */
  count(query: Omit<Query, 'sort' | 'offset' | 'limit'>): Promise<number>
  /** The distinct values of one indexed name among the documents that match, with counts; one statement. */
  values(query: Omit<Query, 'sort' | 'offset' | 'limit'>, name: string): Promise<ValueCount[]>
  /** The same of a field that is a text, each with the text as the oldest of its documents has it; one statement. */
  writtenValues(query: Omit<Query, 'sort' | 'offset' | 'limit'>, name: string): Promise<WrittenValueCount[]>
  /** The documents that a relationship of the matching documents points to, with counts; one statement. */
  related(query: Omit<Query, 'sort' | 'offset' | 'limit'>, name: string, target: View): Promise<RelatedCount[]>
  /** Which of these ids exist, in any locale and mode, and their types; one statement. */
  types(docIds: readonly DocId[]): Promise<Map<DocId, string>>
  /** Who points to these documents by the relationship `name`: at most `limit` of each, newest first; one statement. */
  pointingTo(view: View, name: string, docIds: readonly DocId[], limit: number): Promise<PointingDocument[]>
  /** The documents of a scope that have a value in one of these unique fields; `value` folded. */
  byUnique(scope: Scope, names: readonly string[], value: string): Promise<Document[]>
  /** The locales and modes a document exists in. */
  places(docId: DocId): Promise<DocumentId[]>
  /** Copies after this row number that were saved since they were last indexed for search, at most `limit`. */
  unsearched(row: number, limit: number): Promise<StoredDocument[]>
  /** The copies that come after this row number, in the order of rows, at most `limit`; 0 begins. */
  following(row: number, limit: number): Promise<StoredDocument[]>
}

/** A document with its row number, which index rows go by. */
export interface StoredDocument {
  readonly row: number
  readonly document: Document
}

export interface PointingDocument {
  readonly target: DocId
  readonly document: Document
}

export interface ValueCount {
  readonly text: string | null
  readonly number: number | null
  readonly count: number
}

export interface WrittenValueCount extends ValueCount {
  readonly written: string | null
}

export interface RelatedCount {
  readonly docId: DocId
  readonly title: string
  readonly slug: string
  readonly count: number
}

export interface Query extends View {
  /** Only these documents, and in this order when `sort` is empty. */
  readonly docIds?: readonly DocId[]
  /** All must hold. */
  readonly conditions: readonly Condition[]
  readonly search?: SearchQuery
  /** Ties are broken by row number. Empty with `search`: by relevance. */
  readonly sort: readonly Sort[]
  readonly offset: number
  readonly limit: number
}

/** Columns every document has, beside its indexed values. `title` and `slug` compare folded. */
export type Column = 'createdAt' | 'updatedAt' | 'title' | 'slug'

export type Condition =
  /** One of the values. Texts folded by `foldText`. */
  | { readonly kind: 'equals'; readonly name: string; readonly anyOf: readonly (string | number)[] }
  | { readonly kind: 'range'; readonly name: string; readonly min?: number | string; readonly max?: number | string }
  | { readonly kind: 'column'; readonly column: Column; readonly anyOf: readonly string[] }
  | { readonly kind: 'columnRange'; readonly column: Column; readonly min?: string; readonly max?: string }
  | { readonly kind: 'visibility'; readonly anyOf: readonly Visibility[] }
  /** Points by `name` to one of the documents named by id or slug, of those that `target` shows. */
  | {
      readonly kind: 'related'
      readonly name: string
      readonly target: View
      readonly by: 'id' | 'slug'
      readonly anyOf: readonly string[]
    }
  /** Points by `name` to nothing that `target` shows. */
  | { readonly kind: 'unrelated'; readonly name: string; readonly target: View }
  | { readonly kind: 'never' }

export type Sort =
  | { readonly by: 'column'; readonly column: Column; readonly direction: 1 | -1 }
  | {
      readonly by: 'field'
      readonly name: string
      readonly value: 'text' | 'number'
      readonly direction: 1 | -1
    }

/** All words must be there, each in one of its forms; the last one only by its beginning when `isPrefix`. */
export interface SearchQuery {
  readonly words: readonly (readonly string[])[]
  readonly isPrefix: boolean
}

/** The form of a word in which it is indexed once more where it weighs more, in a title for example. */
export function weighty(word: string): string {
  return `_${word}`
}

export interface Found {
  readonly documents: Document[]
  readonly total: number
}

/** What lists can find a document by. `name` is the field's; `*` for references inside widgets, arrays and objects. */
export interface Entry {
  readonly kind: 'value' | 'document' | 'attachment'
  readonly name: string
  readonly text: string | null
  readonly number: number | null
}

/** A document to store, with what the index should hold. */
export interface Put {
  readonly document: Document
  readonly entries: readonly Entry[]
  /** What is stored now: its entries are compared with the new ones and only what differs is written. */
  readonly before: { readonly document: Document; readonly entries: readonly Entry[] } | null
  /** Its values that no other document of its scope may have; absent for types without such fields. */
  readonly unique?: readonly UniqueValue[]
}

/** A value of a field that is declared unique: folded, so that case does not tell two apart. */
export interface UniqueValue {
  readonly name: string
  readonly value: string
}

export interface DocumentWriter extends DocumentReader {
  /** As the reader's, and holds the rows until the transaction ends, so that nobody else can change them. */
  copies(docId: DocId, locale: Locale): Promise<Copies>
  /**
   * Inserts copies of one new document (one slug for all). False, and nothing written, when the slug is taken in one
   * of the places: the caller tries another one or reports a conflict.
   */
  insert(puts: readonly Put[]): Promise<boolean>
  /** Replaces stored copies, or adds a copy beside one. Throws `SlugTaken` when the slug is another document's. */
  put(puts: readonly Put[]): Promise<void>
  /** Removes these copies and what the index holds of them. */
  remove(ids: readonly DocumentId[]): Promise<void>
  /** The slugs that are taken in a place and begin with `stem`, but those of the document itself. */
  slugsLike(place: Scope, stem: string, except: DocId): Promise<Set<string>>
  /**
   * Replaces what search finds the documents by. Documents that were saved again since their words were made stay
   * among the unsearched; those which somebody else has indexed meanwhile are left alone.
   */
  putSearchWords(rows: readonly SearchWords[]): Promise<void>
  /**
   * Makes the entries of stored copies anew, whatever the index holds of them, and marks them as unsearched. Copies
   * that were saved again since they were read are left as they are.
   */
  reindex(rows: readonly IndexedDocument[]): Promise<void>
}

/** A stored copy with what the index shall hold of it. */
export interface IndexedDocument extends StoredDocument {
  readonly entries: readonly Entry[]
  readonly unique?: readonly UniqueValue[]
}

/** The words of one copy: folded, parted by spaces, repeated where they weigh more. */
export interface SearchWords {
  readonly row: number
  /** The revision of the document that the words were made of. */
  readonly revision: number
  readonly words: string
}

/**
 * Another document of the same family has the slug. Nothing more can be done in the transaction: engine code turns it
 * into a `conflict`, or into another try in a new one.
 */
export class SlugTaken extends Error {}

/** The database cannot be used as it is, or as it is named. The message says why and what to do. */
export class UnusableDatabase extends Error {}

export interface StoreWriter {
  readonly documents: DocumentWriter
  readonly versions: VersionWriter
  readonly keys: KeyWriter
  readonly tokens: TokenWriter
  readonly throttle: ThrottleWriter
  readonly attachments: AttachmentWriter
  readonly marks: MarkWriter
  readonly tree: TreeWriter
}

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

export interface VersionReader {
  /** The newest version of a document's timeline. */
  newest(docId: DocId, locale: Locale): Promise<Version | null>
  get(id: string): Promise<{ readonly version: Version; readonly content: JsonObject } | null>
  /** Newest first. */
  list(docId: DocId, locale: Locale, limit: number): Promise<Version[]>
}

export interface VersionWriter extends VersionReader {
  /** Adds a version, whose content names these attachments. Content is compressed, and equal content is stored once. */
  add(version: Version, content: JsonObject, attachments?: readonly string[]): Promise<void>
  /** Replaces a version's content in place (autosave). */
  update(id: string, updatedAt: string, content: JsonObject, attachments?: readonly string[]): Promise<void>
  /** Forgets the history of a document in one locale, or everywhere. */
  removeOf(docId: DocId, locale: Locale | null): Promise<void>
}

/** An API key as stored: never the key itself, only its hash. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly role: Role
  /** Every save with it is marked as AI-written. */
  readonly ai: boolean
  /** Its writes go to the draft, and it publishes nothing. */
  readonly draftsOnly: boolean
  readonly createdAt: string
  /** ISO 8601; null: never. */
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  /** The user it belongs to, if any: it never has more than that user's role, and ends with them. */
  readonly userId?: string
}

export interface KeyReader {
  /** The key with this hash (SHA-256, hex), revoked and expired ones too. */
  byHash(hash: string): Promise<ApiKey | null>
  list(): Promise<ApiKey[]>
}

export interface KeyWriter extends KeyReader {
  add(key: ApiKey, hash: string): Promise<void>
  /** False when there is no such key, or it was revoked before. */
  revoke(id: string, at: string): Promise<boolean>
}

/** A login token or a session as stored: never the secret itself, only its hash (SHA-256, hex). */
export interface Token {
  readonly hash: string
  readonly userId: string
  /** A token is sent in the `Authorization` header, a session in the cookie; neither is taken for the other. */
  readonly kind: 'token' | 'session'
  /** Only what is `complete` says who somebody is. */
  readonly state: 'pending' | 'complete'
  readonly createdAt: string
  readonly expiresAt: string
}

export interface TokenReader {
  /** Whatever its state, expired ones too. */
  byHash(hash: string): Promise<Token | null>
}

export interface TokenWriter extends TokenReader {
  add(token: Token): Promise<void>
  /** Does nothing to one that has ended meanwhile. */
  extend(hash: string, expiresAt: string): Promise<void>
  remove(hash: string): Promise<void>
  /** Ends all tokens, sessions and keys of a user. */
  endAllOf(userId: string, at: string): Promise<void>
  /** Until the transaction ends nobody else decides about accounts. */
  holdAccounts(): Promise<void>
  /** With the commit this process looks up anew what it knew of credentials. */
  forget(): void
  removeExpired(now: string): Promise<void>
}

/** What is remembered of failed attempts. Times in milliseconds. */
export interface Attempts {
  readonly key: string
  /** Failures since `since`. */
  readonly failures: number
  readonly since: number
  /** How often it was blocked in a row, and until when it is. */
  readonly blocks: number
  readonly until: number
}

export interface ThrottleWriter {
  /** What is remembered under each of these keys, held until the transaction ends. */
  hold(keys: readonly string[]): Promise<Attempts[]>
  put(attempts: Attempts): Promise<void>
  remove(key: string): Promise<void>
  /** Forgets what is neither newer nor blocked later than a time. */
  removeBefore(time: number): Promise<void>
}

/** What is known of an uploaded file (§2.3), but who uses it. */
export interface Attachment {
  readonly id: string
  /** The file group: `images`, `office` or one of the site's own. */
  readonly group: string
  /** The file's name as a slug, without extension. */
  readonly name: string
  readonly title: string
  readonly extension: string
  /** Bytes. */
  readonly length: number
  /** Hexadecimal. */
  readonly md5: string
  /** Pixels as displayed; null for what is no image. */
  readonly width: number | null
  readonly height: number | null
  /** Pictures shown one after the other; 1 for an image that stands still, null for what is no image. */
  readonly frames: number | null
  /** Every crop once, in the order in which they came. */
  readonly crops: readonly Crop[]
  readonly createdAt: string
  readonly updatedAt: string
  /** Who uploaded it, by the id of the user or key; null for the command line. */
  readonly uploadedBy: string | null
}

/** A copy of a document that uses an attachment. */
export interface AttachmentUse {
  readonly id: DocumentId
  readonly type: string
  readonly archived: boolean
  readonly visibility: Visibility
  /** The top-level field it lies in, and behind a colon the role that is needed to see it there, if any. */
  readonly place: string
}

export interface UsedAttachment {
  readonly attachment: Attachment
  readonly uses: readonly AttachmentUse[]
}

export interface AttachmentReader {
  /** These attachments, as far as they exist, with all documents that use them; one statement. */
  byIds(ids: readonly string[]): Promise<Map<string, UsedAttachment>>
  /** Those whose ids come after this one, in the order of ids, at most `limit`; an empty text begins. */
  following(id: string, limit: number): Promise<Attachment[]>
  /** Which of these exist; one statement. */
  existing(ids: readonly string[]): Promise<Set<string>>
  count(): Promise<number>
  /** How many have an id up to this one. */
  countUntil(id: string): Promise<number>
  /** The attachments that these documents have, in any copy, in the field `place`; one statement. */
  ofDocuments(docIds: readonly DocId[], place: string): Promise<Map<DocId, Attachment[]>>
  /** Which of these are named by no document and no stored version. */
  unused(ids: readonly string[]): Promise<Set<string>>
}

export interface AttachmentWriter extends AttachmentReader {
  /** As `byIds`, and nobody removes them until the transaction ends. */
  hold(ids: readonly string[]): Promise<Map<string, UsedAttachment>>
  add(attachment: Attachment): Promise<void>
  /** Adds a crop, unless it is there already; false when there is no such attachment. */
  addCrop(id: string, crop: Crop, at: string): Promise<boolean>
  /** Removes those of these that no document and no version names; answers them. */
  removeUnused(ids: readonly string[]): Promise<Attachment[]>
}

/** Small facts that must outlast a process, by name. */
export interface MarkReader {
  get(name: string): Promise<string | null>
}

export interface MarkWriter extends MarkReader {
  set(name: string, value: string): Promise<void>
  remove(name: string): Promise<void>
  /**
   * Takes a turn that only one process may take: true, and the mark is `now`, when it was not there or is not later than
   * `before` (both ISO 8601).
   */
  takeTurn(name: string, now: string, before: string): Promise<boolean>
}

/** Where a page is in the tree of a locale: the same for its draft and its published copy. */
export interface Place {
  readonly docId: DocId
  /** Empty for the home page. */
  readonly parent: DocId
  /** The ids from the home page down to the page itself, with `/` between. */
  readonly path: string
  readonly level: number
  /** From 0, without gaps, among all siblings of the locale, drafts counted. */
  readonly rank: number
}

export interface Page {
  readonly document: Document
  readonly place: Place
}

/** Which pages: those that at least one of `docIds`, `childrenOf` and `below` names, one of which is given. */
export interface PagesQuery {
  readonly locale: Locale
  readonly mode: Mode
  readonly archived: boolean | 'any'
  readonly visibility: Visibility | null
  readonly docIds?: readonly DocId[]
  readonly childrenOf?: DocId
  /** The page with this path, and everything below it. */
  readonly below?: string
}

/** What of a page says where it is shown, and to whom. */
export interface PageOutline {
  readonly row: number
  readonly docId: DocId
  readonly parent: DocId
  readonly type: string
  readonly visibility: Visibility
  readonly isOrphan: boolean
}

/** A page's place, with its parent's (null for the home page) and the number of its children in any mode. */
export interface Surroundings {
  readonly place: Place
  readonly parent: Place | null
  readonly children: number
}

/** The slug of one copy of a page. */
export interface PageSlug {
  readonly row: number
  readonly docId: DocId
  readonly parent: DocId
  readonly mode: Mode
  readonly slug: string
  readonly isArchived: boolean
}

/** A slug that a page has in one mode, folded. */
export interface TakenSlug {
  readonly row: number
  readonly mode: Mode
  readonly folded: string
}

export interface FormerUrl {
  readonly docId: DocId
  readonly slug: string
}

export interface TreeReader {
  place(locale: Locale, docId: DocId): Promise<Place | null>
  /** One statement. */
  around(locale: Locale, docId: DocId): Promise<Surroundings | null>
  /** By level, then rank; one statement. */
  pages(query: PagesQuery): Promise<Page[]>
  /** The same, but none of them when there are more than `most`; one statement. */
  pagesUpTo(query: PagesQuery, most: number): Promise<Page[]>
  /** How many children a page has, in one mode or in any. */
  countChildren(locale: Locale, parent: DocId, mode: Mode | null): Promise<number>
  /** The slugs that published pages had before, oldest first; one statement. */
  formerUrls(locale: Locale, docIds: readonly DocId[]): Promise<Map<DocId, string[]>>
}

/** Reads trees that are too large to be in memory as a whole. */
export interface TreeSnapshot extends TreeReader {
  /** By level, then rank; one statement. */
  outline(query: PagesQuery): Promise<PageOutline[]>
  /** The pages of these rows, in this order, `size` at a time; one statement. */
  inBatches(rows: readonly number[], size: number): AsyncIterable<Page[]>
}

/** Changes of the tree. Every one is a constant number of statements, whatever the size of the subtree. */
export interface TreeWriter extends TreeReader {
  /** Nobody else changes the trees of these locales until the transaction ends. Before everything else. */
  hold(locales: readonly Locale[]): Promise<void>
  /** Makes room among the siblings and puts a page there. False when the page has a place already. */
  insert(locale: Locale, place: Place): Promise<boolean>
  /** Moves a page with everything below it; `to.rank` counts without the page itself. */
  move(locale: Locale, from: Place, to: Place): Promise<void>
  /** Takes a page without children out; siblings close up. */
  remove(locale: Locale, place: Place): Promise<void>
  /** The slugs of a page and everything below it, in both modes, by level, then rank. */
  slugsBelow(locale: Locale, path: string): Promise<PageSlug[]>
  /** Who has one of these slugs, or one of them with an ending behind a hyphen; archived pages have none. */
  takenSlugs(locale: Locale, slugs: readonly string[]): Promise<TakenSlug[]>
  /** Gives copies of pages new slugs. Throws `SlugTaken`. */
  rename(renamed: readonly PageSlug[]): Promise<void>
  /** Finds out anew whether the drafts of these pages differ from what is published. */
  markModified(locale: Locale, docIds: readonly DocId[]): Promise<void>
  /** Marks both copies of a page and of everything below it. */
  setArchived(locale: Locale, path: string, archived: boolean): Promise<void>
  /** Remembers slugs that published pages had, but none that a published page has. */
  keepFormerUrls(locale: Locale, urls: readonly FormerUrl[], since: string): Promise<void>
  /** Published pages have these slugs now: they are nobody's former ones. */
  claimUrls(locale: Locale, slugs: readonly string[]): Promise<void>
}
