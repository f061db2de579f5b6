import type { EmbedProvider } from '../../model/declared/embed-providers.ts'
import type { Embed } from '../embed.ts'
import { type FetchOptions, fetchJson, Refused } from './fetch-json.ts'
import { readEmbed } from './read-embed.ts'

/** Asks a provider for the embed of an address; null when it has none. Throws when it cannot be asked. */
export async function fetchEmbed(endpoint: URL, provider: EmbedProvider, options: FetchOptions): Promise<Embed | null> {
  try {
    return readEmbed(await fetchJson(endpoint, options), provider)
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}
