import { counted } from '../../base/text.ts'
import { storedSingletonIds } from '../../engine/operations/singletons.ts'
import { archiveId, parkedDocId } from '../../engine/pages/parked.ts'
import { DeclaredContent } from '../../engine/values/declared-content.ts'
import { compileSite } from '../../model/compile/site.ts'
import type { SiteDeclaration } from '../../model/compile/site-options.ts'
import type { Site } from '../../model/declared/types.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { OnProgress, Renamed, Store, StoreWriter } from '../../store/contract/store.ts'
import { open } from '../../store/open-store.ts'
import type { Environment } from '../command/environment.ts'
import { UsageError } from '../command/failure.ts'
import { quietLog } from '../command/json-log.ts'
import { optionsOfStored } from '../command/lost-database.ts'

/** A site, and the environment that names its database. */
interface SiteContent {
  readonly declaration: SiteDeclaration
  readonly env: Environment
}

/** How content of a locale is moved or deleted. */
interface LocaleOptions {
  /** Even where something is lost that somebody has written. */
  readonly force: boolean
  readonly onProgress: OnProgress
}

/**
 * Moves the content of a locale to the name that the site has for it now (§4.5), in one transaction. What the service
 * itself has made there gives way. What somebody has written there stays, and the moved content joins it as far as it
 * is in nobody's place; with `force` it is replaced.
 */
export function renameLocale(
  content: SiteContent,
  { from, to }: { readonly from: Locale; readonly to: Locale },
  { force, onProgress }: LocaleOptions,
): Promise<Renamed> {
  return withContent(content, async (site, store) => {
    if (!site.locales.has(to)) throw new UsageError(`The site has no locale ${to}. Rename ${from} in the site first.`)
    if (site.locales.has(from)) throw new UsageError(`The site still has the locale ${from}. Rename it there first.`)
    return store.transaction(async (tx) => {
      // Another process may serve the new name already.
      await tx.locales.lock()
      await assertThere(tx, from)
      const made = await madeByItself(site, tx.read)
      const replace = force || (await tx.read.locales.countWritten(to, made)) === 0
      return tx.locales.rename({ from, to, madeByItself: made, archive: archiveId, replace }, onProgress)
    })
  })
}

/** Deletes all content of a locale that the site no longer declares, in one transaction. How many documents it had. */
export function removeLocale(
  content: SiteContent,
  locale: Locale,
  { force, onProgress }: LocaleOptions,
): Promise<number> {
  return withContent(content, async (site, store) => {
    if (site.locales.has(locale)) {
      throw new UsageError(`The site still has the locale ${locale}. Take it out of the site first.`)
    }
    return store.transaction(async (tx) => {
      await tx.locales.lock()
      await assertThere(tx, locale)
      const written = await tx.read.locales.countWritten(locale, await madeByItself(site, tx.read))
      if (written > 0 && !force) {
        throw new UsageError(
          `${locale} has content: ${counted(written, 'document')}. To delete it for good, add --force.`,
        )
      }
      return tx.locales.remove(locale, onProgress)
    })
  })
}

/** The service is not started for this: it would make its own pages in new locales. */
async function withContent<T>(
  { declaration, env }: SiteContent,
  work: (site: Site, store: Store) => Promise<T>,
): Promise<T> {
  const site = compileSite(declaration)
  const options = await optionsOfStored(env)
  const store = await open(options.database, { ...options, log: quietLog, form: new DeclaredContent(site) })
  try {
    return await store.startUp(() => work(site, store))
  } finally {
    await store.close()
  }
}

/** Built-in pages and singletons, which are in every locale from its first start on. */
async function madeByItself(site: Site, store: Pick<Store, 'documents' | 'settings'>): Promise<DocId[]> {
  const { parked, types } = site
  const idOf = await storedSingletonIds({ site, store })
  const singletons = [...types.values()].filter((type) => type.singleton)
  return [...parked.map(({ parkedId }) => parkedDocId(parkedId)), ...singletons.map(idOf)]
}

async function assertThere(tx: StoreWriter, locale: Locale): Promise<void> {
  // Documents without locales have the empty one.
  if (locale === '') throw new UsageError('Name the locale.')
  if ((await tx.read.locales.countWritten(locale, [])) > 0) return
  throw new UsageError(`There are no documents in a locale ${locale}.`)
}
