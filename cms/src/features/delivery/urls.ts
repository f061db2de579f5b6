import type { Site } from '../../model/types.ts'

type SiteFacts = Pick<Site, 'static'>

/** The URL of an index page with one filter: `?topics=art`, or `/topics/art` where URLs are paths (§4.6). */
export function filterUrl(site: SiteFacts, pageUrl: string, name: string, value: string | number | boolean): string {
  const text = encodeURIComponent(String(value))
  return site.static
    ? `${pageUrl.replace(/\/$/, '')}/${name}/${text}`
    : `${pageUrl}?${encodeURIComponent(name)}=${text}`
}
