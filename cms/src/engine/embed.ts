/** An embed of another site (§4.8), in the words of oEmbed. `html` is safe to send as it stands. */
export interface Embed {
  readonly type: 'video' | 'rich' | 'photo'
  readonly version: '1.0'
  readonly provider_name: string
  /** One `iframe` or one `img`, made here; nothing of what the provider wrote but its address, title and size. */
  readonly html: string
  readonly width?: number
  readonly height?: number
  readonly title?: string
  readonly author_name?: string
  readonly thumbnail_url?: string
}

/**
 * The outcome of looking up an address. `unknown`: no provider on the site's list has it. `absent`: the provider has
 * nothing there that can be embedded. `unavailable`: the provider cannot be asked now.
 */
export type EmbedOutcome =
  | { readonly kind: 'found'; readonly embed: Embed }
  | { readonly kind: 'unknown' | 'absent' | 'unavailable' }

/** Finds what addresses of other sites show, and caches it. */
export interface EmbedFinder {
  /**
   * Asks the provider, unless the answer is cached. With `isThrottled`, throws `toomany` when more callers than a
   * service should ask providers for have asked within a minute.
   */
  find(url: string, isThrottled?: boolean): Promise<EmbedOutcome>
}
