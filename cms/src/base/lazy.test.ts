import { describe, expect, test } from 'vitest'
import { once, oncePer } from './lazy.ts'

describe('what is made when it is first used', () => {
  test('a value is made once', () => {
    let made = 0
    const value = once(() => {
      made += 1
      return { made }
    })
    expect(made).toBe(0)
    expect([value(), value()]).toEqual([{ made: 1 }, { made: 1 }])
  })
})

test('a value is computed once for each object, also where it is null', () => {
  let calls = 0
  const nothing = oncePer((_key: object): null => {
    calls += 1
    return null
  })
  const [one, other] = [{}, {}]
  expect([nothing(one), nothing(one), nothing(other), calls]).toEqual([null, null, null, 2])
})
