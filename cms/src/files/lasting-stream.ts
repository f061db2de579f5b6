import { Readable } from 'node:stream'

/** How often a stream may break one after the other without a byte in between. */
const MOST_IDLE = 3

/**
 * The bytes of `first`, gone on with from `reopen`, which is told how many bytes are read, when it breaks: a storage ends
 * connections that stand still, and a reader may well pause for longer. What breaks again and again without a further
 * byte, and what `reopen` throws, is the stream's error.
 */
export function lastingStream(first: Readable, reopen: (read: number) => Promise<Readable>): Readable {
  let current = first
  const take = (stream: Readable) => {
    current = stream
    // Whoever reads it learns of its failure, even when it failed while nobody read.
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
        if (output.destroyed || idle === MOST_IDLE) throw error
      }
      take(await reopen(read))
    }
  }
}
