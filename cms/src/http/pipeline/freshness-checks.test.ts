import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FreshnessChecks } from './cache.ts'

/** Checks that are recorded. */
function recorded(check: () => boolean = () => true) {
  const seen: string[] = []
  const checks = new FreshnessChecks(() => {
    seen.push('check')
    return check()
  })
  const ask = (name: string, goOn = () => {}) =>
    checks.next(
      (isCaughtUp) => {
        seen.push(`${name} ${isCaughtUp}`)
        goOn()
      },
      ({ message }) => seen.push(`${name}: ${message}`),
    )
  return { seen, ask }
}

test('requests of one turn are answered after one check, those of the next turn after another', async () => {
  const { seen, ask } = recorded()
  ask('a')
  ask('b')
  expect(seen).toEqual([])
  await turn()
  ask('c')
  await turn()
  expect(seen).toEqual(['check', 'a true', 'b true', 'check', 'c true'])
})

test('a request that comes after the check waits for a later one', async () => {
  const { seen, ask } = recorded()
  ask('a', () => ask('b'))
  ask('c')
  await turn()
  await turn()
  expect(seen).toEqual(['check', 'a true', 'c true', 'check', 'b true'])
})

test('what fails for one request, or in a check, fails for that one alone', async () => {
  let failures = 1
  const { seen, ask } = recorded(() => {
    failures -= 1
    if (failures === 0) throw new Error('no check')
    return false
  })
  ask('a')
  ask('b', () => {
    throw new Error('broken')
  })
  ask('c')
  await turn()
  expect(seen).toEqual(['check', 'a: no check', 'check', 'b false', 'b: broken', 'c false'])
})
