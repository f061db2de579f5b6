import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The one block that global IPv6 addresses come from. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Resolves the name of a host to all its addresses. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

const resolveAll: Resolve = (host) => lookup(host, { all: true })

/** The host is not on the public internet. */
export class PrivateAddress extends Error {}

/**
 * True for an address of the public internet: no private, loopback, link-local, multicast or otherwise reserved one, no
 * IPv4 address written as an IPv6 one; and true for all in `networks` (`10.1.0.0/16`).
 */
export function isReachable(text: string, networks: readonly string[]): boolean {
  const address = ipaddr.parse(text)
  if (networks.some((network) => contains(ipaddr.parseCIDR(network), address))) return true
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6)
}

function contains([network, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number], address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return network.kind() === address.kind() && address.match(network, bits)
}

/** Throws `PrivateAddress` for a host that is an address which may not be connected to: sockets do not look it up. */
export function assertReachable(host: string, networks: readonly string[]): void {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) > 0 && !isReachable(address, networks)) throw new PrivateAddress(host)
}

/**
 * The lookup of a socket that is to reach the public internet only. What it answers is what the socket connects to, so
 * that a name cannot resolve to another address in between; a name with one private address is refused as a whole.
 */
export function publicLookup(networks: readonly string[], resolve: Resolve = resolveAll): LookupFunction {
  return (host, options, done) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses
        if (first === undefined || !addresses.every(({ address }) => isReachable(address, networks)))
          done(new PrivateAddress(host), [])
        else if (options.all) done(null, [...addresses])
        else done(null, first.address, first.family)
      },
      (error: Error) => done(error, []),
    )
  }
}
