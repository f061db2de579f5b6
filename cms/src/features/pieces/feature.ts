import type { Feature } from '../feature.ts'
import { pieceRoutes } from './routes.ts'

/** Lists, single documents and all their changes (§4.1), for every piece type of the site. */
export const pieces: Feature = {
  name: 'pieces',
  routes: (site) =>
    [...site.types.values()]
      .filter((type) => type.family === 'piece')
      .flatMap((type) => pieceRoutes(type, site.limits)),
}
