import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type Answer, describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site.ts'
import { defineFieldType, field, piece } from '../../model/declared/content-type.ts'

// As in the guide: it cannot read a value without its options.
const stars = defineFieldType({
  name: 'stars',
  options: z.strictObject({ max: z.number().int().default(5), pattern: z.string().default('[0-9]+') }),
  blank: () => null,
  read(input, { max, pattern }, reading) {
    const number = Number(input)
    if (Number.isInteger(number) && number >= 1 && number <= max && pattern.includes('+')) return number
    reading.problem(`Give one to ${max} stars.`)
    return null
  },
  toText: (value: number) => '★'.repeat(value),
  jsonSchema: ({ max }) => ({ type: ['integer', 'null'], minimum: 1, maximum: max }),
  index: (value) => [{ text: null, number: value }],
  scalar: () => 'number',
})

/** A month, `2026-05`. */
const month = defineFieldType({
  name: 'month',
  options: z.strictObject({}),
  blank: () => null,
  read(input, _options, reading) {
    if (typeof input === 'string' && /^\d{4}-\d{2}$/.test(input)) return input
    reading.problem('Write a month as YYYY-MM.')
    return null
  },
  toText: (value: string) => value,
  jsonSchema: () => ({ type: ['string', 'null'] }),
  index: (value) => [{ text: value, number: Date.parse(`${value}-01`) }],
  scalar: () => 'text',
  isOrdered: true,
})

const review = piece('review', {
  fields: { add: { rating: field(stars, { max: 3, pattern: '[0-9]+' }), month: field(month, {}) } },
})

/** The titles of a list, as one text. */
function titles({ body }: Answer): string {
  return body.results.map(({ title }: { title: string }) => title).join(' ')
}

const site = defineSite({ types: [review], fieldTypes: [stars, month] })

describeService("§4.1 filters by a site's own field types", { site }, (service) => {
  beforeAll(async () => {
    for (const [title, rating, month] of [
      ['One', 1, '2026-01'],
      ['Two', 2, '2026-02'],
      ['Three', 3, '2026-03'],
    ]) {
      expect((await service.editor.post('review', { title, rating, month })).status).toBe(200)
    }
  })

  it.each([
    ['rating=2', 'Two'],
    ['rating[]=3&rating[]=1', 'One Three'],
    ['rating=4', ''],
    ['rating=nonsense', ''],
    ['rating[min]=2', 'Two Three'],
    ['rating[max]=2.5', 'One Two'],
    ['month=2026-02', 'Two'],
    ['month[min]=2026-02', 'Two Three'],
    ['month[max]=2026-02', 'One Two'],
    ['month[min]=nonsense', ''],
  ])('%s finds "%s"', async (query, expected) => {
    const answer = await service.editor.get('review', `${query}&sort=rating`)
    expect({ status: answer.status, titles: titles(answer) }).toEqual({ status: 200, titles: expected })
  })
})
