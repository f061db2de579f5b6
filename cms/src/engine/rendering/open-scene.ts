import { isObject, type JsonObject } from '../../base/json.ts'
import { inTime } from '../../base/patience.ts'
import type { PageData } from '../../model/declared/page-data-types.ts'
import type { WidgetType } from '../../model/declared/types.ts'
import type { Context } from '../context.ts'
import type { Embed } from '../embed.ts'
import { isAnonymous } from '../permissions.ts'
import type { AreaInAnswer } from '../scene-parts.ts'
import { builtInWidgets } from './built-in-widgets.ts'
import { describeForEditing } from './describe-for-editing.ts'
import { type AnswerArea, AnswerAreas, type AnswerWidget } from './find-areas.ts'
import { loadLinks } from './load-links.ts'
import { type Loaded, RenderingScene } from './scene.ts'
import { TemplateError } from './template-error.ts'
import { sceneStyles } from './widget-styles.ts'

/** The documents, areas and page to render. */
interface SceneRequest {
  /** As they were presented to the caller; documents that are part of them count too. */
  readonly documents: readonly unknown[]
  /** Areas without the documents that they lie in. */
  readonly areas?: readonly AnswerArea[]
  /** The page that is rendered, if it is one. */
  readonly page: PageData | null
  readonly isRefresh?: boolean
}

/** Loads what rendering these documents takes, in a constant number of statements. */
export async function openScene(
  ctx: Context,
  { documents, areas = [], page, isRefresh = false }: SceneRequest,
): Promise<{ readonly scene: RenderingScene; readonly found: AnswerAreas }> {
  // What templates show may depend on who the caller is, and not only on the role; while a site is written, on files.
  if (!isAnonymous(ctx.actor) || ctx.templates.isDevelopment) ctx.caching.forbid()
  const found = new AnswerAreas(ctx.site)
  for (const document of documents) found.add(document)
  for (const area of areas) found.addArea(area)
  for (const document of page === null ? [] : documentsOf(page)) found.add(document)
  const data = new Map<object, unknown>()
  addDocumentsIn(found, page?.data)
  await loadData(ctx, found, data)
  // Loaded data may be documents with widgets of their own.
  for (const value of [...data.values()]) addDocumentsIn(found, value)
  await loadData(ctx, found, data)
  const [links, embeds] = await Promise.all([loadLinks(ctx, found), loadEmbeds(ctx, urlsIn(ctx, found))])
  const styles = sceneStyles(ctx.site)
  const loaded: Loaded = { ctx, page, isRefresh, found, builtIn: builtInWidgets, data, links, embeds, styles }
  return { scene: new RenderingScene(loaded), found }
}

/**
 * `render-areas=true`: every area of these answers, at any depth, has its HTML as `_rendered` in place of its `items`
 * (§2.1). A constant number of statements for all of them.
 */
export async function renderAreas(ctx: Context, answers: readonly unknown[]): Promise<void> {
  const { scene, found } = await openScene(ctx, { documents: answers, page: null })
  // A widget may render areas of other documents: items are needed until all is rendered.
  // `as`: it was found as the value of an area field.
  const rendered = found.outer.map(({ area }) =>
    scene.with({ styles: new Set() }).area(area as unknown as AreaInAnswer),
  )
  for (const [index, one] of found.outer.entries()) {
    one.area._rendered = rendered[index]?.text ?? ''
    delete one.area.items
    describeForEditing(one)
  }
}

/** The documents of a page that can hold areas: `home` is for navigation, and has none. */
function documentsOf({ page, piece, pieces, global }: PageData): JsonObject[] {
  return [page, piece, ...(pieces ?? []), global].filter((one) => one !== null && one !== undefined)
}

/** Finds documents in lists and objects, as `data` functions return them. */
function addDocumentsIn(found: AnswerAreas, value: unknown, depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > 3) return
  if (isObject(value) && value.metaType === 'doc') found.add(value)
  else for (const part of Object.values(value)) addDocumentsIn(found, part, depth + 1)
}

/** Calls the `data` functions of the widget types, each once for all widgets that have nothing yet. */
async function loadData(ctx: Context, { widgets }: AnswerAreas, data: Map<object, unknown>): Promise<void> {
  for (const [name, all] of widgets) {
    const type = ctx.site.widgets.get(name)
    if (!type?.template?.data) continue
    const some = all.filter(({ widget }) => !data.has(widget))
    if (some.length === 0) continue
    const values = await valuesFor(ctx, type, some)
    for (const [index, { widget }] of some.entries()) data.set(widget, values[index])
  }
}

async function valuesFor(ctx: Context, type: WidgetType, some: readonly AnswerWidget[]): Promise<readonly unknown[]> {
  // `as`: what it is handed are widgets of its own type.
  const load = type.template?.data as ((ctx: Context, widgets: readonly JsonObject[]) => unknown) | null | undefined
  const path = `${type.template?.path}.data`
  const document = String(some[0]?.document._id ?? '') || null
  try {
    const widgets = some.map(({ widget }) => widget)
    const values = await inTime('It', load?.(ctx, widgets))
    if (Array.isArray(values) && values.length === some.length) return values
  } catch (error) {
    throw new TemplateError(path, document, error)
  }
  throw new TemplateError(path, document, new TypeError(`must answer a list of ${some.length}: one value per widget`))
}

function urlsIn({ site }: Context, { widgets }: AnswerAreas): string[] {
  const videos = widgets.get(`${site.namespace}/video`) ?? []
  return videos.flatMap(({ widget: { video } }) =>
    isObject(video) && typeof video.url === 'string' ? [video.url] : [],
  )
}

/**
 * Looks up the embeds at these addresses of other sites. Those without one are left out; an answer without those
 * that cannot be asked for now is not cached.
 */
async function loadEmbeds(ctx: Context, urls: readonly string[]): Promise<ReadonlyMap<string, Embed>> {
  const found = new Map<string, Embed>()
  await Promise.all(
    [...new Set(urls)].map(async (url) => {
      const outcome = await ctx.embeds.find(url)
      if (outcome.kind === 'found') found.set(url, outcome.embed)
      if (outcome.kind === 'unavailable') ctx.caching.forbid()
    }),
  )
  return found
}
