import { late } from '../../base/late.ts'
import { pageTypes } from '../../engine/pages/page-access.ts'
import { type Action, type Actor, may, readAccess } from '../../engine/permissions.ts'
import { documentRef, emptyAnswer, localesAnswer, localizePageBody } from '../../http/openapi/answer-schemas.ts'
import { archived, compareParameter, project, renderAreasParameter } from '../../http/requests/common-parameters.ts'
import { flag } from '../../http/requests/read-parameters.ts'
import { type QueryParameter, type Route, route } from '../../http/requests/route.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import { PAGE_STATE_ACTIONS, type PageStateVerb } from './page-state-actions.ts'
import { copyToChange, copyToDelete, copyToEdit, copyToInsert } from './permit-pages.ts'

const changePageState = late(() => import('./change-page-state.ts'), 'changePageState')
const addPage = late(() => import('./insert-page.ts'), 'addPage')
const listPages = late(() => import('./list-pages.ts'), 'listPages')
const localizePage = late(() => import('./localize-page.ts'), 'localizePage')
const readPage = late(() => import('./read-page.ts'), 'readPage')
const readPageLocales = late(() => import('./read-page.ts'), 'readPageLocales')
const removePage = late(() => import('./remove-page.ts'), 'removePage')
const replacePage = late(() => import('./update-page.ts'), 'replacePage')
const updatePage = late(() => import('./update-page.ts'), 'updatePage')

/** The HTTP surface of the tree (§4.2): one set of routes for all page types. */
export function pageRoutes(site: Site): Route[] {
  const path = `/api/v1/${site.namespace}/page`
  const types = pageTypes(site)
  return [...readRoutes(path, types), ...writeRoutes(path, types), ...stateRoutes(`${path}/:_id`, types)]
}

const COMMON = { tag: 'page', lock: 'tree', answer: documentRef('page') } as const

function readRoutes(path: string, types: readonly Type[]): Route[] {
  const one = `${path}/:_id`
  const common = { ...COMMON, isFor: (actor: Actor) => types.some((type) => readAccess(actor, type)), cached: true }
  return [
    route({
      ...common,
      method: 'GET',
      path,
      summary: 'The home page with its children; the whole tree; or all pages flat',
      operationId: 'page.list',
      query: treeParameters,
      answer: { oneOf: [COMMON.answer, flatAnswer] },
      isLong: (query) => flag(query, 'all'),
      handle: (ctx, request) => listPages(ctx, request.query),
    }),
    route({
      ...common,
      method: 'GET',
      path: one,
      summary: 'One page with its ancestors and children',
      operationId: 'page.read',
      query: [archived, project, renderAreasParameter, compareParameter],
      handle: readPage,
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
  return [
    route({
      ...COMMON,
      method: 'POST',
      path,
      summary: 'Make a new page',
      operationId: 'page.insert',
      isFor: isForWho('createDraft', types),
      body: documentRef('page.insert'),
      permit: (ctx) => void copyToInsert(ctx),
      handle: (ctx, request) => addPage(ctx, request.body),
    }),
    route({
      ...edits,
      method: 'PUT',
      path: one,
      summary: 'Replace a page',
      operationId: 'page.replace',
      query: [renderAreasParameter],
      body: documentRef('page.input'),
      permit: (ctx, params) => void copyToEdit(ctx, params._id ?? ''),
      handle: replacePage,
    }),
    route({
      ...edits,
      method: 'PATCH',
      path: one,
      summary: 'Change some fields of a page, or move it',
      operationId: 'page.update',
      query: [renderAreasParameter],
      body: documentRef('page.patch'),
      permit: (ctx, params) => void copyToEdit(ctx, params._id ?? ''),
      handle: updatePage,
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
      handle: removePage,
    }),
  ]
}

/** The callers to whom the OpenAPI document shows a route with this action. */
function isForWho(action: Action, types: readonly Type[]) {
  return (actor: Actor) => types.some((type) => may(actor, action, type))
}

// `as`: keys of an object that has no others.
const verbs = Object.keys(PAGE_STATE_ACTIONS) as readonly PageStateVerb[]

function stateRoutes(one: string, types: readonly Type[]): Route[] {
  return [
    ...verbs.map((verb) =>
      route({
        ...COMMON,
        method: 'POST',
        path: `${one}/${verb}`,
        summary: `${verb.charAt(0).toUpperCase()}${verb.slice(1).replaceAll('-', ' ')}: one page`,
        operationId: `page.${verb}`,
        isFor: isForWho(PAGE_STATE_ACTIONS[verb], types),
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
      isFor: isForWho('editDraft', types),
      body: localizePageBody,
      permit: (ctx, params) => void copyToChange(ctx, 'editDraft', params._id ?? ''),
      handle: localizePage,
    }),
  ]
}

const flatAnswer = {
  type: 'object',
  required: ['results'],
  properties: {
    results: { type: 'array', items: documentRef('page.flat'), description: 'With `flat`: the pages, depth first.' },
  },
}

const one = { type: 'string', enum: ['0', '1', 'true', 'false'], default: '0' }
const treeParameters: readonly QueryParameter[] = [
  renderAreasParameter,
  { name: 'all', description: 'The whole tree, whatever its depth.', schema: one },
  { name: 'flat', description: 'All pages in one list, depth first.', schema: one },
  {
    name: 'children',
    description: '`false` leaves `_children` out.',
    schema: { type: 'string', enum: ['true', 'false'], default: 'true' },
  },
  archived,
  project,
]
