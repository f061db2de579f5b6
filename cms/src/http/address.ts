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

/**
 * Reads a request's target, `/prefix/fr/api/v1/article?page=2`, sent to a host (`hostOf`). Outside of the site's prefix:
 * `notfound`.
 */
export function addressOf(site: Pick<Site, 'prefix' | 'locales'>, target: string, host = ''): Address {
  const url = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '')
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const queryText = mark < 0 ? '' : url.slice(mark + 1)
  const below = pathBelow(path, site.prefix)
  if (below === null) throw notFound()
  const locale = localeOf(site.locales.values(), below, host)
  const rest = locale === null ? below : below.slice(locale.prefix.length)
  return { steps: stepsOf(rest), queryText, locale: locale?.name ?? null }
}

/** The locale with the longest prefix that the path begins with; of several with one prefix, that of the host. */
function localeOf(locales: Iterable<LocaleOptions>, path: string, host: string): LocaleOptions | null {
  let found: LocaleOptions | null = null
  for (const locale of locales) {
    const gain = locale.prefix.length - (found?.prefix.length ?? 0)
    const isBetter = gain > 0 || (gain === 0 && found !== null && isAt(host, locale) && !isAt(host, found))
    if (isBetter && pathBelow(path, locale.prefix) !== null) found = locale
  }
  return found
}

function isAt(host: string, { hostname }: LocaleOptions): boolean {
  return hostname !== null && (hostname === host || hostname === withoutPort(host))
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '')
}

function pathBelow(path: string, prefix: string): string | null {
  if (!path.startsWith(prefix)) return null
  const rest = path.slice(prefix.length)
  return rest === '' || rest.startsWith('/') ? rest : null
}

/** The host that a request was sent to, with its port if any: the forwarded one where the site trusts its proxy. */
export function hostOf({ trustProxy }: Pick<Site, 'trustProxy'>, headers: IncomingHttpHeaders): string {
  const forwarded = trustProxy ? headers['x-forwarded-host'] : undefined
  const hosts = String(forwarded ?? headers.host ?? '').split(',')
  return (hosts.at(-1) ?? '').trim().toLowerCase()
}

/**
 * Finds the locale of the host that a request was sent to: of several, the one without a prefix, else the first. Null
 * where locales have no host names, and for other hosts. A host name without a port stands for every port.
 */
export function hostLocales(
  site: Pick<Site, 'locales' | 'trustProxy'>,
): (headers: IncomingHttpHeaders) => Locale | null {
  const byHost = new Map<string, LocaleOptions>()
  for (const locale of site.locales.values()) {
    const host = locale.hostname?.toLowerCase()
    if (!host) continue
    const first = byHost.get(host)
    if (!first || (first.prefix !== '' && locale.prefix === '')) byHost.set(host, locale)
  }
  if (byHost.size === 0) return () => null
  return (headers) => {
    const host = hostOf(site, headers)
    return (byHost.get(host) ?? byHost.get(withoutPort(host)))?.name ?? null
  }
}
