import type { Site, Type } from '../../model/declared/types.ts'
import type { DocId } from '../../model/terms/document.ts'
import type { Store } from '../../store/contract/store.ts'
import { DeclaredContent } from '../values/declared-content.ts'
import { singletonIds } from './singletons.ts'

/** What reads a site and its database. */
interface Stored {
  readonly site: Site
  readonly store: Pick<Store, 'documents' | 'settings'>
}

/** The aposDocIds of the documents of singleton types, for callers to whom only the database tells former names. */
export async function storedSingletonIds({ site, store }: Stored): Promise<(type: Type) => DocId> {
  const content = new DeclaredContent(site)
  await content.preview(store)
  return singletonIds({ site, store }, content)
}
