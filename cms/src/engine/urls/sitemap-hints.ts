import { batchesOf } from '../../base/batches.ts'
import { isObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import {
  CHANGE_FREQUENCIES,
  type DocumentUrl,
  type SitemapHints,
  type SitemapRule,
} from '../../model/declared/url-metadata.ts'
import type { Document } from '../../model/terms/document.ts'
import type { DocId } from '../../model/terms/document-id.ts'

/** The metadata of a page for sitemaps (§2.7). */
export type Hints = Pick<DocumentUrl, 'changefreq' | 'priority' | 'sitemap'>

const USUAL = { changefreq: 'daily', priority: 1 } as const

/** How much is read at a time. */
const BATCH = { items: Number.POSITIVE_INFINITY, bytes: 4_000_000 }

/**
 * The sitemap metadata of these documents, by the function of their type (§4.6). Documents are only read where the type
 * has a function for it: `read` gets some at a time, by the bytes that their fields take.
 */
export async function hintsOf<Item extends { readonly bytes: number }>(
  { name, sitemap }: Pick<Type, 'name' | 'sitemap'>,
  items: readonly Item[],
  read: (items: readonly Item[]) => Promise<readonly Document[]>,
): Promise<(docId: DocId) => Hints> {
  if (typeof sitemap !== 'function') {
    const hints = shown(sitemap)
    return () => hints
  }
  const found = new Map<DocId, Hints>()
  for (const batch of batchesOf(items, BATCH, ({ bytes }) => bytes)) {
    // `as`: the function takes the fields of its own type.
    for (const { id, fields } of await read(batch)) found.set(id.docId, shown(checked(name, sitemap(fields as never))))
  }
  return (docId) => found.get(docId) ?? shown({})
}

/** Checks the result of a function of the site; throws, naming the function, where it is invalid. */
function checked(name: string, given: SitemapHints | false | undefined): SitemapHints | false | undefined {
  if (given === false || given === undefined || isHints(given)) return given
  throw new Error(`The function sitemap of ${name} must return false, or { changefreq, priority } with proper values.`)
}

/** Whether sitemaps take these hints: functions of a site may be plain JavaScript. */
export function isHints(given: unknown): given is SitemapHints {
  if (!isObject(given) || given instanceof Promise) return false
  const { priority = 1, changefreq = USUAL.changefreq } = given
  return (
    typeof priority === 'number' &&
    priority >= 0 &&
    priority <= 1 &&
    CHANGE_FREQUENCIES.some((one) => one === changefreq)
  )
}

function shown(rule: Exclude<SitemapRule, (document: never) => unknown> | undefined): Hints {
  if (rule === false) return { sitemap: false, ...USUAL }
  const { changefreq = USUAL.changefreq, priority = USUAL.priority }: SitemapHints = rule ?? {}
  return { changefreq, priority }
}
