import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { Context } from '../context.ts'

/** Something to know of a document that is imported. */
export interface Finding {
  /** The text; empty for the document. */
  readonly path: string
  /** The finding, in words. */
  readonly message: string
  /** Advice for the person who imports. */
  readonly advice: string
}

/** The locales of a file. */
export interface Locales {
  readonly from: Locale
  readonly to: Locale
}

/** A translation that another one replaces. */
export interface Replaced {
  readonly path: string
  /** The label of its field. */
  readonly label: string
  readonly before: string
  readonly after: string
  /** It is not the one that was exported. */
  readonly isChanged: boolean
  /** The file says that there was one when it was exported. */
  readonly wasThere: boolean
}

/** The existing translations that may be replaced: all; or those of these documents, as they were when the caller saw them. */
export type MayReplace = 'all' | ReadonlyMap<DocId, string>

/** A file that was read to its end. */
export interface TranslatedFile {
  readonly path: string
  readonly locales: Locales
  /** How many documents it has. */
  readonly total: number
  /** The most characters of one document with its tags. */
  readonly longest: number | undefined
}

/** How a file is imported. */
export interface ImportOptions {
  /** Only reports what would change, and writes nothing. */
  readonly isCheck: boolean
  readonly mayReplace: MayReplace
}

/** The outcome for a document of a file. */
export interface ImportedDocument {
  readonly type: string
  readonly docId: string
  /** Empty where the caller does not see it. */
  readonly title: string
  /** Whether its draft was made or changed; of a check, whether it would be. */
  readonly isChanged: boolean
  /** It was not in the locale. */
  readonly isNew: boolean
  /** Texts with a translation that is another one than was exported. */
  readonly texts: number
  /** Texts without a translation: left as they are. */
  readonly untranslated: number
  readonly replaced: readonly Replaced[]
  /** Findings to look at, of a document that was written. */
  readonly warnings: readonly Finding[]
  /** Why it was not written at all: everything that is wrong with it. */
  readonly problems: readonly Finding[]
}

/** Imports translated files; loaded when the first one comes. */
export interface Importer {
  openTranslation(ctx: Context, path: string, limits: FileLimits): Promise<TranslatedFile>
  replacedByDocument(ctx: Context, file: TranslatedFile): Promise<ReadonlyMap<DocId, string>>
  importTexts(ctx: Context, file: TranslatedFile, options: ImportOptions): AsyncGenerator<ImportedDocument>
}

/** How large a file may be. */
export interface FileLimits {
  /** Documents of the file. */
  readonly most?: number
  /** Characters of one document with its tags. */
  readonly longest?: number
}
