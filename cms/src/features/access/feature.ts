import type { Feature } from '../feature.ts'
import { accessRoutes } from './routes.ts'

/** Signing in and out (§5.6). Users themselves are pieces; API keys are created on the command line. */
export const access: Feature = { name: 'access', routes: accessRoutes }
