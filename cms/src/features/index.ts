import type { Feature } from './feature.ts'
import { pieces } from './pieces/feature.ts'

/** The built-in features, in the order in which their hooks run. */
export const builtInFeatures: readonly Feature[] = [pieces]
