import { beforeAll, expect, it } from 'vitest'
import { type Answer, describeService } from '../../../test/service.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`)
const nested = (depth: number): unknown => (depth === 0 ? 'x' : { a: nested(depth - 1) })

describeService('§0.5 limits on what a list is asked for', { isLong: true }, (service) => {
  beforeAll(async () => {
    const topics = await Promise.all(numbers(12).map((title) => service.editor.post('topic', { title })))
    const _topics = topics.map(({ body }) => body)
    await service.editor.post('product', { title: 'All', sku: 'all', price: 1, color: 'red', _topics })
    await service.editor.post('product', { title: 'One', sku: 'one', price: 1, color: 'red', _topics: [_topics[0]] })
  })

  /** Sends the same parameters in the query, where they are short enough for a URL, and in a body. */
  const both = async (parameters: Readonly<Record<string, unknown>>): Promise<Answer[]> => {
    const asGet = await service.anonymous.post('product', { __aposGetWithQuery: parameters })
    const query = Object.entries(parameters).flatMap(([name, value]) => {
      const values = Array.isArray(value) ? value : [value]
      return values.map((one) => `${name}${Array.isArray(value) ? '[]' : ''}=${encodeURIComponent(String(one))}`)
    })
    const text = query.join('&')
    return text.length < 8000 && !text.includes('object')
      ? [asGet, await service.anonymous.get('product', text)]
      : [asGet]
  }

  it.each<[string, Record<string, unknown>]>([
    ['a filter of 1,000 characters', { title: 'x'.repeat(1000) }],
    ['100 values', { sku: numbers(100) }],
    ['100 related documents by slug, any of them', { topics: numbers(100) }],
    ['100 related documents by slug, all of them', { topicsAnd: numbers(100) }],
    ['100 related documents by id, all of them', { _topicsAnd: numbers(100) }],
    ['500 ids', { _ids: numbers(500) }],
    ['100 parameters', Object.fromEntries(numbers(100).map((name) => [name, '1']))],
    ['a search of 32 words', { search: 'word '.repeat(32) }],
    ['a search of 500 characters', { search: 'x'.repeat(500), autocomplete: 'é'.repeat(500) }],
    ['8 levels', { unknown: nested(8) }],
    [
      'a hidden field, or what is no parameter, of 5,000 characters',
      { secretNote: 'x'.repeat(5000), gclid: 'x'.repeat(5000) },
    ],
  ])('§0.5 %s are taken', async (_, parameters) => {
    for (const { status } of await both(parameters)) expect(status).toBe(200)
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['a filter of 1,001 characters', { title: 'x'.repeat(1001) }, 'title'],
    ['a filter of 30,000 combining marks', { sku: '\u0323\u0301'.repeat(15_000) }, 'sku'],
    ['101 characters too many for a query of the site', { minPrice: '1'.repeat(1101) }, 'minPrice'],
    ['a range of 1,001 characters', { price: { min: '1'.repeat(1001) } }, 'price'],
    ['a slug of 1,001 characters', { topics: ['x', 'x'.repeat(1001)] }, 'topics'],
    ['a sort of 1,001 characters', { sort: { ['x'.repeat(1001)]: 1 } }, 'sort'],
    ['a list of names of 1,001 characters', { choices: 'x,'.repeat(501) }, 'choices'],
    ['101 values', { sku: numbers(101) }, 'sku'],
    ['101 related documents, all of them', { _topicsAnd: numbers(101) }, '_topicsAnd'],
    ['501 ids', { _ids: numbers(501) }, '_ids'],
    ['101 parameters', Object.fromEntries(numbers(101).map((name) => [name, '1'])), 'parameters'],
    ['a search of 33 words', { search: 'word '.repeat(33) }, 'search'],
    ['a search of 501 characters', { search: 'x'.repeat(501) }, 'search'],
    ['a search of unspaced Thai', { search: 'ภาษาไทยเป็นภาษา'.repeat(30) }, 'search'],
    ['autocomplete of 501 marks', { autocomplete: '\u0323'.repeat(501) }, 'autocomplete'],
    ['an order of 101 fields', { sort: Object.fromEntries(numbers(101).map((name) => [name, '1'])) }, 'sort'],
    ['9 levels', { unknown: nested(9) }, '8 levels'],
  ])('§0.5 %s are invalid, and the answer says which parameter', async (_, parameters, name) => {
    for (const { status, body } of await both(parameters)) {
      expect({ status, name: body.name }).toEqual({ status: 400, name: 'invalid' })
      expect(body.message).toContain(name)
    }
  })

  it('§0.4 500 ids stand in a URL, as long as ids are', async () => {
    const { body } = await service.anonymous.get('product', 'title=one')
    const ids = (count: number) =>
      Array(count)
        .fill(`_ids%5B%5D=${encodeURIComponent(body.results[0]._id)}`)
        .join('&')
    expect((await service.anonymous.get('product', ids(500))).body.total).toBe(1)
    const tooMany = await service.anonymous.get('product', ids(501))
    expect(tooMany).toMatchObject({ status: 400, body: { name: 'invalid' } })
    expect(tooMany.body.message).toContain('_ids')
  })

  it('§4.1 documents related to all of many are found in one look', async () => {
    const found = async (topicsAnd: readonly string[], more = {}) => {
      const answer = await service.anonymous.post('product', { __aposGetWithQuery: { topicsAnd, ...more } })
      return answer.body.results.map((one: { title: string }) => one.title).toSorted()
    }
    expect(await found(numbers(12))).toEqual(['All'])
    expect(await found([...numbers(12), ...numbers(12)].map((slug) => slug.toUpperCase()))).toEqual(['All'])
    expect(await found(numbers(13))).toEqual([])
    expect(await found(['n0'])).toEqual(['All', 'One'])
    expect(await found(numbers(12), { topics: 'n3', color: 'red', sort: 'price', search: 'all' })).toEqual(['All'])
  })

  it('§5.8 a hidden field that is asked for in an odd way is ignored like an unknown one', async () => {
    for (const query of ['secretNote[min]=1', 'secretNote.x=1', 'secretNote[]=1', 'nonsense[min]=1', 'nonsense.x=1']) {
      const { status, body } = await service.anonymous.get('product', query)
      expect({ query, status, total: body.total }).toEqual({ query, status: 200, total: 2 })
    }
    expect((await service.editor.get('product', 'secretNote[min]=1')).status).toBe(400)
  })
})
