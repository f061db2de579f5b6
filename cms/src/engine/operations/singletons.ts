import { CmsError } from '../../base/errors.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { Store } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { DeclaredContent } from '../values/declared-content.ts'
import { ownSingletonIds, possibleSingletonIds, singletonId, type TypeNames } from '../values/fixed-id.ts'
import { scopeOf } from '../view.ts'
import { write } from '../write.ts'
import { insert } from './insert.ts'

/** The types of a site, and their stored documents. */
interface SiteDocuments {
  readonly site: Pick<Site, 'types'>
  readonly store: Pick<Store, 'documents'>
}

/** The aposDocIds of the documents of singleton types in a database. One statement, if any type was renamed. */
async function singletonIds({ site, store }: SiteDocuments, names: TypeNames): Promise<(type: Type) => DocId> {
  const singletons = [...site.types.values()].filter((type) => type.singleton)
  const possible = new Map(singletons.map((type) => [type, possibleSingletonIds(names, type.name)]))
  const isRenamed = [...possible.values()].some((ids) => ids.length > 1)
  const types = isRenamed ? await store.documents.types([...possible.values()].flat()) : new Map<DocId, string>()
  return (type) =>
    possible.get(type)?.find((id) => types.get(id) === type.name) ??
    ownSingletonIds(names, type.name).find((id) => !types.has(id)) ??
    singletonId(type)
}

/** The aposDocIds of the documents of singleton types, for callers who know former names only from the database. */
export async function storedSingletonIds({
  site,
  store,
}: Pick<Context, 'site'> & { readonly store: Pick<Store, 'documents' | 'settings'> }): Promise<(type: Type) => DocId> {
  const content = new DeclaredContent(site)
  await content.preview(store)
  return singletonIds({ site, store }, content)
}

/** Makes the one document of each singleton type, in every locale, where it is missing. At start; any process may. */
export async function makeSingletons(ctx: Context, names: TypeNames): Promise<void> {
  const idOf = await singletonIds(ctx, names)
  for (const type of ctx.site.types.values()) {
    if (!type.singleton) continue
    const locales = type.localized ? [...ctx.site.locales.keys()] : ['']
    for (const locale of locales) await makeSingleton(ctx, { type, docId: idOf(type) }, locale)
  }
}

interface Singleton {
  readonly type: Type
  readonly docId: DocId
}

async function makeSingleton(ctx: Context, { type, docId }: Singleton, locale: Locale): Promise<void> {
  const { mode } = scopeOf(type, locale, 'published')
  const isMissing = (copies: { readonly published: unknown }) => copies.published === null
  const isThere = async () => !isMissing(await ctx.store.documents.copies(docId, locale))
  if (await isThere()) return
  try {
    await write(ctx, async (ctx) => {
      if (!isMissing(await ctx.tx.documents.lockCopies(docId, locale))) return
      await insert(ctx, { type, locale, mode, kind: 'trusted' }, { title: type.label }, docId)
    })
  } catch (error) {
    if (!(error instanceof CmsError && error.name === 'conflict' && (await isThere()))) throw error
  }
}
