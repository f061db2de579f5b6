import { invalid } from '../../base/errors.ts'
import { type JsonSchema, own } from '../../base/json.ts'
import { boolean, integer, object, text } from '../../base/json-schema.ts'
import type { Context } from '../../engine/context.ts'
import { readIds } from '../../engine/locate.ts'
import { checkMoves, type MovedPages, movePages, type PagesMove } from '../../engine/operations/move-pages.ts'
import { readTarget } from '../../engine/pages/position.ts'
import { write } from '../../engine/write.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import { isTrue } from '../../model/field-type/outside.ts'
import { copyToEdit } from './permit-pages.ts'

/** Moves several pages, in order, all or none (§4.2); with `check`, only reports what would happen. */
export function moveSeveral(ctx: Context, { body }: Pick<RouteRequest, 'body'>): Promise<MovedPages> {
  const { locale, ...move } = readMove(ctx, body)
  if (isTrue(body, 'check')) return checkMoves(ctx, locale, move)
  return write(ctx, (ctx) => movePages(ctx, locale, move))
}

function readMove(ctx: Context, body: RouteRequest['body']): PagesMove & { readonly locale: string } {
  const ids = readIds(ctx, own(body, '_ids')).map((text) => copyToEdit(ctx, text))
  const [first] = ids
  if (first === undefined) throw invalid('_ids names the pages to move: at least one.')
  if (ids.some(({ locale }) => locale !== first.locale)) throw invalid('_ids must be of pages of one locale.')
  const target = readTarget(body)
  if (target === null) throw invalid('To move pages send _targetId, the _id of a page, and _position.')
  const byDocument = new Map(ids.toReversed().map((id) => [id.docId, id]))
  return { ids: ids.filter((id) => byDocument.get(id.docId) === id), target, locale: first.locale }
}

/** The body of a move of several pages. */
export const moveBody: JsonSchema = object(['_ids', '_targetId', '_position'], {
  _ids: { type: 'array', items: { type: 'string' }, minItems: 1, description: 'The pages, in the order to be.' },
  _targetId: text('The page that the first one is to stand next to, or below.'),
  _position: { type: ['string', 'integer'], description: 'before, after, firstChild, lastChild, or an index.' },
  check: boolean('Only report what would happen.'),
})

/** Where the pages stand then. */
export const moveAnswer: JsonSchema = object(['results', 'slugs'], {
  results: {
    type: 'array',
    items: object(['_id', 'path', 'slug', 'rank', 'level'], {
      _id: text('The copy that was named.'),
      path: text('The ids from the home page down to it.'),
      slug: text('Its slug.'),
      rank: integer('Its place among its siblings.'),
      level: integer('How far it is below the home page.'),
    }),
    description: 'The pages, in the order of the request.',
  },
  slugs: integer('How many pages get another slug, those below included, of those that the caller sees.'),
})
