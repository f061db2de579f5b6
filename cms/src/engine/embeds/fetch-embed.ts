import type { EmbedProvider } from '../../model/declared/embed-providers.ts'
import type { Embed } from '../embed.ts'
import { type FetchOptions, fetchJson, Refused } from './fetch-json.ts'
import { readEmbed } from './read-embed.ts'

/** What a provider answers for an address; null where it knows nothing of it. Throws when it cannot be asked. */
export async function fetchEmbed(endpoint: URL, provider: EmbedProvider, options: FetchOptions): Promise<Embed | null> {
  try {
    return readEmbed(await fetchJson(endpoint, options), provider)
  } catch (error) {
    if (error instanceof Refused) return null
    throw error
  }
}
