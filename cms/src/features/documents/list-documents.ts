import { batchesOf } from '../../base/batches.ts'
import type { Fragment } from '../../engine/answer-caching.ts'
import { Fragments, listPage } from '../../engine/answers/fragments.ts'
import { thinDocument, thinProperties } from '../../engine/answers/thin.ts'
import type { Context } from '../../engine/context.ts'
import type { JoinedBytes, TextPart } from '../../engine/shared-bytes.ts'
import { DocumentId, type PublishingState } from '../../model/terms/document-id.ts'
import type { AcrossQuery, Filter, FoundDocument, TypeStateCount } from '../../store/contract/store.ts'

/** The groups that documents are counted in. */
export const COUNTED = ['type', 'state'] as const

/** A list of documents of several types, as it is requested. */
export interface DocumentsRequest extends AcrossQuery {
  readonly states: readonly PublishingState[] | null
  readonly page: number
  readonly counts: readonly (typeof COUNTED)[number][]
  /** By state: all of the states. */
  readonly ofAllStates: readonly Filter[]
  /** By type: all types that the caller sees. */
  readonly ofAllTypes: readonly Filter[]
  /** The copies in the order in which they are named; null for another order. */
  readonly ids: readonly DocumentId[] | null
}

/** How many documents are read and presented at a time. */
export const BATCH = { items: 50, bytes: 1_000_000 }

/**
 * Documents of all types that the caller may read (§4.1), thin: `{ results, total, pages, currentPage, counts? }`. A
 * constant number of statements, but one more for each 50 documents or megabyte.
 */
export async function answerDocuments(ctx: Context, request: DocumentsRequest): Promise<JoinedBytes> {
  const total = sumOf(await tallyOf(ctx, request.filters))
  const found = ordered(request, await ctx.store.documents.across(request))
  const results = await thinItems(ctx, found)
  const { page, limit: perPage } = request
  return listPage(results, { page, perPage, total }, await countsOf(ctx, request))
}

/**
 * Thin documents as the items of a JSON list, each with what `more` adds to it; those that are gone meanwhile are left
 * out.
 */
export async function thinItems<Found extends FoundDocument>(
  ctx: Context,
  found: readonly Found[],
  more: (document: Found) => object = () => ({}),
): Promise<TextPart[]> {
  const texts = await textsOf(ctx, found)
  const added = await thinProperties(ctx, found)
  const items = found.flatMap((document, index): TextPart[] => {
    const text = texts.get(document.row)?.text
    const properties = { ...added[index], ...more(document) }
    return text === undefined ? [] : [',', text, `,${JSON.stringify(properties).slice(1)}`]
  })
  return items.slice(1)
}

/** Named copies come in the order in which they are named. */
function ordered({ ids }: DocumentsRequest, found: readonly FoundDocument[]): readonly FoundDocument[] {
  if (ids === null) return found
  const rows = new Map(found.map((one) => [DocumentId.format(one.id), one]))
  const named = ids.flatMap((id) => rows.get(DocumentId.format(id)) ?? rows.get(id.docId) ?? [])
  return [...new Set(named)]
}

/** The texts of documents, without their last brace, by row number; those that are gone meanwhile are left out. */
async function textsOf(ctx: Context, found: readonly FoundDocument[]): Promise<ReadonlyMap<number, Fragment>> {
  const fragments = new Fragments(ctx, { project: thinDocument, isOpen: true })
  const texts = new Map<number, Fragment>()
  for (const batch of batchesOf(found, BATCH, ({ bytes }) => bytes)) {
    const missing = batch.filter(({ row, type }) => {
      const cached = fragments.byRow(type, row)
      if (cached !== undefined) texts.set(row, cached)
      return cached === undefined
    })
    if (missing.length === 0) continue
    const read = await ctx.store.documents.ofRows(missing.map(({ row }) => row))
    const types = new Map(missing.map(({ row, type }) => [row, type]))
    // A document whose type has changed meanwhile may be hidden now.
    const same = read.filter(({ row, document }) => document.type === types.get(row))
    // Documents are presented together in one locale and mode.
    for (const copies of Map.groupBy(same, ({ document: { id } }) => `${id.locale}:${id.mode}`).values()) {
      for (const [row, fragment] of await fragments.make(copies)) texts.set(row, fragment)
    }
  }
  return texts
}

async function countsOf(ctx: Context, { counts, ofAllStates, ofAllTypes }: DocumentsRequest): Promise<object> {
  if (counts.length === 0) return {}
  const read = async (name: 'type' | 'state', filters: DocumentsRequest['filters']) => {
    if (!counts.includes(name)) return []
    const groups = Map.groupBy(await tallyOf(ctx, filters), (one) => one[name])
    return [[name, [...groups].map(([value, ofValue]) => ({ value, count: sumOf(ofValue) }))] as const]
  }
  return {
    counts: Object.fromEntries([...(await read('type', ofAllTypes)), ...(await read('state', ofAllStates))]),
  }
}

/** Counts what filters find; cached while that is unchanged: counting takes longer than listing. */
function tallyOf({ store, caches }: Context, filters: readonly Filter[]): Promise<readonly TypeStateCount[]> {
  const read = () => store.documents.tally(filters)
  const isSearch = filters.some(({ search }) => search !== undefined)
  return isSearch ? read() : caches.parts.fill(`tally ${JSON.stringify(filters)}`, read)
}

function sumOf(counts: readonly TypeStateCount[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0)
}
