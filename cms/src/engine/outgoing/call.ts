import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { publicLookup, type Resolve } from '../embeds/public-lookup.ts'
import { type AllowingOption, assertPublic, namingOption } from './public-address.ts'

const TIME_MS = 10_000

/** A request to a program outside. */
export interface OutgoingCall {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Empty for none. */
  readonly body: string
}

/** How a request is sent. */
export interface CallOptions {
  /** Also to private networks, and without https. */
  readonly allowPrivate: boolean
  /** The site option that says so. */
  readonly option: AllowingOption
  readonly signal: AbortSignal
  readonly resolve?: Resolve
}

/**
 * Sends a request, and returns the status of the answer, of which nothing more is read. Redirects are not followed.
 * Throws when the receiver cannot be reached within ten seconds, or where it must not be: what a socket connects to is
 * checked when its name has been resolved.
 */
export async function call({ method, headers, body, ...sent }: OutgoingCall, options: CallOptions): Promise<number> {
  const { allowPrivate, option, signal, resolve } = options
  const url = new URL(sent.url)
  if (!allowPrivate) assertPublic(url, option)
  const bytes = Buffer.from(body)
  const ending = AbortSignal.any([signal, AbortSignal.timeout(TIME_MS)])
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method,
    agent: false,
    headers: { 'content-length': bytes.length, 'user-agent': 'Quire', ...headers },
    ...(allowPrivate ? {} : { lookup: publicLookup([], resolve) }),
    signal: ending,
  })
  request.end(bytes)
  try {
    // With the signal, since a call that was answered with 101 ends without an event. `as`: the event has one argument.
    const [response] = (await once(request, 'response', { signal: ending })) as [IncomingMessage]
    return response.statusCode ?? 0
  } catch (error) {
    throw namingOption(error, option)
  } finally {
    request.on('error', () => {}).destroy()
  }
}
