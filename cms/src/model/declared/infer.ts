import type { Json } from '../../base/json.ts'
import type { Visibility } from '../terms/document-id.ts'
import type { DeclaredFields, OwnTypeName } from './declared-fields.ts'

/** Shows a computed type as one plain object in the editor. */
export type Plain<T> = { [Name in keyof T]: T[Name] }

/** `_topics` → `topics`. */
export type Stem<Name> = Name extends `_${infer Rest}` ? Rest : Name

/** The values of a field's choices; a plain text is its own label. */
export type ChoiceValue<F> = F extends { readonly choices: readonly (infer Choice)[] }
  ? Choice extends { readonly value: infer Value }
    ? Value
    : Choice
  : never

type ValuesIn<F> = F extends { readonly fields: { readonly add: infer Add } } ? ValuesOf<Add> : object

/** The values of the built-in widgets; those of a site's widgets are not known where the area is declared. */
interface BuiltInWidgetValues {
  '@cms/rich-text': { content: string }
  '@cms/html': { code: string }
  '@cms/image': { imageIds: string[]; caption: string; linkTo: string | null; linkHref: string | null }
  '@cms/file': { fileIds: string[] }
  '@cms/video': { video: OembedValue | null }
}

type WidgetValue<Name> = Name extends string
  ? { _id: string; metaType: 'widget'; type: Name } & (Name extends keyof BuiltInWidgetValues
      ? BuiltInWidgetValues[Name]
      : { [name: string]: Json })
  : never

/** An area as stored: widgets in order. */
export interface AreaValue<Widget = { _id: string; metaType: 'widget'; type: string }> {
  _id: string
  metaType: 'area'
  items: Widget[]
}

/** The value of a `box`. */
export interface BoxValue {
  top: number | null
  right: number | null
  bottom: number | null
  left: number | null
}

/** The value of an `attachment`, as it is stored; answers hold the whole attachment. */
interface AttachmentValue {
  _id: string
  type: 'attachment'
  name: string
  extension: string
}

/** The value of an `oembed`. */
export interface OembedValue {
  url: string
  title: string
  thumbnail: string
}

/** The stored values of the built-in types whose options do not matter. */
interface SimpleValues {
  string: string
  slug: string
  integer: number | null
  float: number | null
  range: number | null
  boolean: boolean
  color: string | null
  box: BoxValue
  date: string | null
  time: string | null
  dateAndTime: string | null
  url: string | null
  email: string
  password: string | null
  attachment: AttachmentValue | null
  oembed: OembedValue | null
  richText: string
}

/** The stored value of one declared field. */
export type ValueOf<F> = F extends { readonly type: infer Type }
  ? Type extends keyof SimpleValues
    ? SimpleValues[Type]
    : Type extends 'select' | 'radio'
      ? ChoiceValue<F> | null
      : Type extends 'checkboxes'
        ? ChoiceValue<F>[]
        : Type extends 'object'
          ? Plain<{ _id: string; metaType: 'object' } & ValuesIn<F>>
          : Type extends 'array'
            ? Plain<{ _id: string; metaType: 'arrayItem' } & ValuesIn<F>>[]
            : F extends { readonly type: 'area'; readonly widgets: infer Widgets }
              ? AreaValue<WidgetValue<keyof Widgets>>
              : Type extends OwnTypeName<infer Value>
                ? Value | null
                : Json
  : Json

type Focus = { [Name in 'x' | 'y' | 'left' | 'top' | 'width' | 'height']?: number | null }

/** The relationship values of each related document, by its id. */
type RelationValues<F> = ValuesIn<F> &
  (F extends { readonly withType: infer Name } ? FocusOf<TypesNamed<Name>> : object)

/** The names that `withType` gives: one, or those of a list. */
export type TypesNamed<Name> = Name extends readonly (infer One)[] ? One : Name

type FocusOf<Name> = '@cms/image' extends Name ? Focus : object

/**
 * The stored values of a set of declared fields: `{ section: { type: 'select', … }, _topics: … }` →
 * `{ section: 'news' | 'essay' | null, topicsIds: string[], topicsFields: … }`.
 */
export type ValuesOf<Fields> = Plain<
  {
    -readonly [Name in keyof Fields as Fields[Name] extends { readonly type: 'relationship' | 'relationshipReverse' }
      ? never
      : Name]: ValueOf<Fields[Name]>
  } & {
    [Name in keyof Fields as Fields[Name] extends { readonly type: 'relationship' }
      ? `${Stem<Name> & string}Ids`
      : never]: string[]
  } & {
    [Name in keyof Fields as Fields[Name] extends { readonly type: 'relationship' }
      ? `${Stem<Name> & string}Fields`
      : never]: { [docId: string]: RelationValues<Fields[Name]> }
  }
>

/** The fields that every type begins with (§2.1). */
export interface CommonValues {
  title: string
  slug: string
  visibility: Visibility
  archived: boolean
}

/** A whole document's values, as hooks get them. */
export type DocumentValues<Fields> = Plain<CommonValues & Omit<ValuesOf<Fields>, keyof CommonValues>>

/** The documents of a declared type: `DocumentOf<typeof article>`. */
export type DocumentOf<Declared extends { readonly fields: { readonly add: DeclaredFields } }> = DocumentValues<
  Declared['fields']['add']
>

/** The properties that a set of fields takes in a document. */
export type PropertyName<Fields> = keyof ValuesOf<Fields> & string
