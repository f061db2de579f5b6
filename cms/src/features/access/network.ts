import { isIPv6 } from 'node:net'

/** What counts as one sender: an IPv4 address, or the /64 network of an IPv6 one, which one household has whole. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1] ?? address
  const [plain = ''] = address.split('%', 1)
  if (!isIPv6(plain)) return address
  // The URL parser writes every address in one way, with at most one `::`.
  const text = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [head = '', tail = ''] = text.split('::', 2)
  const groups = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const filled = text.includes('::') ? Array<string>(8 - groups.length - after.length).fill('0') : []
  return `${[...groups, ...filled, ...after].slice(0, 4).join(':')}::/64`
}
