import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { PrivateAddress, publicLookup, type Resolve } from '../../engine/embeds/public-lookup.ts'
import type { Delivery } from '../../store/contract/store.ts'
import { assertPublic, PRIVATE_ADDRESS, type Receiver } from './receivers.ts'
import { SIGNATURE_HEADER, signatureOf } from './signature.ts'

const TIME_MS = 10_000

/** How a delivery is sent. */
interface SendOptions {
  /** Also to private networks, and without https. */
  readonly allowPrivate: boolean
  /** The signed time, in seconds since 1970. */
  readonly seconds: number
  readonly signal: AbortSignal
  readonly resolve?: Resolve
}

/**
 * Sends a delivery, and returns the status of the answer, of which nothing more is read. Redirects are not followed.
 * Throws when the receiver cannot be reached within ten seconds, or where it must not be: what a socket connects to is
 * checked when its name has been resolved.
 */
export async function send(receiver: Receiver, { id, event, body }: Delivery, options: SendOptions): Promise<number> {
  const { allowPrivate, seconds, signal, resolve = resolveAll } = options
  const url = new URL(receiver.url)
  if (!allowPrivate) assertPublic(url)
  const bytes = Buffer.from(body)
  const ending = AbortSignal.any([signal, AbortSignal.timeout(TIME_MS)])
  const call = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    agent: false,
    headers: {
      'content-type': 'application/json',
      'content-length': bytes.length,
      'user-agent': 'Quire',
      'quire-event': event,
      'quire-delivery': id,
      [SIGNATURE_HEADER.toLowerCase()]: signatureOf(receiver.secret, body, seconds),
    },
    ...(allowPrivate ? {} : { lookup: publicLookup(resolve, []) }),
    signal: ending,
  })
  call.end(bytes)
  try {
    // With the signal, since a call that was answered with 101 ends without an event. `as`: the event has one argument.
    const [response] = (await once(call, 'response', { signal: ending })) as [IncomingMessage]
    return response.statusCode ?? 0
  } catch (error) {
    throw error instanceof PrivateAddress ? new Error(PRIVATE_ADDRESS) : error
  } finally {
    call.on('error', () => {}).destroy()
  }
}

function resolveAll(host: string): ReturnType<Resolve> {
  return lookup(host, { all: true })
}
