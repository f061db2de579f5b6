import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../src/base/clock.ts'

/** A clock that a test moves. */
export interface ManualClock extends Clock {
  /** Lets so many milliseconds pass, and everything happen that they bring. */
  pass(milliseconds: number): Promise<void>
}

export function manualClock(): ManualClock {
  let time = 0
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await setImmediate()
  }
  return {
    now: () => time,
    after(milliseconds, run) {
      const timer = { at: time + milliseconds, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async pass(milliseconds) {
      const end = time + milliseconds
      for (;;) {
        await settle()
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)
        if (!next) break
        timers.delete(next)
        time = next.at
        next.run()
      }
      time = end
    },
  }
}
