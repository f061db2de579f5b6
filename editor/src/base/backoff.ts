const FIRST = 1000
const LONGEST = 30_000

/**
 * Milliseconds to wait after so many failures in a row: 1, 2, 4 … 30 seconds, a quarter more or less, so that those who
 * failed together do not come back together. `random` gives numbers from 0 to 1.
 */
export function backoff(failures: number, random: () => number = Math.random): number {
  const whole = Math.min(FIRST * 2 ** Math.max(0, failures - 1), LONGEST)
  return Math.round(whole * (0.75 + random() / 2))
}
