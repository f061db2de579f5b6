import type { Feature } from '../feature.ts'
import { embedRoutes } from './routes.ts'

/** What pages of other sites show, for front ends (§4.8). */
export const embeds: Feature = { name: 'embeds', routes: embedRoutes }
