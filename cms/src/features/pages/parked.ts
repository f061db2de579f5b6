import type { Context, WriteContext } from '../../engine/context.ts'
import { fixedId } from '../../engine/fixed-id.ts'
import { insert } from '../../engine/insert.ts'
import { write } from '../../engine/write.ts'
import type { DocId, Locale } from '../../model/document.ts'
import type { ParkedPage, Site } from '../../model/types.ts'
import { endOf, topOf } from './position.ts'

/** The aposDocIds of the two pages that every site has, the same in every locale. */
export const homeId = parkedDocId('home')
export const archiveId = parkedDocId('archive')

/** The aposDocId of a built-in page. */
export function parkedDocId(parkedId: string): DocId {
  return fixedId(`page ${parkedId}`)
}

/** What a site says of a built-in page; null for all other pages. */
export function parkedPage(site: Site, docId: DocId): ParkedPage | null {
  return site.parked.find(({ parkedId }) => parkedDocId(parkedId) === docId) ?? null
}

/** True for the types of home and archive: no other page may be of them. */
export function isFixedType(site: Site, typeName: string): boolean {
  return site.parked.some(({ parkedId, type }) => (parkedId === 'home' || parkedId === 'archive') && type === typeName)
}

/** Makes the built-in pages of every locale where they are missing. At start; any process may (§2.2, decisions 4.2). */
export async function makeParkedPages(ctx: Context): Promise<void> {
  for (const locale of ctx.site.locales.keys()) {
    for (const parked of ctx.site.parked) {
      const isMissing = (await ctx.store.tree.place(locale, parkedDocId(parked.parkedId))) === null
      if (isMissing) await write(ctx, (ctx) => makeParkedPage(ctx, locale, parked))
    }
  }
}

async function makeParkedPage(ctx: WriteContext, locale: Locale, parked: ParkedPage): Promise<void> {
  const docId = parkedDocId(parked.parkedId)
  const type = ctx.site.types.get(parked.type)
  if (!type) throw new Error(`The built-in page ${parked.parkedId} is of an unknown type.`)
  await ctx.tx.tree.hold(locale)
  if (await ctx.tx.tree.place(locale, docId)) return
  const home = docId === homeId ? null : await ctx.tx.tree.place(locale, homeId)
  const place = home === null ? topOf(docId) : await endOf(ctx, locale, home, docId)
  // Of two processes that start at once, the one that comes second finds the place taken, and leaves it.
  if (!(await ctx.tx.tree.insert(locale, place))) return
  const { title, slug, fields } = parked
  const archived = docId === archiveId
  await insert(ctx, { type, locale, mode: 'published' }, { ...fields, title, slug, archived }, docId)
}
