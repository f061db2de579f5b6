import { expect } from 'vitest'

const FACTOR = 8
/** Linear work grows by the factor, quadratic work by its square. */
const ALLOWED = 4 * FACTOR
const ROUNDS = 3
/** Milliseconds that clocks and the garbage collector blur. */
const BLUR = 3

/**
 * Asserts that the processor time of `work` grows about linearly with the length of its input: `make` gives an input of
 * about so many characters. Times are compared with each other only, and again when something else may have disturbed
 * them.
 */
export async function expectLinear<Input>(
  make: (length: number) => Input,
  work: (input: Input) => unknown,
  length = 8_000,
): Promise<void> {
  await work(make(length))
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS && least >= ALLOWED; round += 1) {
    const short = await timeOf(make(length), work)
    least = Math.min(least, (await timeOf(make(length * FACTOR), work)) / (short + BLUR))
  }
  expect(least).toBeLessThan(ALLOWED)
}

/** Processor time of a doubled input at most, as a multiple of that of the input itself. */
const DOUBLED = 2.3
/** How often each of the two is measured at least and at most: the least time counts. */
const [LEAST_REPEATS, MOST_REPEATS] = [4, 60]
/** No input is measured again after so many milliseconds of processor time. */
const LONGEST_MEASURING = 5_000

/**
 * Whether twice the input takes at most 2.3 times the processor time, answering included. Null when it does, else the
 * two times. `work` gets 1 or 2 for the length of its input. Measured until it does, since other work only adds time.
 */
export async function problemOfDoubling(work: (times: 1 | 2) => Promise<unknown>): Promise<string | null> {
  let [once, twice] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  let spent = 0
  for (let repeat = 1; repeat <= MOST_REPEATS && spent < LONGEST_MEASURING; repeat += 1) {
    const times = [await timeOf<1>(1, work), await timeOf<2>(2, work)] as const
    once = Math.min(once, times[0])
    twice = Math.min(twice, times[1])
    spent += times[0] + times[1]
    if (repeat >= LEAST_REPEATS && twice <= DOUBLED * once) return null
  }
  return `${once} ms, and ${twice} ms for twice as much`
}

async function timeOf<Input>(input: Input, work: (input: Input) => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work(input)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
