import { notFound } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { countSitemapFiles, sitemapFile, sitemapIndex } from './sitemap.ts'

/** The sitemap, or the index of its files. */
export async function sitemap(ctx: Context): Promise<string | Uint8Array> {
  const { bytes, files } = await sitemapFile(ctx, 1)
  return bytes === null || files > 1 ? sitemapIndex(ctx, files) : bytes
}

/** A file of a sitemap that takes several, by its name: `2.xml`. Throws `notfound`. */
export async function numberedSitemap(
  ctx: Context,
  { file = '' }: { readonly [name: string]: string },
): Promise<Uint8Array> {
  const [, number] = /^([1-9]\d{0,5})\.xml$/.exec(file) ?? []
  const files = number === undefined ? 1 : await countSitemapFiles(ctx)
  const found = files === 1 || Number(number) > files ? null : await sitemapFile(ctx, Number(number))
  // Null where the content has changed meanwhile.
  if (found === null || found.bytes === null) throw notFound()
  return found.bytes
}

/** The paths of the files of a sitemap that takes several; none where it is one. */
export async function sitemapPaths(ctx: Context): Promise<readonly string[]> {
  const files = await countSitemapFiles(ctx)
  return files === 1 ? [] : Array.from({ length: files }, (_, index) => `/sitemaps/${index + 1}.xml`)
}
