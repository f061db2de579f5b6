import { CacheMemory, LastingCache } from '../../base/bounded-cache.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import { CmsError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { Semaphore, WaitedTooLong } from '../../base/semaphore.ts'
import { type EmbedProvider, providerOf } from '../../model/declared/embed-providers.ts'
import type { EmbedFinder, EmbedOutcome } from '../embed.ts'
import { isNetwork } from './is-network.ts'
import type { Resolve } from './public-lookup.ts'

const MAX_URL = 2_000
const FETCHES_AT_ONCE = 8
const PATIENCE_MS = 1_000
const [DAY_MS, CACHE_BYTES] = [24 * 60 * MINUTE_MS, 4 * 1024 * 1024]
/** How many fetches all throttled callers together can cause in a minute. */
const THROTTLED_FETCHES = 120

/** The options of `Embeds`. */
interface EmbedsOptions {
  readonly providers: readonly EmbedProvider[]
  /** Private networks that providers may be in, as `10.1.0.0/16`. */
  readonly networks: readonly string[]
  readonly log: Log
  readonly now: () => Date
  readonly resolve?: Resolve
}

/**
 * Fetches embeds from the providers of a site: each address once at a time, and only a few at a time. Embeds are cached
 * for a day, failures for a minute. Embeds are used for longer while their provider is unavailable.
 */
export class Embeds implements EmbedFinder {
  readonly #options: EmbedsOptions
  readonly #cache = new LastingCache<EmbedOutcome>({
    memory: new CacheMemory(CACHE_BYTES),
    bytesOf: (outcome) => 2 * JSON.stringify(outcome).length,
  })
  readonly #fetches = new Semaphore(FETCHES_AT_ONCE)
  #minute = 0
  #throttled = 0

  constructor(options: EmbedsOptions) {
    const wrong = options.networks.find((network) => !isNetwork(network))
    if (wrong !== undefined) throw new Error(`embedNetworks: “${wrong}” is not a network. Write it as 10.1.0.0/16.`)
    this.#options = options
  }

  async find(text: string, isThrottled = false): Promise<EmbedOutcome> {
    const url = addressOf(text)
    const provider = url === null ? undefined : providerOf(this.#options.providers, url)
    if (url === null || provider === undefined) return { kind: 'unknown' }
    return this.#cache.fill(url.href, this.#now(), (former) => {
      if (isThrottled) this.#throttle()
      return this.#ask(url, provider, former)
    })
  }

  async #ask(url: URL, provider: EmbedProvider, former: EmbedOutcome | undefined): Promise<EmbedOutcome> {
    try {
      const fresh = await this.#fetches.run(() => this.#fetch(url, provider), 1, PATIENCE_MS)
      const outcome = fresh.kind === 'unavailable' && former?.kind === 'found' ? former : fresh
      this.#cache.set(url.href, outcome, this.#now() + (fresh.kind === 'found' ? DAY_MS : MINUTE_MS))
      return outcome
    } catch (error) {
      if (error instanceof WaitedTooLong) return { kind: 'unavailable' }
      throw error
    }
  }

  #now(): number {
    return this.#options.now().getTime()
  }

  async #fetch(url: URL, provider: EmbedProvider): Promise<EmbedOutcome> {
    const endpoint = new URL(provider.endpoint)
    endpoint.searchParams.set('url', url.href)
    endpoint.searchParams.set('format', 'json')
    const { providers, log, networks, resolve } = this.#options
    const isAllowed = ({ origin }: URL) => providers.some((known) => new URL(known.endpoint).origin === origin)
    try {
      const { fetchEmbed } = await import('./fetch-embed.ts')
      const embed = await fetchEmbed(endpoint, provider, { networks, resolve, isAllowed })
      return embed === null ? { kind: 'absent' } : { kind: 'found', embed }
    } catch (error) {
      log.warn({ provider: provider.name, error }, 'A provider of embeds could not be reached.')
      return { kind: 'unavailable' }
    }
  }

  #throttle(): void {
    const now = this.#now()
    if (now - this.#minute >= MINUTE_MS) {
      this.#minute = now
      this.#throttled = 0
    }
    this.#throttled += 1
    if (this.#throttled <= THROTTLED_FETCHES) return
    const retryAfter = Math.max(1, Math.ceil((this.#minute + MINUTE_MS - now) / 1000))
    throw new CmsError('toomany', `Too many addresses were asked for. Try again in ${retryAfter} seconds.`, {
      retryAfter,
    })
  }
}

/** The address that a provider is asked about: https, without credentials and fragment; null for anything else. */
function addressOf(text: string): URL | null {
  // Parsers drop line breaks.
  const url = text.length <= MAX_URL && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) ? URL.parse(text) : null
  if (url === null || url.username !== '' || url.password !== '') return null
  url.protocol = 'https:'
  url.hash = ''
  return url
}
