import { late } from '../../base/late.ts'
import { type Action, type Actor, assertMay, may, readAccess } from '../../engine/permissions.ts'
import {
  bulkAnswer,
  documentInputRef,
  documentPatchRef,
  documentRef,
  emptyAnswer,
  listOf,
  localesAnswer,
  localizeBody,
} from '../../http/openapi/answer-schemas.ts'
import { archived } from '../../http/requests/common-parameters.ts'
import { type Route, route } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Limits } from '../../model/terms/limits.ts'
import { answerList } from './list-pieces.ts'
import { copyToChange, copyToDelete, copyToEdit, copyToInsert } from './permit-pieces.ts'
import { listParameters, singleParameters } from './piece-parameters.ts'
import { STATE_ACTIONS, type StateVerb } from './piece-state-actions.ts'
import { readPiece, readPieceLocales } from './read-piece.ts'

const changeState = late(() => import('./change-piece-state.ts'), 'changeState')
const changeStates = late(() => import('./change-piece-state.ts'), 'changeStates')
const insertPiece = late(() => import('./insert-piece.ts'), 'insertPiece')
const removePiece = late(() => import('./remove-piece.ts'), 'removePiece')
const replacePiece = late(() => import('./update-piece.ts'), 'replacePiece')
const updatePiece = late(() => import('./update-piece.ts'), 'updatePiece')

/** The HTTP surface of one piece type (§4.1). */
export function pieceRoutes(type: Type, limits: Limits): Route[] {
  const path = `/api/v1/${type.name}`
  const one = `${path}/:_id`
  const body = documentInputRef(type.name)
  const label = type.label.toLowerCase()
  const common = { tag: type.name, answer: documentRef(type.name) }
  const id = (verb: string) => `${type.name}.${verb}`
  const writes = isForWho('editDraft', type)
  return [
    ...readRoutes(type, limits),
    route({
      ...common,
      method: 'POST',
      path,
      summary: `Make a new ${label}`,
      operationId: id('insert'),
      isFor: isForWho('createDraft', type),
      body,
      permit: (ctx) => void copyToInsert(ctx, type),
      handle: (ctx, request) => insertPiece(ctx, type, request.body),
    }),
    route({
      ...common,
      method: 'PUT',
      path: one,
      summary: `Replace a ${label}`,
      operationId: id('replace'),
      isFor: writes,
      body,
      permit: (ctx, params) => void copyToEdit(ctx, type, params._id ?? ''),
      handle: (ctx, request) => replacePiece(ctx, type, request),
    }),
    route({
      ...common,
      method: 'PATCH',
      path: one,
      summary: `Change some fields of a ${label}`,
      operationId: id('update'),
      isFor: writes,
      body: documentPatchRef(type.name),
      permit: (ctx, params) => void copyToEdit(ctx, type, params._id ?? ''),
      handle: (ctx, request) => updatePiece(ctx, type, request),
    }),
    route({
      ...common,
      method: 'DELETE',
      path: one,
      summary: `Delete a ${label} for good`,
      operationId: id('remove'),
      isFor: isForWho('deleteDraft', type),
      answer: emptyAnswer,
      permit: (ctx, params) => void copyToDelete(ctx, type, params._id ?? ''),
      handle: (ctx, request) => removePiece(ctx, type, request),
    }),
    ...stateRoutes(type, one),
    ...bulkRoutes(type, path),
  ]
}

function readRoutes(type: Type, limits: Limits): Route[] {
  const path = `/api/v1/${type.name}`
  const answer = documentRef(type.name)
  const isFor = (actor: Actor) => readAccess(actor, type) !== null
  const common = { tag: type.name, method: 'GET', isFor, cached: true, maxAge: type.maxAge } as const
  return [
    route({
      ...common,
      path,
      summary: `A page of ${type.pluralLabel.toLowerCase()}`,
      operationId: `${type.name}.list`,
      query: listParameters(type, limits),
      answer: listOf(answer),
      handle: (ctx, request) => answerList(ctx, type, request.query),
    }),
    route({
      ...common,
      path: `${path}/:_id`,
      summary: `One ${type.label.toLowerCase()}`,
      operationId: `${type.name}.read`,
      query: singleParameters,
      answer,
      handle: (ctx, request) => readPiece(ctx, type, request),
    }),
    route({
      ...common,
      path: `${path}/:_id/locales`,
      summary: `The locales that one ${type.label.toLowerCase()} is in`,
      operationId: `${type.name}.locales`,
      query: [archived],
      answer: localesAnswer,
      handle: (ctx, request) => readPieceLocales(ctx, type, request),
    }),
  ]
}

/** The callers to whom the OpenAPI document shows a route with this action. */
function isForWho(action: Action, type: Type) {
  return (actor: Actor) => may(actor, action, type)
}

// `as`: keys of an object that has no others.
const verbs = Object.keys(STATE_ACTIONS) as readonly StateVerb[]

function stateRoutes(type: Type, one: string): Route[] {
  return verbs.map((verb) =>
    route({
      method: 'POST',
      path: `${one}/${verb}`,
      summary: `${words(verb)}: one ${type.label.toLowerCase()}`,
      tag: type.name,
      operationId: `${type.name}.${verb}`,
      isFor: isForWho(STATE_ACTIONS[verb], type),
      body: verb === 'localize' ? localizeBody : { type: 'object', description: 'Nothing of it is read.' },
      answer: documentRef(type.name),
      permit: (ctx, params) => void copyToChange(ctx, type, STATE_ACTIONS[verb], params._id ?? ''),
      handle: (ctx, request) => changeState(ctx, type, verb, request),
    }),
  )
}

function bulkRoutes(type: Type, path: string): Route[] {
  return (['publish', 'archive', 'restore', 'localize'] as const).map((verb) =>
    route({
      method: 'POST',
      path: `${path}/${verb}`,
      summary: `${words(verb)}: many ${type.pluralLabel.toLowerCase()}, each on its own`,
      tag: type.name,
      operationId: `${type.name}.${verb}-many`,
      isFor: isForWho(STATE_ACTIONS[verb], type),
      body: verb === 'localize' ? bulkLocalizeBody : bulkBody,
      answer: bulkAnswer,
      permit: ({ actor }) => assertMay(actor, STATE_ACTIONS[verb], type),
      handle: (ctx, { body }) => changeStates(ctx, type, verb, body),
    }),
  )
}

const ids = { type: 'array', items: { type: 'string' }, description: 'The documents, by _id or aposDocId.' }
const bulkBody = { type: 'object', required: ['_ids'], properties: { _ids: ids } }

const { toLocale: _one, ...localizing } = localizeBody.properties
const bulkLocalizeBody = {
  type: 'object',
  required: ['_ids', 'toLocales'],
  properties: {
    _ids: ids,
    toLocales: { type: 'array', items: { type: 'string' }, description: 'The locales to copy the drafts to.' },
    ...localizing,
  },
}

function words(verb: string): string {
  return (verb[0] ?? '').toUpperCase() + verb.slice(1).replaceAll('-', ' ')
}
