import { isObject, type JsonObject } from '../../base/json.ts'
import type { PageData } from '../../model/page-data.ts'
import type { WidgetType } from '../../model/types.ts'
import type { Context } from '../context.ts'
import { isAnonymous } from '../permissions.ts'
import { type FoundArea, FoundAreas, type FoundWidget } from './find-areas.ts'
import { loadEmbeds } from './load-embeds.ts'
import { loadLinks } from './load-links.ts'
import { DrawingScene, type Loaded } from './scene.ts'
import { TemplateError } from './template-error.ts'

/** What is to be drawn. */
export interface SceneRequest {
  /** As they were presented to the caller; documents that are part of them count too. */
  readonly documents: readonly unknown[]
  /** Areas without the documents that they lie in. */
  readonly areas?: readonly FoundArea[]
  /** The page that is drawn, if it is one. */
  readonly page: PageData | null
  readonly isRefresh?: boolean
}

/** Loads what drawing these documents takes, in a constant number of statements. */
export async function openScene(
  ctx: Context,
  { documents, areas = [], page, isRefresh = false }: SceneRequest,
): Promise<{ readonly scene: DrawingScene; readonly found: FoundAreas }> {
  // What templates show may depend on who the caller is, and not on his role alone.
  if (!isAnonymous(ctx.actor)) ctx.caching.forbid()
  const found = new FoundAreas(ctx.site)
  for (const document of documents) found.add(document)
  for (const area of areas) found.addArea(area)
  for (const document of page === null ? [] : documentsOf(page)) found.add(document)
  const data = await loadData(ctx, found)
  const [links, embeds] = await Promise.all([loadLinks(ctx, found), loadEmbeds(ctx, urlsIn(ctx, found))])
  const loaded: Loaded = { ctx, page, isRefresh, found, data, links, embeds }
  return { scene: new DrawingScene(loaded), found }
}

/** What of a page can hold areas: `home` is for navigation, and has none. */
function documentsOf({ page, piece, pieces, global }: PageData): JsonObject[] {
  return [page, piece, ...(pieces ?? []), global].filter((one) => one !== null && one !== undefined)
}

/** What the `data` functions of the widget types load: each is called once for all of its widgets. */
async function loadData(ctx: Context, { widgets }: FoundAreas): Promise<ReadonlyMap<object, unknown>> {
  const data = new Map<object, unknown>()
  for (const [name, some] of widgets) {
    const type = ctx.site.widgets.get(name)
    if (!type?.template?.data) continue
    const values = await valuesFor(ctx, type, some)
    for (const [index, { widget }] of some.entries()) data.set(widget, values[index])
  }
  return data
}

async function valuesFor(ctx: Context, type: WidgetType, some: readonly FoundWidget[]): Promise<readonly unknown[]> {
  // `as`: what it is handed are widgets of its own type.
  const load = type.template?.data as ((ctx: Context, widgets: readonly JsonObject[]) => unknown) | null | undefined
  const path = `${type.template?.path}.data`
  const document = String(some[0]?.document._id ?? '') || null
  try {
    const values = await load?.(
      ctx,
      some.map(({ widget }) => widget),
    )
    if (Array.isArray(values) && values.length === some.length) return values
  } catch (error) {
    throw new TemplateError(path, document, error)
  }
  throw new TemplateError(path, document, new TypeError(`must answer a list of ${some.length}: one value per widget`))
}

function urlsIn({ site }: Context, { widgets }: FoundAreas): string[] {
  const videos = widgets.get(`${site.namespace}/video`) ?? []
  return videos.flatMap(({ widget: { video } }) =>
    isObject(video) && typeof video.url === 'string' ? [video.url] : [],
  )
}
