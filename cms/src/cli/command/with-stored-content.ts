import { DeclaredContent } from '../../engine/values/declared-content.ts'
import type { Site } from '../../model/declared/types.ts'
import type { AppOptions } from '../../service.ts'
import type { Store } from '../../store/contract/store.ts'
import { open } from '../../store/open-store.ts'
import { quietLog } from './json-log.ts'

/**
 * Runs `work` with the database as it is, read as if it were served with this site. Nothing is migrated or recorded.
 */
export async function withStoredContent<T>(
  options: AppOptions,
  site: Site,
  work: (store: Store, content: DeclaredContent) => Promise<T>,
): Promise<T> {
  const content = new DeclaredContent(site)
  const store = await open(options.database, { ...options, log: quietLog, migrate: false, form: content })
  try {
    await content.preview(store)
    return await work(store, content)
  } finally {
    await store.close()
  }
}
