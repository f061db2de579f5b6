import { access } from './access/feature.ts'
import type { Feature } from './feature.ts'
import { media } from './media/feature.ts'
import { pages } from './pages/feature.ts'
import { pieces } from './pieces/feature.ts'

/** The built-in features, in the order in which their hooks run. */
export const builtInFeatures: readonly Feature[] = [access, pieces, pages, media]
