import { waitForTurn } from '../../base/turns.ts'
import type { DocId } from '../../model/terms/document.ts'
import type { StoredReference } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { fixedId } from '../values/fixed-id.ts'
import { viewsOf } from '../view.ts'

/** How many documents' references are read at a time. */
const BATCH = 1000

/**
 * The attachments that these documents and those of the whole site use, themselves or through what their relationships
 * and texts lead to, as far as visitors may see it (§4.6). One statement for each 1,000 documents.
 */
export async function usedAttachments(ctx: Context, docIds: Iterable<DocId>): Promise<Set<string>> {
  const used = new Set<string>()
  const ids = [...docIds, ...['global', 'styles'].map((name) => fixedId(`${ctx.site.namespace}/${name}`))]
  const reached = new Set(ids)
  // The list grows by what is found.
  for (let start = 0; start < ids.length; ) {
    await waitForTurn()
    const batch = ids.slice(start, start + BATCH)
    start += batch.length
    const found = await ctx.store.documents.references(batch, ctx.locale)
    for (const { kind, id } of found.filter(isSeen(ctx))) {
      if (kind === 'attachment') used.add(id)
      if (kind === 'attachment' || reached.has(id)) continue
      reached.add(id)
      ids.push(id)
    }
  }
  return used
}

/** Whether visitors may see the field that a reference lies in. */
function isSeen(ctx: Context): (reference: StoredReference) => boolean {
  const views = viewsOf(ctx)
  return ({ type, indexName }) => {
    const view = views.of(type)
    return view !== null && (indexName === '*' || view.field(indexName) !== null)
  }
}
