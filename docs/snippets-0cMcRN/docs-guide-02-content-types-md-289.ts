import { defineFieldType, defineSite, field, piece } from 'quire-cms'
import { z } from 'zod'

const stars = defineFieldType({
  name: 'stars',
  options: z.strictObject({ max: z.number().int().default(5) }),
  blank: () => null,
  read(input, { max }, reading) {
    const number = Number(input)
    if (Number.isInteger(number) && number >= 1 && number <= max) return number
    reading.problem(`Give one to ${max} stars.`)
    return null
  },
  toText: (value) => '★'.repeat(value),
  jsonSchema: ({ max }) => ({ type: ['integer', 'null'], minimum: 1, maximum: max }),
  index: (value) => [{ text: null, number: value }],
  scalar: () => 'number',
})

const review = piece('review', { fields: { add: { rating: field(stars, { label: 'Rating', max: 3 }) } } })

export const site = defineSite({ types: [review], fieldTypes: [stars] })
