import type { ZodType } from 'zod'
import type { Html } from '../base/html.ts'
import type { Json } from '../base/json.ts'
import type { CheckedFieldSet, FieldName, ProjectionName, SortName } from './check-types.ts'
import type { CommonOptions, DeclaredFields, OwnField } from './declared-fields.ts'
import type { FeedFormat } from './discovery.ts'
import type { FieldType } from './fields/field-type.ts'
import type { DocumentValues } from './infer.ts'
import type { PageData, ShownDocument } from './page-data.ts'
import type { Role } from './roles.ts'
import type { ShownOf } from './shown.ts'
import type { ShownWidget } from './shown-widget.ts'
import type { CheckWidgetStyles } from './styles/check-style-types.ts'
import type { DeclaredWidgetStyles } from './styles/declared-styles.ts'
import type { FieldFilters } from './type-query.ts'
import type { SitemapHints } from './url-metadata.ts'

/** The declared fields of what declares none. */
export type NoFields = Record<never, never>

/**
 * What hooks are handed beside the values. The model knows nothing of the engine, so the package's root names these
 * types here by declaration merging: `saveEvent`, `writeContext`, `context`, `scene`, `feature`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled in by declaration merging
export interface EngineTypes {}

/** One of the engine's types by its name in `EngineTypes`. */
export type Engine<Name extends string> = EngineTypes extends { readonly [Key in Name]: infer Type } ? Type : unknown

/** As `EngineTypes`, for what depends on the types that a site declares: `content`. */
// biome-ignore lint/correctness/noUnusedVariables: filled in by declaration merging
// biome-ignore lint/suspicious/noEmptyInterface: filled in by declaration merging
export interface EngineTypesOf<Types> {}

/** One of the engine's types by its name in `EngineTypesOf`, for a site that declares these types. */
export type EngineOf<Name extends string, Types> =
  EngineTypesOf<Types> extends { readonly [Key in Name]: infer Type } ? Type : unknown

/** What a site author may hook into for one type; see engine/context.ts for when each runs. */
export interface DeclaredHooks<Fields> {
  /** Changes or **refuses** what will be saved: change `document` in place, or throw. Inside the transaction. */
  beforeSave?(
    document: DocumentValues<Fields>,
    event: Engine<'saveEvent'>,
    ctx: Engine<'writeContext'>,
  ): void | Promise<void>
  /**
   * Reacts to what **was saved**. After the commit; cannot refuse. A function runs beside the answer; the answer waits
   * for `{ wait: true, run(document, event, ctx) { … } }`.
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
export interface TypeOptions<Fields extends DeclaredFields> {
  /** Default: the name in words. */
  readonly label?: string
  readonly pluralLabel?: string
  readonly fields?: CheckedFieldSet<Fields>
  /** What anonymous callers see; without it, nothing. */
  readonly publicApiProjection?: readonly ProjectionName<NoInfer<Fields>>[]
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
  /** How many seconds answers to anonymous callers may be cached. */
  readonly cache?: { readonly maxAge: number }
  /** The site's own query parameters, made by `query`. */
  readonly queries?: { readonly [name: string]: Query<FieldName<NoInfer<Fields>> | 'createdAt' | 'updatedAt'> }
  readonly hooks?: DeclaredHooks<NoInfer<Fields>>
  /**
   * What sitemaps say of documents of this type, `daily` and 1 unless it says otherwise; `false` leaves them out. A
   * function says it of each document: `({ noindex }) => (noindex ? false : { priority: 0.5 })`.
   */
  readonly sitemap?:
    | SitemapHints
    | false
    | ((document: Readonly<DocumentValues<NoInfer<Fields>>>) => SitemapHints | false | undefined)
}

/** A piece or page type as declared. `options` is read, and checked, by `compileSite`. */
export interface ContentType<
  Name extends string = string,
  Fields extends DeclaredFields = DeclaredFields,
  Family extends 'piece' | 'page' = 'piece' | 'page',
> {
  readonly family: Family
  readonly name: Name
  readonly fields: { readonly add: Fields }
  readonly options: object
}

/** A widget type as declared. */
export interface WidgetDeclaration<Name extends string = string, Fields extends DeclaredFields = DeclaredFields> {
  readonly family: 'widget'
  readonly name: Name
  readonly fields: { readonly add: Fields }
  readonly options: object
}

/** What a template gets beside what it draws: helpers, and under `data` what was loaded for it. */
export type SceneWith<Data> = Engine<'scene'> & { readonly data: Data }

/**
 * How something is drawn: by a function, or by a file below the site's folder of templates. Neither can wait: `data`
 * loads, with the permissions of the caller, what is needed beside what is shown. Write it before `render`, which then
 * knows its type.
 */
export interface TemplateOptions<Shown, Data> {
  readonly data?: (ctx: Engine<'context'>, shown: Shown) => Promise<Data>
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
  readonly fields?: CheckedFieldSet<Fields>
  /** Style fields (§4.7): what each widget of the type is given becomes its CSS. */
  readonly styles?: { readonly add: Styles & CheckWidgetStyles<Styles> }
  /** False: the template places the styles by `scene.styles`; else the widget is drawn inside an element that has them. */
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
    widgets: readonly ShownWidget<NoInfer<Fields>, NoInfer<Styles>>[],
  ) => Promise<readonly Data[]>
  readonly render?: (widget: ShownWidget<NoInfer<Fields>, NoInfer<Styles>>, scene: SceneWith<Data>) => Html
  /** `widgets/quote.njk` */
  readonly template?: string
}

/** The options of a page type: those of all types, and how its pages are drawn (§4.2b). */
export interface PageOptions<Fields extends DeclaredFields, Data = undefined, Index = undefined, Show = undefined>
  extends TypeOptions<Fields>,
    TemplateOptions<PageData<ShownOf<NoInfer<Fields>>, ShownDocument>, Data> {
  /**
   * Makes it an index page: its pages list the pieces of this type, and each has a page of its own at the slug of the
   * index page and its own (§4.2b). `perPage` says how many a page lists.
   */
  readonly piecesType?: string
  /** The fields of the pieces that visitors filter by; of a relationship, `_topics` takes ids and `topics` slugs. */
  readonly piecesFilters?: readonly (
    | string
    | { readonly name: string; readonly label?: string; readonly counts?: boolean }
  )[]
  /**
   * Feeds of the newest pieces of an index page, at `rss.xml` and `atom.xml` below it: `true`, or which fields tell what.
   * The site needs a `baseUrl`.
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
        /** A field with a text; 500 characters of it are told. */
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

/**
 * Declares a piece type: records of one kind, served under `/api/v1/<name>` (§4.1).
 *
 *     piece('article', { label: 'Article', fields: { add: { subtitle: { type: 'string', max: 120 } } } })
 */
export function piece<const Name extends string, const Fields extends DeclaredFields = NoFields>(
  name: Name,
  options: TypeOptions<Fields> = {},
): ContentType<Name, Fields, 'piece'> {
  return { family: 'piece', name, fields: declared(options), options }
}

/**
 * Declares a page type (§4.2); as `piece`, and with a template:
 *
 *     page('landing', { render: ({ page }, scene) => html`<h1>${page.title}</h1>` })
 */
export function page<
  const Name extends string,
  const Fields extends DeclaredFields = NoFields,
  Data = undefined,
  Index = undefined,
  Show = undefined,
>(name: Name, options: PageOptions<Fields, Data, Index, Show> = {}): ContentType<Name, Fields, 'page'> {
  return { family: 'page', name, fields: declared(options), options }
}

/**
 * Declares a widget type, which areas may then allow by its name.
 *
 *     widget('quote', {
 *       fields: { add: { words: { type: 'string' } } },
 *       render: ({ words }) => html`<blockquote>${words}</blockquote>`,
 *     })
 */
export function widget<
  const Name extends string,
  const Fields extends DeclaredFields = NoFields,
  Data = undefined,
  const Styles extends DeclaredWidgetStyles = NoFields,
>(name: Name, options: WidgetOptions<Fields, Data, Styles> = {}): WidgetDeclaration<Name, Fields> {
  return { family: 'widget', name, fields: declared(options), options }
}

function declared<Fields extends DeclaredFields>(options: { readonly fields?: { readonly add: Fields } }) {
  // `as`: without `fields`, Fields is the type without members.
  return options?.fields ?? { add: {} as Fields }
}

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

type Keys<Where> = Where extends unknown ? keyof Where & string : never

/**
 * Declares a query parameter of a type: its input, and the conditions that it adds.
 *
 *     query({ input: z.coerce.number(), description: 'Price at least', where: (value) => ({ price: { min: value } }) })
 */
export function query<Input, const Where extends FieldFilters>(options: {
  readonly input: ZodType<Input>
  readonly description?: string
  readonly where: (value: Input) => Where
}): Query<Keys<Where>> {
  const { input, description = '', where } = options
  // `as`: only what `input` has read is handed to `where` (compileSite).
  return { kind: 'query', description, input, where: where as (value: unknown) => FieldFilters }
}

/**
 * A field of a site's own type, with the options of that type: `stars: field(stars, { label: 'Stars', max: 5 })`.
 * The type itself must be listed in the `fieldTypes` of the site.
 */
export function field<Options extends object, Value extends Json>(
  type: FieldType<Options, Value>,
  options: NoInfer<Options> & CommonOptions,
): OwnField<Value> {
  // `as`: for the compiler the name also carries the type of the value.
  return { ...options, type: type.name as OwnField<Value>['type'] }
}

/** Declares a site's own field type; gives it back unchanged, with its types inferred. */
export function defineFieldType<Options extends object, Value extends Json>(
  type: FieldType<Options, Value>,
): FieldType<Options, Value> {
  return type
}
