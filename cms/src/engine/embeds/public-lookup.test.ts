import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { assertReachable, isReachable, PrivateAddress, publicLookup } from './public-lookup.ts'

const PUBLIC = ['8.8.8.8', '93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '2a00:1450:4001:81b::200e']
const PRIVATE = [
  ...['0.0.0.0', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.9.9.9', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
  ...['192.0.0.1', '192.0.2.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.1.1.1'],
  ...['240.0.0.1', '255.255.255.255', '::', '::1', '::127.0.0.1', '::8.8.8.8', '::ffff:127.0.0.1', '::ffff:8.8.8.8'],
  ...['64:ff9b::7f00:1', '64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', 'fc00::1', 'fd12::1'],
  ...['fe80::1', 'fe80::1%lo', 'fec0::1', 'ff02::1', '4000::1'],
]
const v4 = (address: string): LookupAddress => ({ address, family: 4 })

const server = createServer((socket) => socket.end())
await once(server.listen(0, '127.0.0.1'), 'listening')
const { port } = server.address() as AddressInfo
afterAll(() => {
  server.close()
})

test('§4.8 only addresses of the public internet can be reached', () => {
  expect(PUBLIC.filter((address) => !isReachable(address, []))).toEqual([])
  expect(PRIVATE.filter((address) => isReachable(address, []))).toEqual([])
})

test('§4.8 a private network can be reached that the machine allows, and no other', () => {
  const networks = ['10.1.0.0/16', 'fd12::/16']
  expect(['10.1.2.3', 'fd12::5', '8.8.8.8'].filter((address) => !isReachable(address, networks))).toEqual([])
  expect(['10.2.0.1', '::ffff:10.1.2.3', 'fd13::5'].filter((address) => isReachable(address, networks))).toEqual([])
})

test('§4.8 a host that is an address itself is refused, since it is not looked up', () => {
  for (const host of ['127.0.0.1', '[::1]', '[::ffff:7f00:1]']) {
    expect(() => assertReachable(host, [])).toThrow(PrivateAddress)
  }
  expect(() => assertReachable('93.184.216.34', [])).not.toThrow()
  expect(() => assertReachable('localhost', [])).not.toThrow()
})

test.each([true, false])(
  '§4.8 a name with one private address is refused as a whole (autoSelectFamily: %s)',
  async (autoSelectFamily) => {
    for (const addresses of [[v4('127.0.0.1')], [v4('93.184.216.34'), v4('127.0.0.1')], []]) {
      const lookup = publicLookup([], async () => addresses)
      const socket = connect({ host: 'video.example.org', port, lookup, autoSelectFamily })
      expect(await once(socket, 'connect').catch((error) => error)).toBeInstanceOf(PrivateAddress)
    }
  },
)

test.each([true, false])(
  '§4.8 the address that was checked is the one that is connected to (autoSelectFamily: %s)',
  async (autoSelectFamily) => {
    let lookups = 0
    // Answers an allowed address at first, and another one whenever it is asked again.
    const resolve = async () => {
      lookups += 1
      return [v4(lookups === 1 ? '127.0.0.1' : '127.0.0.2')]
    }
    const lookup = publicLookup(['127.0.0.1/32'], resolve)
    const socket = connect({ host: 'video.example.org', port, lookup, autoSelectFamily })
    await once(socket, 'connect')
    expect({ lookups, address: socket.remoteAddress }).toEqual({ lookups: 1, address: '127.0.0.1' })
    socket.destroy()
  },
)
