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

async function timeOf<Input>(input: Input, work: (input: Input) => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work(input)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
