import type { DeclaredFields, NoFields } from './declared-fields.ts'
import type { Stem } from './infer.ts'

/** The names of types that every site has. */
export type BuiltInTypeName =
  | '@cms/image'
  | '@cms/image-tag'
  | '@cms/file'
  | '@cms/file-tag'
  | '@cms/global'
  | '@cms/user'

/** A piece or page type as declared. `options` is read, and checked, by `compileSite`. */
export interface ContentType<
  Name extends string = string,
  Fields extends DeclaredFields = DeclaredFields,
  Family extends 'piece' | 'page' = 'piece' | 'page',
  Pieces extends string = string,
  Parameter extends string = string,
  Public extends string = string,
> {
  readonly family: Family
  readonly name: Name
  readonly fields: { readonly add: Fields }
  readonly options: object
  /** Of index pages, for type checking only: the type that they list. */
  readonly piecesType?: Pieces
  /** For type checking only: the names of its `queries`. */
  readonly parameter?: Parameter
  /** For type checking only: what its `publicApiProjection` names. */
  readonly projected?: Public
}

/** A widget type as declared. */
export interface WidgetDeclaration<
  Name extends string = string,
  Fields extends DeclaredFields = DeclaredFields,
  Styles = object,
> {
  readonly family: 'widget'
  readonly name: Name
  readonly fields: { readonly add: Fields }
  readonly options: object
  /** For type checking only. */
  readonly styles?: Styles
}

/** The declarations of a site, by name. */
export interface SiteModel {
  readonly types: { readonly [name: string]: ContentType }
  readonly widgets: { readonly [name: string]: WidgetDeclaration }
  /** The fields of the global document. */
  readonly global: DeclaredFields
  /** The names of the locales. */
  readonly locale: string
}

/** A site as declared; `compileSite` checks it and makes a `Site` of it. */
export interface SiteDeclaration<Model extends SiteModel = SiteModel> {
  readonly kind: 'site'
  readonly options: object
  /** For type checking only; by a name, so that the declarations of `quire-client` know it, too. */
  readonly model?: Model
}

/** The model of a declared site: `ModelOf<typeof site>`. */
export type ModelOf<Site> = Site extends SiteDeclaration<infer Model> ? Model : never

/** The model of a site with these types, widgets, global fields and locales. */
export interface Declares<
  Types extends readonly ContentType[],
  Widgets extends readonly WidgetDeclaration[],
  Global extends DeclaredFields,
  Locale extends string,
> {
  readonly types: { readonly [Type in Types[number] as Type['name']]: Type }
  readonly widgets: { readonly [Widget in Widgets[number] as Widget['name']]: Widget }
  readonly global: Global
  readonly locale: Locale
}

/** The names of the types of one family that a site declares; conditional, so that messages list the names. */
type Declared<M, Family> = M extends SiteModel
  ? {
      [Name in keyof M['types'] & string]: M['types'][Name]['family'] extends Family ? Name : never
    }[keyof M['types'] & string]
  : never

/** True for a site of which nothing is known. */
export type IsUnknown<M extends SiteModel> = string extends keyof M['types'] ? true : false

/** The names of a site's piece types; any text where the site is not known. */
export type PieceName<M extends SiteModel> =
  IsUnknown<M> extends true ? string : Declared<M, 'piece'> | BuiltInTypeName | '@cms/styles'

/** The names of a site's page types; any text where the site is not known. */
export type PageTypeName<M extends SiteModel> =
  IsUnknown<M> extends true ? string : Declared<M, 'page'> | '@cms/home-page' | '@cms/archive-page'

/** The names of a site's page types, and `@cms/page` for a page of whichever type. */
export type PageName<M extends SiteModel> = PageTypeName<M> | '@cms/page'

/** The names of the page types that list pieces. */
export type IndexPageName<M extends SiteModel> = {
  [Name in keyof M['types'] & string]: [PiecesTypeOf<M, Name>] extends [never] ? never : Name
}[keyof M['types'] & string]

/** The name of the piece type that pages of a type list; never for others. */
export type PiecesTypeOf<M extends SiteModel, Name> = M['types'][Name & string] extends {
  readonly piecesType?: infer Pieces
}
  ? Exclude<Pieces, undefined>
  : never

/** The declared fields of a type; never for types that the site does not declare itself. */
export type FieldsOf<M extends SiteModel, Name> =
  IsUnknown<M> extends true
    ? never
    : Name extends '@cms/global'
      ? M['global']
      : Name extends keyof M['types']
        ? M['types'][Name]['fields']['add']
        : Name extends '@cms/home-page' | '@cms/archive-page'
          ? NoFields
          : never

/** The fields that a projection names, by their own names or those of their ids. */
type Projected<Fields, Public> = {
  readonly [Name in keyof Fields as Name extends Public
    ? Name
    : `${Stem<Name> & string}Ids` extends Public
      ? Name
      : never]: Fields[Name]
}

type PublicType<Type> =
  Type extends ContentType<infer Name, infer Fields, infer Family, infer Pieces, infer Parameter, infer Public>
    ? ContentType<Name, Projected<Fields, Public>, Family, Pieces, Parameter, Public>
    : never

/**
 * A site as anonymous callers know it: each type with the fields that its `publicApiProjection` names. Types without
 * one are not there, but pages, which the projection of the site's `pages` may show.
 */
export type PublicModel<M extends SiteModel> =
  IsUnknown<M> extends true
    ? M
    : {
        readonly types: {
          readonly [Name in keyof M['types'] as M['types'][Name] extends { readonly projected?: never }
            ? M['types'][Name]['family'] extends 'page'
              ? Name
              : never
            : Name]: PublicType<M['types'][Name]>
        }
        readonly widgets: M['widgets']
        readonly global: M['global']
        readonly locale: M['locale']
      }
