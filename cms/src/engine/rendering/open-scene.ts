import { isObject, type JsonObject } from '../../base/json.ts'
import { inTime } from '../../base/patience.ts'
import { languageTag } from '../../base/text.ts'
import type { PageData } from '../../model/declared/page-data-types.ts'
import type { WidgetType } from '../../model/declared/types.ts'
import { type DocId, DocumentId } from '../../model/terms/document-id.ts'
import { type LinkTarget, type LinkTargets, linkedIds, MOST_LINKS } from '../../model/values/rich-text-links.ts'
import type { Context } from '../context.ts'
import type { Embed } from '../embed.ts'
import { isAnonymous } from '../permissions.ts'
import { present } from '../presentation/present.ts'
import { onlyNames } from '../presentation/projection.ts'
import { readRelated } from '../related-documents.ts'
import type { AreaInAnswer } from '../scene-parts.ts'
import { type CopyScope, MINIMAL, relatedAccess } from '../view.ts'
import { builtInWidgets } from './built-in-widgets.ts'
import { describeForEditing } from './describe-for-editing.ts'
import { type AnswerArea, AnswerAreas, type AnswerWidget } from './find-areas.ts'
import { sceneStyles } from './prepare-styles.ts'
import { type Loaded, RenderingScene } from './scene.ts'
import { TemplateError } from './template-error.ts'

/** The documents, areas and page to render. */
interface SceneRequest {
  /** As they were presented to the caller; documents that are part of them count too. */
  readonly documents: readonly unknown[]
  /** Areas without the documents that they lie in. */
  readonly areas?: readonly AnswerArea[]
  /** The page that is rendered, if it is one. */
  readonly page: PageData | null
  readonly isRefresh?: boolean
  /** Whether parts say where they come from, for those who may edit them (§11.4). */
  readonly isMarked?: boolean
}

/** Loads what rendering these documents takes, in a constant number of statements. */
export async function openScene(
  ctx: Context,
  { documents, areas = [], page, isRefresh = false, isMarked = false }: SceneRequest,
): Promise<{ readonly scene: RenderingScene; readonly found: AnswerAreas }> {
  // The output of templates may depend on the very caller, not only on the role; during development also on files.
  if (!isAnonymous(ctx.actor) || ctx.templates.isDevelopment) ctx.caching.forbid()
  const found = new AnswerAreas(ctx.site, documents, areas)
  for (const document of page === null ? [] : documentsOf(page)) found.add(document)
  const data = new Map<object, unknown>()
  addDocumentsIn(found, page?.data)
  const load = () => loadData(ctx, found, { data, keepsFailures: isMarked })
  await load()
  // Loaded data may be documents with widgets of their own.
  for (const value of [...data.values()]) addDocumentsIn(found, value)
  await load()
  const [links, embeds] = await Promise.all([loadLinks(ctx, found), loadEmbeds(ctx, urlsIn(ctx, found))])
  const styles = sceneStyles(ctx.site)
  const own = { ctx, page, isRefresh, isMarked, found }
  const loaded: Loaded = { ...own, builtIn: builtInWidgets, data, links, embeds, styles }
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

/** The results of `data` functions, by widget; with `keepsFailures` also how they failed. */
interface LoadedData {
  readonly data: Map<object, unknown>
  readonly keepsFailures: boolean
}

/** Calls the `data` functions of the widget types, each once for all widgets that have nothing yet. */
async function loadData(ctx: Context, { widgets }: AnswerAreas, { data, keepsFailures }: LoadedData): Promise<void> {
  for (const [name, all] of widgets) {
    const type = ctx.site.widgets.get(name)
    if (!type?.template?.data) continue
    const some = all.filter(({ widget }) => !data.has(widget))
    if (some.length === 0) continue
    const values = await valuesFor(ctx, type, some).catch((error: unknown) => {
      if (!keepsFailures || !(error instanceof TemplateError)) throw error
      return some.map(() => error)
    })
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

const SHOWN = onlyNames([...MINIMAL, 'attachment'])

/** Loads the targets of links in rich texts that the caller may see: some statements for each type of document. */
export async function loadLinks(ctx: Context, found: AnswerAreas): Promise<LinkTargets> {
  const texts = found.widgets.get(`${ctx.site.namespace}/rich-text`) ?? []
  const ids = new Set<DocId>()
  for (const { widget } of texts) {
    const { permalinkIds, imageIds } = linkedIds(typeof widget.content === 'string' ? widget.content : '')
    for (const id of [...permalinkIds, ...imageIds]) ids.add(id)
  }
  return targetsOf(ctx, scopeOfLinks(ctx, texts), [...ids].slice(0, MOST_LINKS))
}

/** Links lead to documents of the same locale and mode; on a page to those of the page, whatever else it shows. */
function scopeOfLinks(ctx: Context, [text]: readonly AnswerWidget[]): CopyScope {
  const id = ctx.actor.visits ? null : DocumentId.parse(String(text?.document._id))
  return { locale: id?.locale ?? ctx.locale, mode: id?.mode ?? ctx.mode }
}

async function targetsOf(ctx: Context, scope: CopyScope, ids: readonly DocId[]): Promise<LinkTargets> {
  const targets = new Map<DocId, LinkTarget>()
  if (ids.length === 0) return targets
  const types = await ctx.store.documents.types(ids)
  for (const [name, some] of Map.groupBy(types, ([, type]) => type)) {
    const access = relatedAccess(ctx, name, scope)
    if (access === null) continue
    const ids = some.map(([docId]) => docId)
    for (const found of await readRelated({ viewer: ctx, reader: ctx.store.documents }, access, ids)) {
      const shown = await present(ctx, found.documents, { access: access.shown, project: SHOWN })
      const { fallbackOf, view } = found.access
      const language = fallbackOf === undefined ? {} : { language: languageTag(view.locale) }
      for (const document of shown) targets.set(String(document.aposDocId), { ...targetOf(document), ...language })
    }
  }
  return targets
}

function targetOf({ title, _url, attachment }: JsonObject): LinkTarget {
  const target = { title: String(title ?? ''), url: String(_url ?? '') }
  if (!isObject(attachment) || !isObject(attachment._urls)) return target
  const { width, height, _urls } = attachment
  const { full, original } = _urls
  return {
    ...target,
    url: String(full ?? original ?? target.url),
    ...(typeof width === 'number' && typeof height === 'number' ? { width, height } : {}),
  }
}
