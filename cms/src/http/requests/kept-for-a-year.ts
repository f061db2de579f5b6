const A_YEAR = 'public, max-age=31536000, immutable'
const REVALIDATED = 'public, no-cache'

/**
 * Makes the caching header of an answer whose address names a version: for a year only where the version that was asked
 * for is the one that is answered (§0.7). Else a cache would keep for a year, under an address, what is not there.
 */
export function keptForAYear(isAskedVersion: boolean, aYear = A_YEAR): { readonly 'Cache-Control': string } {
  return { 'Cache-Control': isAskedVersion ? aYear : REVALIDATED }
}
