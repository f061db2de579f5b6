import { invalid, notFound } from '../../base/errors.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import { object, text } from '../../base/json-schema.ts'
import type { Context, Hooks } from '../../engine/context.ts'
import { assertMay, assertNotAnonymous, isAnonymous } from '../../engine/permissions.ts'
import { stylesheetPath } from '../../engine/styles/page-styles.ts'
import { hasStyles, previewStylesheet, stylesheetOf, stylesType } from '../../engine/styles/stylesheet.ts'
import { keptForAYear } from '../../http/requests/headers.ts'
import { assertSees } from '../../http/requests/locale-prefixes.ts'
import { localeRef, textParameter } from '../../http/requests/read-parameters.ts'
import { Reply, type Route, type RouteRequest, route } from '../../http/requests/route.ts'
import type { Site } from '../../model/declared/types.ts'
import { isMode, type Mode } from '../../model/terms/document-id.ts'
import type { Feature } from '../feature.ts'

/** The global stylesheet, and what it would be with other values (§4.7). */
export const styles: Feature = {
  name: 'styles',
  routes: stylesRoutes,
  hooks: { listLiteralUrls, getLiteralContentRoutes },
}

/** As the specification says it (§4.7). */
const A_YEAR = 'public, max-age=31557600'

const VERSION = {
  name: 'version',
  description: 'The version that is expected: another one than the present one is not cached.',
  schema: { type: 'string' },
}

const VALUES = object(['data'], { data: { type: 'object', description: 'Values of the global styles, by name.' } })

const PREVIEW = object(['css', 'classes'], {
  css: text('The stylesheet.'),
  classes: { type: 'array', items: { type: 'string' }, description: 'Classes of the body.' },
})

const CSS = { 'Content-Type': 'text/css; charset=utf-8' }

function stylesRoutes(site: Site): readonly Route[] {
  const path = `/api/v1/${site.namespace}/styles`
  const stylesheet = {
    method: 'GET',
    tag: 'styles',
    query: [VERSION],
    answer: { type: 'string' },
    mediaType: 'text/css',
    cached: true,
  } as const
  return [
    route({
      ...stylesheet,
      path: `${path}/stylesheet`,
      summary: 'The global stylesheet',
      description: 'Of a draft only for callers who may read drafts: `aposLocale=en:draft`.',
      operationId: 'styles.stylesheet',
      handle: (ctx, { query }) => answerStylesheet(ctx, query),
    }),
    route({
      ...stylesheet,
      path: `${path}/stylesheet/locale/:locale/:mode`,
      summary: 'The global stylesheet of a locale and mode',
      operationId: 'styles.stylesheet-of-locale',
      params: { locale: localeRef, mode: { type: 'string', enum: ['draft', 'published'] } },
      ignoresLocale: true,
      handle: (ctx, { params, query }) => answerStylesheet({ ...ctx, ...localeInPath(ctx, params) }, query),
    }),
    route({
      method: 'POST',
      path: `${path}/render`,
      summary: 'The global stylesheet with other values',
      description: 'Nothing is saved. What is left out has its default.',
      tag: 'styles',
      operationId: 'styles.render',
      isRead: true,
      isFor: (actor) => !isAnonymous(actor),
      body: VALUES,
      answer: { type: 'string' },
      mediaType: 'text/css',
      permit: assertNotAnonymous,
      handle: answerRendered,
    }),
    route({
      method: 'POST',
      path: `${path}/preview`,
      summary: 'The global stylesheet and the classes of the body with other values',
      description: 'Nothing is saved. What is left out has its default.',
      tag: 'styles',
      operationId: 'styles.preview',
      isRead: true,
      isFor: (actor) => !isAnonymous(actor),
      body: VALUES,
      answer: PREVIEW,
      permit: assertNotAnonymous,
      handle: answerPreview,
    }),
  ]
}

async function answerStylesheet(ctx: Context, query: RouteRequest['query']): Promise<Reply> {
  if (ctx.mode === 'draft') assertMay(ctx.actor, 'readDraft', stylesType(ctx.site))
  const asked = textParameter(query, 'version')
  const { css, version } = await stylesheetOf(ctx, ctx)
  if (ctx.mode === 'draft') return new Reply(css, { ...CSS, 'Cache-Control': 'no-store' })
  // Who names no version gets what §4.7 says; one that is not this one may be the next, or that of another process.
  return new Reply(css, { ...CSS, ...keptForAYear(asked === undefined || asked === version, A_YEAR) })
}

/** Throws `notfound` for a locale that the caller may not know of, and for what is not a mode. */
function localeInPath(
  ctx: Context,
  { locale = '', mode = '' }: RouteRequest['params'],
): { locale: string; mode: Mode } {
  assertSees(ctx, locale)
  if (!isMode(mode)) throw notFound()
  return { locale, mode }
}

async function answerRendered(ctx: Context, { body }: RouteRequest): Promise<Reply> {
  const { css } = await previewStylesheet(ctx, valuesIn(body))
  return new Reply(css, CSS)
}

async function answerPreview(ctx: Context, { body }: RouteRequest): Promise<JsonObject> {
  const { css, classes } = await previewStylesheet(ctx, valuesIn(body))
  return { css, classes: [...classes] }
}

function valuesIn({ data }: RouteRequest['body']): { readonly [name: string]: unknown } {
  if (!isObject(data)) throw invalid('"data" must be an object with values of the global styles.')
  return data
}

/** Static exports write the stylesheet as a file (§4.6). */
async function listLiteralUrls(ctx: Context, results: Parameters<Hooks['listLiteralUrls']>[1]): Promise<void> {
  const { css } = await stylesheetOf(ctx, ctx)
  if (css === '') return
  const i18nId = `${ctx.site.namespace}/styles:stylesheet`
  results.push({ url: stylesheetPath(ctx), contentType: 'text/css', i18nId, sitemap: false })
}

function getLiteralContentRoutes({ site }: Context, patterns: string[]): void {
  if (hasStyles(site)) patterns.push(`/api/v1/${site.namespace}/styles/stylesheet/**`)
}
