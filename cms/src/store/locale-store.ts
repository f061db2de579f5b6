import type { DocId, Locale } from '../model/document.ts'

/** How many documents a locale has. */
export interface LocaleCount {
  readonly locale: Locale
  readonly documents: number
}

/** A slug in a locale. */
export interface LocaleSlug {
  readonly locale: Locale
  readonly slug: string
}

/** Reads what the database has in which locale, whatever the site declares. */
export interface LocaleReader {
  /** The locales that documents are in, but these; one statement. */
  others(known: readonly Locale[]): Promise<LocaleCount[]>
  /** The pages that have one of these slugs, or one below it, without archived ones: a hundred at most; one statement. */
  pagesAt(slugs: readonly LocaleSlug[]): Promise<LocaleSlug[]>
  /**
   * How many documents of a locale somebody has written: of those that the service itself makes (`madeByItself`) only
   * the ones that were saved again since; one statement.
   */
  countWritten(locale: Locale, madeByItself: readonly DocId[]): Promise<number>
}

/** Called with how many copies of documents are done, and how many there are. */
export type OnProgress = (done: number, total: number) => void

/** Changes whole locales: documents with their versions, positions, former URLs and previews. */
export interface LocaleWriter {
  /** Moves everything of a locale into another one, which must be empty. How many documents those are. */
  rename(from: Locale, to: Locale, onProgress: OnProgress): Promise<number>
  /** Deletes everything of a locale. How many documents those were. */
  remove(locale: Locale, onProgress: OnProgress): Promise<number>
}
