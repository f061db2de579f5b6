import type { Problem } from '../errors.ts'
import type { Json } from '../json.ts'

/** A document with the `etag` that says in which state it was. */
export interface Stored<Document> {
  readonly document: Document
  /** For `ifMatch`; null where the service gives none. */
  readonly etag: string | null
}

/** A value that a filter can have (§4.1). */
export interface FilterChoice {
  readonly value: Json
  readonly label: string
  readonly count?: number
  /** Of relationships to several types. */
  readonly type?: string
}

/** One page of a list. */
export interface List<Document> {
  readonly results: Document[]
  readonly total: number
  readonly pages: number
  readonly currentPage: number
  /** By the filters that `choices` and `counts` name. */
  readonly choices?: Readonly<Record<string, readonly FilterChoice[]>>
  readonly counts?: Readonly<Record<string, readonly FilterChoice[]>>
}

/** The outcome for one of many documents that were changed together. */
export interface Outcome {
  readonly _id: string
  readonly ok: boolean
  /** Of `localizeMany`: the locale. */
  readonly toLocale?: string
  readonly error?: { readonly name: string; readonly message: string; readonly data: { readonly [name: string]: Json } }
}

/** The locales that a document is in, and those that it is not in (§4.5). */
export interface DocumentLocales {
  readonly results: readonly {
    readonly _id: string
    readonly aposLocale?: string
    readonly aposMode?: 'draft' | 'published'
    readonly title?: string
    readonly archived?: boolean
    readonly updatedAt?: string
    readonly lastPublishedAt?: string | null
    readonly isOutdated?: boolean
  }[]
  readonly missing: readonly string[]
}

/** A document that a check names. */
export interface NamedDocument {
  readonly _id: string
  readonly type: string
  readonly title: string
}

/** The effects of publishing, or why it would be refused. */
export interface PublishCheck {
  readonly ok: boolean
  readonly problems: readonly Problem[]
  readonly unpublishedAncestors: readonly NamedDocument[]
  readonly unpublishedRelated: readonly NamedDocument[]
  /** The documents that `alsoPublish` names. */
  readonly alsoPublished: readonly (NamedDocument & { readonly problems: readonly Problem[] })[]
  /** How many changes would go live. */
  readonly changes: number
}

/** Whether a slug is taken, and what else would do. */
export interface SlugCheck {
  readonly slug: string
  readonly isTaken: boolean
  readonly suggestion: string
  /** How many pages below follow. */
  readonly carried: number
}

/** A locale, as the caller may know of it (§4.5). */
export interface LocaleAnswer {
  readonly label: string
  readonly direction: 'ltr' | 'rtl'
  readonly _edit: boolean
  readonly prefix?: string
  readonly hostname?: string
  readonly private?: boolean
}

/** Who a credential stands for; a key has no user name. */
export interface Caller {
  readonly _id: string
  readonly title: string
  readonly role: 'guest' | 'contributor' | 'editor' | 'admin'
  readonly username?: string
  readonly email?: string
  readonly firstName?: string
  readonly lastName?: string
}
