import { Readable } from 'node:stream'

/** How often in a row a stream may break without delivering a byte. */
const MAX_IDLE = 3

/**
 * The bytes of `first`, continued after a break with the stream that `reopen` gives, which is given how many bytes were
 * read: storages close idle connections, and a reader may pause for longer. Repeated breaks without progress, and what
 * `reopen` throws, are the stream's error.
 */
export function resumingStream(first: Readable, reopen: (read: number) => Promise<Readable>): Readable {
  let current = first
  const take = (stream: Readable) => {
    current = stream
    // Reading it reports the failure, also one that happened while nothing was read.
    stream.on('error', () => {})
  }
  take(first)
  const output = Readable.from(parts(), { objectMode: false })
  output.once('close', () => current.destroy())
  return output

  async function* parts(): AsyncGenerator<Buffer> {
    let read = 0
    for (let idle = 0; ; ) {
      try {
        for await (const part of current as AsyncIterable<Buffer>) {
          read += part.length
          idle = 0
          yield part
        }
        return
      } catch (error) {
        idle += 1
        if (output.destroyed || idle === MAX_IDLE) throw error
      }
      take(await reopen(read))
    }
  }
}
