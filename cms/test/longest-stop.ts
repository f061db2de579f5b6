import { setImmediate } from 'node:timers/promises'

/** Milliseconds of processor time for which others may have to wait, on a calm machine. */
export const LONGEST_STOP = 100
const ROUNDS = 4
/** What `pieceOfWork` takes there, in milliseconds. */
const PIECE_OF_WORK = 40

function pieceOfWork(): string {
  const values = Array.from({ length: 40_000 }, (_, index) => ({ label: `Link ${(index * 7919) % 40_000}` }))
  return JSON.stringify(values.sort((one, other) => (one.label < other.label ? -1 : 1)))
}

/** How many times slower this machine is at the moment than a calm one: programs on the other half of a core slow it. */
function slowness(): number {
  const before = process.threadCpuUsage()
  pieceOfWork()
  const { user, system } = process.threadCpuUsage(before)
  return Math.max(1, (user + system) / 1000 / PIECE_OF_WORK)
}

/**
 * The longest turn of the event loop until work is done, in processor time of its thread on a calm machine. The least of
 * some rounds, since garbage is collected at any time.
 */
export async function longestStop(
  work: (round: number) => Promise<unknown>,
  prepare: () => Promise<unknown> = async () => {},
): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS && least > LONGEST_STOP; round += 1) {
    await prepare()
    const slow = slowness()
    let [isDone, longest] = [false, 0]
    const ended = work(round).finally(() => {
      isDone = true
    })
    while (!isDone) {
      const before = process.threadCpuUsage()
      await setImmediate()
      const { user, system } = process.threadCpuUsage(before)
      longest = Math.max(longest, (user + system) / 1000)
    }
    await ended
    least = Math.min(least, longest / slow)
  }
  return least
}
