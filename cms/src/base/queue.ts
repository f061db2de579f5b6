/** Runs work one at a time, in the order in which it was queued. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs the work once everything queued before it is done. */
  add<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    // A failure belongs to its caller; the next work only waits for the end.
    this.#last = done.catch(() => {})
    return done
  }
}
