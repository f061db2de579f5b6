import { expect, test } from 'vitest'
import { RecentKeys } from './cache.ts'

test('a key is new once', () => {
  const keys = new RecentKeys(1024)
  const seen = ['/a', '/b', '', '/a', '/c', '', '/b'].map((key) => keys.see(key))
  expect(seen).toEqual([false, false, false, true, false, true, true])
})

test('keys that nobody asks for again are forgotten, however many there are', () => {
  const keys = new RecentKeys(1024)
  keys.see('/first')
  const known = Array.from({ length: 100_000 }, (_, index) => keys.see(`/other/${index}`)).filter(Boolean)
  expect(known.length).toBeLessThan(10)
  expect(keys.see('/first')).toBe(false)
})

test('a few keys are all remembered, however often they are seen in turn', () => {
  const keys = new RecentKeys(65_536)
  const all = Array.from({ length: 2_000 }, (_, index) => `/api/v1/article?page=${index}`)
  for (const key of all) keys.see(key)
  for (let turn = 0; turn < 3; turn += 1) expect(all.filter((key) => !keys.see(key))).toEqual([])
})
