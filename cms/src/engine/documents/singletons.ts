import { CmsError } from '../../base/errors.ts'
import { late } from '../../base/late.ts'
import type { DocId, Locale } from '../../model/document.ts'
import type { Type } from '../../model/types.ts'
import type { Context } from '../context.ts'
import { scopeOf } from '../related.ts'
import { write } from '../write.ts'
import { fixedId } from './fixed-id.ts'

const insert = late(() => import('./insert.ts'), 'insert')

/** The aposDocId of the one document of a singleton type, the same in every locale. */
export function singletonId(type: Type): DocId {
  return fixedId(type.name)
}

/** Makes the one document of each singleton type, in every locale, where it is missing. At start; any process may. */
export async function makeSingletons(ctx: Context): Promise<void> {
  for (const type of ctx.site.types.values()) {
    if (!type.singleton) continue
    const locales = type.localized ? [...ctx.site.locales.keys()] : ['']
    for (const locale of locales) await makeSingleton(ctx, type, locale)
  }
}

async function makeSingleton(ctx: Context, type: Type, locale: Locale): Promise<void> {
  const docId = singletonId(type)
  const { mode } = scopeOf(type, locale, 'published')
  const isMissing = (copies: { readonly published: unknown }) => copies.published === null
  const isThere = async () => !isMissing(await ctx.store.documents.copies(docId, locale))
  if (await isThere()) return
  try {
    await write(ctx, async (ctx) => {
      if (!isMissing(await ctx.tx.documents.lockCopies(docId, locale))) return
      await insert(ctx, { type, locale, mode, isMadeAtStart: true }, { title: type.label }, docId)
    })
  } catch (error) {
    if (!(error instanceof CmsError && error.name === 'conflict' && (await isThere()))) throw error
  }
}
