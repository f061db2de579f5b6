import type { CommonOptions, DeclaredFields, FieldOptions } from './declared-fields.ts'
import type { ChoiceValue, CommonValues, PropertyName, TypesNamed } from './infer.ts'
import type { BuiltInTypeName } from './site-model.ts'

/** An error message that the compiler shows: no value has this type. */
export interface Mistake<Sentence> {
  readonly mistake: Sentence
}

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

/** The names of the relationships that documents of a type have. */
export type RelationshipName<Fields> = {
  [Name in keyof Fields & string]: Fields[Name] extends { readonly type: 'relationship' } ? Name : never
}[keyof Fields & string]

/** Names that a public projection may contain: fields, their stored properties, and those of documents. */
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

/** Names that lists of a type can be sorted by. */
export type SortName<Fields> = Fields extends unknown
  ?
      | {
          [Name in keyof Fields & string]: Fields[Name] extends { readonly type: Unsortable } ? never : Name
        }[keyof Fields & string]
      | 'title'
      | 'slug'
      | 'createdAt'
      | 'updatedAt'
  : never

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

/** The names of neighbours that a condition looks at, or paths into them. */
type CheckIf<Condition, Neighbour extends string> = {
  readonly [Name in keyof Condition]: Name extends '$or'
    ? CheckAnyOf<Condition[Name], Neighbour>
    : Name extends Neighbour | `${Neighbour}.${string}`
      ? unknown
      : Mistake<`“if” names “${Name & string}”, which is not a field beside this one`>
}

type CheckAnyOf<Conditions, Neighbour extends string> = {
  readonly [Index in keyof Conditions]: CheckIf<Conditions[Index], Neighbour>
}

type CheckFollowing<Following, Neighbour> = [Following extends readonly (infer Name)[] ? Name : Following] extends [
  Neighbour,
]
  ? unknown
  : Mistake<'“following” names a field that is not beside this one'>

type CheckOption<Field, Option, Type extends string, Neighbour extends string> = Option extends 'def'
  ? CheckDef<Field, Field[Option & keyof Field]>
  : Option extends 'fields'
    ? CheckSet<Field[Option & keyof Field]>
    : Option extends 'titleField'
      ? CheckTitleField<Field>
      : Option extends 'if'
        ? CheckIf<Field[Option & keyof Field], Neighbour>
        : Option extends 'following'
          ? CheckFollowing<Field[Option & keyof Field], Neighbour>
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

/**
 * Fields as they should be: unknown options, wrong defaults and wrong names in any depth are mistakes. `Neighbour`: the
 * names that are beside them.
 */
type CheckFields<Fields, Neighbour extends string = PropertyName<Fields> | (keyof Fields & string)> = {
  readonly [Name in keyof Fields]: Fields[Name] extends { readonly type: infer Type extends keyof FieldOptions }
    ? { readonly [Option in keyof Fields[Name]]: CheckOption<Fields[Name], Option, Type, Neighbour> } & CheckName<
        Name,
        Type
      >
    : unknown
}

/** How the editor groups fields: every name must be one of `Name`. */
export interface Groups<Name extends string> {
  readonly [group: string]: { readonly label?: string; readonly fields: readonly Name[] }
}

/** Fields with groups; refuses what `CheckFields` refuses. */
export interface CheckedFieldSet<Fields extends DeclaredFields, Common extends string = never> {
  readonly add: Fields & CheckFields<Fields, PropertyName<Fields> | (keyof Fields & string) | Common>
  readonly group?: Groups<FieldName<NoInfer<Fields>>>
}

/** Names that a site has: of types and of widgets. */
interface Names {
  readonly types: string
  readonly pieces: string
  readonly widgets: string
}

/** Stand for all types of pages in `withType`. */
export type AnyPageName = '@cms/any-page' | '@cms/any-page-type' | '@cms/page'

type UnknownType<Used, Known> = Used extends Known ? never : string extends Used ? never : Used

/**
 * The mistakes in fields that only the whole site shows, as sentences with their place; never when there are none.
 * Fields of unknown names are left to `compileSite`.
 */
type FieldProblems<Fields, Known extends Names, Path extends string> = string extends keyof Fields
  ? never
  : { [Name in keyof Fields & string]: FieldProblem<Fields[Name], Known, `${Path}.${Name}`> }[keyof Fields & string]

type FieldProblem<Field, Known extends Names, Path extends string> =
  | (Field extends { readonly withType: infer Used extends string | readonly string[] }
      ? UnknownType<TypesNamed<Used>, Known['types']> extends infer Wrong extends string
        ? `${Path}: “${Wrong}” is not a type of this site`
        : never
      : never)
  | (Field extends { readonly type: 'area'; readonly widgets: infer Widgets }
      ? UnknownType<keyof Widgets, Known['widgets']> extends infer Wrong extends string
        ? `${Path}: “${Wrong}” is not a widget type of this site`
        : never
      : never)
  | (Field extends { readonly fields: { readonly add: infer Add } } ? FieldProblems<Add, Known, Path> : never)

type Declaration = {
  readonly name: string
  readonly fields: { readonly add: DeclaredFields }
  readonly piecesType?: string
}

/** The mistake of an index page whose pieces the site does not have. */
type PiecesProblem<One extends Declaration, Known extends Names> =
  UnknownType<Exclude<One['piecesType'], undefined>, Known['pieces']> extends infer Wrong extends string
    ? `${One['name']}: “${Wrong}” is not a piece type of this site`
    : never

type Refuse<Problems> = [Problems] extends [never] ? unknown : Mistake<Problems>

/** A list of types or widgets as it should be: one that names what the site does not have is a mistake. */
export type CheckDeclarations<List extends readonly Declaration[], Known extends Names> = {
  readonly [Index in keyof List]: Refuse<
    FieldProblems<List[Index]['fields']['add'], Known, List[Index]['name']> | PiecesProblem<List[Index], Known>
  >
}

/** The fields of the global document as they should be. */
export type CheckGlobal<Fields extends DeclaredFields, Known extends Names> = CheckFields<Fields> &
  Refuse<FieldProblems<Fields, Known, 'global'>>

/** All names that a site's fields may use. */
export interface DeclaredNames<Types extends readonly Declaration[], Widgets extends readonly Declaration[]> {
  readonly types: Types[number]['name'] | BuiltInTypeName | AnyPageName
  readonly pieces: Extract<Types[number], { readonly family?: 'piece' }>['name'] | BuiltInTypeName
  readonly widgets: Widgets[number]['name'] | BuiltInWidgetName
}
