import { describe, expect, test } from 'vitest'
import { addLazily, once } from './lazy.ts'

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

  test('members are made one by one, stay the same, and are copied with the object', () => {
    const made: string[] = []
    const part = (name: string) => () => {
      made.push(name)
      return { name }
    }
    const whole = addLazily({ own: 1 }, { first: part('first'), second: part('second') })
    expect(whole.second).toBe(whole.second)
    expect(made).toEqual(['second'])
    expect({ ...whole }).toEqual({ own: 1, first: { name: 'first' }, second: { name: 'second' } })
    expect(made).toEqual(['second', 'first'])
  })
})
