import { assertReachable, PrivateAddress } from '../embeds/public-lookup.ts'

/** The site option that allows private networks and http. */
export type AllowingOption = 'webhooks' | 'purge'

/** Says for a private address which site option allows it; all other errors stay as they are. */
export function namingOption(error: unknown, option: AllowingOption): unknown {
  if (!(error instanceof PrivateAddress)) return error
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
    throw namingOption(error, option)
  }
}
