import { foldText } from '../../base/text.ts'
import type { WriteContext } from '../../engine/context.ts'
import { insert } from '../../engine/operations/insert.ts'
import { archiveId, homeId, parkedDocId } from '../../engine/pages/parked.ts'
import type { ParkedPage } from '../../model/declared/types.ts'
import type { Locale } from '../../model/terms/document.ts'
import { below } from './position.ts'
import { slugOfCopy } from './slugs.ts'
import { recordUrls } from './urls.ts'

/** Makes one built-in page of a locale, unless it is there. */
export async function parkPage(ctx: WriteContext, locale: Locale, parked: ParkedPage): Promise<void> {
  const docId = parkedDocId(parked.parkedId)
  const type = ctx.site.types.get(parked.type)
  if (!type) throw new Error(`The built-in page ${parked.parkedId} is of an unknown type.`)
  await ctx.tx.tree.lock([locale])
  // Of two processes that start at once, the one that comes second finds the page and leaves it.
  if (await ctx.tx.read.tree.position(locale, docId)) return
  const home = docId === homeId ? undefined : (await ctx.tx.read.tree.nodes(locale, [homeId])).get(homeId)
  // The archive comes right after home, and stays the last.
  const rank = (home?.children ?? 0) - (docId === archiveId ? 0 : 1)
  if (!(await ctx.tx.tree.insert(locale, below(home?.position ?? null, docId, rank)))) return
  const { title, slug, fields } = parked
  const archived = docId === archiveId
  const target = { type, locale, mode: 'published', yieldsSlug: true, isMadeAtStart: true } as const
  const made = slugOfCopy(await insert(ctx, target, { ...fields, title, slug, archived }, docId)) ?? slug
  if (!archived) await recordUrls(ctx, locale, [{ docId, from: null, to: made }])
  if (foldText(made) === foldText(slug)) return
  const why = `The slug ${slug} is another page’s, never reached, or none: a built-in page has ${made} instead.`
  ctx.afterCommit(() => ctx.log.warn({ parkedId: parked.parkedId, locale, slug: made }, why))
}
