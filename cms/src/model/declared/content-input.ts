import type { DeclaredWidgetStyles } from './declared-styles.ts'
import type { BoxValue, CommonValues, Stem, ValueOf } from './infer.ts'
import type { FieldsOf, ModelOf, PageTypeName, PieceName, SiteDeclaration, SiteModel } from './site-model.ts'

/** A related document, as writes take it. */
interface RelatedInput {
  readonly _id: string
  readonly _fields?: { readonly [name: string]: unknown }
}

/** A field that relates to documents. */
export type Relationship = { readonly type: 'relationship' }

/** Fields that are not in bodies by their own name, or not at all. */
type Elsewhere = { readonly type: 'relationshipReverse' }

/** Fields that a new document needs from everybody: those with a default or a condition need not be given. */
type Needed<F> = F extends { readonly required: true }
  ? F extends
      | Elsewhere
      | { readonly def: unknown }
      | { readonly if: unknown }
      | { readonly readOnly: true }
      | Restricted
    ? false
    : true
  : false

/** Fields that a caller may not see are never required of them. */
type Restricted = { readonly viewPermission: string } | { readonly editPermission: string }

type NeededName<Fields> = {
  [Name in keyof Fields]: Needed<Fields[Name]> extends true ? (Fields[Name] extends Relationship ? never : Name) : never
}[keyof Fields]

/** Of all relationships that are needed, the documents or their ids: what functions take that take each of them. */
type NeededRelationships<M extends SiteModel, Fields> = {
  [Name in keyof Fields & string]: Needed<Fields[Name]> extends true
    ? Fields[Name] extends Relationship
      ? (
          related:
            | { readonly [Own in Name]: FieldInput<M, Fields[Name]> }
            | { readonly [Ids in `${Stem<Name> & string}Ids`]: readonly string[] },
        ) => void
      : never
    : never
}[keyof Fields & string] extends infer Takes
  ? [Takes] extends [never]
    ? object
    : [Takes] extends [(related: infer Every) => void]
      ? Every
      : object
  : object

/** The values of some fields, each of which may be left out. */
type FieldInputs<M extends SiteModel, Fields> = {
  readonly [Name in keyof Fields as Fields[Name] extends Elsewhere ? never : Name]?: FieldInput<M, Fields[Name]>
} & {
  readonly [Name in keyof Fields as Fields[Name] extends Relationship ? `${Stem<Name> & string}Ids` : never]?:
    | readonly string[]
    | null
} & {
  readonly [Name in keyof Fields as Fields[Name] extends Relationship ? `${Stem<Name> & string}Fields` : never]?: {
    readonly [docId: string]: object
  }
}

/** The values of all fields that are needed, and of others. */
type WholeInputs<M extends SiteModel, Fields> = {
  [Name in keyof (FieldInputs<M, Fields> & NeededInputs<M, Fields>)]: (FieldInputs<M, Fields> &
    NeededInputs<M, Fields>)[Name]
} & NeededRelationships<M, Fields>

type NeededInputs<M extends SiteModel, Fields> = {
  readonly [Name in NeededName<Fields>]: Exclude<FieldInput<M, Fields[Name]>, null>
}

type Inner<M extends SiteModel, F> = F extends { readonly fields: { readonly add: infer Add } }
  ? WholeInputs<M, Add>
  : object

/** The value of a field as writes take it; null makes it blank. */
export type FieldInput<M extends SiteModel, F> = F extends { readonly type: infer Type }
  ? Type extends 'relationship'
    ? readonly RelatedInput[] | null
    : Type extends 'object'
      ? Inner<M, F> | null
      : Type extends 'array'
        ? readonly (Inner<M, F> & { readonly _id?: string })[] | null
        : F extends { readonly type: 'area'; readonly widgets: infer Widgets }
          ? AreaInput<keyof Widgets, M> | null
          : Type extends 'attachment'
            ? { readonly _id: string } | null
            : Type extends 'oembed'
              ? EmbedInput | null
              : Type extends 'box'
                ? Partial<BoxValue> | null
                : ValueOf<F> | null
  : unknown

/** An address of another site, and what is said where it is not found out. */
interface EmbedInput {
  readonly url: string
  readonly title?: string
  readonly thumbnail?: string
}

/** An area as writes take it: its widgets, or HTML, which becomes one rich text. */
type AreaInput<Name, M extends SiteModel> =
  | { readonly items: readonly WidgetInput<Name, M>[]; readonly _id?: string }
  | ('@cms/rich-text' extends Name ? string : never)

interface WidgetMarks<Name> {
  readonly type: Name
  readonly _id?: string
}

/** The fields of the widgets that every site has. */
interface BuiltInWidgetInputs<M extends SiteModel> {
  '@cms/rich-text': { readonly content: string }
  '@cms/html': { readonly code: string }
  '@cms/image': {
    readonly _image?: readonly RelatedInput[]
    readonly imageIds?: readonly string[]
    readonly caption?: string
    readonly linkTo?: string | null
    readonly linkHref?: string | null
    /** A relationship to a page of the type that `linkTo` names, and texts of the link. */
    readonly [more: `link${string}` | `_${string}`]: unknown
  }
  '@cms/file': { readonly _file?: readonly RelatedInput[]; readonly fileIds?: readonly string[] }
  '@cms/video': { readonly video: EmbedInput }
  '@cms/layout': { readonly columns: AreaInput<'@cms/layout-column', M> }
  '@cms/layout-column': {
    readonly content?: AreaInput<ColumnWidget<M>, M>
    readonly colstart?: number | null
    readonly colspan?: number | null
    readonly rowstart?: number | null
    readonly rowspan?: number | null
    readonly order?: number | null
    readonly showTablet?: boolean
    readonly showMobile?: boolean
  }
}

type ColumnWidget<M extends SiteModel> =
  | keyof M['widgets']
  | '@cms/rich-text'
  | '@cms/image'
  | '@cms/video'
  | '@cms/file'

/** A widget of one of these types. */
type WidgetInput<Name, M extends SiteModel> = Name extends string
  ? WidgetMarks<Name> &
      (Name extends keyof BuiltInWidgetInputs<M>
        ? BuiltInWidgetInputs<M>[Name]
        : Name extends keyof M['widgets']
          ? SiteWidgetInput<M, M['widgets'][Name]>
          : { readonly [name: string]: unknown })
  : never

type SiteWidgetInput<M extends SiteModel, Widget> = Widget extends {
  readonly fields: { readonly add: infer Fields }
  readonly styles?: infer Styles
}
  ? WholeInputs<M, Fields> & StyleInputs<Exclude<Styles, undefined>>
  : never

/** Of a widget type without styles, the compiler may know only that it has some of any name: there are none. */
type StyleInputs<Styles> = string extends keyof Styles
  ? object
  : Styles extends DeclaredWidgetStyles
    ? { readonly [Name in keyof Styles]?: unknown }
    : object

/** Properties that a body may have in addition to fields (§4.1). */
interface BodyMarks {
  /** Written by AI (§3.8). */
  readonly _ai?: boolean
  /** A draft may lack what publishing asks for (§3.2). */
  readonly _incomplete?: boolean
  /** Types with `scheduling` (§3.9): a date and time with its zone; null cancels. */
  readonly publishAt?: string | null
  readonly archiveAt?: string | null
  /** The document that has what a new one is not given. */
  readonly _copyingId?: string
}

/** A page's position (§4.2): next to or below another one. */
export interface PagePosition {
  /** An id, `_home` or `_archive`. */
  readonly _targetId: string
  readonly _position: 'before' | 'after' | 'firstChild' | 'lastChild' | number
}

/** Properties that only pages take. */
interface PageInputs {
  /** Another type of the page. */
  readonly type?: string
  /** It is left out of navigation. */
  readonly orphan?: boolean
}

/** The values of the fields that every document has. */
type CommonInputs<Name, M extends SiteModel> = Partial<CommonValues> &
  (Name extends PageTypeName<M> ? PageInputs : object)

/** The fields of a type that the site does not declare itself. */
interface AnyFields {
  readonly [name: string]: unknown
}

/** A mapped type, so that messages name it. */
type NewDocument<Name, M extends SiteModel> = {
  [Property in keyof NewValues<Name, M>]: NewValues<Name, M>[Property]
} & NeededRelationships<M, FieldsOf<M, Name>>

type NewValues<Name, M extends SiteModel> = BodyMarks &
  CommonInputs<Name, M> &
  FieldInputs<M, FieldsOf<M, Name>> &
  NeededInputs<M, FieldsOf<M, Name>>

/** The fields of a document as writes take them, each of which may be left out. */
export type InputOf<Name, M extends SiteModel> = BodyMarks &
  ([FieldsOf<M, Name>] extends [never] ? AnyFields : CommonInputs<Name, M> & FieldInputs<M, FieldsOf<M, Name>>)

/** A whole document as writes take it: what may be left out becomes blank or its default. */
export type NewDocumentOf<Name, M extends SiteModel> = [FieldsOf<M, Name>] extends [never]
  ? BodyMarks & AnyFields
  : NewDocument<Name, M>

/** A page type's new document has a place. */
export type PlaceOf<Name, M extends SiteModel> = Name extends PieceName<M> ? object : PagePosition

/** A body that another content completes: the document that is copied, or the version that is restored. */
export type CompletedOf<Name, M extends SiteModel, By extends '_copyingId' | '_restoreVersion'> = InputOf<Name, M> & {
  readonly [Source in By]: string
}

/** The whole content of a document, for `insert` and `replace`: `DocumentInput<typeof site, 'article'>`. */
export type DocumentInput<Site extends SiteDeclaration, Name extends string> = NewDocumentOf<Name, ModelOf<Site>>
