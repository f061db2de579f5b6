import type { CommonOptions, DeclaredFields, FieldOptions } from './declared-fields.ts'
import type { ChoiceValue, CommonValues, PropertyName } from './infer.ts'

/** What the compiler shows where something is wrong: no value has this type. */
export interface Mistake<Sentence> {
  readonly mistake: Sentence
}

/** The names of types that every site has. */
export type BuiltInTypeName =
  | '@cms/image'
  | '@cms/image-tag'
  | '@cms/file'
  | '@cms/file-tag'
  | '@cms/global'
  | '@cms/user'

/** The names of widget types that every site has. */
type BuiltInWidgetName =
  | '@cms/rich-text'
  | '@cms/image'
  | '@cms/video'
  | '@cms/html'
  | '@cms/file'
  | '@cms/layout'
  | '@cms/layout-column'

/** The names of the fields that documents of a type have. */
export type FieldName<Fields> = (keyof Fields & string) | keyof CommonValues

/** What of a document may be public: fields, what they are stored as, and the properties of every document. */
export type ProjectionName<Fields> = FieldName<Fields> | PropertyName<Fields> | DocumentProperty

type DocumentProperty =
  | '_id'
  | '_url'
  | '_parentUrl'
  | '_parentSlug'
  | '_ancestors'
  | '_children'
  | 'aposDocId'
  | 'aposLocale'
  | 'aposMode'
  | 'type'
  | 'metaType'
  | 'createdAt'
  | 'updatedAt'
  | 'updatedBy'
  | 'lastPublishedAt'
  | 'historicUrls'
  | 'level'
  | 'orphan'
  | 'path'
  | 'rank'
  | 'parkedId'
  | 'parked'
  | 'titleSortified'

/** Field types without an order. */
type Unsortable =
  | 'area'
  | 'array'
  | 'attachment'
  | 'box'
  | 'checkboxes'
  | 'object'
  | 'oembed'
  | 'password'
  | 'relationship'
  | 'relationshipReverse'
  | 'richText'

/** What lists of a type can be sorted by. */
export type SortName<Fields> =
  | {
      [Name in keyof Fields & string]: Fields[Name] extends { readonly type: Unsortable } ? never : Name
    }[keyof Fields & string]
  | 'title'
  | 'slug'
  | 'createdAt'
  | 'updatedAt'

type CheckDef<Field, Def> = [ChoiceValue<Field>] extends [never]
  ? unknown
  : Def extends (
        Field extends { readonly type: 'checkboxes' }
          ? readonly ChoiceValue<Field>[]
          : ChoiceValue<Field> | null
      )
    ? unknown
    : Mistake<'“def” must be one of the choices'>

type CheckTitleField<Field> = Field extends {
  readonly titleField: infer Name
  readonly fields: { readonly add: infer Add }
}
  ? Name extends keyof Add
    ? unknown
    : Mistake<`“${Name & string}” is not a field of this array`>
  : unknown

type CheckSet<Set> = Set extends { readonly add: infer Add }
  ? { readonly add: CheckFields<Add>; readonly group?: Groups<keyof Add & string> }
  : unknown

type CheckOption<Field, Option, Type extends string> = Option extends 'def'
  ? CheckDef<Field, Field[Option & keyof Field]>
  : Option extends 'fields'
    ? CheckSet<Field[Option & keyof Field]>
    : Option extends 'titleField'
      ? CheckTitleField<Field>
      : Option extends
            | 'type'
            | keyof CommonOptions
            | (Type extends keyof FieldOptions ? keyof FieldOptions[Type] : never)
        ? unknown
        : Mistake<`“${Option & string}” is not an option of the field type “${Type}”`>

type CheckName<Name, Type> = Type extends 'relationship' | 'relationshipReverse'
  ? Name extends `_${string}`
    ? unknown
    : Mistake<`The name of a relationship begins with “_”: “_${Name & string}”`>
  : Name extends `_${string}`
    ? Mistake<'Only names of relationships begin with “_”'>
    : unknown

/** Fields as they should be: unknown options, wrong defaults and wrong names in any depth are mistakes. */
type CheckFields<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends { readonly type: infer Type extends keyof FieldOptions }
    ? { readonly [Option in keyof Fields[Name]]: CheckOption<Fields[Name], Option, Type> } & CheckName<Name, Type>
    : unknown
}

/** How the editor groups fields: every name must be one of `Name`. */
export interface Groups<Name extends string> {
  readonly [group: string]: { readonly label?: string; readonly fields: readonly Name[] }
}

/** Fields with groups; refuses what `CheckFields` refuses. */
export interface CheckedFieldSet<Fields extends DeclaredFields> {
  readonly add: Fields & CheckFields<Fields>
  readonly group?: Groups<FieldName<NoInfer<Fields>>>
}

/** Names that a site has: of types and of widgets. */
interface Names {
  readonly types: string
  readonly widgets: string
}

type UnknownType<Used, Known> = Used extends Known ? never : string extends Used ? never : Used

/**
 * The mistakes in fields that only the whole site shows, as sentences with their place; never when there are none.
 * Fields of unknown names are left to `compileSite`.
 */
type FieldProblems<Fields, Known extends Names, Path extends string> = string extends keyof Fields
  ? never
  : { [Name in keyof Fields & string]: FieldProblem<Fields[Name], Known, `${Path}.${Name}`> }[keyof Fields & string]

type FieldProblem<Field, Known extends Names, Path extends string> =
  | (Field extends { readonly withType: infer Used extends string }
      ? UnknownType<Used, Known['types']> extends infer Wrong extends string
        ? `${Path}: “${Wrong}” is not a type of this site`
        : never
      : never)
  | (Field extends { readonly type: 'area'; readonly widgets: infer Widgets }
      ? UnknownType<keyof Widgets, Known['widgets']> extends infer Wrong extends string
        ? `${Path}: “${Wrong}” is not a widget type of this site`
        : never
      : never)
  | (Field extends { readonly fields: { readonly add: infer Add } } ? FieldProblems<Add, Known, Path> : never)

type Declaration = { readonly name: string; readonly fields: { readonly add: DeclaredFields } }

type Refuse<Problems> = [Problems] extends [never] ? unknown : Mistake<Problems>

/** A list of types or widgets as it should be: one that names what the site does not have is a mistake. */
export type CheckDeclarations<List extends readonly Declaration[], Known extends Names> = {
  readonly [Index in keyof List]: Refuse<FieldProblems<List[Index]['fields']['add'], Known, List[Index]['name']>>
}

/** The fields of the global document as they should be. */
export type CheckGlobal<Fields extends DeclaredFields, Known extends Names> = CheckFields<Fields> &
  Refuse<FieldProblems<Fields, Known, 'global'>>

/** All names that a site's fields may use. */
export interface DeclaredNames<Types extends readonly Declaration[], Widgets extends readonly Declaration[]> {
  readonly types: Types[number]['name'] | BuiltInTypeName
  readonly widgets: Widgets[number]['name'] | BuiltInWidgetName
}
