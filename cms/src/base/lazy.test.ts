import { describe, expect, test } from 'vitest'
import { once } from './lazy.ts'

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
