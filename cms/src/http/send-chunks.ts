import type { ServerResponse } from 'node:http'
import type { JoinedBytes } from '../engine/shared-bytes.ts'

/** Answers up to this length are sent at once. */
const SHORT = 256 * 1024
/** What a chunk takes that is not longer than usual. */
const CHUNK = 80 * 1024

/**
 * Sends the bytes of an answer, and ends it. A long one leaves chunk by chunk, each in the memory of the one before when
 * that has been taken from it: megabytes are not copied to wait for a slow reader, nor left for the garbage collector.
 */
export function sendChunks(response: ServerResponse, body: JoinedBytes): void {
  if (body.length > SHORT) sendOneByOne(response, body)
  else {
    response.cork()
    for (const chunk of body.chunks()) response.write(chunk)
    response.end()
    response.uncork()
  }
}

function sendOneByOne(response: ServerResponse, body: JoinedBytes): void {
  const memory = Buffer.allocUnsafeSlow(CHUNK)
  const chunks = body.chunks((length) => (length > CHUNK ? Buffer.allocUnsafeSlow(length) : memory.subarray(0, length)))
  const sendNext = (error?: Error | null) => {
    // The reader has disconnected.
    if (error) return
    const { value: chunk } = chunks.next()
    if (chunk === undefined) response.end()
    else response.write(chunk, sendNext)
  }
  sendNext()
}
