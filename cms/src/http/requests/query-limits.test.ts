import { describe, expect, test } from 'vitest'
import { parseQuery } from './query-string.ts'
import { checkQuery } from './read-parameters.ts'

const many = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}=${index}`).join('&')
const names = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=1`).join('&')

describe('§0.5 limits on what a request asks', () => {
  test.each([
    ['a value of any length', `gclid=${'x'.repeat(40_000)}`],
    ['100 values for one parameter', many('color[]', 100)],
    ['500 ids', many('_ids[]', 500)],
    ['100 parameters', names(100)],
    ['100 fields by name', many('project[a]', 100)],
  ])('takes %s', (_, text) => {
    expect(() => checkQuery(parseQuery(text), 500)).not.toThrow()
  })

  test.each([
    ['101 values for one parameter', many('color[]', 101), 'color takes at most 100 values'],
    ['101 values under several names', `${many('a[b]', 60)}&${many('a[c]', 41)}`, 'a takes at most 100 values'],
    ['501 ids', many('_ids', 501), '_ids takes at most 500 values'],
    ['101 parameters', names(101), 'At most 100 parameters'],
  ])('refuses %s', (_, text, message) => {
    expect(() => checkQuery(parseQuery(text), 500)).toThrow(expect.objectContaining({ name: 'invalid' }))
    expect(() => checkQuery(parseQuery(text), 500)).toThrow(message)
  })
})
