import type { SiteDeclaration } from '../model/site-options.ts'
import type { LocaleCount, LocaleSlug } from '../store/store.ts'
import type { Environment } from './environment-variables.ts'
import { quietLog } from './log.ts'
import { optionsOfExisting } from './lost-database.ts'

/** How many values of one field are set aside. */
export interface AsideCount {
  /** The field, with its type: `article.links`; items and widgets are not told apart. */
  readonly field: string
  /** The field type that they were stored under. */
  readonly type: string
  readonly count: number
}

const BATCH = 200

/** What a site would not show of what its database stores. */
export interface ContentCheck {
  readonly setAside: readonly AsideCount[]
  readonly unknownLocales: readonly LocaleCount[]
  /** Pages at whose slugs the service or another locale answers: a hundred at most. */
  readonly unreached: readonly LocaleSlug[]
}

/**
 * Counts the values that would be set aside (§2.14), and the documents that would not be served (§4.5), if the database
 * were served with this site. Changes nothing.
 */
export async function checkContent(declaration: SiteDeclaration, env: Environment): Promise<ContentCheck> {
  const [{ compileSite }, { allReservedSlugs }, { open }, { DeclaredContent }, { valuesSetAsideIn }] =
    await Promise.all([
      import('../model/site.ts'),
      import('../model/reserved-slugs.ts'),
      import('../store/open.ts'),
      import('../engine/documents/declared-content.ts'),
      import('../engine/documents/set-aside.ts'),
    ])
  const site = compileSite(declaration)
  const content = new DeclaredContent(site)
  const { database } = await optionsOfExisting(env)
  const store = await open(database, { log: quietLog, migrate: false, form: content })
  const counts = new Map<string, AsideCount>()
  try {
    await content.preview(store)
    for (let last = 0; ; ) {
      const stored = await store.documents.following(last, BATCH)
      if (stored.length === 0) break
      for (const { document } of stored) {
        const type = site.types.get(document.type)
        for (const { path, aside } of type ? valuesSetAsideIn(type, document.fields) : []) {
          const field = `${document.type}.${withoutIds(path)}`
          const key = `${field} ${aside.type}`
          counts.set(key, { field, type: aside.type, count: (counts.get(key)?.count ?? 0) + 1 })
        }
      }
      last = stored.at(-1)?.row ?? last
    }
    const unknownLocales = await store.locales.others([...site.locales.keys()])
    const unreached = await store.locales.pagesAt(allReservedSlugs(site))
    return { setAside: [...counts.values()], unknownLocales, unreached }
  } finally {
    await store.close()
  }
}

/** `items.01m80….to` → `items.to`. */
function withoutIds(path: string): string {
  return path.replaceAll(/\.[0-9a-hj-km-np-tv-z]{26}(?=\.|$)/g, '')
}
