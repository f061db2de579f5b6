import { CmsError } from '../../base/errors.ts'
import { Html } from '../../base/html.ts'
import { inTime } from '../../base/patience.ts'
import { inSpan } from '../../base/tracing.ts'
import type { PageData, PageTarget } from '../../model/declared/page-data-types.ts'
import type { Template } from '../../model/declared/template.ts'
import type { Context, Scene } from '../context.ts'
import { defaultLayout, defaultPage, region } from './default-pages.ts'
import { openScene } from './open-scene.ts'
import { called, inTemplate } from './render-with.ts'
import { TemplateError } from './template-error.ts'

/**
 * A page as HTML (§4.2b), by the template of its type and the site's layout, or the default ones. Throws
 * `TemplateError`, which `renderFailure` answers.
 */
export function renderPage(ctx: Context, target: PageTarget, data: PageData): Promise<string> {
  const path = templateOf(ctx, target)?.path
  const attributes = {
    ...(target.type && { 'quire.document.type': target.type }),
    ...(path && { 'quire.template.path': path }),
  }
  return inSpan(
    () => ({ name: 'render', kind: 'internal', attributes }),
    () => render(ctx, target, data),
  )
}

async function render(ctx: Context, target: PageTarget, data: PageData): Promise<string> {
  await loadPageData(ctx, target, data)
  const { isRefresh, isMarked } = target
  const { scene: opened } = await openScene(ctx, { documents: [], page: data, isRefresh, isMarked })
  const scene = opened.with({ data: data.data })
  const template = templateOf(ctx, target)
  return inTemplate(template?.path ?? 'page', idOf(data), () => wholePage(template, target, data, scene)).text
}

/**
 * Loads what the `data` of the type declares, into `data.data`; once. What it finds invalid, such as too long a search,
 * is the request's mistake, and not the template's.
 */
export async function loadPageData(ctx: Context, target: PageTarget, data: PageData): Promise<void> {
  const template = templateOf(ctx, target)
  if (!template?.data || Object.hasOwn(data, 'data')) return
  try {
    // `as`: a template is handed what it was declared for.
    data.data = await inTime('It', template.data(ctx as never, data as never))
  } catch (error) {
    if (error instanceof CmsError && error.name === 'invalid') throw error
    throw new TemplateError(`${template.path}.data`, idOf(data), error)
  }
}

function templateOf({ site }: Context, { type, template }: PageTarget): Template | null {
  if (template === 'notFound' || template === 'error') return site.templates[template]
  return site.types.get(type ?? '')?.templates[template] ?? null
}

function idOf({ page, piece }: PageData): string | null {
  const id = (piece ?? page)?._id
  return typeof id === 'string' ? id : null
}

function wholePage(template: Template | null, target: PageTarget, data: PageData, scene: Scene): Html {
  const { layout } = scene.ctx.site.templates
  if (template?.source.kind === 'file') {
    const outer = target.isRefresh || layout?.source.kind === 'function' ? 'region' : 'document'
    const rendered = scene.ctx.templates.render(template.source.file, { data, scene, outer })
    if (rendered.outer === 'document' || /^\s*<(?:!doctype|html)\b/i.test(rendered.text)) return new Html(rendered.text)
    if (rendered.outer === 'region') return inLayout(new Html(rendered.text), data, scene)
    return withLayout(new Html(rendered.text), data, scene)
  }
  const content = template ? called(template.source.render, data, scene) : defaultPage(target, data, scene)
  return withLayout(content, data, scene)
}

/** The main content in the site's layout. */
function withLayout(content: Html, data: PageData, scene: Scene): Html {
  const { layout } = scene.ctx.site.templates
  if (layout?.source.kind !== 'file') return inLayout(region(content, scene), data, scene)
  const outer = scene.isRefresh ? 'region' : 'document'
  const values = { ...data, layout: layout.source.file, content }
  return new Html(scene.ctx.templates.render('quire/content.njk', { data: values, scene, outer }).text)
}

/** The refreshable part of a page in a layout that is a function, or in none. */
function inLayout(content: Html, data: PageData, scene: Scene): Html {
  if (scene.isRefresh) return content
  const { layout } = scene.ctx.site.templates
  const anchored = new Html(`<div data-quire-refreshable>${content.text}</div>`)
  if (layout?.source.kind !== 'function') return defaultLayout(anchored, data, scene)
  const { render } = layout.source
  return inTemplate(layout.path, idOf(data), () => called(render, anchored, data, scene))
}
