import type { Json, JsonObject } from './json.ts'

// The answer of `GET @cms/schema`: what there is, and what this caller may do with it. Labels are as the site declares
// them. What is false or empty is left out, and what the caller may not know of is absent.

export type Role = 'guest' | 'contributor' | 'editor' | 'admin'

/**
 * Why something is not allowed: by the caller's role; since an AI key only writes drafts; since the page is built in; or
 * since nobody can do it, as there is exactly one document, or none has drafts, or the service computes the value.
 */
export interface Reason {
  readonly reason: 'role' | 'draftsOnly' | 'parked' | 'system'
  /** With `role`: the least role that may. */
  readonly needs?: Role
}

/**
 * An action on documents of a type. `view` is to read drafts, not only what is live; archived documents are
 * found by those who may `editDraft`. Of types without drafts (`localized: false`), `createDraft` and `editDraft` mean
 * the documents themselves, which are live at once. `publish` is also to unpublish, and to save the published copy.
 * `deleteDraft` is to delete what was never published, `delete` to delete what was.
 */
export type Action = 'view' | 'createDraft' | 'editDraft' | 'publish' | 'archive' | 'deleteDraft' | 'delete'

/** Actions that the caller may not take, with the reason; an action that is absent is allowed. */
export type Denied = Partial<Record<Action, Reason>>

/** One field of a form. */
export interface FieldInfo {
  readonly name: string
  /** `string`, `richText`, …; or the name of a field type of the site. */
  readonly type: string
  readonly label: string
  readonly help?: string
  /** The text that an empty control shows in place of a value. */
  readonly placeholder?: string
  readonly required?: true
  /** The value of a new document. */
  readonly def?: Json
  /**
   * The field counts while its neighbours have these values, each or one of a list; `$or`: one of several conditions.
   * Absent, too, where it names a field that the caller does not see.
   */
  readonly if?: JsonObject
  /** Values that are sent are ignored. */
  readonly readOnly?: true
  readonly unique?: true
  readonly options: FieldOptions
  /** Of objects, arrays and relationships: the fields in them. */
  readonly fields?: readonly FieldInfo[]
  readonly groups?: readonly GroupInfo[]
  /** Why the caller may not write it, even where he may edit the document that it lies in. */
  readonly locked?: Reason
  /**
   * How lists can be filtered by it: by one or several values of `choices` (or of those that `choices=name` lists), by
   * bounds, by the beginning or a part of a text, by true and false, by related documents. A field inside of others
   * is named with the steps to it: `address.city`, `body.quote.author`.
   */
  readonly filter?: 'choices' | 'range' | 'text' | 'boolean' | 'relationship'
  readonly isSortable?: true
  /** The JSON Schema of the values, of field types of the site. */
  readonly schema?: JsonObject
}

/** The options of a field as JSON: those named here, and any others of field types of the site. */
export interface FieldOptions {
  readonly choices?: readonly Choice[]
  /** Of a number, a length or an amount; of dates and times as they are written. */
  readonly min?: number | string
  readonly max?: number | string
  readonly step?: number
  readonly unit?: string
  /** A regular expression, to be used with the flag `u`. */
  readonly pattern?: string
  readonly textarea?: boolean
  /** Of a slug: the fields that one is suggested from; and whether it is the path of a page, with slashes. */
  readonly following?: readonly string[]
  readonly page?: boolean
  /** Of areas: the widget types that are allowed, by name, each with its options there (`toolbar`, `columns` …). */
  readonly widgets?: Readonly<Record<string, JsonObject>>
  /** Of relationships: the names of the types, as far as the caller sees them. */
  readonly withType?: readonly string[]
  readonly reverseOf?: string
  /** Of an array: the field that names an item. */
  readonly titleField?: string
  readonly inline?: boolean
  readonly fileGroup?: string
  /** Extensions, without the dot. */
  readonly accepts?: readonly string[]
  readonly toolbar?: readonly string[]
  readonly styles?: readonly TextStyle[]
  readonly [name: string]: Json | undefined
}

/** One of the values to choose from, and its name for people. */
export type Choice = { readonly value: string | number | boolean | null; readonly label: string }

/** A kind of block or text that a rich text may have. */
export type TextStyle = { readonly tag: string; readonly label?: string; readonly class?: string }

/** Fields that are shown together, as a tab; among the site's styles also a section in one. */
export interface GroupInfo {
  readonly name: string
  readonly label: string
  readonly fields: readonly string[]
  readonly groups?: readonly GroupInfo[]
}

/** A type of pieces or pages. */
export interface TypeInfo {
  readonly family: 'piece' | 'page'
  readonly label: string
  readonly pluralLabel: string
  readonly icon?: string
  readonly description?: string
  readonly fields: readonly FieldInfo[]
  /** A field may be in none. */
  readonly groups: readonly GroupInfo[]
  /** False: its documents have no locales and no drafts. */
  readonly localized: boolean
  /** Saves go live at once, without a draft of their own, where the caller may publish. */
  readonly autopublish?: true
  /** Drafts have `publishAt` and `archiveAt`. */
  readonly scheduling?: true
  /** There is exactly one document. */
  readonly singleton?: true
  readonly versions: boolean
  /** Whether its documents can have a public page. */
  readonly hasUrl?: true
  /** Of index pages: the type of the pieces that they list. */
  readonly piecesType?: string
  readonly slugPrefix?: string
  /** The order of lists that ask for none: `title`, `-updatedAt`. */
  readonly sort: string
  /** The filters of the site's own, in addition to those of fields. */
  readonly queries?: readonly { readonly name: string; readonly description?: string; readonly schema: JsonObject }[]
  readonly denied: Denied
}

/** A type of widgets. */
export interface WidgetInfo {
  readonly label: string
  readonly icon?: string
  readonly description?: string
  /** Stored in the widget under their names: `{ _id, metaType: 'widget', type, ...fields, ...styles }`. */
  readonly fields: readonly FieldInfo[]
  readonly groups: readonly GroupInfo[]
  /** Fields that become CSS. Stored in the widget with `fields`, under their names, of which none is among those. */
  readonly styles?: readonly FieldInfo[]
  /** The field that names a widget. */
  readonly titleField?: string
}

export interface LocaleInfo {
  readonly label: string
  readonly prefix?: string
  readonly hostname?: string
  readonly private?: true
  readonly direction: 'ltr' | 'rtl'
  /** Why the caller may not edit there. */
  readonly denied?: Reason
}

/** Everything that a program must know to let people edit. */
export interface Schema {
  readonly site: {
    readonly name: string
    readonly namespace: string
    readonly prefix: string
    readonly baseUrl: string | null
    readonly locales: Readonly<Record<string, LocaleInfo>>
    readonly defaultLocale: string
    readonly fileGroups: readonly {
      readonly name: string
      readonly label: string
      readonly extensions: readonly string[]
      readonly isImage: boolean
    }[]
    readonly limits: { readonly uploadBytes: number; readonly perPage: number; readonly bodyBytes: number }
  }
  readonly caller: {
    readonly _id: string
    readonly title: string
    readonly role: Role
    /** Why he may not change users, the global styles, or the global document, or see the calls of agents. */
    readonly denied: Partial<Record<'users' | 'styles' | 'global' | 'agents', Reason>>
  }
  /** By name, as documents have it in `type`. */
  readonly types: Readonly<Record<string, TypeInfo>>
  /** By name: those that the areas of `types` allow, and those in them. */
  readonly widgets: Readonly<Record<string, WidgetInfo>>
  /** Null where the site has none. */
  readonly editor: EditorInfo | null
}

/** The editor of a site. */
export interface EditorInfo {
  /** Below `site.prefix`. */
  readonly path: string
  readonly title: string
  /** The origins of external front ends that show the pages of the site, also as drafts. */
  readonly frontends: readonly string[]
}
