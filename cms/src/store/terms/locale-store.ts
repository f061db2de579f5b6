import type { DocId, Locale } from '../../model/terms/document-id.ts'

/** Documents of one type in one locale; the empty one for types without locales. */
export interface TypeInLocale {
  readonly type: string
  readonly locale: Locale
}

/** How many documents of a type a locale has. */
export interface TypeCount extends TypeInLocale {
  readonly documents: number
}

/** A slug in a locale. */
export interface LocaleSlug {
  readonly locale: Locale
  readonly slug: string
}

/** Reads what the database has in which locale, whatever the site declares. */
export interface LocaleReader {
  /** The types of all documents, with their locales; one statement, which takes no longer where there are many. */
  types(): Promise<TypeInLocale[]>
  /** Counts the documents of these types in these locales; one statement. */
  counts(of: readonly TypeInLocale[]): Promise<TypeCount[]>
  /** Counts the copies of documents. */
  countCopies(): Promise<number>
  /**
   * The pages that have one of these slugs, or one below it, without archived ones: a hundred at most; one statement.
   */
  pagesAt(slugs: readonly LocaleSlug[]): Promise<LocaleSlug[]>
  /**
   * Counts the documents of a locale that somebody has written; those that the service makes (`madeByItself`) count
   * only if they were saved again since. One statement.
   */
  countWritten(locale: Locale, madeByItself: readonly DocId[]): Promise<number>
}

/** Called with how many copies of documents are done, and how many there are. */
export type OnProgress = (done: number, total: number) => void

/** A locale that gets the name of another one. */
export interface Renaming {
  readonly from: Locale
  readonly to: Locale
  /** Documents that the service itself makes in every locale: they give way, unless somebody has written in them. */
  readonly madeByItself: readonly DocId[]
  /** The page that stays the last of its siblings. */
  readonly archive: DocId
  /** Replaces what the other locale has; otherwise what is moved joins it. */
  readonly replace: boolean
}

/** A document that stayed where it was, since the other locale has something else in its place. */
export interface KeptDocument {
  readonly docId: DocId
  readonly type: string
  readonly title: string
}

/** The result of renaming a locale. */
export interface Renamed {
  /** How many were moved. */
  readonly documents: number
  /** Documents that were not moved, sorted by title. */
  readonly kept: readonly KeptDocument[]
}

/** Changes whole locales: documents with their versions, positions, former URLs, previews and proposals. */
export interface LocaleWriter {
  /** Keeps others from changing documents or trees until the transaction ends; reading goes on. Call it first. */
  lock(): Promise<void>
  /** Moves what a locale has into another one. */
  rename(renaming: Renaming, onProgress: OnProgress): Promise<Renamed>
  /** Deletes everything of a locale. How many documents those were. */
  remove(locale: Locale, onProgress: OnProgress): Promise<number>
}
