import { afterAll, expect, test } from 'vitest'
import { secureServer } from '../../../test/secure-server.ts'
import { Embeds } from './embeds.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** The provider's current answer. */
const answer = { status: 200, title: 'One' }
const provider = await secureServer((_, response) => {
  const { status, title } = answer
  const embed = { type: 'video', version: '1.0', title, html: '<iframe src="https://frames.example.org/1"></iframe>' }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(embed))
})
afterAll(() => provider.close())

function embedsAt() {
  const clock = { ms: 0 }
  const local = {
    name: 'Local',
    urls: ['https://video.example.org/w/*'],
    endpoint: `${provider.address}/oembed`,
    hosts: ['frames.example.org'],
  }
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const networks = ['127.0.0.0/8', '::1/128']
  const embeds = new Embeds({ providers: [local], networks, log, now: () => new Date(clock.ms) })
  /**
   * Looks up the embed at a time, with the provider's answer then; returns its title, and whether it was fetched from
   * the provider.
   */
  const find = async (ms: number, status: number, title = 'One') => {
    clock.ms = ms
    Object.assign(answer, { status, title })
    const before = provider.requests.length
    const outcome = await embeds.find('https://video.example.org/w/1')
    const found = outcome.kind === 'found' ? outcome.embed.title : outcome.kind
    return [found, provider.requests.length > before ? 'fetched' : 'cached']
  }
  return find
}

test('§4.8 what was found is cached for a day', async () => {
  const find = embedsAt()
  expect(await find(0, 200)).toEqual(['One', 'fetched'])
  expect(await find(DAY - 1, 200, 'Two')).toEqual(['One', 'cached'])
  expect(await find(DAY, 200, 'Two')).toEqual(['Two', 'fetched'])
})

test.each([
  ['absent', 404],
  ['unavailable', 500],
] as const)('§4.8 that an embed is %s is cached for a minute', async (kind, status) => {
  const find = embedsAt()
  expect(await find(0, status)).toEqual([kind, 'fetched'])
  expect(await find(MINUTE - 1, 200)).toEqual([kind, 'cached'])
  expect(await find(MINUTE, 200)).toEqual(['One', 'fetched'])
})

test('§4.8 what was found is used for longer while its provider is unavailable, and not when it has gone', async () => {
  const find = embedsAt()
  await find(0, 200)
  expect(await find(DAY, 500)).toEqual(['One', 'fetched'])
  expect(await find(DAY + MINUTE - 1, 500)).toEqual(['One', 'cached'])
  expect(await find(DAY + MINUTE, 500)).toEqual(['One', 'fetched'])
  expect(await find(DAY + 2 * MINUTE, 404)).toEqual(['absent', 'fetched'])
  expect(await find(DAY + 3 * MINUTE, 500)).toEqual(['unavailable', 'fetched'])
})
