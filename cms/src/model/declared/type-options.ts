import type { ZodType } from 'zod'
import type { Html } from '../../base/html.ts'
import type { Engine } from '../terms/engine-types.ts'
import type { Role } from '../terms/roles.ts'
import type { CheckedFieldSet, FieldName, Mistake, ProjectionName, RelationshipName, SortName } from './check-types.ts'
import type { DeclaredFields, NoFields } from './declared-fields.ts'
import type { DeclaredWidgetStyles, InnerWidgetStyle, WidgetStyle } from './declared-styles.ts'
import type { FeedFormat } from './discovery.ts'
import type { DocumentValues } from './infer.ts'
import type { PageData, ShownDocument } from './page-data-types.ts'
import type { ShownOf, WidgetOf } from './shown.ts'
import type { FieldFilters } from './type-query.ts'
import type { SearchWeight } from './types.ts'
import type { SitemapHints } from './url-metadata.ts'

/** The hooks of one type; see engine/context.ts for when each runs. */
interface DeclaredHooks<Fields> {
  /** Changes or **refuses** what will be saved: change `document` in place, or throw. Inside the transaction. */
  beforeSave?(
    document: DocumentValues<Fields>,
    event: Engine<'saveEvent'>,
    ctx: Engine<'writeContext'>,
  ): void | Promise<void>
  /**
   * Reacts to what **was saved**. After the commit; cannot refuse. A function runs alongside the answer; the answer
   * waits for `{ wait: true, run(document, event, ctx) { … } }`.
   */
  afterSave?: AfterSave<Fields> | { readonly wait: true; readonly run: AfterSave<Fields> }
  /**
   * Makes the **title** of a document that was given none, from its other fields; it follows them until it is given.
   */
  title?(document: Readonly<DocumentValues<Fields>>): string
}

type AfterSave<Fields> = (
  document: Readonly<DocumentValues<Fields>>,
  event: Engine<'saveEvent'>,
  ctx: Engine<'context'>,
) => void | Promise<void>

/** The options of a piece or page type (§2.17). */
export interface TypeOptions<
  Fields extends DeclaredFields,
  Parameter extends string = string,
  Public extends string = string,
> {
  /** Default: the name in words. */
  readonly label?: string
  readonly pluralLabel?: string
  /** The name of a picture that the editor shows with the type. */
  readonly icon?: string
  /** The purpose of documents of the type, in a sentence for editors. */
  readonly description?: string
  readonly fields?: CheckedFieldSet<Fields, FieldName<Fields>>
  /** Properties that anonymous callers see. Default: none. */
  readonly publicApiProjection?: readonly (Public & ProjectionName<NoInfer<Fields>>)[]
  readonly guestApiAccess?: boolean
  readonly viewRole?: Role
  readonly editRole?: Role
  readonly publishRole?: Role
  readonly perPage?: number
  /** In order of weight; default `{ updatedAt: -1 }`. */
  readonly sort?: { readonly [Name in SortName<NoInfer<Fields>>]?: 1 | -1 }
  readonly slugPrefix?: string
  /** Every save of the draft by someone who may publish is published. */
  readonly autopublish?: boolean
  /** Drafts have `publishAt` and `archiveAt`, at which they are published and archived by themselves (§3.9). */
  readonly scheduling?: boolean
  readonly localized?: boolean
  /** Exactly one document, made at start. */
  readonly singleton?: boolean
  readonly versions?: boolean
  /** Relationships: search finds a document by the titles of those that it relates to, too. */
  readonly searchable?: readonly RelationshipName<NoInfer<Fields>>[]
  /**
   * How much the words of fields weigh in searches: those of the title `high`, which come first, of others `normal`,
   * unless they are `low`, which come last, or `none`, which are not found.
   */
  readonly searchWeights?: { readonly [Name in FieldName<NoInfer<Fields>>]?: SearchWeight }
  /** How many seconds answers to anonymous callers may be cached. */
  readonly cache?: { readonly maxAge: number }
  /** The site's own query parameters, made by `query`. */
  readonly queries?: { readonly [Name in Parameter]: Query<FilterName<FieldName<NoInfer<Fields>>>> }
  readonly hooks?: DeclaredHooks<NoInfer<Fields>>
  /**
   * The hints of documents of this type in sitemaps; default: `daily` and 1. `false` leaves them out. A function
   * decides for each document: `({ noindex }) => (noindex ? false : { priority: 0.5 })`.
   */
  readonly sitemap?:
    | SitemapHints
    | false
    | ((document: Readonly<DocumentValues<NoInfer<Fields>>>) => SitemapHints | false | undefined)
}

/** The scene of a template: helpers, and under `data` the result of its `data` function. */
export type SceneWith<Data> = Engine<'scene'> & { readonly data: Data }

/**
 * How something is rendered: by a function, or by a file in the site's folder of templates. Neither can wait, so `data`
 * loads what else is needed, with the caller's permissions. Write it before `render`, which then knows its type.
 */
export interface TemplateOptions<Shown, Data, Ctx = Engine<'context'>> {
  readonly data?: (ctx: Ctx, shown: Shown) => Promise<Data>
  readonly render?: (shown: Shown, scene: SceneWith<Data>) => Html
  /** `pages/landing.njk` */
  readonly template?: string
}

/** The options of a widget type. */
export interface WidgetOptions<
  Fields extends DeclaredFields,
  Data = undefined,
  Styles extends DeclaredWidgetStyles = NoFields,
> {
  readonly label?: string
  /** The name of a picture that the editor shows with the type. */
  readonly icon?: string
  /** The purpose of the widget, in a sentence for editors. */
  readonly description?: string
  readonly fields?: CheckedFieldSet<Fields>
  /** Style fields (§4.7): what each widget of the type is given becomes its CSS. */
  readonly styles?: { readonly add: Styles & CheckWidgetStyles<Styles> }
  /**
   * False: the template places the styles by `scene.styles`; else the widget is rendered inside an element that has
   * them.
   */
  readonly stylesWrapper?: boolean
  /** The field whose text names a widget where its changes are listed (§2.5). */
  readonly titleField?: keyof NoInfer<Fields> & string
  /** Documents with marked changes (§4.4 annotate) have changed widgets as they were, too: `_olderVersion`. */
  readonly versionsRender?: boolean
  /** False: such documents do not show deleted widgets. */
  readonly versionsRenderDeleted?: boolean
  /** Called once for all widgets of the type in an answer: as many values, in their order. */
  readonly data?: (
    ctx: Engine<'context'>,
    widgets: readonly WidgetOf<NoInfer<Fields>, NoInfer<Styles>>[],
  ) => Promise<readonly Data[]>
  readonly render?: (widget: WidgetOf<NoInfer<Fields>, NoInfer<Styles>>, scene: SceneWith<Data>) => Html
  /** `widgets/quote.njk` */
  readonly template?: string
}

/** The options of a page type: those of all types, and how its pages are rendered (§4.2b). */
export interface PageOptions<
  Fields extends DeclaredFields,
  Data = undefined,
  Index = undefined,
  Show = undefined,
  Pieces extends string = string,
  Parameter extends string = string,
  Public extends string = string,
> extends TypeOptions<Fields, Parameter, Public>,
    TemplateOptions<PageData<ShownOf<NoInfer<Fields>>, ShownDocument>, Data> {
  /**
   * Makes it an index page: its pages list the pieces of this type, and each has a page of its own at the slug of the
   * index page and its own (§4.2b). `perPage` says how many a page lists.
   */
  readonly piecesType?: Pieces
  /** The fields of the pieces that visitors filter by; of a relationship, `_topics` takes ids and `topics` slugs. */
  readonly piecesFilters?: readonly (
    | string
    | { readonly name: string; readonly label?: string; readonly counts?: boolean }
  )[]
  /**
   * `2`: on a site with `static: true`, combinations of two filters have paths of their own, and static builds list them
   * (§4.6). Else a second filter is in the query, which static builds leave out.
   */
  readonly staticCombinations?: 1 | 2
  /**
   * Feeds of the newest pieces of an index page, at `rss.xml` and `atom.xml` below it: `true`, or the fields that make
   * up an item. The site needs a `baseUrl`.
   */
  readonly feed?:
    | boolean
    | {
        /** Both when left out. */
        readonly formats?: readonly FeedFormat[]
        /** How many pieces: 20 when left out, at most 100. */
        readonly items?: number
        /** A field with a date; `createdAt` when left out. */
        readonly date?: string
        /** A field with a text; its first 500 characters are used. */
        readonly summary?: string
        /** A relationship to an image. */
        readonly image?: string
        /** A field with a name, or a relationship, whose titles are names. */
        readonly author?: string
      }
  /** The list of the pieces of an index page. */
  readonly index?: TemplateOptions<PageData<ShownOf<NoInfer<Fields>>, ShownDocument>, Index>
  /** One piece below an index page. */
  readonly show?: TemplateOptions<PageData<ShownOf<NoInfer<Fields>>, ShownDocument>, Show>
}

/** The name of a condition: a field, a date, a path into a field or into related documents, or a group of conditions. */
type FilterName<Field extends string> =
  | Field
  | `${Field}.${string}`
  | 'createdAt'
  | 'updatedAt'
  | '$and'
  | '$or'
  | '$not'

declare const filtered: unique symbol

/** A site's own query parameter, which filters by the fields named in `Field`. */
export interface Query<Field extends string = string> {
  readonly kind: 'query'
  readonly description: string
  readonly input: ZodType
  readonly where: (value: unknown) => FieldFilters
  /** For type checking only. */
  readonly [filtered]?: Field
}

/** The options that the forms of a style field have which a declared one fits. */
type StyleOption<Style, Form> = Form extends unknown ? (Style extends Form ? keyof Form : never) : never

type CheckInner<Fields> = {
  readonly [Part in keyof Fields]: Part extends 'add'
    ? CheckStyleSet<Fields[Part], InnerWidgetStyle>
    : Mistake<'the fields of an object have no groups'>
}

type CheckStyleSet<Styles, Form> = {
  readonly [Name in keyof Styles]: Styles[Name] extends string
    ? unknown
    : {
        readonly [Option in keyof Styles[Name]]: Option extends StyleOption<Styles[Name], Form>
          ? Option extends 'fields'
            ? CheckInner<Styles[Name][Option]>
            : unknown
          : Mistake<`“${Option & string}” is not an option of this style field`>
      }
}

/** The style fields of a widget type as they should be: unknown options in any depth are mistakes. */
type CheckWidgetStyles<Styles> = CheckStyleSet<Styles, WidgetStyle>
