import { expect, test } from 'vitest'
import type { EmbedOutcome } from '../embed.ts'
import { EmbedCache } from './embeds.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const found = (title: string): EmbedOutcome => ({
  kind: 'found',
  embed: { type: 'video', version: '1.0', provider_name: 'Local', html: '<iframe></iframe>', title },
})
const UNAVAILABLE: EmbedOutcome = { kind: 'unavailable' }
const ABSENT: EmbedOutcome = { kind: 'absent' }

function cacheAt(maxBytes?: number) {
  const clock = { ms: 0 }
  return { clock, cache: new EmbedCache(() => new Date(clock.ms), maxBytes) }
}

test('§4.8 what was found is cached for a day, and failures for a minute', () => {
  const { clock, cache } = cacheAt()
  cache.set('found', found('One'))
  cache.set('absent', ABSENT)
  cache.set('unavailable', UNAVAILABLE)
  clock.ms = MINUTE - 1
  expect([cache.get('absent'), cache.get('unavailable')]).toEqual([ABSENT, UNAVAILABLE])
  clock.ms = MINUTE
  expect([cache.get('absent'), cache.get('unavailable')]).toEqual([null, null])
  clock.ms = DAY - 1
  expect(cache.get('found')).toEqual(found('One'))
  clock.ms = DAY
  expect(cache.get('found')).toBeNull()
})

test('§4.8 what was found is used for longer while its provider is unavailable, and not when it has gone', () => {
  const { clock, cache } = cacheAt()
  cache.set('a', found('One'))
  clock.ms = DAY
  expect(cache.set('a', UNAVAILABLE)).toEqual(found('One'))
  clock.ms = DAY + MINUTE
  expect(cache.get('a')).toBeNull()
  expect(cache.set('a', UNAVAILABLE)).toEqual(found('One'))
  expect(cache.set('a', ABSENT)).toEqual(ABSENT)
  expect(cache.set('a', UNAVAILABLE)).toEqual(UNAVAILABLE)
})

test('§8 the cache is bounded in bytes: what was not used for longest goes first', () => {
  const { cache } = cacheAt(100_000)
  for (let index = 0; index < 1000; index += 1) {
    cache.set(`address-${index}`, found('x'.repeat(1000)))
    cache.get('address-0')
  }
  const cached = Array.from({ length: 1000 }, (_, index) => index).filter((index) => cache.get(`address-${index}`))
  expect(cached[0]).toBe(0)
  expect(cached.at(-1)).toBe(999)
  expect(cached.length).toBeGreaterThan(10)
  expect(cached.length).toBeLessThan(50)
})
