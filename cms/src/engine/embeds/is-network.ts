import { isIP } from 'node:net'

/** True for a network as `10.1.0.0/16` or `fd00::/8`. */
export function isNetwork(text: string): boolean {
  const [, address = '', bits = ''] = /^([^/%]+)\/(\d{1,3})$/.exec(text) ?? []
  const version = isIP(address)
  return version !== 0 && Number(bits) <= (version === 4 ? 32 : 128)
}
