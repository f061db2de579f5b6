import { describe, expect, test } from 'vitest'
import { parseQuery } from './query-string.ts'
import { flag, listParameter, rendersAreas, textParameter, wholeNumber } from './read-parameters.ts'

describe('§0.4 What is malformed is refused', () => {
  test('textParameter takes one text', () => {
    expect(textParameter(parseQuery('slug=a'), 'slug')).toBe('a')
    expect(textParameter(parseQuery(''), 'slug')).toBeUndefined()
    expect(textParameter(parseQuery(''), 'constructor')).toBeUndefined()
    for (const query of ['slug[]=a', 'slug=a&slug=b', 'slug[x]=a']) {
      expect(() => textParameter(parseQuery(query), 'slug')).toThrow('"slug"')
    }
  })

  test('listParameter takes one text or several', () => {
    expect(listParameter(parseQuery('_ids=a'), '_ids')).toEqual(['a'])
    expect(listParameter(parseQuery('_ids[]=a&_ids[]=b'), '_ids')).toEqual(['a', 'b'])
    expect(listParameter(parseQuery(''), '_ids')).toBeUndefined()
    expect(() => listParameter(parseQuery('_ids[x]=a'), '_ids')).toThrow('"_ids"')
    expect(() => listParameter(parseQuery('_ids[][x]=a'), '_ids')).toThrow('"_ids"')
  })

  test('wholeNumber takes whole numbers within bounds', () => {
    const bounds = { min: 1, max: 500, default: 10 }
    expect(wholeNumber(parseQuery(''), 'perPage', bounds)).toBe(10)
    expect(wholeNumber(parseQuery('perPage=+500'), 'perPage', bounds)).toBe(500)
    for (const text of ['0', '-1', '1.5', '501', '', 'ten', '1e2', '0x10', 'NaN', '99999999999999999999']) {
      expect(() => wholeNumber(parseQuery(`perPage=${text}`), 'perPage', bounds)).toThrow('from 1 to 500')
    }
    const open = { min: 1, max: Number.MAX_SAFE_INTEGER, default: 1 }
    expect(() => wholeNumber(parseQuery('page=0'), 'page', open)).toThrow('of at least 1')
  })

  test('a flag is true for `true` and `1`, and one text', () => {
    const all = (query: string) => flag(parseQuery(query), 'all')
    expect(['all=true', 'all=1', '', 'all=', 'all=yes', 'all=TRUE'].map(all)).toEqual([
      true,
      true,
      ...Array(4).fill(false),
    ])
    for (const query of ['all=1&all=1', 'all[]=1', 'all[a]=1']) expect(() => all(query)).toThrow('"all" takes one text')
  })

  test('render-areas is true for `true` and `1`, and sending it twice is no error', () => {
    const render = (query: string) => rendersAreas(parseQuery(query))
    expect(['render-areas=true', 'render-areas=1', 'render-areas=0&render-areas=true'].map(render)).toEqual([
      true,
      true,
      true,
    ])
    expect(['', 'render-areas=', 'render-areas=yes', 'render-areas[a]=1'].map(render)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
})
