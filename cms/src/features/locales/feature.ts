import type { Feature } from '../feature.ts'
import { localeRoutes } from './routes.ts'

/** The locales of the site (§4.5): which there are, where a document is in each, clipboards from host to host. */
export const locales: Feature = { name: 'locales', routes: localeRoutes }
