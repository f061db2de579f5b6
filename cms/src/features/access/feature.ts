import type { Feature } from '../feature.ts'
import { accessRoutes } from './routes.ts'

/** Signing in and out (decisions 1). Users themselves are pieces; keys are made on the command line. */
export const access: Feature = { name: 'access', routes: accessRoutes }
