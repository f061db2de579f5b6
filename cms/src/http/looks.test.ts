import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Looks } from './looks.ts'

/** Looks that are counted. */
function counted(look: () => boolean = () => true) {
  const seen: string[] = []
  const looks = new Looks(() => {
    seen.push('look')
    return look()
  })
  const ask = (name: string, goOn = () => {}) =>
    looks.next(
      (isCaughtUp) => {
        seen.push(`${name} ${isCaughtUp}`)
        goOn()
      },
      ({ message }) => seen.push(`${name}: ${message}`),
    )
  return { seen, ask }
}

test('requests of one turn are answered after one look, those of the next turn after another', async () => {
  const { seen, ask } = counted()
  ask('a')
  ask('b')
  expect(seen).toEqual([])
  await turn()
  ask('c')
  await turn()
  expect(seen).toEqual(['look', 'a true', 'b true', 'look', 'c true'])
})

test('a request that comes after the look waits for a later one', async () => {
  const { seen, ask } = counted()
  ask('a', () => ask('b'))
  ask('c')
  await turn()
  await turn()
  expect(seen).toEqual(['look', 'a true', 'c true', 'look', 'b true'])
})

test('what fails for one request, or in a look, fails for that one alone', async () => {
  let failures = 1
  const { seen, ask } = counted(() => {
    failures -= 1
    if (failures === 0) throw new Error('no look')
    return false
  })
  ask('a')
  ask('b', () => {
    throw new Error('broken')
  })
  ask('c')
  await turn()
  expect(seen).toEqual(['look', 'a: no look', 'look', 'b false', 'b: broken', 'c false'])
})
