import type { Json, JsonObject } from '../../base/json.ts'
import type { Mode } from '../terms/document.ts'
import type { BuiltInTypeName } from './check-types.ts'
import type { ContentType } from './content-type.ts'
import type { CommonValues, ValueOf } from './infer.ts'
import type { ShownDocument } from './page-data-types.ts'
import type { ShownOf } from './shown.ts'

/** The types of a site. */
type Types = readonly ContentType[]

type DeclaredName<Site extends Types, Family> = Extract<Site[number], { readonly family: Family }>['name']

/** The names of a site's piece types; any text where the site is not known. */
export type PieceName<Site extends Types> = string extends Site[number]['name']
  ? string
  : DeclaredName<Site, 'piece'> | BuiltInTypeName | '@cms/styles'

/** The names of a site's page types, and `@cms/page` for a page of whichever type. */
export type PageName<Site extends Types> = string extends Site[number]['name']
  ? string
  : DeclaredName<Site, 'page'> | '@cms/page' | '@cms/home-page' | '@cms/archive-page'

/** The declared fields of a type; never for types that the site does not declare itself. */
type FieldsOf<Site extends Types, Name> = string extends Site[number]['name']
  ? never
  : Extract<Site[number], { readonly name: Name }>['fields']['add']

/** What every answer says of a document besides its fields. */
interface Stamps {
  aposLocale?: string
  aposMode?: Mode
  createdAt: string
  updatedAt: string
  lastPublishedAt?: string | null
  modified?: boolean
  publishAt?: string | null
  archiveAt?: string | null
}

/**
 * A document as its reader sees it, like in an answer of the interface; fields that a projection leaves out are absent.
 */
export type ContentDocument<Site extends Types, Name> = [FieldsOf<Site, Name>] extends [never]
  ? ShownDocument
  : ShownOf<FieldsOf<Site, Name>> & Stamps

/** A related document, as writes take it. */
interface RelatedInput {
  readonly _id: string
  readonly _fields?: { readonly [name: string]: unknown }
}

type Inner<F> = F extends { readonly fields: { readonly add: infer Add } } ? FieldInputs<Add> : object

/** The value of a field as writes take it. */
type FieldInput<F> = F extends { readonly type: 'relationship' }
  ? readonly RelatedInput[]
  : F extends { readonly type: 'object' }
    ? Inner<F>
    : F extends { readonly type: 'array' }
      ? readonly (Inner<F> & { readonly _id?: string })[]
      : F extends { readonly type: 'area' }
        ? { readonly items: readonly { readonly type: string; readonly [name: string]: unknown }[] }
        : F extends { readonly type: 'attachment' }
          ? { readonly _id: string } | null
          : ValueOf<F> | null

type Stem<Name> = Name extends `_${infer Rest}` ? Rest : Name

/** The values of some fields as writes take them. */
type FieldInputs<Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends { readonly type: 'relationshipReverse' }
    ? never
    : Name]?: FieldInput<Fields[Name]>
} & {
  readonly [Name in keyof Fields as Fields[Name] extends { readonly type: 'relationship' }
    ? `${Stem<Name> & string}Ids`
    : never]?: readonly string[]
} & {
  readonly [Name in keyof Fields as Fields[Name] extends { readonly type: 'relationship' }
    ? `${Stem<Name> & string}Fields`
    : never]?: { readonly [docId: string]: object }
}

/** What a body may say besides fields (§4.1). */
interface BodyMarks {
  /** Written by AI (§3.8). */
  readonly _ai?: boolean
  /** The document whose fields are the defaults of a new one. */
  readonly _copyingId?: string
  /** Types with `scheduling` (§3.9): a date and time with its zone; null cancels. */
  readonly publishAt?: string | null
  readonly archiveAt?: string | null
  /** The version that PUT restores (§4.4). */
  readonly _restoreVersion?: string
}

/** A page's position (§4.2): next to or below another one. */
export interface PagePosition {
  /** An id, `_home` or `_archive`. */
  readonly _targetId: string
  readonly _position: 'before' | 'after' | 'firstChild' | 'lastChild' | number
}

/** The fields of a document as writes take them; what is left out becomes blank or its default. */
export type DocumentInput<Site extends Types, Name> = BodyMarks &
  ([FieldsOf<Site, Name>] extends [never]
    ? { readonly [name: string]: unknown }
    : Partial<CommonValues> & FieldInputs<FieldsOf<Site, Name>>)

/** Changes of some fields, by their names or dot paths, and operators (§4.1 PATCH). */
export type DocumentPatch<Site extends Types, Name> = DocumentInput<Site, Name> &
  Partial<PagePosition> & {
    readonly [path: `${string}.${string}`]: unknown
    readonly $push?: Operands
    readonly $addToSet?: Operands
    readonly $pullAll?: Operands
    readonly $pullAllById?: Operands
    readonly $move?: Operands
  }

/** What operators work on, by path. */
interface Operands {
  readonly [path: string]: unknown
}

/** A value to filter by, several of them, or bounds. */
type AnyFilter = Json | readonly Json[] | { readonly min?: Json; readonly max?: Json }

/** The choices of a field that has some. */
type ChoiceOf<F> = F extends { readonly type: 'select' | 'radio' }
  ? ValueOf<F>
  : F extends { readonly type: 'checkboxes' }
    ? ValueOf<F> extends readonly (infer Choice)[]
      ? Choice
      : never
    : never

/** What a list can be filtered by in a field. */
type FilterInput<F> = [ChoiceOf<F>] extends [never] ? AnyFilter : ChoiceOf<F> | null | readonly ChoiceOf<F>[]

/** The parameters of a list (§4.1 GET list), with a filter for each field. */
export type ContentQuery<Site extends Types, Name> = {
  readonly page?: number
  readonly perPage?: number
  readonly search?: string
  readonly autocomplete?: string
  readonly _ids?: readonly string[]
  readonly sort?: string | { readonly [name: string]: 1 | -1 }
  readonly project?: JsonObject
  readonly archived?: boolean | 'any'
} & {
  readonly [Field in [FieldsOf<Site, Name>] extends [never] ? never : keyof FieldsOf<Site, Name>]?: FilterInput<
    FieldsOf<Site, Name>[Field]
  >
} & { readonly [parameter: string]: unknown }

/** A page of a list of pieces. */
export interface ContentList<Shown> {
  readonly results: Shown[]
  readonly total: number
  readonly pages: number
  readonly currentPage: number
}

/** A page of the tree, with those below it. */
export type TreePage = ShownDocument & { _children?: TreePage[] }
