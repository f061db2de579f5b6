import { buildUrl, withSteps } from '../../base/build-url.ts'
import { Html, html, raw } from '../../base/html.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import type { PageData, PageSlot } from '../../model/declared/page-data-types.ts'
import type { WidgetType } from '../../model/declared/types.ts'
import { textOf } from '../../model/values/walk.ts'
import type { Context, Scene } from '../context.ts'
import {
  getBaseUrl,
  getChoiceFilter,
  getPageFilter,
  isExternalFront,
  isStaticBuild,
} from '../presentation/url-operations.ts'
import { type AreaInAnswer, type AreaRendering, isArea } from '../scene-parts.ts'
import type { TemplateUrls } from '../template-urls.ts'
import type { BuiltInScene, LoadedForWidgets, RenderBuiltIn } from './built-in-widgets.ts'
import { fallbackLanguage } from './fallback-language.ts'
import type { AnswerAreas } from './find-areas.ts'
import { failedWidget, fieldMark, markedEmptyArea, markedWidget } from './marks.ts'
import { renderWith } from './render-with.ts'
import { logFailure, TemplateError } from './template-error.ts'
import { focalPointOf, srcsetOf, urlOf } from './template-images.ts'
import { inStyledElement } from './widget-styles.ts'

/** Data loaded before rendering begins. */
export interface Loaded extends LoadedForWidgets {
  readonly ctx: Context
  readonly page: PageData | null
  readonly isRefresh: boolean
  /** Whether parts say where they come from, for those who may edit them (§11.4). */
  readonly isMarked: boolean
  readonly found: AnswerAreas
  readonly styles: Scene['styles']
  /** How built-in widgets are rendered, by their names without the namespace. */
  readonly builtIn: ReadonlyMap<string, RenderBuiltIn>
  /** The results of the `data` functions of widget types, by widget. */
  readonly data: ReadonlyMap<object, unknown>
}

/** How deep areas may be nested while they are rendered: templates can render an area that they are part of. */
const DEEPEST = 20

/** The functions and data that templates render with. Each has a scene of its own. Its functions need no `this`. */
export class RenderingScene implements BuiltInScene {
  readonly ctx: Context
  readonly data: unknown
  readonly page: Scene['page']
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  readonly isRefresh: boolean
  readonly sizes: string
  readonly links: BuiltInScene['links']
  readonly embeds: BuiltInScene['embeds']
  readonly styles: Scene['styles']
  readonly #loaded: Loaded
  readonly #depth: number
  readonly #styles: Set<string>

  constructor(loaded: Loaded, { data, sizes = '100vw', depth = 0, styles = new Set() }: SceneValues = {}) {
    const { ctx, page, isRefresh } = loaded
    this.ctx = ctx
    this.data = data
    this.page = page
    this.locale = page?.locale ?? ctx.locale
    this.direction = ctx.site.locales.get(this.locale)?.direction ?? 'ltr'
    this.isRefresh = isRefresh
    this.sizes = sizes
    this.links = loaded.links
    this.embeds = loaded.embeds
    this.styles = loaded.styles
    this.#loaded = loaded
    this.#depth = depth
    this.#styles = styles
  }

  /** A scene with the same data for another template. */
  with(values: SceneValues): RenderingScene {
    return new RenderingScene(this.#loaded, { sizes: this.sizes, depth: this.#depth, styles: this.#styles, ...values })
  }

  readonly area = (area: AreaInAnswer | null | undefined, { sizes = this.sizes }: AreaRendering = {}): Html => {
    if (!area || !Array.isArray(area.items)) return html``
    if (this.#depth >= DEEPEST) {
      throw new EndlessAreas('areas are nested without end: a template renders an area that it is part of')
    }
    if (this.#loaded.isMarked && area.items.length === 0) return this.#emptyArea(area)
    const inside = this.with({ sizes, depth: this.#depth + 1 })
    let text = ''
    for (const widget of area.items) text += inside.widget(widget).text
    return new Html(text)
  }

  readonly widget = (given: object): Html => {
    // `as`: widgets are JSON, whatever a template knows of them.
    const widget = given as JsonObject
    return this.#loaded.isMarked ? this.#marked(widget) : this.#shown(widget)
  }

  /** A widget for a caller who edits it: where its template fails, the message stands in its place. */
  #marked(widget: JsonObject): Html {
    const { ctx, found } = this.#loaded
    const rendered = this.#orFailed(widget)
    const isShown = ctx.site.widgets.has(String(widget.type)) && !found.strays.has(widget)
    return isShown ? markedWidget(rendered, widget, found.places.get(widget)?.area) : rendered
  }

  #orFailed(widget: JsonObject): Html {
    try {
      return this.#shown(widget)
    } catch (error) {
      const isShown = error instanceof TemplateError && (this.#depth <= 1 || !(error.cause instanceof EndlessAreas))
      if (!isShown) throw error
      logFailure(this.ctx, error)
      return failedWidget(error)
    }
  }

  #emptyArea(area: AreaInAnswer): Html {
    const { outer, inner } = this.#loaded.found
    const found = [...outer, ...inner].find((one) => Object.is(one.area, area))
    return found === undefined ? html`` : markedEmptyArea(found)
  }

  #shown(widget: JsonObject): Html {
    const { ctx, found } = this.#loaded
    const name = String(widget.type)
    const type = ctx.site.widgets.get(name)
    if (type === undefined) {
      if (ctx.templates.isFirst(`widget ${name}`)) {
        ctx.log.warn(
          { widget: name },
          'Content holds widgets of a type that the site does not have: they are not rendered.',
        )
      }
      return html``
    }
    if (found.strays.has(widget)) return html``
    return ctx.hooks.renderWidget(this.#styled(type, widget, this.#rendered(type, widget)), widget, this)
  }

  #rendered(type: WidgetType, widget: JsonObject): Html {
    const { ctx, builtIn, data, found } = this.#loaded
    const { template, name } = type
    const document = found.places.get(widget)?.document
    const id = document === undefined ? null : String(document._id)
    const loaded = data.get(widget)
    if (loaded instanceof TemplateError) throw loaded
    if (template !== null) return renderWith(template, widget, this.with({ data: loaded }), id)
    const render = name.startsWith(`${ctx.site.namespace}/`)
      ? builtIn.get(name.slice(ctx.site.namespace.length + 1))
      : undefined
    try {
      return render ? render(widget, this) : renderDefaultWidget(type, widget, this)
    } catch (error) {
      throw error instanceof TemplateError ? error : new TemplateError(`widgets.${name}`, id, error)
    }
  }

  /** Puts HTML in an element that has the widget's styles, unless its template places them. */
  #styled(type: WidgetType, widget: JsonObject, rendered: Html): Html {
    if (!type.stylesWrapper || type.styles.rules.length === 0) return rendered
    return inStyledElement(this.styles.render(widget), rendered)
  }

  options(widget: object): object {
    return this.#loaded.found.places.get(widget)?.options ?? {}
  }

  /** CSS of built-in widgets, where it is needed first. */
  style(css: string): Html {
    if (this.#styles.has(css)) return html``
    this.#styles.add(css)
    return html`<style>${raw(css)}</style>`
  }

  readonly attachmentUrl: Scene['attachmentUrl'] = (document, { size } = {}) => urlOf(document, size)
  readonly srcset: Scene['srcset'] = srcsetOf
  readonly focalPoint: Scene['focalPoint'] = focalPointOf

  readonly lang = (document: unknown, field?: string): Html => fallbackLanguage(this.ctx.site, document, field)

  readonly edit: Scene['edit'] = (holder, field) => (this.#loaded.isMarked ? fieldMark(holder, field) : html``)

  readonly slot = (name: PageSlot): Html => raw(this.page?.[name] ?? '')

  get urls(): Scene['urls'] {
    return templateUrls(this.ctx, this.page)
  }
}

/** Shown in place of the outermost widget: inner ones would render all that they hold again, each at every depth. */
class EndlessAreas extends TypeError {}

interface SceneValues {
  readonly data?: unknown
  readonly sizes?: string
  readonly depth?: number
  /** The style sheets that stand in the HTML already. */
  readonly styles?: Set<string>
}

/** A widget whose type has no template: its texts, what it is related to, and its areas. */
function renderDefaultWidget({ name, fields }: WidgetType, widget: JsonObject, scene: Scene): Html {
  const parts = fields.list.map((field) => {
    const value = widget[field.name]
    if (isArea(value)) return scene.area(value)
    if (field.type.relation !== undefined) return Array.isArray(value) ? value.map(renderRelated) : null
    const text = textOf(field, widget)
    return text === '' ? null : html`<p>${text}</p>`
  })
  return html`<div data-widget="${name}">${parts}</div>`
}

function renderRelated(document: unknown): Html {
  const { title, _url } = isObject(document) ? document : {}
  const text = String(title ?? '')
  return typeof _url === 'string' && _url !== '' ? html`<p><a href="${_url}">${text}</a></p>` : html`<p>${text}</p>`
}

/** The URL operations for a page that is rendered (§4.6). They need no `this`. */
function templateUrls(ctx: Context, page: PageData | null): TemplateUrls {
  return {
    build: buildUrl,
    getBaseUrl: (options) => getBaseUrl(ctx, options),
    getPageUrl: (number) => (page === null ? getPageFilter(ctx, number) : pageUrl(ctx, page, number)),
    getChoiceFilter: (name, value, number) => getChoiceFilter(ctx, name, value, number),
    getPageFilter: (number) => getPageFilter(ctx, number),
    isStaticBuild: () => isStaticBuild(ctx),
    isExternalFront: () => isExternalFront(ctx),
  }
}

/** The URL that was asked for, with another number: filters are in its path, its query, or both. */
function pageUrl(ctx: Context, data: PageData, number: number): string {
  const further = getPageFilter(ctx, number)
  const given = buildUrl(data.url, {
    page: !ctx.site.static && further !== '' ? number : null,
    aposRefresh: null,
    aposEdit: null,
  })
  if (!ctx.site.static) return given
  const [path = '', ...query] = given.split(/(?=[?#])/)
  return withSteps(firstPath(path, data), further) + query.join('')
}

/** The path of the first page, filters included. */
function firstPath(path: string, { currentPage = 1, page, baseUrl }: PageData): string {
  const end = `/page/${currentPage}`
  if (currentPage < 2 || !path.endsWith(end)) return path
  const first = path.slice(0, -end.length)
  // A home page ends with a slash.
  return page?._url === `${baseUrl}${first}/` ? `${first}/` : first
}
