import fc from 'fast-check'
import type { TypeInfo } from 'quire-client'
import { expect, test } from 'vitest'
import { filtersOf, isNarrowed, type ListView, nextSort, queryOf, requestOf, STATES, viewOf } from './list-view.ts'

const word = fc.string({ minLength: 1, maxLength: 8 })
const views: fc.Arbitrary<ListView> = fc.record({
  search: fc.string(),
  state: fc.constantFrom(null, ...STATES),
  sort: fc.constantFrom('', 'title', '-updatedAt'),
  page: fc.integer({ min: 1, max: 9 }),
  filters: fc.dictionary(fc.constantFrom('section', 'date.from', 'date.to', '_topics'), word),
})

test('3.5 an address brings back the list that it was made of', () => {
  const isBrought = (view: ListView) => {
    expect(viewOf(queryOf(view))).toEqual({ ...view, filters: { ...view.filters } })
  }
  fc.assert(fc.property(views, isBrought))
})

test('3.5 what an address says and nobody understands is left out', () => {
  expect(viewOf({ page: '-3', state: 'lost', unknown: 'x' })).toEqual({
    search: '',
    state: null,
    sort: '',
    page: 1,
    filters: {},
  })
})

test('3.5 a page and an order narrow nothing', () => {
  expect(isNarrowed(viewOf({ page: '2', sort: 'title' }))).toBe(false)
  expect(['search', 'state', 'f.section'].map((name) => isNarrowed(viewOf({ [name]: 'draft' })))).toEqual([
    true,
    true,
    true,
  ])
})

test('3.5 the head of a column sorts upwards, then downwards', () => {
  expect(nextSort('', 'title')).toBe('title')
  expect(nextSort('title', 'title')).toBe('-title')
  expect(nextSort('-title', 'title')).toBe('title')
})

const images: TypeInfo = {
  family: 'piece',
  label: 'Image',
  pluralLabel: 'Images',
  fields: [{ name: 'alt', type: 'string', label: 'Alternative text', options: {}, filter: 'text' }],
  groups: [],
  localized: true,
  versions: true,
  sort: 'title',
  denied: {},
  queries: [
    { name: 'isUsed', schema: { type: 'boolean' } },
    { name: 'extension', schema: { type: 'string', enum: ['jpg', 'png'] } },
    { name: 'minWidth', description: 'Pixels', schema: { type: 'integer' } },
    { name: 'near', schema: { type: 'object' } },
  ],
}

test('9 filters of its own that a type has are offered, as far as one control can hold their value', () => {
  expect(filtersOf(images).map(({ name, label, filter, options }) => [name, label, filter, options.choices])).toEqual([
    ['isUsed', 'Used', 'boolean', []],
    [
      'extension',
      'Kind of file',
      'choices',
      [
        { value: 'jpg', label: 'jpg' },
        { value: 'png', label: 'png' },
      ],
    ],
    ['minWidth', 'Min width', 'text', []],
  ])
})

test('9 an address asks for filters that the type has, and for nothing else', () => {
  const view = viewOf({ 'f.isUsed': 'false', 'f.minWidth': '900', 'f.near': 'x', 'f.render-areas': '1' })
  expect(requestOf(view, images).query).toEqual({ perPage: 50, page: 1, isUsed: 'false', minWidth: '900' })
})
