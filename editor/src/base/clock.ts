/** Time, as an argument: tests move it by hand. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs something after so many milliseconds, unless what is returned is called before. */
  after(milliseconds: number, run: () => void): () => void
}

/** The time of this machine. */
export const machineClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  },
}
