/** Where the editor is, and the front ends that show the site. */
export interface PageAddresses {
  /** The origin of the editor, which is that of the service. */
  readonly here: string
  /** `editor.frontends` of the schema. */
  readonly frontends: readonly string[]
}

/**
 * Where the draft of a document is drawn, marked for whoever edits it: at the front end that its address names, where it names
 * none at the first one, and on a site without any at the service itself. Null for documents without a page there.
 */
export function draftAddress(publicUrl: unknown, addresses: PageAddresses, locale: string | null): string | null {
  const url = pageUrl(publicUrl, addresses)
  if (url === null) return null
  url.searchParams.set('aposMode', 'draft')
  url.searchParams.set('aposEdit', '1')
  if (locale !== null) url.searchParams.set('aposLocale', locale)
  return url.href
}

/** Where the page of a document is that is published, at the same place as its draft. */
export function publishedAddress(publicUrl: unknown, addresses: PageAddresses): string | null {
  return pageUrl(publicUrl, addresses)?.href ?? null
}

function pageUrl(publicUrl: unknown, { here, frontends }: PageAddresses): URL | null {
  if (typeof publicUrl !== 'string' || publicUrl === '') return null
  const url = new URL(publicUrl, here)
  const [first = here] = frontends
  const origin = url.origin === here && !frontends.includes(here) ? first : url.origin
  if (origin !== here && !frontends.includes(origin)) return null
  // Whole: a path may begin with two slashes, and would name another site.
  return new URL(origin + url.pathname + url.search)
}
