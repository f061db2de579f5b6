import { randomInt } from 'node:crypto'
import fc from 'fast-check'

/** True in `npm run test:all`: nothing is left out. `npm test` takes another sample of what is long in each run. */
export const isWhole = process.env.QUIRE_TEST_ALL === '1'

process.env.QUIRE_TEST_SEED ??= String(randomInt(2 ** 31))
/** What this run, in all of its processes, draws its samples and its random requests by; `QUIRE_TEST_SEED` repeats a run. */
export const seed = Number(process.env.QUIRE_TEST_SEED)

/** For vitest: says what the run draws its samples by. */
export function setup(): void {
  const what = isWhole ? 'Everything is tested' : 'Long tests take a sample, `npm run test:all` takes all'
  console.log(`${what}. QUIRE_TEST_SEED=${seed} repeats this run.`)
}

/** `count` of the items, in their order: another choice in each run, and all of them in `npm run test:all`. */
export function sample<T>(items: readonly T[], count: number): readonly T[] {
  return isWhole ? items : some(items, count)
}

/** `count` of the items, in `npm run test:all`, too; another choice for each `salt`. */
export function some<T>(items: readonly T[], count: number, salt = 0): readonly T[] {
  if (items.length <= count) return items
  const indexes = fc.shuffledSubarray([...items.keys()], { minLength: count, maxLength: count })
  const [chosen = []] = fc.sample(indexes, { seed: seed + items.length + salt, numRuns: 1 })
  return items.filter((_, index) => chosen.includes(index))
}

/** How long fast-check is to run, with the seed of this run: twenty times as long in `npm run test:all`. */
export function fuzzing(numRuns: number) {
  return { seed, numRuns: isWhole ? numRuns * 10 : Math.ceil(numRuns / 2), endOnFailure: false }
}
