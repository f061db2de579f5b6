import { batchesOf } from '../../base/batches.ts'
import { notFound } from '../../base/errors.ts'
import type { JsonSchema } from '../../base/json.ts'
import { object, text } from '../../base/json-schema.ts'
import { listPage } from '../../engine/answers/fragments.ts'
import type { Context } from '../../engine/context.ts'
import {
  localesUsing,
  MOST_USES,
  referencesTo,
  USE_KINDS,
  type Use,
  type Used,
  usesIn,
} from '../../engine/lists/uses.ts'
import { locate } from '../../engine/locate.ts'
import { locatePage } from '../../engine/pages/locate-page.ts'
import { assertMaySome, pageTypes } from '../../engine/pages/page-access.ts'
import { assertMay, may } from '../../engine/permissions.ts'
import type { JoinedBytes } from '../../engine/shared-bytes.ts'
import { viewOf } from '../../engine/view.ts'
import { thinPropertySchemas, thinSchema } from '../../http/openapi/thin-schemas.ts'
import { readPaging } from '../../http/requests/read-parameters.ts'
import type { QueryValues, RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import type { DocumentId } from '../../model/terms/document-id.ts'
import type { CopySummary, UsingDocument } from '../../store/contract/store.ts'
import { BATCH, thinItems } from './list-documents.ts'

/** How many documents are on a page. Of each both copies are read. */
export const USERS_PER_PAGE = { max: 50, default: 20 }

/** Documents that use a piece (§4.1), for callers who may read drafts of its type. */
export async function piecesUsing(ctx: Context, type: Type, request: RouteRequest): Promise<JoinedBytes> {
  assertMay(ctx.actor, 'readDraft', type)
  return answerUsing(ctx, { id: locate(ctx, type, request.params._id ?? ''), types: [type] }, request.query)
}

/** Documents that use a page (§4.2), for callers who may read drafts of its type. */
export async function pagesUsing(ctx: Context, { params, query }: RouteRequest): Promise<JoinedBytes> {
  assertMaySome(ctx, 'readDraft')
  return answerUsing(ctx, { id: locatePage(ctx, params._id ?? ''), types: pageTypes(ctx.site) }, query)
}

interface Subject {
  readonly id: DocumentId
  /** The types that the document may have. */
  readonly types: readonly Type[]
}

/** A constant number of statements, but two more for each 50 documents or megabyte. */
async function answerUsing(ctx: Context, { id, types }: Subject, query: QueryValues): Promise<JoinedBytes> {
  const { page, perPage, offset } = readPaging(query, USERS_PER_PAGE)
  const copies = await ctx.store.documents.everywhere(id.docId)
  const inLocale = copies.filter((copy) => copy.id.locale === id.locale)
  assertSeen(ctx, inLocale, types)
  const used = { docId: id.docId, files: await filesOf(ctx, id, types) }
  const references = referencesTo(ctx, used, localesUsing(ctx, id.locale, copies))
  const { documents, total } = await ctx.store.documents.using({ references, except: id.docId, offset, limit: perPage })
  const uses = await usesOf(ctx, documents, used)
  const results = await thinItems(ctx, documents, ({ row }) => ({ uses: uses.get(row) ?? [] }))
  return listPage(results, { page, perPage, total })
}

/** Either copy is enough. What the caller may not see is `notfound`, as if it did not exist. */
function assertSeen({ actor }: Context, copies: readonly CopySummary[], types: readonly Type[]): void {
  const isSeen = (copy: CopySummary) => {
    const type = types.find(({ name }) => name === copy.type)
    const view = type && may(actor, 'readDraft', type) ? viewOf(actor, type) : null
    return view?.includes(copy.visibility) === true && (!copy.isArchived || view.rights.has('editDraft'))
  }
  if (!copies.some(isSeen)) throw notFound()
}

/** The uploads whose piece the document is: of an image or a file. */
async function filesOf({ store, site, actor }: Context, { docId }: DocumentId, types: readonly Type[]) {
  const hasFile = types.some((type) => {
    const isUpload = ['image', 'file'].some((name) => type.name === `${site.namespace}/${name}`)
    return isUpload && viewOf(actor, type)?.field('attachment')
  })
  if (!hasFile) return []
  const files = await store.attachments.ofDocuments([docId], 'attachment')
  return [...new Set((files.get(docId) ?? []).map(({ id }) => id))]
}

/** The uses in each document, by the row number of its first copy. */
async function usesOf(ctx: Context, found: readonly UsingDocument[], used: Used) {
  const uses = new Map<number, Use[]>()
  for (const batch of batchesOf(found, BATCH, ({ bytes }) => bytes)) {
    const rows = batch.flatMap(({ row, publishedRow }) => (publishedRow === null ? [row] : [row, publishedRow]))
    const read = new Map((await ctx.store.documents.ofRows(rows)).map((one) => [one.row, one.document]))
    for (const { row, publishedRow, type } of batch) {
      const copies = [row, publishedRow].flatMap((one) => (one === null ? [] : (read.get(one) ?? [])))
      const ofType = copies.filter((copy) => copy.type === type)
      uses.set(row, usesIn(ctx, ofType, used))
    }
  }
  return uses
}

/** A document of the answer. */
export const usingSchema: JsonSchema = {
  ...thinSchema,
  properties: {
    ...thinPropertySchemas,
    uses: {
      type: 'array',
      maxItems: MOST_USES,
      description: `Where in it: the first ${MOST_USES} places.`,
      items: object(['path', 'label', 'kind', 'modes'], {
        path: text('Names of fields, and ids of items and widgets.'),
        label: text('The labels of the fields and widgets on the way.'),
        kind: { type: 'string', enum: USE_KINDS, description: 'By what.' },
        modes: {
          type: 'array',
          items: { type: 'string', enum: ['draft', 'published'] },
          description: 'In which of its copies.',
        },
      }),
    },
  },
}
