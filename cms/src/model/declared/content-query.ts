import type { Json } from '../../base/json.ts'
import type { Mode, PublishingState } from '../terms/document-id.ts'
import type { ProjectionName, SortName } from './check-types.ts'
import type { Relationship } from './content-input.ts'
import type { CommonValues, Stem, ValueOf } from './infer.ts'
import type { FieldsOf, ModelOf, SiteDeclaration, SiteModel } from './site-model.ts'

/** Field types whose values are ordered, so that bounds make sense. */
type Ordered = 'integer' | 'float' | 'range' | 'date' | 'time' | 'dateAndTime'

/** Other field types that lists can be filtered by. */
type Filterable = 'boolean' | 'select' | 'radio' | 'checkboxes' | 'color'

/** Field types of free text. */
type Text = 'string' | 'slug' | 'url' | 'email'

/** The operators that every field with an index takes (§4.1). */
interface AnyOperators<Value> {
  readonly $eq?: Value
  readonly $ne?: Value
  readonly $in?: Value | readonly Value[]
  readonly $nin?: Value | readonly Value[]
  readonly $exists?: boolean
}

interface OrderedOperators<Value> extends AnyOperators<Value> {
  readonly $gt?: Value
  readonly $gte?: Value
  readonly $lt?: Value
  readonly $lte?: Value
  readonly $between?: readonly [Value, Value]
  readonly min?: Value
  readonly max?: Value
}

interface TextOperators extends AnyOperators<string> {
  readonly $startsWith?: string
  readonly $contains?: string
}

/** One of some values, or operators, which `$not` turns round. */
type Compared<Value, Operators> =
  | Value
  | readonly Value[]
  | (Operators & { readonly $not?: Value | readonly Value[] | Operators })

/** The condition that a list takes for a field; never for those that it cannot be filtered by. */
type FieldFilter<F> = F extends { readonly type: Ordered }
  ? Compared<NonNullable<ValueOf<F>>, OrderedOperators<NonNullable<ValueOf<F>>>>
  : F extends { readonly type: Text }
    ? Compared<string, TextOperators>
    : F extends { readonly type: 'checkboxes' }
      ? Compared<ItemOf<F>, AnyOperators<ItemOf<F>>>
      : F extends { readonly type: Filterable }
        ? Compared<FilterValue<F>, AnyOperators<FilterValue<F>>> | Empty<F>
        : F extends { readonly type: keyof Unfiltered }
          ? never
          : Json

type ItemOf<F> = ValueOf<F>[number & keyof ValueOf<F>]
type FilterValue<F> = ValueOf<F> & (string | boolean)

/** A choice that was not made. */
type Empty<F> = F extends { readonly type: 'select' | 'radio' } ? null : never

/** Field types that lists cannot be filtered by; what is neither is a type of the site. */
interface Unfiltered {
  area: 1
  array: 1
  attachment: 1
  box: 1
  object: 1
  oembed: 1
  password: 1
  relationshipReverse: 1
  richText: 1
}

/** `_topics` with ids, `topics` with slugs, and either with `And`. */
type RelationshipFilters<Fields> = {
  readonly [Name in keyof Fields & string as Fields[Name] extends Relationship
    ? Name | Stem<Name> | `${Name}And` | `${Stem<Name> & string}And`
    : never]?: Compared<string, AnyOperators<string>>
} & {
  /** By a field of the related documents: `_speakers.company`, `_speakers._city.title`. */
  readonly [Name in keyof Fields & string as Fields[Name] extends Related ? `${Name}.${string}` : never]?: AnyFilter
} & {
  /** By a field inside of this one that is declared `filterable`: `address.city`. */
  readonly [Name in keyof Fields & string as Fields[Name] extends Container ? `${Name}.${string}` : never]?: AnyFilter
}

type Related = { readonly type: 'relationship' | 'relationshipReverse' }
type Container = { readonly type: 'object' | 'array' | 'area' }
type AnyValue = string | number | boolean
type AnyFilter = Compared<
  AnyValue,
  Omit<OrderedOperators<AnyValue> & TextOperators, keyof AnyOperators<AnyValue>> & AnyOperators<AnyValue>
>

type FieldFilters<Fields> = {
  readonly [Name in keyof Fields as [FieldFilter<Fields[Name]>] extends [never]
    ? never
    : Fields[Name] extends Relationship
      ? never
      : Name]?: FieldFilter<Fields[Name]>
}

/** Filters by what every document has. */
interface CommonFilters {
  readonly title?: Compared<string, TextOperators>
  readonly slug?: Compared<string, TextOperators>
  readonly visibility?: Compared<CommonValues['visibility'], AnyOperators<CommonValues['visibility']>>
  readonly createdAt?: Compared<string, OrderedOperators<string>>
  readonly updatedAt?: Compared<string, OrderedOperators<string>>
}

/** Filters of types with `scheduling`, for callers who may read drafts: of the list of drafts (§3.9). */
interface ScheduleFilters {
  readonly publishAt?: Compared<string, OrderedOperators<string>>
  readonly archiveAt?: Compared<string, OrderedOperators<string>>
}

/** Further filters for callers who may read drafts (§4.1, §4.5). */
interface DraftFilters<Locale> {
  readonly state?: PublishingState | readonly PublishingState[]
  /** The `_id` of a user or key, or several. */
  readonly updatedBy?: string | readonly string[]
  readonly missingIn?: Locale
  readonly outdatedIn?: Locale
}

/** Filters of files, and of images (§4.3). */
interface FileFilters {
  readonly hasAlt?: boolean
  /** For callers who may read drafts. */
  readonly isUsed?: boolean
  readonly extension?: string | readonly string[]
}

interface ImageFilters extends FileFilters {
  /** In pixels, as `minHeight`. */
  readonly minWidth?: number
  readonly minHeight?: number
}

/** The parameters of every list (§4.1 GET list). */
interface ListParameters<SortBy extends string, Projected extends string, Locale> {
  readonly page?: number
  readonly perPage?: number
  readonly search?: string
  readonly autocomplete?: string
  readonly highlight?: boolean
  readonly _ids?: readonly string[]
  /** `date`, `-date`, or several in order: `{ section: 1, date: -1 }`. */
  readonly sort?: SortBy | `-${SortBy}` | { readonly [Name in SortBy]?: 1 | -1 }
  /** The fields that are sent: `{ title: 1 }`, or all but some: `{ body: 0 }`. */
  readonly project?: { readonly [Name in Projected | `${Projected}.${string}`]?: 0 | 1 | boolean }
  readonly withRelationships?: string | readonly string[]
  /** Names of filters, separated by commas. */
  readonly choices?: string
  readonly counts?: string
  readonly archived?: boolean | 'any'
  readonly 'render-areas'?: boolean
  readonly aposLocale?: Locale
  readonly aposMode?: Mode
}

/** The site's own parameters of a type. */
type ParameterOf<M extends SiteModel, Name> = M['types'][Name & string] extends { readonly parameter?: infer Parameter }
  ? Exclude<Parameter, undefined> & string
  : never

/** The conditions by field. */
type FiltersOf<Fields> = Omit<CommonFilters & ScheduleFilters, keyof Fields> &
  FieldFilters<Fields> &
  RelationshipFilters<Fields>

/** Conditions by field, all of which hold, and groups of them (§4.1). */
type Where<Fields> = FiltersOf<Fields> & {
  readonly $and?: readonly Where<Fields>[]
  readonly $or?: readonly Where<Fields>[]
  readonly $not?: Where<Fields>
}

type QueryBy<Fields, Parameter extends string, Locale> = ListParameters<
  SortName<Fields> | 'lastPublishedAt' | keyof ScheduleFilters,
  ProjectionName<Fields>,
  Locale
> &
  Omit<DraftFilters<Locale>, keyof Fields> &
  FiltersOf<Fields> & { readonly where?: Where<Fields> } & { readonly [Name in Parameter]?: unknown }

/** The query of a list of a type. */
export type QueryOf<Name, M extends SiteModel> = [FieldsOf<M, Name>] extends [never]
  ? { readonly [parameter: string]: unknown } & UploadFilters<Name>
  : SiteQuery<Name, M>

type UploadFilters<Name> = Name extends '@cms/image' ? ImageFilters : Name extends '@cms/file' ? FileFilters : unknown

/** A mapped type, so that messages name it. */
type SiteQuery<Name, M extends SiteModel> = {
  [Parameter in keyof ParametersOf<Name, M>]: ParametersOf<Name, M>[Parameter]
}

type ParametersOf<Name, M extends SiteModel> = QueryBy<FieldsOf<M, Name>, ParameterOf<M, Name>, M['locale']>

/** The query that a list takes: `ContentQuery<typeof site, 'article'>`. */
export type ContentQuery<Site extends SiteDeclaration, Name extends string> = QueryOf<Name, ModelOf<Site>>

/** A page of a list of pieces. */
export interface ContentList<Shown> {
  readonly results: Shown[]
  readonly total: number
  readonly pages: number
  readonly currentPage: number
}
