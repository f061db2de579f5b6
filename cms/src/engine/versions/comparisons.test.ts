import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { newId } from '../../base/ids.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Actor } from '../permissions.ts'
import { ComparisonBudget, oneAtATime } from './comparisons.ts'

/** Work of so many steps, and how often it was begun. */
function workOf(steps: number) {
  const begun = { times: 0 }
  const work = function* () {
    begun.times += 1
    for (let step = 1; step < steps; step += 1) yield
    return `${steps} steps`
  }
  return { begun, work, compared: { purpose: 'test', older: newId(), newer: newId() } }
}

it('§2.5 one answer takes two thousand steps, and what is short after those', async () => {
  const budget = new ComparisonBudget()
  const spend = ({ compared, work }: ReturnType<typeof workOf>) => budget.spend(compared, work)
  expect(await spend(workOf(1_500))).toBe('1500 steps')
  expect(await spend(workOf(600))).toBe(null)
  expect(await spend(workOf(21))).toBe(null)
  expect(await spend(workOf(20))).toBe('20 steps')
})

it('§2.5 what was compared is not compared again, and counts as it did', async () => {
  const [long, other] = [workOf(1_500), workOf(1_000)]
  for (let time = 0; time < 3; time += 1) {
    const budget = new ComparisonBudget()
    expect(await budget.spend(long.compared, long.work)).toBe('1500 steps')
    expect(await budget.spend(other.compared, other.work)).toBe(null)
  }
  expect(long.begun.times).toBe(1)
})

it('§2.5 comparing lets others run between its steps', async () => {
  const busy = function* () {
    for (let step = 0; step < 100; step += 1) {
      const end = performance.now() + 1
      while (performance.now() < end);
      yield
    }
    return 'done'
  }
  let [turns, isDone] = [0, false]
  const compared = new ComparisonBudget().spend({ purpose: 'test', older: newId(), newer: '' }, busy).then(() => {
    isDone = true
  })
  for (; !isDone; turns += 1) await setImmediate()
  await compared
  expect(turns).toBeGreaterThan(10)
})

it('§4.4 a caller compares one after another, and waits for no other caller', async () => {
  // `as`: of the site nothing is asked.
  const site = {} as Site
  const person = { username: null, firstName: '', lastName: '', ai: false, draftsOnly: false }
  const caller = (id: string): Actor => ({ kind: 'key', id, role: 'editor', name: id, ...person })
  const running = { a: 0, b: 0 }
  const most = { a: 0, b: 0, all: 0 }
  const compare = (id: 'a' | 'b') =>
    oneAtATime({ site, actor: caller(id) }, async () => {
      running[id] += 1
      most[id] = Math.max(most[id], running[id])
      most.all = Math.max(most.all, running.a + running.b)
      await setImmediate()
      running[id] -= 1
    })
  await Promise.all((['a', 'a', 'b', 'a', 'b'] as const).map(compare))
  expect(most).toEqual({ a: 1, b: 1, all: 2 })
})
