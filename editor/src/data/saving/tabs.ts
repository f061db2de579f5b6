import { type DocumentPlace, nameOf } from './document-place.ts'

/** The messages between tabs with the same document: each has its own saver, and follows the others. */
export interface Tabs {
  /** This tab stored the document: it has this ETag now. */
  say(etag: string): void
  /** Calls back when another tab stored it. */
  hear(listen: (etag: string) => void, signal: AbortSignal): void
  /** Ends all messages. */
  close(): void
}

export function createTabs(place: DocumentPlace): Tabs {
  const channel = new BroadcastChannel(`quire ${nameOf(place)}`)
  let isClosed = false
  return {
    say: (etag) => {
      if (!isClosed) channel.postMessage(etag)
    },
    hear(listen, signal) {
      channel.addEventListener('message', ({ data }) => listen(String(data)), { signal })
    },
    close: () => {
      isClosed = true
      channel.close()
    },
  }
}
