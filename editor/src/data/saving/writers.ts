// Each open document has a writer: its changes on this device bear the name. A writer that is held lives in some tab;
// the changes of one that is not held were left behind, and can be put back. Two tabs with the same document are two
// writers: each saves with `If-Match`, and merges what the other saved.

export interface Writers {
  /**
   * Holds the name until the returned function is called or the page is gone; null where another has it, and keeps it
   * for a while: the browser needs a moment to take it from a page that is gone.
   */
  hold(writer: string): Promise<(() => void) | null>
}

const PREFIX = 'quire writer '
/** How long to wait for a writer whose page may just have gone, in milliseconds. */
const PATIENCE = 500

/**
 * Writers by the locks of the browser. Where a page has none, since it came by plain http, nobody counts as living:
 * then another tab may offer to put changes back that are not lost, which doubles nothing.
 */
export function createWriters(locks: LockManager | undefined = globalThis.navigator.locks): Writers {
  return {
    hold(writer) {
      if (!locks) return Promise.resolve(() => {})
      const { promise, resolve, reject } = Promise.withResolvers<(() => void) | null>()
      const keep = () => new Promise<void>((release) => resolve(release))
      const signal = AbortSignal.timeout(PATIENCE)
      locks
        .request(PREFIX + writer, { signal }, keep)
        .catch((error) => (signal.aborted ? resolve(null) : reject(error)))
      return promise
    },
  }
}
