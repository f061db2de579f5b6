/** The beginning of an internal link; the aposDocId follows (§2.13). */
export const PERMALINK = '#apostrophe-permalink-'
/** An internal link in a tag. */
export const LINK = /\shref="#apostrophe-permalink-([a-z0-9]+)(?:\?([^"]*))?"/
/** An image of the site in a tag. */
export const IMAGE = /\ssrc="[^"]*\/api\/v1\/@[a-z][a-z0-9-]*\/image\/([a-z0-9]+)(?::[^"/]*)?\/src"/

/** The aposDocId of the document that an internal link leads to. */
export function linkedDocument(href: string): string | undefined {
  return LINK.exec(` href="${href}"`)?.[1]
}

/** The aposDocId of the image of the site that an address shows. */
export function shownImage(src: string): string | undefined {
  return IMAGE.exec(` src="${src}"`)?.[1]
}

/** The form of a host as sites declare it, `example.org:8080`; `*.example.org` stands for all its subdomains. */
export const HOST = '(\\*\\.)?[a-z0-9-]+(\\.[a-z0-9-]+)*(:\\d+)?'

/** True when an address is at such a host. */
export function isAtHost(url: URL, host: string): boolean {
  return host.startsWith('*.') ? url.host.endsWith(host.slice(1)) : url.host === host
}
