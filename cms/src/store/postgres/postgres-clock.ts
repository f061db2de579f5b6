/** The time of a server, in milliseconds since 1970. */
export const SERVER_TIME = '(extract(epoch from clock_timestamp()) * 1000)::float8'

/** How far a time in whole milliseconds may be off. */
const ROUNDING_MS = 1

/**
 * The clock of a server, which all processes of a database share: that of this process, set right by as much as the two
 * cannot agree on.
 */
export class ServerClock {
  #ahead = 0

  now(): Date {
    return new Date(Date.now() + this.#ahead)
  }

  /** The server named its time, after one time of this process and before another: in between, it may have been any. */
  hear(time: number, before: number, after: number): void {
    const own = time - this.#ahead
    if (own >= before - ROUNDING_MS && own <= after + ROUNDING_MS) return
    this.#ahead = Math.round(time - (before + after) / 2)
  }
}
