import { HOST, isAtHost } from '../terms/links.ts'

/** A site whose pages can be embedded by oEmbed (§4.8), and what may come from it. */
export interface EmbedProvider {
  readonly name: string
  /**
   * The addresses of its pages: `https://video.example.org/w/*`. The host may begin with `*.`, which stands for one or
   * more subdomains, and the path may end with `*`, which stands for anything.
   */
  readonly urls: readonly string[]
  /** Where its oEmbed answers are fetched: `https://video.example.org/services/oembed`. */
  readonly endpoint: string
  /** The hosts that frames and images of it may be loaded from; `*.` stands for subdomains. */
  readonly hosts: readonly string[]
}

/** The well-known providers that every site has. */
export const EMBED_PROVIDERS: readonly EmbedProvider[] = [
  {
    name: 'YouTube',
    urls: ['watch*', 'playlist*', 'shorts/*', 'live/*', 'embed/*', 'v/*']
      .flatMap((path) => [`https://*.youtube.com/${path}`, `https://youtube.com/${path}`])
      .concat('https://youtu.be/*'),
    endpoint: 'https://www.youtube.com/oembed',
    hosts: ['www.youtube.com', 'www.youtube-nocookie.com'],
  },
  {
    name: 'Vimeo',
    urls: ['https://vimeo.com/*', 'https://www.vimeo.com/*', 'https://player.vimeo.com/video/*'],
    endpoint: 'https://vimeo.com/api/oembed.json',
    hosts: ['player.vimeo.com', 'vimeo.com'],
  },
  {
    name: 'Dailymotion',
    urls: ['https://www.dailymotion.com/video/*', 'https://geo.dailymotion.com/player*', 'https://dai.ly/*'],
    endpoint: 'https://www.dailymotion.com/services/oembed',
    hosts: ['www.dailymotion.com', 'geo.dailymotion.com'],
  },
  {
    name: 'TED',
    urls: ['https://www.ted.com/talks/*', 'https://ted.com/talks/*'],
    endpoint: 'https://www.ted.com/services/v1/oembed.json',
    hosts: ['embed.ted.com'],
  },
  {
    name: 'Loom',
    urls: ['https://www.loom.com/share/*', 'https://loom.com/share/*'],
    endpoint: 'https://www.loom.com/v1/oembed',
    hosts: ['www.loom.com'],
  },
  {
    name: 'Streamable',
    urls: ['https://streamable.com/*'],
    endpoint: 'https://api.streamable.com/oembed.json',
    hosts: ['streamable.com'],
  },
  {
    name: 'Wistia',
    urls: ['https://*.wistia.com/medias/*', 'https://fast.wistia.com/embed/*'],
    endpoint: 'https://fast.wistia.com/oembed.json',
    hosts: ['fast.wistia.com', 'fast.wistia.net'],
  },
  {
    name: 'SoundCloud',
    urls: ['https://soundcloud.com/*', 'https://m.soundcloud.com/*', 'https://on.soundcloud.com/*'],
    endpoint: 'https://soundcloud.com/oembed',
    hosts: ['w.soundcloud.com'],
  },
  {
    name: 'Spotify',
    urls: ['https://open.spotify.com/*'],
    endpoint: 'https://open.spotify.com/oembed',
    hosts: ['open.spotify.com'],
  },
  {
    name: 'Mixcloud',
    urls: ['https://www.mixcloud.com/*'],
    endpoint: 'https://www.mixcloud.com/oembed/',
    hosts: ['www.mixcloud.com', 'player-widget.mixcloud.com'],
  },
  {
    name: 'Flickr',
    urls: ['https://*.flickr.com/photos/*', 'https://flickr.com/photos/*', 'https://flic.kr/p/*'],
    endpoint: 'https://www.flickr.com/services/oembed/',
    hosts: ['*.staticflickr.com'],
  },
  {
    name: 'SlideShare',
    urls: ['https://www.slideshare.net/*'],
    endpoint: 'https://www.slideshare.net/api/oembed/2',
    hosts: ['www.slideshare.net'],
  },
  {
    name: 'Speaker Deck',
    urls: ['https://speakerdeck.com/*'],
    endpoint: 'https://speakerdeck.com/oembed.json',
    hosts: ['speakerdeck.com'],
  },
  {
    name: 'CodePen',
    urls: ['https://codepen.io/*'],
    endpoint: 'https://codepen.io/api/oembed',
    hosts: ['codepen.io'],
  },
  {
    name: 'Sketchfab',
    urls: ['https://sketchfab.com/*'],
    endpoint: 'https://sketchfab.com/oembed',
    hosts: ['sketchfab.com'],
  },
]

/** The form of the address of a provider's pages. */
export const EMBED_URL = new RegExp(`^https://${HOST}/[^*\\s]*\\*?$`)

/** The provider of an address, the first that knows it; undefined when there is none. */
export function providerOf(providers: readonly EmbedProvider[], url: URL): EmbedProvider | undefined {
  return providers.find(({ urls }) => urls.some((pattern) => matches(pattern, url)))
}

function matches(pattern: string, url: URL): boolean {
  const slash = pattern.indexOf('/', 'https://'.length)
  const path = pattern.slice(slash)
  const asked = `${url.pathname}${url.search}`
  if (!isHostOf(pattern.slice('https://'.length, slash), url)) return false
  return path.endsWith('*') ? asked.startsWith(path.slice(0, -1)) : asked === path
}

/** True when an address is at a host of a provider, over https and without credentials. */
export function isHostOf(host: string, url: URL): boolean {
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  return isAtHost(url, host)
}
