import type { DocumentId } from '../../model/terms/document-id.ts'
import type { StoredDocument } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { indexed } from '../save/change.ts'

const BATCH = 200

/** The copies that were compared with the index, and those that it holds otherwise. */
interface CheckedIndex {
  readonly checked: number
  readonly wrong: readonly { readonly type: string; readonly id: DocumentId }[]
}

/** Compares the index of lists with what it is made of: so many copies, drawn at random, or all. Changes nothing. */
export async function checkIndexRows(
  { site, store }: Pick<Context, 'site' | 'store'>,
  sample: number | 'all',
): Promise<CheckedIndex> {
  const { documents } = store
  const rows = sample === 'all' ? null : await documents.randomRows(sample)
  const wrong: { type: string; id: DocumentId }[] = []
  let checked = 0
  for (let last = 0; ; ) {
    const stored = await (rows === null ? documents.following(last, BATCH) : documents.numbered(rows, last, BATCH))
    if (stored.length === 0) return { checked, wrong }
    const copies = stored.flatMap(({ row, document }: StoredDocument) => {
      const type = site.types.get(document.type)
      return type === undefined ? [] : [{ row, document, indexRows: indexed(type, document) }]
    })
    const others = new Set(await documents.indexedOtherwise(copies))
    for (const { row, document } of copies) if (others.has(row)) wrong.push({ type: document.type, id: document.id })
    checked += copies.length
    last = stored.at(-1)?.row ?? last
  }
}
