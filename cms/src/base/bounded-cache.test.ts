import { expect, test } from 'vitest'
import { CacheMemory, LastingCache } from './bounded-cache.ts'

test('what was not used for longest is evicted first, by bytes', () => {
  const cache = new CacheMemory(10_000)
  cache.set('a', 'one', 4000)
  cache.set('b', 'two', 4000)
  expect(cache.get('a')).toBe('one')
  cache.set('c', 'three', 4000)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['one', undefined, 'three'])
  cache.set('a', 'larger', 9000)
  expect([cache.get('a'), cache.get('c')]).toEqual(['larger', undefined])
})

test('what is too large is not held, and nothing that was removed counts', () => {
  const cache = new CacheMemory(10_000)
  cache.set('a', 'one', 20_000)
  expect(cache.get('a')).toBeUndefined()
  for (let round = 0; round < 10; round += 1) {
    cache.set('b', 'two', 6000)
    cache.delete('b')
  }
  cache.set('b', 'two', 6000)
  cache.set('c', 'three', 3000)
  expect([cache.get('b'), cache.get('c')]).toEqual(['two', 'three'])
})

test('bytes that several entries share count once, for as long as one of them is there', () => {
  const cache = new CacheMemory(10_000)
  const shared = { length: 6000, ownBytes: 6000, shared: [], holders: 0 }
  cache.set('a', 'one', 100, [shared])
  cache.set('b', 'two', 100, [shared])
  expect(shared.holders).toBe(2)
  cache.delete('a')
  expect([shared.holders, cache.get('b')]).toEqual([1, 'two'])
  cache.set('c', 'three', 1500)
  cache.set('d', 'four', 2000)
  expect([shared.holders, cache.get('b'), cache.get('c'), cache.get('d')]).toEqual([0, undefined, 'three', 'four'])
  cache.set('e', 'five', 5000)
  expect([cache.get('c'), cache.get('d'), cache.get('e')]).toEqual(['three', 'four', 'five'])
})

test('bytes that are part of others count once, too, for as long as one of these is there', () => {
  const cache = new CacheMemory(20_000)
  const part = { length: 6000, ownBytes: 6000, shared: [], holders: 0 }
  const whole = () => ({ length: 7000, ownBytes: 1000, shared: [part], holders: 0 })
  const { bytes: none } = cache.size
  cache.set('a', 'one', 100, [whole()])
  cache.set('b', 'two', 100, [whole(), part])
  const { bytes: two } = cache.size
  cache.delete('a')
  expect([part.holders, two - cache.size.bytes < 6000]).toEqual([2, true])
  cache.delete('b')
  expect([part.holders, cache.size.bytes]).toEqual([0, none])
  cache.set('c', 'three', 100, [part])
  cache.delete('c')
  expect([part.holders, cache.size]).toEqual([0, { bytes: 0, entries: 0 }])
})

const lasting = (maxBytes = 100_000) =>
  new LastingCache<string>({ memory: new CacheMemory(maxBytes), bytesOf: (text) => text.length })

test('what is valid until a time is found before it, and what has no time always', () => {
  const cache = lasting()
  cache.set('a', 'one', 100)
  cache.set('b', 'two')
  expect([cache.get('a', 99), cache.get('a', 100), cache.get('b', 1e15)]).toEqual(['one', undefined, 'two'])
})

test('the value of a key is made once for all who ask at the same time, and again after a failure', async () => {
  const cache = lasting()
  let made = 0
  const make = async () => {
    made += 1
    const value = `made ${made}`
    cache.set('a', value, 100)
    return value
  }
  expect(await Promise.all([cache.fill('a', 0, make), cache.fill('a', 0, make)])).toEqual(['made 1', 'made 1'])
  expect(await cache.fill('a', 100, async (former) => `${await make()} after ${former}`)).toBe('made 2 after made 1')
  const failing = () => cache.fill('b', 0, () => Promise.reject(new Error('not now')))
  expect((await Promise.allSettled([failing(), failing()])).map(({ status }) => status)).toEqual(
    Array(2).fill('rejected'),
  )
  expect(await cache.fill('b', 0, async () => 'made')).toBe('made')
})

test('§8 a cache is bounded in bytes: what was not used for longest goes first', () => {
  const cache = lasting()
  for (let index = 0; index < 1000; index += 1) {
    cache.set(`key-${index}`, 'x'.repeat(2000))
    cache.get('key-0')
  }
  const cached = Array.from({ length: 1000 }, (_, index) => index).filter((index) => cache.get(`key-${index}`))
  expect([cached[0], cached.at(-1)]).toEqual([0, 999])
  expect(cached.length).toBeGreaterThan(10)
  expect(cached.length).toBeLessThan(50)
})
