import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { CacheMemory } from '../base/bounded-cache.ts'
import { Changes, currentSources, type Name, SourcedCache } from '../store/contract/store.ts'
import { newCaches } from './contexts.ts'

/** A cache of texts, content of names, and how often something was made. */
function cacheOf(maxBytes = 100_000) {
  const changes = new Changes()
  const state = { made: 0, isKnown: true }
  const cache = new SourcedCache<string>({
    changes: () => (state.isKnown ? changes : null),
    memory: new CacheMemory(maxBytes),
    prefix: 'text ',
    isForAll: (value) => !value.startsWith('own'),
    bytesOf: (value) => value.length,
  })
  const change = (...names: Name[]) => changes.note({ names: new Set(names), rows: new Map() })
  const make =
    (names: readonly Name[], value = 'made') =>
    async () => {
      for (const name of names) currentSources()?.note(name)
      state.made += 1
      return `${value} ${state.made}`
    }
  return { cache, change, changes, make, state }
}

const partsOf = (changes: Changes, maxBytes = 100_000) => newCaches(() => changes, new CacheMemory(maxBytes)).parts

describe('what is cached', () => {
  test('stands until something changes that it was made of', async () => {
    const { cache, change, make } = cacheOf()
    expect(await cache.fill('a', make([1, 2]))).toBe('made 1')
    change(3)
    expect(cache.get('a')).toBe('made 1')
    change(2)
    expect(cache.get('a')).toBeUndefined()
    expect(await cache.fill('a', make([1, 2]))).toBe('made 2')
  })

  test('falls with any change when it may be made of anything', async () => {
    const { cache, change, changes, make } = cacheOf()
    const all = async () => {
      currentSources()?.recordEverything()
      return make([])()
    }
    expect([await cache.fill('a', all), await cache.fill('b', make([1]))]).toEqual(['made 1', 'made 2'])
    change(3)
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, 'made 2'])
    changes.note(null)
    expect(cache.get('b')).toBeUndefined()
  })

  test('is not kept when something changes while it is made', async () => {
    const { cache, change, make } = cacheOf()
    const value = await cache.fill('a', async () => {
      const made = await make([1])()
      change(1)
      return made
    })
    expect([value, cache.get('a')]).toEqual(['made 1', undefined])
  })

  test('is kept when something changes before it is read', async () => {
    const { cache, change, make } = cacheOf()
    await cache.fill('a', async () => {
      change(1)
      return make([1])()
    })
    expect(cache.get('a')).toBe('made 1')
  })

  test('is not kept when it is made of what nobody announces, or for one caller', async () => {
    const { cache, make } = cacheOf()
    await cache.fill('a', async () => {
      currentSources()?.recordUnknown()
      return make([])()
    })
    await cache.fill('b', make([], 'own'))
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, undefined])
  })

  test('is nothing while it is unknown what was changed, and stands again afterwards', async () => {
    const { cache, make, state } = cacheOf()
    await cache.fill('a', make([1]))
    state.isKnown = false
    expect([cache.get('a'), await cache.fill('a', make([1])), await cache.fill('b', make([1]))]).toEqual([
      undefined,
      'made 2',
      'made 3',
    ])
    state.isKnown = true
    expect([cache.get('a'), cache.get('b')]).toEqual(['made 1', undefined])
  })

  test('is bounded in bytes; the least recently used go first, and one may not take all', async () => {
    const { cache, make } = cacheOf(10_000)
    for (const key of ['a', 'b', 'c', 'd']) await cache.fill(key, make([], key.repeat(2000)))
    cache.get('a')
    await cache.fill('e', make([], 'e'.repeat(2000)))
    await cache.fill('huge', make([], 'x'.repeat(5000)))
    const kept = ['a', 'b', 'c', 'd', 'e', 'huge'].filter((key) => cache.get(key) !== undefined)
    expect(kept).toEqual(['a', 'c', 'd', 'e'])
    const none = cacheOf(0)
    await none.cache.fill('a', none.make([]))
    expect(none.cache.get('a')).toBeUndefined()
  })
})

describe('those who ask at a time', () => {
  const slow = (make: () => Promise<string>) => async () => {
    const made = await make()
    await wait(20)
    return made
  }

  test('share what is made once; a failure is tried again', async () => {
    const { cache, make, state } = cacheOf()
    const all = await Promise.all([1, 2, 3].map(() => cache.fill('a', slow(make([1])))))
    expect([all, state.made]).toEqual([['made 1', 'made 1', 'made 1'], 1])
    const fails = () => cache.fill('b', () => Promise.reject(new Error('not now')))
    await expect(Promise.all([fails(), fails()])).rejects.toThrow('not now')
    expect(await cache.fill('b', make([]))).toBe('made 2')
  })

  test('do not share what is for one caller', async () => {
    const { cache, make } = cacheOf()
    const all = await Promise.all([1, 2].map(() => cache.fill('a', slow(make([], 'own')))))
    expect(new Set(all).size).toBe(2)
  })

  test('get nothing that was begun before a change that they know of', async () => {
    const { cache, change, make } = cacheOf()
    const before = cache.fill('a', slow(make([1])))
    change(1)
    expect([await cache.fill('a', slow(make([1]))), await before, cache.get('a')]).toEqual([
      'made 2',
      'made 1',
      'made 2',
    ])
  })

  test('nor what turns out to be made of something that was changed before they asked', async () => {
    const { cache, change, make } = cacheOf()
    const before = cache.fill('a', async () => {
      const made = await make([1])()
      await wait(20)
      currentSources()?.note(2)
      return made
    })
    change(2)
    expect([await cache.fill('a', make([1, 2])), await before]).toEqual(['made 2', 'made 1'])
  })

  test('share what began before a change of something else', async () => {
    const { cache, change, make, state } = cacheOf()
    const before = cache.fill('a', slow(make([1])))
    change(2)
    expect([await cache.fill('a', slow(make([1]))), await before, state.made]).toEqual(['made 1', 'made 1', 1])
  })
})

describe('parts', () => {
  test('hand on what they were made of: fresh, cached and shared ones', async () => {
    const { cache, change, changes, make, state } = cacheOf()
    const parts = partsOf(changes)
    const whole = (key: string) => cache.fill(key, async () => `with ${await parts.fill('part', make([7]))}`)
    expect([await whole('a'), ...(await Promise.all([whole('b'), whole('c')]))]).toEqual(Array(3).fill('with made 1'))
    change(7)
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([undefined, undefined, undefined])
    expect(await Promise.all([whole('a'), whole('b')])).toEqual(['with made 2', 'with made 2'])
    change(7)
    expect(['a', 'b'].map((key) => cache.get(key))).toEqual([undefined, undefined])
    expect(state.made).toBe(2)
  })

  test('that change while they are shared keep nobody’s answer', async () => {
    const { cache, change, changes, make } = cacheOf()
    const parts = partsOf(changes)
    const part = async () => {
      const made = await make([7])()
      await wait(20)
      change(7)
      return made
    }
    const whole = (key: string) => cache.fill(key, async () => `with ${await parts.fill('part', part)}`)
    await Promise.all([whole('a'), whole('b')])
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, undefined])
  })

  test('that fail hand on what they were made of to those who go on without them', async () => {
    const { cache, change, changes } = cacheOf()
    const parts = partsOf(changes)
    const failing = async () => {
      currentSources()?.note(7)
      await wait(20)
      throw new Error('not there yet')
    }
    const without = (key: string) => cache.fill(key, () => parts.fill('part', failing).catch(() => 'without'))
    expect(await Promise.all([without('a'), without('b')])).toEqual(['without', 'without'])
    change(8)
    expect([cache.get('a'), cache.get('b')]).toEqual(['without', 'without'])
    change(7)
    expect([cache.get('a'), cache.get('b')]).toEqual([undefined, undefined])
  })

  test('that nobody announces are not cached, nor what is made of them', async () => {
    const { cache, changes, make } = cacheOf()
    const parts = partsOf(changes)
    const unknown = async () => {
      currentSources()?.recordUnknown()
      return make([])()
    }
    await cache.fill('a', () => parts.fill('part', unknown))
    expect([await parts.fill('part', make([])), cache.get('a')]).toEqual(['made 2', undefined])
  })

  test('are bounded in bytes', async () => {
    const { changes } = cacheOf()
    const parts = partsOf(changes, 10_000)
    let made: string[] = []
    const get = (name: string, length = 1000) =>
      parts.fill(name, async () => {
        made.push(name)
        return 'x'.repeat(length)
      })
    for (const name of ['a', 'b', 'c', 'd']) await get(name)
    await get('a')
    await get('e')
    made = []
    for (const name of ['a', 'c', 'd', 'e', 'b']) await get(name)
    expect(made).toEqual(['b'])
    made = []
    for (const _ of [1, 2]) await get('large', 5000)
    expect(made).toEqual(['large', 'large'])
  })
})
