import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isNarrowed, type ListView, nextSort, queryOf, STATES, viewOf } from './list-view.ts'

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
