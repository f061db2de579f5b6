import type { IncomingMessage } from 'node:http'

/** A body of which less than this is to come is read to its end, and its connection kept. */
const SMALL = 256 * 1024
/** What is read of a refused body so that its sender gets to the answer: bytes and milliseconds. */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_MS = 5_000

/** True when a request is answered before its body has come, and the rest may be long. */
export function isUnread(request: IncomingMessage): boolean {
  if (request.complete || request.destroyed) return false
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  return coding !== undefined || Number(length ?? 0) > SMALL
}

/**
 * An answer's bytes, whose stream ends only when the sender has stopped sending, or after some seconds. Closed at once, a
 * connection with unread bytes is reset, and many senders would never see the answer. Read on for ever, a refusal would
 * cost as much as what it refuses.
 */
export async function* lingering(body: Buffer, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield body
  await new Promise<void>((done) => {
    const timer = setTimeout(done, MAX_MS).unref()
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_BYTES) done()
    })
    for (const event of ['end', 'close', 'error']) request.on(event, () => done())
    request.on('close', () => clearTimeout(timer))
    request.resume()
  })
}
