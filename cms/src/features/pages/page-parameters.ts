import { object, text } from '../../base/json-schema.ts'
import { pageViews } from '../../engine/pages/page-access.ts'
import { documentRef } from '../../http/openapi/answer-schemas.ts'
import { archived, children, problemsParameter, renderAreasParameter } from '../../http/requests/read-parameters.ts'
import type { QueryParameter } from '../../http/requests/route.ts'
import { wantedOf } from '../../http/requests/wanted-parameters.ts'
import type { Site } from '../../model/declared/types.ts'

/** How many children are on a page of the list. */
export function childrenPerPage({ limits }: Site) {
  return { max: Math.max(200, limits.perPage), default: 50 }
}

/** Where a page that is made is to stand. */
export const placeSchema = {
  _targetId: text('Where a new page is to stand: next to this one, or below it.'),
  _position: { type: ['string', 'integer'], description: 'before, after, firstChild, lastChild, or an index.' },
}

/** The schema of all pages in one list. */
export const flatAnswer = (page: string) =>
  object(['results'], {
    results: { type: 'array', items: documentRef(page), description: 'With `flat`: the pages, depth first.' },
  })

/** The parameters that say what is answered of pages. */
export const wantedOfPages = wantedOf(pageViews)

const one = { type: 'string', enum: ['0', '1', 'true', 'false'], default: '0' }
/** Parameters of the list of pages (§4.2). */
export const treeParameters: readonly QueryParameter[] = [
  renderAreasParameter,
  { name: 'all', description: 'The whole tree, whatever its depth.', schema: one },
  { name: 'flat', description: 'All pages in one list, depth first.', schema: one },
  children,
  archived,
  ...wantedOfPages,
]

/** Parameters of a single page (§4.2). */
export const pageParameters: readonly QueryParameter[] = [
  archived,
  children,
  ...wantedOfPages,
  renderAreasParameter,
  problemsParameter,
]

/** Parameters of the answer to a write. */
export const answered: readonly QueryParameter[] = [children, ...wantedOfPages]
