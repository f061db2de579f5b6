import type { Html } from '../../base/html.ts'
import type { EngineOf } from '../terms/engine-types.ts'
import type { PageData } from './page-data-types.ts'
import type { AnyPage, NavigationPage, ShownDocumentOf, ShownWidget } from './shown.ts'
import type { IndexPageName, ModelOf, PageTypeName, PiecesTypeOf, SiteDeclaration, SiteModel } from './site-model.ts'
import type { SceneWith, TemplateOptions } from './type-options.ts'

/** The pieces that a page type lists; of any type where the page is not known. */
type PiecesOf<M extends SiteModel, Name> = ShownDocumentOf<
  [Name] extends [never] ? PiecesTypeOf<M, IndexPageName<M>> : PiecesTypeOf<M, Name>,
  M
>

/** A page with those around it. */
type PlacedPage<M extends SiteModel, Page> = Page & {
  _ancestors: NavigationPage<M>[]
  _children: NavigationPage<M>[]
}

/** The data of the list of an index page. */
interface IndexPageData<Page, Piece, Home, Global> extends PageData<Page, Piece, Home, Global> {
  pieces: Piece[]
  currentPage: number
  totalPages: number
  totalPieces: number
  filters: NonNullable<PageData['filters']>
  piecesFilters: NonNullable<PageData['piecesFilters']>
}

/** The data of the page of a piece. */
interface ShowPageData<Page, Piece, Home, Global> extends PageData<Page, Piece, Home, Global> {
  piece: Piece
  previous: Piece | null
  next: Piece | null
}

type GlobalOf<M extends SiteModel> = ShownDocumentOf<'@cms/global', M> & { _fallbacks?: { [field: string]: string } }

type Kind = 'page' | 'index' | 'show'

type TemplateDataOf<M extends SiteModel, Name, Of extends Kind> = [Name] extends [never]
  ? PageData<PlacedPage<M, AnyPage<M>> | null, PiecesOf<M, never>, NavigationPage<M>, GlobalOf<M>>
  : TypedPageData<Of, PlacedPage<M, ShownDocumentOf<Name, M>>, PiecesOf<M, Name>, NavigationPage<M>, GlobalOf<M>>

type TypedPageData<Of extends Kind, Page, Piece, Home, Global> = Of extends 'index'
  ? IndexPageData<Page, Piece, Home, Global>
  : Of extends 'show'
    ? ShowPageData<Page, Piece, Home, Global>
    : PageData<Page, Piece, Home, Global>

/**
 * The data of a template (§4.2b), by the type of the page and what is rendered; without a name the data of a layout,
 * whose page and piece may be of any type.
 *
 *     type Articles = TemplateData<typeof site, 'articles-page', 'index'>
 */
export type TemplateData<
  Site extends SiteDeclaration,
  Name extends PageTypeName<ModelOf<Site>> = never,
  Of extends Kind = 'page',
> = TemplateDataOf<ModelOf<Site>, Name, Of>

/** A template of a site: what it renders, and how. */
export interface SiteTemplate {
  readonly kind: 'page' | 'index' | 'show' | 'widget' | 'layout' | 'notFound' | 'error'
  /** The page or widget type; null for templates of the whole site. */
  readonly name: string | null
  readonly template: object | string
}

type OfPage<Site extends SiteDeclaration, Name, Of extends Kind, Data> = TemplateOptions<
  TemplateDataOf<ModelOf<Site>, Name, Of>,
  Data,
  EngineOf<'siteContext', Site>
>
type OfSite<Site extends SiteDeclaration, Data> = TemplateOptions<
  TemplateData<Site>,
  Data,
  EngineOf<'siteContext', Site>
>
type WidgetName<Site> = Site extends SiteDeclaration<infer M> ? keyof M['widgets'] & string : never

/** Makes templates of a site, which know its types. */
interface TemplatesFor<Site extends SiteDeclaration> {
  /** The template of the pages of a type. */
  page<Name extends PageTypeName<ModelOf<Site>>, Data = undefined>(
    name: Name,
    template: OfPage<Site, Name, 'page', Data>,
  ): SiteTemplate
  /** The list of the pieces of an index page. */
  index<Name extends IndexPageName<ModelOf<Site>>, Data = undefined>(
    name: Name,
    template: OfPage<Site, Name, 'index', Data>,
  ): SiteTemplate
  /** One piece below an index page. */
  show<Name extends IndexPageName<ModelOf<Site>>, Data = undefined>(
    name: Name,
    template: OfPage<Site, Name, 'show', Data>,
  ): SiteTemplate
  /** `data` is called once for all widgets of the type in an answer: as many values, in their order. */
  widget<Name extends WidgetName<Site>, Data = undefined>(
    name: Name,
    template: {
      readonly data?: (
        ctx: EngineOf<'siteContext', Site>,
        widgets: readonly ShownWidget<Site, Name>[],
      ) => Promise<readonly Data[]>
      readonly render?: (widget: ShownWidget<Site, Name>, scene: SceneWith<Data>) => Html
      readonly template?: string
    },
  ): SiteTemplate
  /** The whole document around each page. */
  layout(render: (content: Html, data: TemplateData<Site>, scene: SceneWith<unknown>) => Html): SiteTemplate
  /** The page for what is not found. */
  notFound<Data = undefined>(template: OfSite<Site, Data>): SiteTemplate
  /** The page for a failure of the service. */
  error<Data = undefined>(template: OfSite<Site, Data>): SiteTemplate
}

const ofType = (kind: SiteTemplate['kind']) => (name: string, template: object) => ({ kind, name, template })
const ofSite = (kind: SiteTemplate['kind']) => (template: object) => ({ kind, name: null, template })

const MAKERS = {
  page: ofType('page'),
  index: ofType('index'),
  show: ofType('show'),
  widget: ofType('widget'),
  layout: ofSite('layout'),
  notFound: ofSite('notFound'),
  error: ofSite('error'),
}

/**
 * Makes templates that know the types of a site; `withTemplates` adds them to it.
 *
 *     const { show } = templatesFor<typeof model>()
 *     const article = show('articles-page', { render: ({ piece }) => html`<h1>${piece.title}</h1>` })
 */
export function templatesFor<Site extends SiteDeclaration>(): TemplatesFor<Site> {
  // `as`: what templates are given is for type checking only.
  return MAKERS as TemplatesFor<Site>
}

interface Declared {
  readonly name: string
  readonly family: string
  readonly options: object
}

/**
 * Adds templates to a site. Throws for one whose page or widget type the site does not have.
 *
 *     export const site = withTemplates(model, [layout, article])
 */
export function withTemplates<Site extends SiteDeclaration>(site: Site, templates: readonly SiteTemplate[]): Site {
  // `as`: `defineSite` was given these options, which are checked when the site is compiled.
  const options = site.options as { readonly types?: readonly Declared[]; readonly widgets?: readonly Declared[] }
  const whole = templates.filter(({ name }) => name === null).map(({ kind, template }) => [kind, template])
  const types = options.types ?? []
  const widgets = options.widgets ?? []
  const added = templates.filter(({ name }) => name !== null)
  for (const one of added) assertHas(one.kind === 'widget' ? widgets : types, one)
  return {
    ...site,
    options: {
      ...options,
      ...Object.fromEntries(whole),
      types: types.map((type) => rendered(type, added.filter(isOf(type)))),
      widgets: widgets.map((widget) => rendered(widget, added.filter(isOf(widget)))),
    },
  }
}

const isOf =
  ({ name, family }: Declared) =>
  (template: SiteTemplate) =>
    template.name === name && (template.kind === 'widget') === (family === 'widget')

function rendered(declared: Declared, templates: readonly SiteTemplate[]): Declared {
  if (templates.length === 0) return declared
  const own = templates.map(({ kind, template }) =>
    kind === 'page' || kind === 'widget' ? template : { [kind]: template },
  )
  return { ...declared, options: Object.assign({}, declared.options, ...own) }
}

function assertHas(declared: readonly Declared[], { kind, name }: SiteTemplate): void {
  if (declared.some((one) => one.name === name)) return
  throw new TypeError(`There is a template for the ${kind} “${name}”, which the site does not declare.`)
}
