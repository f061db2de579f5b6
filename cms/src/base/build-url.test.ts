import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectLinear } from '../../test/growth.ts'
import { mergeQueries, parseQuery, queryText } from '../http/requests/query-string.ts'
import type { QueryValues } from '../http/requests/route.ts'
import { buildUrl, type UrlData } from './build-url.ts'

describe('§4.6 build', () => {
  test.each<[string, string, Parameters<typeof buildUrl>[1], string]>([
    ['adds parameters', '/articles', { topic: 'art', page: 2 }, '/articles?topic=art&page=2'],
    ['keeps the query that is there', '/articles?a=1&b=x+y%20z', { c: 3 }, '/articles?a=1&b=x+y%20z&c=3'],
    ['replaces what is there', '/articles?page=1&a=1', { page: 2 }, '/articles?page=2&a=1'],
    ['replaces all values of a name', '/?t=1&t[]=2&t[x]=3&u=4', { t: 'a' }, '/?t=a&u=4'],
    ['removes what is undefined', '/?a=1&b=2', { a: undefined }, '/?b=2'],
    ['removes what is null', '/?a=1&b=2', { a: null }, '/?b=2'],
    ['removes what is empty', '/?a=1', { a: '' }, '/'],
    ['keeps 0 and false', '/', { a: 0, b: false }, '/?a=0&b=false'],
    ['keeps the hash', '/a?b=1#c?d', { b: 2 }, '/a?b=2#c?d'],
    ['takes no ? in the hash for a query', '/a#b?c=1', { c: 2 }, '/a?c=2#b?c=1'],
    ['leaves a question mark without parameters out', '/a?', {}, '/a'],
    ['writes lists', '/', { tags: ['a', '', 'b', null] }, '/?tags%5B%5D=a&tags%5B%5D=b'],
    ['writes what is in brackets', '/', { price: { min: 1, max: '' } }, '/?price%5Bmin%5D=1'],
    ['encodes names and values', '/', { 'a&b': 'c=d e#é/?' }, '/?a%26b=c%3Dd%20e%23%C3%A9%2F%3F'],
    ['takes whole URLs', 'https://example.org', { a: 1 }, 'https://example.org?a=1'],
    ['takes an empty URL', '', { a: 1 }, '?a=1'],
  ])('§4.6 %s', (_, url, data, expected) => {
    expect(buildUrl(url, data as UrlData)).toBe(expected)
  })

  test('§4.6 later data win, and take away what earlier ones have', () => {
    expect(buildUrl('/?a=0', { a: 1, b: 1, c: 1 }, { b: 2, c: null })).toBe('/?a=1&b=2')
    expect(buildUrl('/', undefined, { a: 1 }, null)).toBe('/?a=1')
  })

  test.each<[string, readonly string[], object[], string]>([
    ['are steps, in their order', ['year', 'topic'], [{ topic: 'art', year: 2026, page: 2 }], '/a/2026/art?page=2'],
    ['may be 0', ['year'], [{ year: 0 }], '/a/0'],
    ['are in any script', ['topic'], [{ topic: 'été-日本' }], '/a/%C3%A9t%C3%A9-%E6%97%A5%E6%9C%AC'],
    ['stop where one is missing', ['year', 'topic'], [{ topic: 'art' }], '/a?topic=art'],
    ['stop where one is empty', ['year', 'topic'], [{ year: '', topic: 'art' }], '/a?topic=art'],
    ['stop where one was taken away', ['year', 'topic'], [{ year: 1, topic: 'art' }, { year: null }], '/a?topic=art'],
    [
      'stop at what is no slug',
      ['topic', 'year'],
      [{ topic: 'Fine Art', year: 2026 }],
      '/a?topic=Fine%20Art&year=2026',
    ],
    ['stop at what leads elsewhere', ['topic'], [{ topic: '..' }], '/a?topic=..'],
    ['stop at another slash', ['topic'], [{ topic: 'a/b' }], '/a?topic=a%2Fb'],
    ['stop at a list', ['topic'], [{ topic: ['art'] }], '/a?topic%5B%5D=art'],
    ['stop at a lone surrogate', ['topic'], [{ topic: '\ud800' }], '/a?topic=%EF%BF%BD'],
    ['are those of the data that win', ['topic'], [{ topic: 'a' }, { topic: 'b' }], '/a/b'],
  ])('§4.6 values of the path %s', (_, path, data, expected) => {
    expect(buildUrl('/a', path, ...(data as never[]))).toBe(expected)
  })

  test('§4.6 steps of the path never lead to another host, and replace the parameter of their name', () => {
    expect(buildUrl('/', ['topic'], { topic: 'example' })).toBe('/example')
    expect(buildUrl('//', ['topic'], { topic: 'example' })).toBe('/example')
    expect(buildUrl('/fr/?topic=old&page=2#x', ['topic'], { topic: 'art' })).toBe('/fr/art?page=2#x')
    expect(buildUrl('/fr/?topic=old', ['topic'], {})).toBe('/fr/?topic=old')
  })

  test.each<[string, object, string]>([
    ['/', { $addToSet: 'a' }, 'a'],
    ['/?t=a', { $addToSet: 'b' }, 'a,b'],
    ['/?t[]=a&t[]=b%20c', { $addToSet: 'a' }, 'a,b c'],
    ['/?t[0]=a&t[1]=b', { $addToSet: 1 }, 'a,b,1'],
    ['/?t[]=a&t[]=b', { $pull: 'a' }, 'b'],
    ['/?t[]=1&t[]=2', { $pull: 1 }, '2'],
    ['/?t[]=a', { $pull: 'b' }, 'a'],
    ['/?t[]=true', { $pull: true, $addToSet: 'x' }, 'x'],
    ['/?t[]=a', { $addToSet: '' }, 'a'],
  ])('§4.6 %s with %o', (url, t, expected) => {
    expect(parseQuery(queryText(buildUrl(url, { t } as UrlData)))).toEqual({ t: expected.split(',') })
  })

  test('§4.6 a list of which the last value is pulled goes away; operators change what earlier data set', () => {
    expect(buildUrl('/?t[]=a&b=1', { t: { $pull: 'a' } })).toBe('/?b=1')
    expect(buildUrl('/?t[]=a', { t: ['b', 'c'] }, { t: { $pull: 'b', $addToSet: 'd' } })).toBe('/?t%5B%5D=c&t%5B%5D=d')
  })

  test.each(['javascript:alert(1)', ' java\nscript:alert(1)', 'data:text/html,x', 'vbscript:x'])(
    '§4.6 %j is no link',
    (url) => {
      expect(buildUrl(url, { a: 1 })).toBe('#')
      expect(buildUrl(url, ['a'], { a: 'b' })).toBe('#')
    },
  )

  test('§4.6 what visitors send cannot break it', () => {
    const sent = JSON.parse('{"__proto__":{"a":1},"constructor":"x","b":{"__proto__":"y","c":{"toString":"z"}}}')
    expect(buildUrl('/?__proto__[a]=1&hasOwnProperty=2', sent)).toBe(
      '/?__proto__[a]=1&hasOwnProperty=2&constructor=x&b%5Bc%5D%5BtoString%5D=z',
    )
    const round: { [name: string]: unknown } = {}
    round.a = round
    expect(buildUrl('/', round as UrlData)).toBe('/')
    expect(buildUrl('/?%E0%A4%A=1&a=%', { b: 1 })).toBe('/?%E0%A4%A=1&a=%&b=1')
    expect(buildUrl(undefined as never, 'x' as never, 1 as never)).toBe('')
  })

  test.each(['a=1&', 'a[]=1&', 'a[b', '[', ']', '%', '/', '#', '?', '=', '&', ' ', ':'])(
    '§4.6 takes linear time for a URL with many %j',
    async (part) => {
      const urlOf = (length: number) => `/?${part.repeat(length / part.length)}x`
      await expectLinear(urlOf, (url) => buildUrl(url, ['b'], { a: { $addToSet: 'x', $pull: 'y' }, b: url }))
      await expectLinear(urlOf, (url) => buildUrl(url.slice(2), ['b'], { b: 'c' }))
    },
  )

  const name = fc.stringMatching(/^[^[\]]{1,8}$/).filter((text) => text !== '__proto__')
  const scalar = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
  )
  const value = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z$é]{1,5}$/), fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })), {
      maxKeys: 3,
    }),
  )
  const data = fc.dictionary(name, value, { maxKeys: 5 })

  test('§4.6 what is built is read as the data merged, later ones winning', () => {
    fc.assert(
      fc.property(data, data, data, fc.webPath(), (first, second, third, path) => {
        const url = buildUrl(path, first)
        const built = buildUrl(`${url}#end`, second, third)
        expect(built.startsWith(path) && built.endsWith('#end')).toBe(true)
        const removed = [...Object.keys(second), ...Object.keys(third)]
        const kept = Object.entries(parseQuery(queryText(url))).filter(([one]) => !removed.includes(one))
        const merged = Object.fromEntries([...Object.entries(second), ...Object.entries(third)])
        const expected = mergeQueries(Object.fromEntries(kept), asRead(merged))
        expect(parseQuery(queryText(built.slice(0, -4)))).toEqual(expected)
      }),
      { numRuns: 1000 },
    )
  })

  test('§4.6 a query that visitors send stays as it is read, and nothing that they send makes it throw', () => {
    const part = fc.stringMatching(/^[ab=[\]%0-9+$#?/\\._é-]{0,12}$/)
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.anything(), (parts, given) => {
        const text = parts.join('&').replaceAll('#', '')
        buildUrl(`/?${text}`, { a: given } as never, given as never)
        const read = readOrNull(text)
        if (read === null) return
        expect(parseQuery(queryText(buildUrl(`/?${text}`, { z: 1, y: null })))).toEqual({ ...read, z: '1' })
        expect(readOrNull(queryText(buildUrl('/', read as UrlData)))).not.toBeNull()
      }),
      { numRuns: 1000 },
    )
  })
})

function readOrNull(text: string): QueryValues | null {
  try {
    return parseQuery(text)
  } catch {
    return null
  }
}

/** Data as our own reader of queries gives them back: all texts, without what is empty. */
function asRead(given: { readonly [name: string]: unknown }): QueryValues {
  const entries = Object.entries(given).flatMap(([name, value]) => {
    const read = valueAsRead(value)
    return read === undefined ? [] : [[name, read] as const]
  })
  return Object.fromEntries(entries)
}

function valueAsRead(value: unknown): QueryValues[string] | undefined {
  if (Array.isArray(value)) {
    const list = value.map(valueAsRead).filter((one) => one !== undefined)
    return list.length === 0 ? undefined : list
  }
  if (typeof value === 'object' && value !== null) {
    const read = asRead(value as object as { [name: string]: unknown })
    return Object.keys(read).length === 0 ? undefined : read
  }
  return value === undefined || value === null || value === '' ? undefined : String(value)
}
