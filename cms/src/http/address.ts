import type { IncomingHttpHeaders } from 'node:http'
import { notFound } from '../base/errors.ts'
import type { Locale } from '../model/document.ts'
import type { LocaleOptions, Site } from '../model/types.ts'
import { stepsOf } from './router.ts'

/** Where a request goes: the steps of its path below the site's and the locale's prefix, and the rest. */
export interface Address {
  readonly steps: readonly string[]
  readonly queryText: string
  /** The locale that the path begins with, or null. */
  readonly locale: Locale | null
}

/** Reads a request's target, `/prefix/fr/api/v1/article?page=2`. Outside of the site's prefix: `notfound`. */
export function addressOf(site: Pick<Site, 'prefix' | 'locales'>, target: string): Address {
  const url = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '')
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const queryText = mark < 0 ? '' : url.slice(mark + 1)
  const below = pathBelow(path, site.prefix)
  if (below === null) throw notFound()
  const locale = localeOf(site.locales.values(), below)
  const rest = locale === null ? below : below.slice(locale.prefix.length)
  return { steps: stepsOf(rest), queryText, locale: locale?.name ?? null }
}

/** The locale with the longest prefix that the path begins with. */
function localeOf(locales: Iterable<LocaleOptions>, path: string): LocaleOptions | null {
  let found: LocaleOptions | null = null
  for (const locale of locales) {
    const isLonger = locale.prefix.length > (found?.prefix.length ?? 0)
    if (isLonger && pathBelow(path, locale.prefix) !== null) found = locale
  }
  return found
}

function pathBelow(path: string, prefix: string): string | null {
  if (!path.startsWith(prefix)) return null
  const rest = path.slice(prefix.length)
  return rest === '' || rest.startsWith('/') ? rest : null
}

/** Finds the locale whose host name a request was sent to; null where locales have none. */
export function hostLocales(
  site: Pick<Site, 'locales' | 'trustProxy'>,
): (headers: IncomingHttpHeaders) => Locale | null {
  const byHost = new Map<string, Locale>()
  for (const { name, hostname } of site.locales.values()) if (hostname) byHost.set(hostname.toLowerCase(), name)
  if (byHost.size === 0) return () => null
  return (headers) => {
    const forwarded = site.trustProxy ? headers['x-forwarded-host'] : undefined
    const host =
      String(forwarded ?? headers.host ?? '')
        .split(',')
        .at(-1) ?? ''
    return byHost.get(host.trim().toLowerCase().replace(/:\d+$/, '')) ?? null
  }
}
