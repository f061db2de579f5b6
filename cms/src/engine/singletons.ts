import { createHash } from 'node:crypto'
import { CmsError } from '../base/errors.ts'
import type { Locale } from '../model/document.ts'
import type { Type } from '../model/types.ts'
import type { Context } from './context.ts'
import { insert } from './insert.ts'
import { scopeOf } from './locate.ts'
import { write } from './write.ts'

/** Makes the one document of each singleton type, in every locale, where it is missing. At start; any process may. */
export async function makeSingletons(ctx: Context): Promise<void> {
  for (const type of ctx.site.types.values()) {
    if (!type.singleton) continue
    const locales = type.localized ? [...ctx.site.locales.keys()] : ['']
    for (const locale of locales) await makeSingleton(ctx, type, locale)
  }
}

/** The aposDocId of a singleton: the same in every locale and on every machine, so that two starts make one document. */
export function singletonId(type: Type): string {
  const digest = createHash('sha256').update(type.name).digest('hex')
  return `s${digest.slice(0, 25)}`
}

async function makeSingleton(ctx: Context, type: Type, locale: Locale): Promise<void> {
  const docId = singletonId(type)
  const { mode } = scopeOf(type, locale, 'published')
  const isMissing = (copies: { readonly published: unknown }) => copies.published === null
  const isThere = async () => !isMissing(await ctx.store.documents.copies(docId, locale))
  if (await isThere()) return
  try {
    await write(ctx, async (ctx) => {
      if (!isMissing(await ctx.tx.documents.copies(docId, locale))) return
      await insert(ctx, { type, locale, mode }, { title: type.label }, docId)
    })
  } catch (error) {
    if (!(error instanceof CmsError && error.name === 'conflict' && (await isThere()))) throw error
  }
}
