import type { ServerResponse } from 'node:http'
import type { JoinedBytes } from '../../engine/shared-bytes.ts'

/** The length of the buffers that answers are joined in: up to this length an answer is sent at once. */
const MEMORY = 128 * 1024
/** Up to this length an answer gets a buffer of its own, which is as fast. */
const SHORT = 16 * 1024
/** How many buffers are kept for further answers. */
const MOST_FREE = 16

/** Buffers that nothing reads any more. */
const free: Buffer[] = []

/**
 * Sends the bytes of an answer, and ends it. They are joined in a buffer that earlier answers have used. A long answer
 * is sent chunk by chunk, each in the buffer of the one before, once that was taken from it: so slow readers do not
 * hold megabytes of copies, and the garbage collector has none to free.
 */
export function sendChunks(response: ServerResponse, body: JoinedBytes): void {
  if (body.length <= SHORT) {
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

/** Frees memory for the next chunk; not after a connection broke: something may still read it. */
function release(memory: Buffer): void {
  if (free.length < MOST_FREE) free.push(memory)
}
