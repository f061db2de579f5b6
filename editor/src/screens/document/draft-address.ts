/** The address of a public page as a draft; null where the document has no page here. */
export function draftAddress(given: unknown, locale: string | null): URL | null {
  if (typeof given !== 'string' || given === '') return null
  const url = new URL(given, globalThis.location.href)
  if (url.origin !== globalThis.location.origin) return null
  url.searchParams.set('aposMode', 'draft')
  if (locale !== null) url.searchParams.set('aposLocale', locale)
  return url
}
