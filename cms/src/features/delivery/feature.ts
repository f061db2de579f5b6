import { type Route, route } from '../../http/route.ts'
import type { Feature } from '../feature.ts'
import { answerFailure, answerPage } from './answer-page.ts'

/** The site at its public URLs (§4.2b): for visitors, and for an external front end. */
export const delivery: Feature = {
  name: 'delivery',
  // Below a prefix, the prefix itself is a path of its own.
  routes: ({ prefix }) => [...(prefix === '' ? [] : [pageRoute('/')]), pageRoute('/*')],
}

function pageRoute(path: string): Route {
  return route({
    method: 'GET',
    path,
    summary: 'A page of the site',
    tag: 'site',
    operationId: 'site.page',
    answer: {},
    cached: true,
    page: { fail: answerFailure },
    handle: answerPage,
  })
}
