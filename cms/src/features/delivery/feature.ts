import { boolean, object, text } from '../../base/json-schema.ts'
import type { Context } from '../../engine/context.ts'
import { may, refusal } from '../../engine/permissions.ts'
import { indexForPrograms } from '../../http/openapi/service-index.ts'
import { isRoot } from '../../http/pipeline/language.ts'
import { type Reply, type Route, type RouteRequest, route } from '../../http/requests/route.ts'
import { rendersPages } from '../../model/declared/template.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Feature } from '../feature.ts'
import { answerFailure, answerPage } from './answer-page.ts'
import { previewRoutes } from './preview-routes.ts'
import { firstRedirects } from './redirects.ts'
import { renderWidget } from './render-widget.ts'

/** The site at its public URLs (§4.2b): for visitors, and for an external front end. */
export const delivery: Feature = { name: 'delivery', routes: deliveryRoutes }

function deliveryRoutes(site: Site): readonly Route[] {
  const { prefix, namespace } = site
  const page = pageRoutes(site)
  return [
    ...previewRoutes(site),
    // Below a prefix, the prefix itself is a path of its own.
    ...(prefix === '' ? [] : [page('/')]),
    page('/*'),
    route({
      method: 'POST',
      path: `/api/v1/${namespace}/area/render-widget`,
      summary: 'A widget as it would look',
      description:
        'For callers who may edit the document: HTML, with `aposEdit=1` marked as in drafts, or what an external front end renders the widget with.',
      tag: 'area',
      operationId: 'area.render-widget',
      isRead: true,
      isFor: (actor) => actor.kind === 'user' || actor.kind === 'key',
      body: RENDER_WIDGET,
      answer: { type: 'string' },
      mediaType: 'text/html',
      permit: permitRenderWidget,
      handle: renderWidget,
    }),
  ]
}

function pageRoutes(site: Site): (path: string) => Route {
  const redirect = firstRedirects(site)
  const isPlain = !rendersPages(site)
  return (path) =>
    route({
      method: 'GET',
      path,
      summary: 'A page of the site',
      tag: 'site',
      operationId: 'site.page',
      answer: {},
      cached: true,
      page: { fail: answerFailure },
      handle: async (ctx, request) =>
        redirect(ctx, request) ?? (isPlain ? await plainHome(ctx, request) : null) ?? answerPage(ctx, request),
    })
}

/** Answers programs at `/` of a site without templates with the URLs of the interface. */
async function plainHome(ctx: Context, { url, headers, sender }: RouteRequest): Promise<Reply | null> {
  if (sender.isFrontend || !isRoot(ctx.site, url)) return null
  // The answer depends on what the caller accepts.
  ctx.caching.forbid()
  return indexForPrograms(ctx, headers)
}

const RENDER_WIDGET = object(['_docId', 'areaFieldId', 'widget'], {
  _docId: text('The _id of the document that the widget lies in.'),
  areaFieldId: text('The area: `doc.article.body`, `widget.quote.inner`.'),
  type: text('The widget type, where the widget does not name it.'),
  widget: { type: 'object', description: 'The values of the widget.' },
  livePreview: boolean('Answers a short text, not an error, while values are missing.'),
})

/** Throws for callers who can edit nothing, before a body is read. */
function permitRenderWidget({ actor, site }: Context): void {
  if (![...site.types.values()].some((type) => may(actor, 'editDraft', type))) throw refusal(actor)
}
