import type { ContentFindings } from '../engine/documents/content-findings.ts'
import type { NotServed } from '../engine/documents/not-served.ts'
import type { SiteDeclaration } from '../model/site-options.ts'
import type { LocaleSlug } from '../store/store.ts'
import type { Environment } from './environment-variables.ts'
import { quietLog } from './log.ts'
import { optionsOfStored } from './lost-database.ts'

const BATCH = 200

/** What a site would not show of what its database stores, or show although its fields no longer take it. */
export interface ContentCheck extends NotServed, ContentFindings {
  /** Pages at whose slugs the service or another locale answers: a hundred at most. */
  readonly unreached: readonly LocaleSlug[]
}

/**
 * Looks for values that would be set aside (§2.14), or that fields take no longer, and for documents that would not be
 * served (§4.5), if the database were served with this site. Changes nothing.
 */
export async function checkContent(
  declaration: SiteDeclaration,
  env: Environment,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<ContentCheck> {
  const [{ compileSite }, { allReservedSlugs }, { open }, { DeclaredContent }, { FindingsCounter }, { notServed }] =
    await Promise.all([
      import('../model/site.ts'),
      import('../model/reserved-slugs.ts'),
      import('../store/open.ts'),
      import('../engine/documents/declared-content.ts'),
      import('../engine/documents/content-findings.ts'),
      import('../engine/documents/not-served.ts'),
    ])
  const site = compileSite(declaration)
  const content = new DeclaredContent(site)
  const { database } = await optionsOfStored(env)
  const store = await open(database, { log: quietLog, migrate: false, form: content })
  const counter = new FindingsCounter(site)
  try {
    await content.preview(store)
    const total = await store.locales.countCopies()
    let done = 0
    for (let last = 0; ; ) {
      const stored = await store.documents.following(last, BATCH)
      if (stored.length === 0) break
      for (const { document } of stored) counter.look(document)
      last = stored.at(-1)?.row ?? last
      done += stored.length
      onProgress(Math.min(done, total), total)
    }
    const unreached = await store.locales.pagesAt(allReservedSlugs(site))
    return { ...counter.found(), ...(await notServed({ site, store })), unreached }
  } finally {
    await store.close()
  }
}
