export interface Queue {
  /**
   * Runs the work when its turn comes. Where the signal is aborted before that, the work is never run, and the promise
   * rejects with the reason of the signal.
   */
  add<Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value>
}

/** Runs so many pieces of work at once; the others wait in the order in which they came. */
export function createQueue(atOnce: number): Queue {
  let running = 0
  const waiting: (() => void)[] = []
  const next = () => {
    if (running >= atOnce) return
    waiting.shift()?.()
  }
  return {
    add(work, signal) {
      return new Promise((resolve, reject) => {
        const start = () => {
          signal?.removeEventListener('abort', leave)
          running += 1
          work()
            .then(resolve, reject)
            .finally(() => {
              running -= 1
              next()
            })
        }
        const leave = () => {
          const place = waiting.indexOf(start)
          if (place >= 0) waiting.splice(place, 1)
          reject(signal?.reason)
        }
        if (signal?.aborted) {
          leave()
          return
        }
        signal?.addEventListener('abort', leave, { once: true })
        waiting.push(start)
        next()
      })
    },
  }
}
