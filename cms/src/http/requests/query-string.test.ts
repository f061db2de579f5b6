import { describe, expect, test } from 'vitest'
import { mergeQueries, parseQuery, queryFromJson } from './query-string.ts'

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('parseQuery', () => {
  test.each<[string, unknown]>([
    ['', {}],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a[]=1', { a: ['1'] }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
    ['a=1&a[]=2', { a: ['1', '2'] }],
    ['a[b]=1&a[c]=2', { a: { b: '1', c: '2' } }],
    ['a[b][]=1&a[b][]=2', { a: { b: ['1', '2'] } }],
    ['a[b][c]=1', { a: { b: { c: '1' } } }],
    ['a%5Bb%5D=1', { a: { b: '1' } }],
    ['a=x+y%20z%2B', { a: 'x y z+' }],
    ['a', { a: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['&&a=1&', { a: '1' }],
    ['a[=1&]b=2&[c]=3', { 'a[': '1', ']b': '2', '[c]': '3' }],
    ['a=1&a[b]=2', { a: ['1', { b: '2' }] }],
    ['a[0][b]=1&a[0][c]=2&a[1][b]=3', { a: [{ b: '1', c: '2' }, { b: '3' }] }],
    ['a[7][b]=1&a[3][b]=2&a[7][c][$d]=3', { a: [{ b: '1', c: { $d: '3' } }, { b: '2' }] }],
    ['a[][b]=1&a[][c]=2', { a: [{ b: '1' }, { c: '2' }] }],
    ['a[0][b][]=1&a[0][b][]=2', { a: [{ b: ['1', '2'] }] }],
    ['a[0][0]=1&a[0][1]=2', { a: ['1', '2'] }],
    ['a[x][0][y][1][z]=1', { a: { x: [{ y: [{ z: '1' }] }] } }],
    ['constructor=1&a[constructor]=2', { constructor: '1', a: { constructor: '2' } }],
  ])('§4.1 %s', (text, expected) => {
    expect(plain(parseQuery(text))).toEqual(expected)
  })

  test('§0.4 `__proto__` is ignored, and no object has a prototype', () => {
    const query = parseQuery('__proto__[x]=1&__proto__=1&a[b]=1')
    expect(plain(query)).toEqual({ a: { b: '1' } })
    expect(Object.getPrototypeOf(query)).toBeNull()
    expect(Object.getPrototypeOf(query.a)).toBeNull()
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })

  test.each([
    ['a=%', 'percent'],
    ['%zz=1', 'percent'],
    ['a[b][c][d][e][f][g][h][i][j]=1', '8 levels'],
    ['a[__proto__][x]=1', '__proto__'],
    ['a[][__proto__]=1', '__proto__'],
    ['sort[__proto__]=1', '__proto__'],
    ['a=1&'.repeat(1001), '1000'],
  ])('§0.4 %.30s is invalid', (text, message) => {
    expect(() => parseQuery(text)).toThrow(expect.objectContaining({ name: 'invalid' }))
    expect(() => parseQuery(text)).toThrow(message)
  })

  test('random texts are read or refused, never anything else', () => {
    const signs = ['a', 'b', '[', ']', '=', '&', '%', '5', '+', '__proto__', 'constructor', '0']
    for (let round = 0; round < 20_000; round += 1) {
      const text = Array.from({ length: 12 }, () => signs[Math.floor(Math.random() * signs.length)]).join('')
      try {
        parseQuery(text)
      } catch (error) {
        expect(error).toMatchObject({ name: 'invalid' })
      }
    }
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})

describe('§4.3 POST-as-GET', () => {
  test('JSON values take the form of a query', () => {
    const query = queryFromJson({ page: 2, all: true, x: null, ids: ['a', 3], sort: { title: -1 }, n: [['deep']] })
    expect(plain(query)).toEqual({
      page: '2',
      all: 'true',
      x: '',
      ids: ['a', '3'],
      sort: { title: '-1' },
      n: [['deep']],
    })
  })

  test('limits hold as in a URL', () => {
    expect(() => queryFromJson({ a: Array.from({ length: 1001 }, () => 1) })).toThrow('1000')
    expect(() => queryFromJson(JSON.parse('{"a":[[[[[[[[[1]]]]]]]]]}'))).toThrow('8 levels')
  })

  test('both queries are kept; the body wins a clash', () => {
    const merged = mergeQueries(parseQuery('aposMode=draft&page=1'), queryFromJson({ page: 3 }))
    expect(plain(merged)).toEqual({ aposMode: 'draft', page: '3' })
  })
})
