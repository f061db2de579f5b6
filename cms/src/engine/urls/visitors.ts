import type { Locale } from '../../model/terms/document-id.ts'
import type { Context } from '../context.ts'
import { seesLocale } from '../permissions.ts'

/** The context of anonymous visitors: lists for all hold what anybody may see, independent of the caller. */
export function visitorsContext(ctx: Context): Context {
  return { ...ctx, actor: { kind: 'anonymous', visits: true }, mode: 'published' }
}

/** The public locales at the host of the context's locale: of sites without host names, all. */
export function publicLocalesAtHost({ site, locale }: Context): Locale[] {
  const viewer = { site, actor: { kind: 'anonymous' } } as const
  const hostname = site.locales.get(locale)?.hostname ?? null
  const onHost = [...site.locales.values()].filter((one) => one.hostname === hostname)
  return onHost.map(({ name }) => name).filter((name) => seesLocale(viewer, name))
}
