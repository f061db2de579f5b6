import { expect, it } from 'vitest'
import { WordBudget } from './word-budget.ts'

it('§4.4 one answer compares a million characters by words, and shorter texts after one that was too long', async () => {
  const budget = new WordBudget()
  expect(await budget.spend(600_000)).toBe(true)
  expect(await budget.spend(400_001)).toBe(false)
  expect(await budget.spend(400_000)).toBe(true)
  expect(await budget.spend(1)).toBe(false)
})

it('§4.4 comparing many texts gives way to other requests', async () => {
  const budget = new WordBudget()
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  for (let index = 0; index < 20; index += 1) {
    await budget.spend(50_000)
    work(2)
  }
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(20)
})

/** Keeps the event loop busy, as comparing does. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}
