/** Does work one after another, in the order in which it came. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve()

  /** Does the work when all that came before is done. */
  add<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    // A failure is its caller's; what comes next only waits.
    this.#last = done.catch(() => {})
    return done
  }
}
