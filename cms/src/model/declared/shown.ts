import type { Json, JsonObject } from '../../base/json.ts'
import type { Mode } from '../terms/document-id.ts'
import type { AnyPageName } from './check-types.ts'
import type { AreaValue, CommonValues, OembedValue, Plain, TypesNamed, ValueOf, ValuesOf } from './infer.ts'
import type { ShownAttachment, ShownDocument, ShownFile, ShownImage } from './page-data-types.ts'
import type { StyleValues } from './shown-styles.ts'
import type { FieldsOf, IsUnknown, ModelOf, PageName, PageTypeName, SiteDeclaration, SiteModel } from './site-model.ts'

interface ShownBuiltIns {
  '@cms/image': ShownImage
  '@cms/file': ShownFile
}

/** Properties that every document has in addition to fields. */
type Stamps<Name> = {
  _id: string
  aposDocId: string
  type: Name
  _url: string
  aposLocale?: string
  aposMode?: Mode
  createdAt: string
  updatedAt: string
  lastPublishedAt?: string | null
  modified?: boolean
  /** The locale of a document that stands in for a missing one (§4.5). */
  _fallback?: string
  publishAt?: string | null
  archiveAt?: string | null
}

/** The place of a page in the tree, and the pages around it. */
type Position<M extends SiteModel> = {
  level: number
  rank: number
  /** From home down. */
  _ancestors?: NavigationPage<M>[]
  _children?: NavigationPage<M>[]
}

/** Field types that navigation does not show. */
type Heavy = { readonly type: 'area' | 'relationship' | 'relationshipReverse' | 'object' | 'array' }

type LightFields<Fields> = {
  [Name in keyof Fields as Fields[Name] extends Heavy ? never : Name]: Fields[Name]
}

/** A page as `home`, `_children` and `_ancestors` hold it: without areas and relationships. */
export type NavigationPage<M extends SiteModel> =
  IsUnknown<M> extends true
    ? ShownDocument & { _url: string; _children: ShownDocument[] }
    : { [Name in PageTypeName<M>]: NavigationPageOf<Name, M> }[PageTypeName<M>]

type NavigationPageOf<Name, M extends SiteModel> = {
  [Property in keyof NavigationValues<Name, M>]: NavigationValues<Name, M>[Property]
}

type NavigationValues<Name, M extends SiteModel> = Stamps<Name> &
  CommonValues &
  ValuesOf<LightFields<FieldsOf<M, Name>>> & { level: number; rank: number; _children: NavigationPage<M>[] }

/** The relationships of related documents that are filled in, by `withRelationships`. */
type FilledIn<F> = F extends { readonly withRelationships: infer With }
  ? With extends readonly (infer Name extends string)[]
    ? Name
    : With extends true
      ? string
      : never
  : never

/** A related document with the properties that the relationship asks for. */
type Projected<F, Document> = F extends { readonly builders: { readonly project: infer Names } }
  ? Pick<Document, keyof Document & (keyof Names | '_id' | 'aposDocId' | 'type')>
  : Document

/** A related document: `_fields` holds what the relationship says of it. */
type Related<F extends { readonly withType: string | readonly string[] }, M extends SiteModel> = Projected<
  F,
  ShownDocumentOf<TypesNamed<F['withType']>, M, FilledIn<F>>
> &
  (F extends { readonly fields: { readonly add: infer Add } }
    ? { _fields: ShownValues<M, Add> }
    : { _fields: JsonObject })

type ShownIn<M extends SiteModel, F> = F extends { readonly fields: { readonly add: infer Add } }
  ? ShownValues<M, Add>
  : object

/** The value of a declared field as answers and templates have it. */
type ShownValue<M extends SiteModel, F> = F extends { readonly type: infer Type }
  ? F extends { readonly type: 'relationship' | 'relationshipReverse'; readonly withType: string | readonly string[] }
    ? Related<F, M>[]
    : Type extends 'attachment'
      ? ShownAttachment | null
      : Type extends 'object'
        ? Plain<{ _id: string; metaType: 'object' } & ShownIn<M, F>>
        : Type extends 'array'
          ? Plain<{ _id: string; metaType: 'arrayItem' } & ShownIn<M, F>>[]
          : F extends { readonly type: 'area'; readonly widgets: infer Widgets }
            ? AreaValue<ShownWidgetOf<keyof Widgets, M>>
            : ValueOf<F>
  : Json

/** The values of declared fields as answers and templates have them: relationships filled in, files whole. */
type ShownValues<M extends SiteModel, Fields, Filled extends string = string> = Plain<
  {
    -readonly [Name in keyof Fields as Fields[Name] extends { readonly type: 'relationship' | 'relationshipReverse' }
      ? Name & Filled
      : Name]: ShownValue<M, Fields[Name]>
  } & Omit<ValuesOf<Fields>, keyof Fields>
>

/** A document of these fields as templates have it, where the site is not known. */
export type ShownOf<Fields> = Plain<
  { _id: string; aposDocId: string; type: string; _url: string } & CommonValues &
    Omit<ShownValues<SiteModel, Fields>, keyof CommonValues>
>

/** A document of a site; `Filled`: its relationships that are filled in. */
export type ShownDocumentOf<Name, M extends SiteModel, Filled extends string = string> = Name extends string
  ? [FieldsOf<M, Name>] extends [never]
    ? Name extends keyof ShownBuiltIns
      ? ShownBuiltIns[Name]
      : Name extends AnyPageName
        ? AnyPage<M>
        : ShownDocument
    : SiteDocument<Name, M, Filled>
  : never

/** A mapped type, so that messages name it. */
type SiteDocument<Name, M extends SiteModel, Filled extends string> = {
  [Property in keyof PropertiesOf<Name, M, Filled>]: PropertiesOf<Name, M, Filled>[Property]
}

type PropertiesOf<Name, M extends SiteModel, Filled extends string> = Stamps<Name> &
  CommonValues &
  Omit<ShownValues<M, FieldsOf<M, Name>, Filled>, keyof CommonValues> &
  (Name extends PageName<M> ? Position<M> : object)

/** A page of whichever type; `type` says which. */
export type AnyPage<M extends SiteModel> =
  IsUnknown<M> extends true ? ShownDocument : ShownDocumentOf<Exclude<PageTypeName<M>, '@cms/archive-page'>, M>

/**
 * A document as templates and answers have it: relationships and files filled in, and the widgets of areas. A
 * projection, or what its reader may see, may leave fields out.
 *
 *     type Article = Shown<typeof site, 'article'>
 */
export type Shown<Site extends SiteDeclaration, Name extends string> = ShownDocumentOf<Name, ModelOf<Site>>

/** A widget as templates have it, where the site is not known: its fields, and its style fields. */
export type WidgetOf<Fields, Styles> = Plain<
  { _id: string; metaType: 'widget'; type: string } & ShownValues<SiteModel, Fields> & StyleValues<Styles>
>

/** The values of the widgets that every site has, as templates have them. */
interface BuiltInWidgets<M extends SiteModel> {
  '@cms/rich-text': { content: string }
  '@cms/html': { code: string }
  '@cms/image': {
    imageIds: string[]
    _image: ShownImage[]
    caption: string
    linkTo: string | null
    linkHref: string | null
  }
  '@cms/file': { fileIds: string[]; _file: ShownFile[] }
  '@cms/video': { video: OembedValue | null }
  '@cms/layout': { columns: AreaValue<ShownWidgetOf<'@cms/layout-column', M>> }
  '@cms/layout-column': {
    content: AreaValue<
      ShownWidgetOf<keyof M['widgets'] | '@cms/rich-text' | '@cms/image' | '@cms/video' | '@cms/file', M>
    >
    colstart: number | null
    colspan: number | null
  }
}

/** The widgets of these names; `type` says which one is one of. */
export type ShownWidgetOf<Name, M extends SiteModel> = Name extends string
  ? { _id: string; metaType: 'widget'; type: Name } & (Name extends keyof BuiltInWidgets<M>
      ? BuiltInWidgets<M>[Name]
      : IsUnknown<M> extends true
        ? { [name: string]: Json }
        : Name extends keyof M['widgets']
          ? WidgetValues<M, M['widgets'][Name]>
          : object)
  : never

type WidgetValues<M extends SiteModel, Widget> = Widget extends {
  readonly fields: { readonly add: infer Fields }
  readonly styles?: infer Styles
}
  ? ShownValues<M, Fields> & StyleValues<Exclude<Styles, undefined>>
  : never

/**
 * A widget as templates have it.
 *
 *     type Quote = ShownWidget<typeof site, 'quote'>
 */
export type ShownWidget<Site extends SiteDeclaration, Name extends string> = ShownWidgetOf<Name, ModelOf<Site>>
