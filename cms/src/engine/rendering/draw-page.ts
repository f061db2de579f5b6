import { CmsError } from '../../base/errors.ts'
import { Html } from '../../base/html.ts'
import type { PageData, PageTarget } from '../../model/page-data.ts'
import type { Template } from '../../model/template.ts'
import type { Context, Scene } from '../context.ts'
import { defaultLayout, defaultPage, region } from './default-pages.ts'
import { called, inTemplate } from './draw-with.ts'
import { openScene } from './open-scene.ts'
import { TemplateError } from './template-error.ts'

/**
 * A page as HTML (§4.2b), by the template of its type and the site's layout, or the default ones. Throws
 * `TemplateError`, which `drawFailure` answers.
 */
export async function drawPage(ctx: Context, target: PageTarget, data: PageData): Promise<string> {
  await loadPageData(ctx, target, data)
  const { scene: opened } = await openScene(ctx, { documents: [], page: data, isRefresh: target.isRefresh })
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
    data.data = await template.data(ctx as never, data as never)
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
  if (template?.draw.kind === 'file') {
    const outer = target.isRefresh || layout?.draw.kind === 'function' ? 'region' : 'document'
    const drawn = scene.ctx.templates.draw(template.draw.file, { data, scene, outer })
    if (drawn.outer === 'document' || /^\s*<(?:!doctype|html)\b/i.test(drawn.text)) return new Html(drawn.text)
    if (drawn.outer === 'region') return inLayout(new Html(drawn.text), data, scene)
    return withLayout(new Html(drawn.text), data, scene)
  }
  const content = template ? called(template.draw.render, data, scene) : defaultPage(target, data, scene)
  return withLayout(content, data, scene)
}

/** The main content in the site's layout. */
function withLayout(content: Html, data: PageData, scene: Scene): Html {
  const { layout } = scene.ctx.site.templates
  if (layout?.draw.kind !== 'file') return inLayout(region(content, scene), data, scene)
  const outer = scene.isRefresh ? 'region' : 'document'
  const values = { ...data, layout: layout.draw.file, content }
  return new Html(scene.ctx.templates.draw('quire/content.njk', { data: values, scene, outer }).text)
}

/** The refreshable part of a page in a layout that is a function, or in none. */
function inLayout(content: Html, data: PageData, scene: Scene): Html {
  if (scene.isRefresh) return content
  const { layout } = scene.ctx.site.templates
  const anchored = new Html(`<div data-quire-refreshable>${content.text}</div>`)
  if (layout?.draw.kind !== 'function') return defaultLayout(anchored, data, scene)
  const { render } = layout.draw
  return inTemplate(layout.path, idOf(data), () => called(render, anchored, data, scene))
}
