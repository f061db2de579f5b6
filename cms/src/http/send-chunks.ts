import type { ServerResponse } from 'node:http'
import type { JoinedBytes } from '../engine/shared-bytes.ts'

/** What an answer is joined in: up to this length it leaves at once. */
const MEMORY = 128 * 1024
/** Up to this length an answer is joined in memory of its own, which takes no longer. */
const SMALL = 16 * 1024
/** Of so many answers it is kept for the next ones. */
const MOST_FREE = 16

/** Memory that nobody reads any more. */
const free: Buffer[] = []

/**
 * Sends the bytes of an answer, and ends it. They are joined in memory that other answers have left, and a long one leaves
 * chunk by chunk, each in the memory of the one before when that has been taken from it: what is copied does not wait for
 * a slow reader in megabytes, and is not left for the garbage collector.
 */
export function sendChunks(response: ServerResponse, body: JoinedBytes): void {
  if (body.length <= SMALL) {
    response.end(body.bytes())
    return
  }
  const memory = free.pop() ?? Buffer.allocUnsafeSlow(MEMORY)
  if (body.length > MEMORY) sendOneByOne(response, body, memory)
  else response.end(body.writeTo(memory), () => release(memory))
}

function sendOneByOne(response: ServerResponse, body: JoinedBytes, memory: Buffer): void {
  const chunks = body.chunks((length) =>
    length > MEMORY ? Buffer.allocUnsafeSlow(length) : memory.subarray(0, length),
  )
  const sendNext = (error?: Error | null) => {
    // The reader has disconnected.
    if (error) return
    const { value: chunk } = chunks.next()
    if (chunk !== undefined) response.write(chunk, sendNext)
    else {
      release(memory)
      response.end()
    }
  }
  sendNext()
}

/** Not called where a connection broke: something may still read it. */
function release(memory: Buffer): void {
  if (free.length < MOST_FREE) free.push(memory)
}
