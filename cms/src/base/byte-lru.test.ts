import { expect, test } from 'vitest'
import { ByteLru } from './byte-lru.ts'

test('what was not used for longest is evicted first, by bytes', () => {
  const cache = new ByteLru<string>(10_000)
  cache.set('a', 'one', 4000)
  cache.set('b', 'two', 4000)
  expect(cache.get('a')).toBe('one')
  cache.set('c', 'three', 4000)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['one', undefined, 'three'])
  cache.set('a', 'larger', 9000)
  expect([cache.get('a'), cache.get('c')]).toEqual(['larger', undefined])
})

test('what is too large is not held, and nothing that was removed counts', () => {
  const cache = new ByteLru<string>(10_000)
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
