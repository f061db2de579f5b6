import { roleOf } from '../../engine/permissions.ts'
import { hasRole } from '../../model/terms/roles.ts'
import type { QueryParameter } from './route.ts'

// Query parameters shared by several routes, as described in the OpenAPI document.

/** Which copy of a document is meant (§4.1), for every route. */
export const localeAndMode: readonly QueryParameter[] = [
  {
    name: 'aposLocale',
    description: 'The locale, or locale and mode: `fr`, `fr:draft`. It outweighs the one in an id.',
    schema: { type: 'string' },
  },
  {
    name: 'aposMode',
    description: 'Published when left out. Drafts need a credential.',
    schema: { type: 'string', enum: ['draft', 'published'] },
  },
]

/** Whether archived documents are found (§3.5). */
export const archived: QueryParameter = {
  name: 'archived',
  description: 'Archived documents: only them (`true`), too (`any`), or not (`false`). For callers who may edit.',
  schema: { type: 'string', enum: ['true', '1', 'false', '0', 'any'], default: 'false' },
}

/** Lets the answer hold some fields only (§4.1). */
export const project: QueryParameter = {
  name: 'project',
  description:
    'Only some fields: `project[title]=1`; or all but some: `project[body]=0`. Ids and type are always there.',
  schema: { type: 'object', additionalProperties: { type: 'integer', enum: [0, 1] } },
}

/** What has changed in another locale (§4.5). */
export const compareParameter: QueryParameter = {
  name: 'compare',
  description:
    'A locale: `_compared` tells what was changed in it since this document was saved. For callers who may edit.',
  schema: { type: 'string' },
  isFor: (actor) => hasRole(roleOf(actor), 'contributor'),
}

/** Areas as HTML (§2.1). */
export const renderAreasParameter: QueryParameter = {
  name: 'render-areas',
  description: 'With `true`, areas are answered as HTML: `_rendered` in place of `items`.',
  schema: { type: 'string', enum: ['true', '1', 'false', '0'], default: 'false' },
}
