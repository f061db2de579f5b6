import { object } from '../../base/json-schema.ts'
import type { Context } from '../../engine/context.ts'
import { type Operation, whyRefused } from '../../engine/operations/refused-operations.ts'
import { type Action, type Actor, assertMay, may } from '../../engine/permissions.ts'
import { viewOf } from '../../engine/view.ts'
import {
  bulkAnswer,
  documentInputRef,
  documentPatchRef,
  emptyAnswer,
  listOf,
  localesAnswer,
  localizeBody,
  projectedRef,
  publishAnswer,
  publishBody,
  renderedRef,
} from '../../http/openapi/answer-schemas.ts'
import { changesAnswer, wholeParameter } from '../../http/openapi/change-schemas.ts'
import { proposedSlug, slugQuestion } from '../../http/openapi/thin-schemas.ts'
import { archived, localeRef } from '../../http/requests/read-parameters.ts'
import { type Route, type RouteRequest, route } from '../../http/requests/route.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import type { Feature } from '../feature.ts'
import { answerList } from './list-pieces.ts'
import { copyToChange, copyToDelete, copyToEdit, copyToInsert, STATE_ACTIONS, type StateVerb } from './permit-pieces.ts'
import { answeredParameters, listNames, singleParameters } from './piece-parameters.ts'
import { listPieceChanges, publishPiece } from './piece-publishing.ts'
import { proposePieceSlug } from './piece-slug.ts'
import { readPiece, readPieceLocales } from './read-piece.ts'
import { changeState, changeStates, deletePiece, patchPiece, postPiece, putPiece } from './write-piece.ts'

/** Lists, single documents and all their changes (§4.1), for every piece type of the site. */
export const pieces: Feature = {
  name: 'pieces',
  routes: (site) =>
    [...site.types.values()].filter((type) => type.family === 'piece').flatMap((type) => pieceRoutes(site, type)),
}

/** The HTTP surface of one piece type (§4.1). */
function pieceRoutes(site: Site, type: Type): Route[] {
  const path = `/api/v1/${type.name}`
  const one = `${path}/:_id`
  const body = documentInputRef(type.name)
  const label = type.label.toLowerCase()
  const common = { tag: type.name, query: answeredParameters(type), answer: projectedRef(type.name) }
  const id = (verb: string) => `${type.name}.${verb}`
  const writes = isForWho('editDraft', type)
  const change = {
    ...common,
    path: one,
    isFor: writes,
    documents: () => [type],
    permit: (ctx: Context, params: RouteRequest['params']) => void copyToEdit(ctx, type, params._id ?? ''),
  }
  const isRefused = (verb: Operation) => ({ isRefused: whyRefused(site, type, verb) !== null })
  return [
    ...readRoutes(site, type),
    route({
      ...common,
      method: 'POST',
      path,
      summary: `Make a new ${label}`,
      operationId: id('insert'),
      ...isRefused('insert'),
      isFor: isForWho('createDraft', type),
      body,
      documents: () => [type],
      permit: (ctx) => void copyToInsert(ctx, type),
      handle: (ctx, request) => postPiece(ctx, type, request),
    }),
    route({
      ...change,
      method: 'PUT',
      summary: `Replace a ${label}`,
      operationId: id('replace'),
      body,
      handle: (ctx, request) => putPiece(ctx, type, request),
    }),
    route({
      ...change,
      method: 'PATCH',
      summary: `Change some fields of a ${label}`,
      operationId: id('update'),
      body: documentPatchRef(type.name),
      handle: (ctx, request) => patchPiece(ctx, type, request),
    }),
    route({
      ...common,
      method: 'DELETE',
      path: one,
      summary: `Delete a ${label} for good`,
      operationId: id('remove'),
      ...isRefused('remove'),
      isFor: isForWho('deleteDraft', type),
      query: [],
      answer: emptyAnswer,
      permit: (ctx, params) => void copyToDelete(ctx, type, params._id ?? ''),
      handle: (ctx, request) => deletePiece(ctx, type, request),
    }),
    route({
      tag: type.name,
      method: 'POST',
      path: `${path}/slug`,
      summary: `What the slug of a ${label} would be`,
      operationId: id('slug'),
      isRead: true,
      isFor: writes,
      body: { type: 'object', properties: slugQuestion },
      answer: proposedSlug,
      permit: ({ actor }) => assertMay(actor, type.localized ? 'editDraft' : 'editPublished', type),
      handle: (ctx, request) => proposePieceSlug(ctx, type, request),
    }),
    ...publishingRoutes(site, type),
    ...stateRoutes(site, type),
    ...bulkRoutes(site, type),
  ]
}

function readRoutes(site: Site, type: Type): Route[] {
  const path = `/api/v1/${type.name}`
  const answer = projectedRef(type.name)
  const rendered = renderedRef(type.name)
  const isFor = (actor: Actor) => viewOf(actor, type) !== null
  const common = { tag: type.name, method: 'GET', isFor, cached: true, maxAge: type.maxAge } as const
  return [
    route({
      ...common,
      ...listNames(type, site),
      summary: `A page of ${type.pluralLabel.toLowerCase()}`,
      operationId: `${type.name}.list`,
      answer: listOf(answer),
      rendered: listOf(rendered),
      handle: (ctx, request) => answerList(ctx, type, request.query),
    }),
    route({
      ...common,
      path: `${path}/:_id`,
      summary: `One ${type.label.toLowerCase()}`,
      operationId: `${type.name}.read`,
      isLong: ({ compare }) => compare !== undefined,
      query: singleParameters(site, type),
      answer,
      rendered,
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
const verbs = (Object.keys(STATE_ACTIONS) as readonly StateVerb[]).filter((verb) => verb !== 'publish')

/** Publishing, and what it would change: who may edit a draft may ask. */
function publishingRoutes(site: Site, type: Type): Route[] {
  const one = `/api/v1/${type.name}/:_id`
  const label = type.label.toLowerCase()
  const isRefused = whyRefused(site, type, 'publish') !== null
  const common = { tag: type.name, isRefused, isFor: isForWho('editDraft', type) }
  return [
    route({
      ...common,
      method: 'POST',
      path: `${one}/publish`,
      summary: `Publish: one ${label}`,
      operationId: `${type.name}.publish`,
      body: publishBody,
      answer: publishAnswer(type.name),
      permit: (ctx, params) => void copyToChange(ctx, { type, action: 'editDraft' }, params._id ?? ''),
      handle: (ctx, request) => publishPiece(ctx, type, request),
    }),
    route({
      ...common,
      method: 'GET',
      path: `${one}/changes`,
      summary: `What publishing would change: one ${label}`,
      operationId: `${type.name}.changes`,
      isLong: () => true,
      cached: true,
      query: [wholeParameter],
      answer: changesAnswer,
      handle: (ctx, request) => listPieceChanges(ctx, type, request),
    }),
  ]
}

function stateRoutes(site: Site, type: Type): Route[] {
  return verbs.map((verb) =>
    route({
      method: 'POST',
      path: `/api/v1/${type.name}/:_id/${verb}`,
      summary: `${words(verb)}: one ${type.label.toLowerCase()}`,
      tag: type.name,
      operationId: `${type.name}.${verb}`,
      isRefused: whyRefused(site, type, verb) !== null,
      isFor: isForWho(STATE_ACTIONS[verb], type),
      body: verb === 'localize' ? localizeBody : { type: 'object', description: 'Nothing of it is read.' },
      query: answeredParameters(type),
      answer: projectedRef(type.name),
      permit: (ctx, params) => void copyToChange(ctx, { type, action: STATE_ACTIONS[verb] }, params._id ?? ''),
      handle: (ctx, request) => changeState(ctx, { type, verb }, request),
    }),
  )
}

function bulkRoutes(site: Site, type: Type): Route[] {
  return (['publish', 'archive', 'restore', 'localize'] as const).map((verb) =>
    route({
      method: 'POST',
      path: `/api/v1/${type.name}/${verb}`,
      summary: `${words(verb)}: many ${type.pluralLabel.toLowerCase()}, each on its own`,
      tag: type.name,
      operationId: `${type.name}.${verb}-many`,
      isRefused: whyRefused(site, type, verb) !== null,
      isFor: isForWho(STATE_ACTIONS[verb], type),
      body: verb === 'localize' ? bulkLocalizeBody : bulkBody,
      answer: bulkAnswer,
      permit: ({ actor }) => assertMay(actor, STATE_ACTIONS[verb], type),
      handle: (ctx, { body }) => changeStates(ctx, { type, verb }, body),
    }),
  )
}

const ids = { type: 'array', items: { type: 'string' }, description: 'The documents, by _id or aposDocId.' }
const bulkBody = object(['_ids'], { _ids: ids })

const { toLocale: _one, ...localizing } = localizeBody.properties
const bulkLocalizeBody = object(['_ids', 'toLocales'], {
  _ids: ids,
  toLocales: { type: 'array', items: localeRef, description: 'The locales to copy the drafts to.' },
  ...localizing,
})

function words(verb: string): string {
  return (verb[0] ?? '').toUpperCase() + verb.slice(1).replaceAll('-', ' ')
}
