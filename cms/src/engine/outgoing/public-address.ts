import { assertReachable, PrivateAddress } from '../embeds/public-lookup.ts'

/** The site option that allows private networks and http. */
export type AllowingOption = 'webhooks' | 'purge'

/** The refusal of a receiver at a private address. */
export function privateAddress(option: AllowingOption): Error {
  return new Error(
    `The address of the receiver is not on the public internet. The site option ${option}.allowPrivate allows it.`,
  )
}

/** Throws for addresses that nothing is ever sent to: those without https, and private IP addresses. */
export function assertPublic(url: URL, option: AllowingOption): void {
  if (url.protocol !== 'https:') throw new Error('The address of a receiver must begin with https:.')
  try {
    assertReachable(url.hostname, [])
  } catch (error) {
    throw error instanceof PrivateAddress ? privateAddress(option) : error
  }
}
