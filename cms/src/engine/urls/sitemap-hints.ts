import type { DocId, Document } from '../../model/document.ts'
import type { Type } from '../../model/types.ts'
import type { DocumentUrl, SitemapHints, SitemapRule } from '../../model/url-metadata.ts'

/** What the metadata of a page say to sitemaps (§2.7). */
export type Hints = Pick<DocumentUrl, 'changefreq' | 'priority' | 'sitemap'>

const USUAL = { changefreq: 'daily', priority: 1 } as const

/** What was listed of a document: how many bytes its fields take. */
interface Sized {
  readonly bytes: number
}

/** No more bytes of documents are read at a time, but for a single one. */
const BATCH_BYTES = 4_000_000

/**
 * What the type of these documents says of each to sitemaps (§4.6). They are only read where the type has a function for
 * it: `read` gets some at a time.
 */
export async function hintsOf<Item extends Sized>(
  { sitemap }: Pick<Type, 'sitemap'>,
  items: readonly Item[],
  read: (items: readonly Item[]) => Promise<readonly Document[]>,
): Promise<(docId: DocId) => Hints> {
  if (typeof sitemap !== 'function') {
    const hints = shown(sitemap)
    return () => hints
  }
  const found = new Map<DocId, Hints>()
  for (const batch of batchesOf(items)) {
    // `as`: the function takes the fields of its own type.
    for (const { id, fields } of await read(batch)) found.set(id.docId, shown(sitemap(fields as never)))
  }
  return (docId) => found.get(docId) ?? shown({})
}

function shown(rule: Exclude<SitemapRule, (document: never) => unknown> | undefined): Hints {
  if (rule === false) return { sitemap: false, ...USUAL }
  const { changefreq = USUAL.changefreq, priority = USUAL.priority }: SitemapHints = rule ?? {}
  return { changefreq, priority }
}

function* batchesOf<Item extends Sized>(items: readonly Item[]): Generator<Item[]> {
  let batch: Item[] = []
  let bytes = 0
  for (const item of items) {
    if (batch.length > 0 && bytes + item.bytes > BATCH_BYTES) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(item)
    bytes += item.bytes
  }
  if (batch.length > 0) yield batch
}
