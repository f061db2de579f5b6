import { type NotServed, notServed } from '../../engine/lists/not-served.ts'
import { type ContentFindings, FindingsCounter } from '../../engine/values/content-findings.ts'
import { DeclaredContent } from '../../engine/values/declared-content.ts'
import { compileSite } from '../../model/compile/site.ts'
import type { SiteDeclaration } from '../../model/compile/site-options.ts'
import { allReservedSlugs } from '../../model/declared/reserved-slugs.ts'
import type { LocaleSlug } from '../../store/contract/store.ts'
import { open } from '../../store/open-store.ts'
import type { Environment } from '../command/environment.ts'
import { quietLog } from '../command/json-log.ts'
import { optionsOfStored } from '../command/lost-database.ts'

const BATCH = 200

/** Finds stored content that a site would not serve, or would serve although its fields no longer accept it. */
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
