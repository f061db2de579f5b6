import type { JsonObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { queryFromJson } from '../../http/requests/query-string.ts'
import type { ShownDocument } from '../../model/declared/page-data-types.ts'
import { listPieces } from './list-pieces.ts'

/** One page of a list of pieces, as its reader sees them. */
export interface PiecesFound {
  readonly results: ShownDocument[]
  readonly total: number
  readonly pages: number
  readonly currentPage: number
}

/**
 * Pieces of a type, for the `data` of a template: the list that the caller would get from the interface with these
 * parameters (§4.1), in the locale and mode of the request.
 *
 *     data: (ctx) => findPieces(ctx, 'article', { section: 'recipe', perPage: 3 })
 */
export async function findPieces(ctx: Context, type: string, parameters: JsonObject = {}): Promise<PiecesFound> {
  const known = ctx.site.types.get(type)
  if (known?.family !== 'piece') throw new TypeError(`The site has no piece type ${type}.`)
  // `as`: what `listPieces` answers, with documents as their type declares them.
  return (await listPieces(ctx, known, queryFromJson(parameters))) as PiecesFound
}
