import { allReservedSlugs } from '../../model/declared/reserved-slugs.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Locale } from '../../model/terms/document-id.ts'
import type { ScheduledCount, ScheduledScope, TypeCount } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'

/** The content of a database that the site does not declare: it is kept, and not served (§2.14). */
export interface NotServed {
  /** Types that the site does not have. */
  readonly types: readonly { readonly type: string; readonly documents: number }[]
  /** Locales that it does not have, with the documents of types that it has. */
  readonly locales: readonly { readonly locale: Locale; readonly documents: number }[]
  /** Of types that were localized and no longer are, or the other way round. */
  readonly misplaced: readonly TypeCount[]
  /**
   * Documents that have a time at which they would be published or archived, if their types were scheduled here (§3.9).
   */
  readonly scheduled: readonly ScheduledCount[]
}

/** Counts such documents: two statements, and another one where there are any. */
export async function notServed({ site, store }: Pick<Context, 'site' | 'store'>): Promise<NotServed> {
  const all = await store.locales.types()
  const isMisplaced = ({ type, locale }: { readonly type: string; readonly locale: Locale }) =>
    (site.types.get(type)?.localized ?? locale !== '') !== (locale !== '')
  const others = all.filter(
    (one) => !site.types.has(one.type) || isMisplaced(one) || (one.locale !== '' && !site.locales.has(one.locale)),
  )
  const counts = await store.locales.counts(others)
  const known = counts.filter(({ type }) => site.types.has(type))
  return {
    types: total(counts, ({ type }) => (site.types.has(type) ? null : type)).map(([type, documents]) => {
      return { type, documents }
    }),
    locales: total(known, (one) => (isMisplaced(one) ? null : one.locale)).map(([locale, documents]) => {
      return { locale, documents }
    }),
    misplaced: known.filter(isMisplaced),
    scheduled: await store.schedules.outside(scheduledScope(site)),
  }
}

/** The documents whose schedules the site carries out. Other schedules are kept until it does (§2.14). */
export function scheduledScope({ types, locales }: Pick<Site, 'types' | 'locales'>): ScheduledScope {
  const scheduled = [...types.values()].filter((type) => type.scheduling)
  return { types: scheduled.map(({ name }) => name), locales: [...locales.keys()] }
}

/** Documents are counted in each locale. */
function total(counts: readonly TypeCount[], nameOf: (one: TypeCount) => string | null): [string, number][] {
  const found = new Map<string, number>()
  for (const one of counts) {
    const name = nameOf(one)
    if (name !== null) found.set(name, (found.get(name) ?? 0) + one.documents)
  }
  return [...found]
}

/**
 * Content of types and in locales that the site does not declare is kept and not served (§2.14): the log says how much.
 */
export async function logNotServed(ctx: Context): Promise<void> {
  const { types, locales, misplaced, scheduled } = await notServed(ctx)
  if (scheduled.length > 0) {
    ctx.log.warn(
      { scheduled: scheduled.map(({ type, locale, documents }) => ({ type, locale, documents })) },
      'Documents are scheduled to be published or archived, but the site does not schedule their types. The schedules are kept, and not carried out.',
    )
  }
  if (types.length + locales.length + misplaced.length === 0) return
  ctx.log.warn(
    {
      ...(types.length > 0 && { types: Object.fromEntries(types.map((one) => [one.type, one.documents])) }),
      ...(locales.length > 0 && { locales: Object.fromEntries(locales.map((one) => [one.locale, one.documents])) }),
      ...(misplaced.length > 0 && { misplaced: Object.fromEntries(misplaced.map((one) => [one.type, one.documents])) }),
    },
    'The database has documents that the site does not declare. They are kept, and not served: quire check --content',
  )
}

/**
 * A locale may have been added whose prefix is the slug of a page (§4.2b): the log says which pages cannot be reached.
 */
export async function logUnreachedPages({ site, store, log }: Context): Promise<void> {
  const pages = await store.locales.pagesAt(allReservedSlugs(site))
  if (pages.length === 0) return
  log.warn({ pages }, 'Pages have slugs at which the service or another locale answers. Give them other slugs.')
}
