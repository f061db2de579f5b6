import type { JsonSchema } from '../../base/json.ts'
import { integer, object } from '../../base/json-schema.ts'
import { STATES } from '../../engine/lists/states.ts'
import { pageTypes } from '../../engine/pages/page-access.ts'
import { type Actor, may } from '../../engine/permissions.ts'
import { thinListOf, thinSchema } from '../../http/openapi/thin-schemas.ts'
import { localeRef, pagingParameters } from '../../http/requests/read-parameters.ts'
import { type QueryParameter, type Route, route } from '../../http/requests/route.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import type { Feature } from '../feature.ts'
import { DOCUMENTS_PER_PAGE, readDocumentsRequest, SORTS } from './documents-request.ts'
import { answerDocuments, COUNTED } from './list-documents.ts'
import { pagesUsing, piecesUsing, USERS_PER_PAGE, usingSchema } from './used-by.ts'

/** Documents of all types in one list (§4.1), for callers who read drafts. */
export const documents: Feature = {
  name: 'documents',
  routes: (site) => [
    route({
      method: 'GET',
      path: `/api/v1/${site.namespace}/documents`,
      summary: 'Documents of all types, thin',
      description: 'What waits to be published, what was changed lately, what has a title: of all types in one list.',
      tag: 'documents',
      operationId: 'documents.list',
      isFor: isForReaders(site),
      cached: true,
      query: parameters(site),
      answer: thinListOf(thinSchema, { counts: countsSchema }),
      handle: async (ctx, { query }) => answerDocuments(ctx, await readDocumentsRequest(ctx, query)),
    }),
    ...usedBy(site),
  ],
}

/** Which documents use one: of each type of pieces, and of pages. */
function usedBy(site: Site): Route[] {
  const pieces = [...site.types.values()].filter(({ family }) => family === 'piece')
  const pages = pageTypes(site)
  return [
    ...pieces.map((type) => {
      const names = { tag: type.name, path: type.name, label: type.label.toLowerCase(), types: [type] }
      return usedByRoute(names, (ctx, request) => piecesUsing(ctx, type, request))
    }),
    usedByRoute({ tag: 'page', path: `${site.namespace}/page`, label: 'page', types: pages }, pagesUsing),
  ]
}

interface UsedByNames extends Record<'tag' | 'path' | 'label', string> {
  readonly types: readonly Type[]
}

function usedByRoute({ tag, path, label, types }: UsedByNames, handle: Route['handle']): Route {
  return route({
    tag,
    method: 'GET',
    path: `/api/v1/${path}/:_id/used-by`,
    summary: `The documents that use one ${label}`,
    description: 'By relationships, by links and images in texts, and by the uploaded file; the newest first.',
    operationId: `${tag}.used-by`,
    isFor: (actor) => types.some((type) => may(actor, 'readDraft', type)),
    cached: true,
    query: pagingParameters('documents', USERS_PER_PAGE),
    answer: thinListOf(usingSchema),
    handle,
  })
}

function isForReaders({ types }: Site) {
  return (actor: Actor) => [...types.values()].some((type) => may(actor, 'readDraft', type))
}

const countsBy = (name: string, value: JsonSchema): JsonSchema => ({
  type: 'array',
  description: `By ${name}.`,
  items: object(['value', 'count'], {
    value: { ...value, description: `The ${name}.` },
    count: integer('How many documents.'),
  }),
})
const countsSchema: JsonSchema = {
  type: 'object',
  properties: {
    type: countsBy('type', { type: 'string' }),
    state: countsBy('state', { type: 'string', enum: STATES }),
  },
  description: 'On request: how many documents there are of each type, and in each state.',
}

function parameters({ limits, locales }: Site): QueryParameter[] {
  const text = { type: 'string' }
  const texts = { type: 'array', items: text }
  const named = (name: string, description: string, schema: JsonSchema = text) => ({ name, description, schema })
  return [
    named('types', 'Only documents of these types.', texts),
    named('state', 'Drafts that are not published, or changed since; several with commas.', {
      ...texts,
      items: { type: 'string', enum: STATES },
    }),
    named('updatedBy', 'Saved last by this user, or by one of several: their ids.', texts),
    named('updatedAt', 'When it was last saved: [min] and [max].', { type: 'object' }),
    named('publishAt', 'When the draft is published by itself: [min] and [max], [$exists], or other operators.', {
      type: 'object',
    }),
    named('archiveAt', 'When it is archived by itself: [min] and [max], [$exists], or other operators.', {
      type: 'object',
    }),
    named('scheduleError', 'Only drafts whose schedule has failed.', { type: 'string', enum: ['true', '1'] }),
    ...(locales.size < 2
      ? []
      : [
          named('missingIn', 'Documents that this locale lacks.', localeRef),
          named('outdatedIn', 'Documents published after they were last saved in this locale.', localeRef),
        ]),
    named('search', 'All of these words, anywhere.'),
    named('autocomplete', 'All of these words, the last one by its beginning.'),
    named('archived', 'Archived documents: only them (`true`), too (`any`), or not (`false`).', {
      type: 'string',
      enum: ['true', '1', 'false', '0', 'any'],
    }),
    named('_ids', 'These copies, in this order: of any type, locale and mode, archived ones too.', {
      ...texts,
      maxItems: limits.ids,
    }),
    named('sort', 'The newest first (`-updatedAt`) when left out.', { type: 'string', enum: SORTS }),
    named('counts', 'With commas: count by `type`, by `state`.', { type: 'string', examples: [COUNTED.join()] }),
    ...pagingParameters('documents', { max: limits.perPage, default: DOCUMENTS_PER_PAGE }),
  ]
}
