import type { Context } from '../../engine/context.ts'
import { parkPage } from '../../engine/operations/insert-page.ts'
import { assertMaySome, pageTypes } from '../../engine/pages/page-access.ts'
import { parkedDocId } from '../../engine/pages/parked.ts'
import { type Action, type Actor, may } from '../../engine/permissions.ts'
import { viewOf } from '../../engine/view.ts'
import { write } from '../../engine/write.ts'
import {
  documentRef,
  emptyAnswer,
  localesAnswer,
  localizePageBody,
  projectedRef,
  publishAnswer,
  publishBody,
  renderedRef,
} from '../../http/openapi/answer-schemas.ts'
import { changesAnswer, wholeParameter } from '../../http/openapi/change-schemas.ts'
import { proposedSlug, slugQuestion, thinListOf, thinPageSchema } from '../../http/openapi/thin-schemas.ts'
import {
  archived,
  children,
  compareParameter,
  flag,
  pagingParameters,
  problemsParameter,
  renderAreasParameter,
} from '../../http/requests/read-parameters.ts'
import { type Route, type RouteRequest, route } from '../../http/requests/route.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import type { Feature } from '../feature.ts'
import { listChildren } from './list-children.ts'
import { listPages } from './list-pages.ts'
import { moveAnswer, moveBody, moveSeveral } from './page-moves.ts'
import { answered, childrenPerPage, flatAnswer, placeSchema, treeParameters, wantedOfPages } from './page-parameters.ts'
import { listPageChanges, publishPage } from './page-publishing.ts'
import { proposePageSlug } from './page-slug.ts'
import {
  copyToChange,
  copyToDelete,
  copyToEdit,
  copyToInsert,
  PAGE_STATE_ACTIONS,
  type PageStateVerb,
} from './permit-pages.ts'
import { readPage, readPageLocales } from './read-page.ts'
import { changePageState, deletePage, localizePageTo, patchPage, postPage, putPage } from './write-page.ts'

/** The tree of pages (§2.2, §4.2): positions, moves, the archive, built-in pages. */
export const pages: Feature = {
  name: 'pages',
  routes: pageRoutes,
  hooks: { onStart: makeParkedPages },
}

/**
 * Makes the built-in pages of every locale where they are missing. At start; any process may (§2.2, §4.2). One
 * whose slug is another page's by now gets the next free one, and the log says so.
 */
async function makeParkedPages(ctx: Context): Promise<void> {
  for (const locale of ctx.site.locales.keys()) {
    for (const parked of ctx.site.parked) {
      const isMissing = (await ctx.store.tree.position(locale, parkedDocId(parked.parkedId))) === null
      if (isMissing) await write(ctx, (ctx) => parkPage(ctx, locale, parked))
    }
  }
}

/** The HTTP surface of the tree (§4.2): one set of routes for all page types. */
function pageRoutes(site: Site): Route[] {
  const path = `/api/v1/${site.namespace}/page`
  const types = pageTypes(site)
  return [...readRoutes(site, path), ...writeRoutes(path, types), ...stateRoutes(site, `${path}/:_id`)]
}

const COMMON = { tag: 'page', lock: 'tree', answer: projectedRef('page') } as const

const isTranslated = ({ locales }: Site) => locales.size > 1

function readRoutes(site: Site, path: string): Route[] {
  const types = pageTypes(site)
  const one = `${path}/:_id`
  const common = { ...COMMON, isFor: (actor: Actor) => types.some((type) => viewOf(actor, type)), cached: true }
  return [
    route({
      ...common,
      method: 'GET',
      path,
      summary: 'The home page with its children; the whole tree; or all pages flat',
      operationId: 'page.list',
      query: treeParameters,
      answer: { oneOf: [projectedRef('page'), flatAnswer('page.flat')] },
      rendered: { oneOf: [renderedRef('page'), flatAnswer('page.flat.rendered')] },
      isLong: (query) => flag(query, 'all'),
      handle: (ctx, request) => listPages(ctx, request.query),
    }),
    route({
      ...common,
      method: 'GET',
      path: one,
      summary: 'One page with its ancestors and children',
      operationId: 'page.read',
      isLong: ({ compare }) => compare !== undefined,
      query: [
        archived,
        children,
        ...wantedOfPages,
        renderAreasParameter,
        problemsParameter,
        ...(isTranslated(site) ? [compareParameter] : []),
      ],
      answer: projectedRef('page'),
      rendered: renderedRef('page'),
      handle: readPage,
    }),
    route({
      ...common,
      method: 'GET',
      path: `${one}/children`,
      summary: 'The children of one page, some at a time',
      operationId: 'page.children',
      isFor: isForWho('readDraft', types),
      query: [...pagingParameters('children', childrenPerPage(site)), archived, ...wantedOfPages],
      answer: thinListOf(thinPageSchema),
      handle: listChildren,
    }),
    route({
      ...common,
      method: 'GET',
      path: `${one}/locales`,
      summary: 'The locales that one page is in',
      operationId: 'page.locales',
      query: [archived],
      answer: localesAnswer,
      handle: readPageLocales,
    }),
  ]
}

function writeRoutes(path: string, types: readonly Type[]): Route[] {
  const one = `${path}/:_id`
  const edits = { ...COMMON, isFor: isForWho('editDraft', types) }
  const documents = ({ type }: RouteRequest['body']) => {
    const named = types.filter(({ name }) => name === type)
    return named.length > 0 ? named : types
  }
  const change = {
    ...edits,
    path: one,
    query: [renderAreasParameter, ...answered],
    rendered: renderedRef('page'),
    documents,
    permit: (ctx: Context, params: RouteRequest['params']) => void copyToEdit(ctx, params._id ?? ''),
  }
  return [
    route({
      ...COMMON,
      method: 'POST',
      path,
      summary: 'Make a new page',
      operationId: 'page.insert',
      isFor: isForWho('createDraft', types),
      query: answered,
      body: documentRef('page.insert'),
      documents,
      permit: (ctx) => void copyToInsert(ctx),
      handle: postPage,
    }),
    route({
      ...COMMON,
      method: 'POST',
      path: `${path}/slug`,
      summary: 'What the slug of a page would be',
      operationId: 'page.slug',
      isRead: true,
      isFor: isForWho('editDraft', types),
      body: { type: 'object', properties: { ...slugQuestion, ...placeSchema } },
      answer: proposedSlug,
      permit: (ctx) => assertMaySome(ctx, 'editDraft'),
      handle: proposePageSlug,
    }),
    route({
      ...edits,
      method: 'POST',
      path: `${path}/move`,
      summary: 'Move several pages, all or none',
      operationId: 'page.move',
      body: moveBody,
      answer: moveAnswer,
      permit: (ctx) => assertMaySome(ctx, 'editDraft'),
      handle: moveSeveral,
    }),
    route({
      ...change,
      method: 'PUT',
      summary: 'Replace a page',
      operationId: 'page.replace',
      body: documentRef('page.input'),
      handle: putPage,
    }),
    route({
      ...change,
      method: 'PATCH',
      summary: 'Change some fields of a page, or move it',
      operationId: 'page.update',
      body: documentRef('page.patch'),
      handle: patchPage,
    }),
    route({
      ...COMMON,
      method: 'DELETE',
      path: one,
      summary: 'Delete a page for good',
      operationId: 'page.remove',
      isFor: isForWho('deleteDraft', types),
      answer: emptyAnswer,
      permit: (ctx, params) => void copyToDelete(ctx, params._id ?? ''),
      handle: deletePage,
    }),
  ]
}

/** The callers to whom the OpenAPI document shows a route with this action. */
function isForWho(action: Action, types: readonly Type[]) {
  return (actor: Actor) => types.some((type) => may(actor, action, type))
}

// `as`: keys of an object that has no others.
const verbs = Object.keys(PAGE_STATE_ACTIONS) as readonly PageStateVerb[]

function stateRoutes(site: Site, one: string): Route[] {
  const types = pageTypes(site)
  return [
    // Who may edit a draft may ask what publishing would change.
    route({
      ...COMMON,
      method: 'POST',
      path: `${one}/publish`,
      summary: 'Publish: one page',
      operationId: 'page.publish',
      isFor: isForWho('editDraft', types),
      body: publishBody,
      answer: publishAnswer('page'),
      permit: (ctx, params) => void copyToChange(ctx, 'editDraft', params._id ?? ''),
      handle: publishPage,
    }),
    route({
      tag: 'page',
      method: 'GET',
      path: `${one}/changes`,
      summary: 'What publishing would change: one page',
      operationId: 'page.changes',
      isFor: isForWho('editDraft', types),
      isLong: () => true,
      cached: true,
      query: [wholeParameter],
      answer: changesAnswer,
      handle: listPageChanges,
    }),
    ...verbs.map((verb) =>
      route({
        ...COMMON,
        method: 'POST',
        path: `${one}/${verb}`,
        summary: `${verb.charAt(0).toUpperCase()}${verb.slice(1).replaceAll('-', ' ')}: one page`,
        operationId: `page.${verb}`,
        isFor: isForWho(PAGE_STATE_ACTIONS[verb], types),
        query: answered,
        body: { type: 'object', description: 'Nothing of it is read.' },
        permit: (ctx, params) => void copyToChange(ctx, PAGE_STATE_ACTIONS[verb], params._id ?? ''),
        handle: (ctx, request) => changePageState(ctx, verb, request),
      }),
    ),
    route({
      ...COMMON,
      method: 'POST',
      path: `${one}/localize`,
      summary: 'Localize: one page',
      operationId: 'page.localize',
      isRefused: !isTranslated(site),
      isFor: isForWho('editDraft', types),
      query: answered,
      body: localizePageBody,
      permit: (ctx, params) => void copyToChange(ctx, 'editDraft', params._id ?? ''),
      handle: localizePageTo,
    }),
  ]
}
