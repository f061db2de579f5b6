import { archived, project } from '../../http/parameters.ts'
import { type QueryParameter, type Route, route } from '../../http/route.ts'
import { documentInputRef, documentRef, emptyAnswer, localizeBody } from '../../http/schemas.ts'
import type { Site } from '../../model/types.ts'
import { pageTypes } from './access.ts'
import { changePageState, pageStateChanges } from './change-state.ts'
import { addPage } from './insert.ts'
import { listPages } from './list.ts'
import { localizePage } from './localize.ts'
import { copyToChange, copyToDelete, copyToEdit, copyToInsert } from './permit.ts'
import { readPage } from './read.ts'
import { removePage } from './remove.ts'
import { replacePage, updatePage } from './update.ts'

/** The HTTP surface of the tree (§4.2): one set of routes for all page types. */
export function pageRoutes(site: Site): Route[] {
  const path = `/api/v1/${site.namespace}/page`
  const one = `${path}/:_id`
  const types = pageTypes(site)
  const answer = { anyOf: types.map((type) => documentRef(type.name)) }
  const placed = {
    type: 'object',
    properties: {
      _targetId: { type: 'string', description: 'The _id of a page, `_home` or `_archive`.' },
      _position: {
        anyOf: [{ enum: ['before', 'after', 'firstChild', 'lastChild'] }, { type: 'integer', minimum: 0 }],
        description: 'Where, as seen from the target; a number is the index among its children.',
      },
      type: { enum: types.map((type) => type.name) },
    },
  }
  const body = { allOf: [placed, { anyOf: types.map((type) => documentInputRef(type.name)) }] }
  const common = { tag: 'page', answer }
  return [
    route({
      ...common,
      method: 'GET',
      path,
      summary: 'The home page with its children; the whole tree; or all pages flat',
      operationId: 'page.list',
      query: treeParameters,
      answer: { anyOf: [...answer.anyOf, flatAnswer(answer)] },
      cached: true,
      handle: (ctx, request) => listPages(ctx, request.query),
    }),
    route({
      ...common,
      method: 'GET',
      path: one,
      summary: 'One page with its ancestors and children',
      operationId: 'page.read',
      query: [archived, project],
      cached: true,
      handle: readPage,
    }),
    route({
      ...common,
      method: 'POST',
      path,
      summary: 'Make a new page',
      operationId: 'page.insert',
      body: { ...body, required: ['_targetId', '_position'] },
      permit: (ctx) => void copyToInsert(ctx),
      handle: (ctx, request) => addPage(ctx, request.body),
    }),
    route({
      ...common,
      method: 'PUT',
      path: one,
      summary: 'Replace a page',
      operationId: 'page.replace',
      body,
      permit: (ctx, params) => void copyToEdit(ctx, params._id ?? ''),
      handle: replacePage,
    }),
    route({
      ...common,
      method: 'PATCH',
      path: one,
      summary: 'Change some fields of a page, or move it',
      operationId: 'page.update',
      body,
      permit: (ctx, params) => void copyToEdit(ctx, params._id ?? ''),
      handle: updatePage,
    }),
    route({
      ...common,
      method: 'DELETE',
      path: one,
      summary: 'Delete a page for good',
      operationId: 'page.remove',
      answer: emptyAnswer,
      permit: (ctx, params) => void copyToDelete(ctx, params._id ?? ''),
      handle: removePage,
    }),
    ...Object.entries(pageStateChanges).map(([verb, change]) =>
      route({
        ...common,
        method: 'POST',
        path: `${one}/${verb}`,
        summary: `${verb.charAt(0).toUpperCase()}${verb.slice(1).replaceAll('-', ' ')}: one page`,
        operationId: `page.${verb}`,
        body: { type: 'object' },
        permit: (ctx, params) => void copyToChange(ctx, change.action, params._id ?? ''),
        handle: (ctx, request) => changePageState(ctx, change, request),
      }),
    ),
    route({
      ...common,
      method: 'POST',
      path: `${one}/localize`,
      summary: 'Localize: one page',
      operationId: 'page.localize',
      body: localizeBody,
      permit: (ctx, params) => void copyToChange(ctx, 'editDraft', params._id ?? ''),
      handle: localizePage,
    }),
  ]
}

const flatAnswer = (page: object) => ({
  type: 'object',
  required: ['results'],
  properties: { results: { type: 'array', items: page } },
})

const one = { enum: ['0', '1', 'true', 'false'] }
const treeParameters: readonly QueryParameter[] = [
  { name: 'all', description: 'The whole tree, whatever its depth.', schema: one },
  { name: 'flat', description: 'All pages in one list, depth first.', schema: one },
  { name: 'children', description: '`false` leaves `_children` out.', schema: { enum: ['true', 'false'] } },
  archived,
  project,
]
