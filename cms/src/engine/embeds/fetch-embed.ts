import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import type { EmbedProvider } from '../../model/declared/embed-providers.ts'
import type { Embed } from '../embed.ts'
import { assertReachable, publicLookup, type Resolve } from './public-lookup.ts'
import { readEmbed } from './read-embed.ts'

const TIME_MS = 3_000
const MAX_BYTES = 64 * 1024
const MAX_REDIRECTS = 2
const JSON_TYPE = /^(application|text)\/(json|[a-z]+\+json)\s*(;|$)/i

/** How an address is fetched. */
interface FetchOptions {
  /** Whether an address, given or redirected to, may be fetched. */
  readonly isAllowed: (url: URL) => boolean
  /** Private networks that are allowed all the same. */
  readonly networks: readonly string[]
  readonly resolve?: Resolve | undefined
}

/** Asks a provider for the embed of an address; null when it has none. Throws when it cannot be asked. */
export async function fetchEmbed(endpoint: URL, provider: EmbedProvider, options: FetchOptions): Promise<Embed | null> {
  try {
    return readEmbed(await fetchJson(endpoint, options), provider)
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}

/** The server said that there is nothing here for us: 401, 403, 404, 410 and the like. */
class Refused extends Error {}

/**
 * Fetches JSON from a server that nobody here runs: over https, from the public internet, at most 64 KB, within three
 * seconds, and through redirects only to what is allowed. Anything else is thrown.
 */
async function fetchJson(url: URL, options: FetchOptions): Promise<unknown> {
  const signal = AbortSignal.timeout(TIME_MS)
  let next = url
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    if (!options.isAllowed(next)) throw new Error(`Redirects to ${next.origin}, which is not allowed.`)
    const response = await get(next, options, signal)
    const { statusCode = 0, headers } = response
    if (statusCode === 200) return readJson(response)
    response.destroy()
    const isRedirect = statusCode >= 300 && statusCode < 400 && headers.location !== undefined
    if (!isRedirect) throw refusalOf(statusCode)
    next = new URL(headers.location ?? '', next)
  }
  throw new Error('Redirects too often.')
}

async function get(url: URL, { networks, resolve }: FetchOptions, signal: AbortSignal) {
  assertReachable(url.hostname, networks)
  const call = request(url, {
    agent: false,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Quire' },
    lookup: publicLookup(networks, resolve),
    signal,
  })
  call.end()
  // `as`: the event has one argument.
  const [response] = (await once(call, 'response', { signal })) as [IncomingMessage]
  return response
}

async function readJson(response: IncomingMessage): Promise<unknown> {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = response.headers
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    if (!JSON_TYPE.test(type) || encoding !== 'identity') throw new Error(`Answers ${type}, ${encoding}; not JSON.`)
    for await (const chunk of response) {
      bytes += chunk.length
      if (bytes > MAX_BYTES) throw new Error('Answers more than 64 KB.')
      chunks.push(chunk)
    }
  } finally {
    response.destroy()
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

function refusalOf(status: number): Error {
  const isOurs = status >= 400 && status < 500 && status !== 408 && status !== 429
  return isOurs ? new Refused(`Answers ${status}.`) : new Error(`Answers ${status}.`)
}
