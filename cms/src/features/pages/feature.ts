import type { Feature } from '../feature.ts'
import { makeParkedPages } from './make-parked.ts'
import { pageRoutes } from './routes.ts'

/** The tree of pages (§2.2, §4.2): positions, moves, the archive, built-in pages. */
export const pages: Feature = {
  name: 'pages',
  routes: pageRoutes,
  hooks: { onStart: makeParkedPages },
}
