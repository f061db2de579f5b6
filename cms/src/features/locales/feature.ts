import type { JsonSchema } from '../../base/json.ts'
import { boolean, object, text } from '../../base/json-schema.ts'
import type { Context } from '../../engine/context.ts'
import { pageTypes } from '../../engine/pages/page-access.ts'
import { type Actor, assertNotAnonymous, isAnonymous, isContributor, seesLocale } from '../../engine/permissions.ts'
import { hasUrls } from '../../engine/presentation/piece-urls.ts'
import { viewOf } from '../../engine/view.ts'
import { localeRef } from '../../http/requests/read-parameters.ts'
import { type Route, route } from '../../http/requests/route.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import type { Feature } from '../feature.ts'
import { existInLocale, fetchClipboard, redirectToLocale, switchLocale } from './switch-locale.ts'

/** The locales of the site (§4.5): which there are, where a document is in each, clipboards from host to host. */
export const locales: Feature = { name: 'locales', routes: localeRoutes }

/** The routes of locales (§4.5). */
function localeRoutes(site: Site): readonly Route[] {
  const path = (step: string) => `/api/v1/${site.namespace}/i18n/${step}`
  const common = { tag: 'i18n' } as const
  const known = {
    ...common,
    method: 'POST',
    isFor: (actor: Actor) => !isAnonymous(actor),
    permit: assertNotAnonymous,
  } as const
  return [
    route({
      ...common,
      method: 'GET',
      path: path('locales'),
      summary: 'The locales of the site',
      operationId: 'i18n.locales',
      answer: LOCALES,
      cached: true,
      ignoresLocale: true,
      handle: listLocales,
    }),
    route({
      ...known,
      path: path('locale'),
      summary: 'Where a document is in another locale',
      description: 'Parameters stand in the body or in the query; the body wins.',
      operationId: 'i18n.locale',
      query: Object.entries(SWITCH.properties).map(([name, { description, ...schema }]) => ({
        name,
        description,
        schema,
      })),
      body: SWITCH,
      answer: REDIRECT,
      isSecret: true,
      handle: switchLocale,
    }),
    route({
      ...known,
      path: path('exist-in-locale'),
      summary: 'Which documents another locale has',
      operationId: 'i18n.exist-in-locale',
      body: EXIST,
      answer: EXISTING,
      handle: (ctx, { body }) => existInLocale(ctx, body),
    }),
    route({
      ...common,
      method: 'GET',
      path: path('clipboard'),
      summary: 'Fetch a clipboard from another host of the site, once',
      operationId: 'i18n.clipboard',
      query: [
        {
          name: 'token',
          description: 'The token that `i18n/locale` has put into its URL.',
          schema: { type: 'string' },
          isRequired: true,
        },
      ],
      answer: CLIPBOARD,
      // Only URLs of other hosts have such a token.
      isRefused: new Set(Array.from(site.locales.values(), ({ hostname }) => hostname)).size < 2,
      ignoresLocale: true,
      isSecret: true,
      handle: fetchClipboard,
    }),
    ...redirects(site),
  ]
}

/** Returns the routes from a document to its page in another locale: for each piece type, and for pages. */
function redirects(site: Site): Route[] {
  const pieces = [...site.types.values()].filter(({ family }) => family !== 'page')
  const pages = pageTypes(site)
  return [
    ...pieces.map((type) => ({
      ...redirect(type.name, type.name, [type], type),
      isRefused: !hasUrls(site, type),
    })),
    redirect('page', `${site.namespace}/page`, pages, null),
  ]
}

function redirect(tag: string, path: string, types: readonly Type[], type: Type | null): Route {
  return route({
    tag,
    method: 'GET',
    path: `/api/v1/${path}/:_id/locale/:toLocale`,
    summary: 'Redirect to its page in another locale',
    operationId: `${tag}.locale`,
    params: { toLocale: localeRef },
    answer: {},
    redirects: true,
    isFor: (actor) => types.some((one) => viewOf(actor, one) !== null),
    handle: (ctx, request) => redirectToLocale(ctx, type, request),
  })
}

const ids = (description: string): JsonSchema => ({ type: 'array', items: { type: 'string' }, description })

const LOCALES: JsonSchema = {
  type: 'object',
  description: 'By name, the default locale first; private ones for known callers only.',
  additionalProperties: object(['label', '_edit', 'direction'], {
    label: text('Its name for people.'),
    _edit: boolean('Whether the caller may edit content there.'),
    direction: { type: 'string', enum: ['ltr', 'rtl'], description: 'The direction in which it is written.' },
    prefix: text('What its paths begin with: `/fr`.'),
    hostname: text('The host where it is.'),
    private: boolean('Hidden from anonymous callers.'),
  }),
}

const SWITCH = {
  type: 'object',
  properties: {
    locale: { ...localeRef, description: 'The name of the locale; required, here or in the query.' },
    contextDocId: { type: 'string', description: 'The _id of a document; the home page of the locale when left out.' },
    clipboard: { type: 'string', description: 'A text to carry to a locale that has another host.' },
  },
} as const

const REDIRECT: JsonSchema = object(['redirectTo'], {
  redirectTo: text('A path; a URL where the locale has another host.'),
})

const EXIST: JsonSchema = object(['ids', 'locale', 'mode'], {
  ids: ids('The _ids of documents.'),
  locale: { ...localeRef, description: 'The name of the other locale.' },
  mode: { type: 'string', enum: ['draft', 'published'], description: 'Which copies are meant.' },
})

const EXISTING: JsonSchema = object(['originalLocaleIds', 'newLocaleIds', 'aposDocIds'], {
  originalLocaleIds: ids('The documents that the locale has, by the _ids that were sent.'),
  newLocaleIds: ids('The same documents in that locale.'),
  aposDocIds: ids('Their aposDocIds.'),
})

const CLIPBOARD: JsonSchema = object(['clipboard'], { clipboard: text('The text that was given to `i18n/locale`.') })

/** The locales that the caller may know of, by name (§2.6). */
async function listLocales(ctx: Context): Promise<object> {
  const _edit = isContributor(ctx.actor)
  const seen = [...ctx.site.locales.values()].filter(({ name }) => seesLocale(ctx, name))
  return Object.fromEntries(
    seen.map(({ name, label, prefix, hostname, private: isPrivate, direction }) => [
      name,
      {
        label,
        _edit,
        direction,
        ...(prefix === '' ? {} : { prefix: decodeURI(prefix) }),
        ...(hostname === null ? {} : { hostname }),
        ...(isPrivate ? { private: true } : {}),
      },
    ]),
  )
}
