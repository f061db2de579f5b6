import { describe, expect, it } from 'vitest'
import { type ZodType, z } from 'zod'
import { listNames } from '../../features/pieces/piece-parameters.ts'
import { piece, query } from '../declared/content-type.ts'
import type { TypeQuery } from '../declared/type-query.ts'
import { compileSite, defineSite } from './site.ts'

/** The query `about` with this input, as compiled; it filters by the title that the input was read as. */
function about(input: ZodType): TypeQuery {
  const where = (value: unknown) => ({ title: String(value) })
  const site = compileSite(defineSite({ types: [piece('thing', { queries: { about: query({ input, where }) } })] }))
  const compiled = site.types.get('thing')?.queries.get('about')
  if (!compiled) throw new Error('The query is not there.')
  return compiled
}

describe('§4.1 the queries of a type', () => {
  it.each([
    ['a number', z.coerce.number(), ['3'], { type: 'number' }],
    ['a text', z.coerce.string(), { a: 'b' }, { type: 'string' }],
    ['a text that becomes a list', z.string().transform((text) => text.split(',')), ['a'], { type: 'string' }],
    ['yes or no', z.stringbool(), ['true'], { type: 'string' }],
    ['a text that may be left out', z.coerce.string().optional(), [], { type: 'string' }],
    ['a text or nothing', z.coerce.string().nullable(), [], { type: ['string', 'null'] }],
  ])('%s takes neither a list nor an object', (_, input, value, schema) => {
    const compiled = about(input)
    expect(() => compiled.where(value)).toThrow(
      expect.objectContaining({
        name: 'invalid',
        data: { errors: [{ path: 'about', name: 'invalid', message: 'This takes one value.' }] },
      }),
    )
    expect(compiled.jsonSchema).toEqual(schema)
  })

  it('a list is read where the site asks for one', () => {
    const first = z.array(z.string()).transform(([one]) => one)
    expect(about(first).where(['a', 'b'])).toEqual({ title: 'a' })
    expect(about(first).jsonSchema).toEqual({ type: 'array', items: { type: 'string' } })
    const either = z.union([z.string(), z.array(z.string())])
    expect(about(either).where(['a', 'b'])).toEqual({ title: 'a,b' })
    expect(about(either).where('a')).toEqual({ title: 'a' })
    const many = z.preprocess((given) => [given].flat(), z.array(z.string()))
    expect(about(many).where('a')).toEqual({ title: 'a' })
  })

  it('§0.4 none has the name of a parameter of lists', () => {
    const site = compileSite(defineSite({ types: [piece('thing')] }))
    const thing = site.types.get('thing')
    const names = thing === undefined ? [] : listNames(thing, site).query.map(({ name }) => name)
    const about = query({ input: z.string(), where: () => ({}) })
    for (const name of names) {
      const declared = defineSite({ types: [piece('thing', { queries: { [name]: about } })] })
      expect(() => compileSite(declared), name).toThrow(`types.thing.queries.${name}`)
    }
  })
})
