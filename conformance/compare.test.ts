import { describe, expect, test } from 'vitest'
import { differences } from './replay/compare.ts'
import { learnNames, unknownNames, withNames } from './replay/recording.ts'

const paths = (recorded: unknown, ours: unknown) =>
  differences({ status: 200, response: recorded }, { status: 200, body: ours }).map(({ path }) => path)

describe('the rule of the recordings', () => {
  test('the same class of status is enough, and failures have a shape of their own', () => {
    const failure = { name: 'conflict', message: 'Taken.', data: {} }
    expect(differences({ status: 400, response: {} }, { status: 409, body: failure })).toEqual([])
    expect(differences({ status: 400, response: {} }, { status: 404, body: '<html>' })).toHaveLength(1)
    expect(differences({ status: 200, response: {} }, { status: 400, body: failure })).toHaveLength(1)
  })

  test('properties must be there with the same type, more may be', () => {
    expect(paths({ title: 'a', count: 1 }, { title: 'b', count: 2, more: true })).toEqual([])
    expect(paths({ title: 'a', address: { city: '' } }, { title: 1, address: {} })).toEqual(['title', 'address.city'])
  })

  test('nothing is known of the type of a recorded null, and internals may be missing', () => {
    expect(paths({ link: null, highSearchText: 'x' }, { link: 'https://a.test' })).toEqual([])
    expect(paths({ link: 'x' }, { link: null })).toEqual(['link'])
  })

  test('long lists were cut', () => {
    expect(paths({ tags: ['a', '…(5 items in all)'], meta: '{…}' }, { tags: ['b'], meta: {} })).toEqual([])
    expect(paths({ links: [{ label: 'a' }] }, { links: [{ name: 'a' }, {}] })).toEqual(['links.label'])
    expect(paths({ links: [{ label: 'a' }] }, { links: [] })).toEqual(['links'])
  })

  test('recordings that hold a selection are compared with the same selection', () => {
    expect(paths({ n: 2, titles: ['a'] }, { results: [{ title: 'a' }, { title: 'b' }] })).toEqual([])
    expect(paths({ _id: 'x', sku: 's' }, { results: [{ _id: 'y', sku: 't' }] })).toEqual([])
    expect(paths({ allKeys: ['title', 'code', 'searchSummary'] }, { title: 'a' })).toEqual(['code'])
    expect(paths({ items: [['x', 'text']] }, { body: { items: [{ _id: 'x', content: 'text' }] } })).toEqual([])
  })
})

describe('recorded stylesheets', () => {
  const css = (recorded: unknown, ours: unknown) =>
    differences({ status: 200, contentType: 'text/css', response: recorded }, { status: 200, body: ours }).map(
      ({ path }) => path,
    )

  test('every declaration must be there with its value, more may be', () => {
    const ours = 'h1{font-size: 20px;color: #ff0000;}@media (max-width: 800px){.page{margin: 5px;}}'
    expect(css(ours, ours)).toEqual([])
    expect(css('h1{font-size: 20px;}', ours)).toEqual([])
    expect(css('.page{;}@media (max-width: 800px){.page{;}}', ours)).toEqual([])
    expect(css({ css: 'h1{font-size: 21px;}', classes: [] }, ours)).toEqual(['h1 font-size'])
    expect(css('.page{margin: 5px;}', ours)).toEqual(['.page margin'])
    expect(css('h1{font-size: 20px;text-shadow: 3px', ours)).toEqual([])
    expect(css('', { css: '' })).toEqual([''])
  })
})

describe('names in double braces', () => {
  test('are learned from our answer and filled in, in property names too', () => {
    const names = new Map<string, string>()
    learnNames(
      { _id: '{{one}}:en:draft', links: [{ _id: '{{link}}' }] },
      { _id: 'abc:en:draft', links: [{ _id: 'l1' }] },
      names,
    )
    expect(Object.fromEntries(names)).toEqual({ one: 'abc', link: 'l1' })
    expect(withNames({ path: '/{{one}}', '@{{link}}.label': 'x' }, names)).toEqual({ path: '/abc', '@l1.label': 'x' })
    expect(unknownNames({ path: '/{{one}}/{{two}}' }, names)).toEqual(['two'])
  })
})
