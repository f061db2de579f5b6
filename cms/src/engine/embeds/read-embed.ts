import { attributes } from '../../base/html.ts'
import { isObject, own, type UnknownObject } from '../../base/json.ts'
import { type EmbedProvider, isHostOf } from '../../model/declared/embed-providers.ts'
import { htmlParser } from '../../model/values/html-libraries.ts'
import type { Embed } from '../embed.ts'

const MAX_HTML = 8_000
const MAX_URL = 2_000
const MAX_TEXT = 500
const MAX_PIXELS = 10_000

/** The permissions of frames: to run their scripts on their own origin, and to open links in new windows. */
const SANDBOX =
  'allow-forms allow-popups allow-popups-to-escape-sandbox allow-presentation allow-same-origin allow-scripts'
const FEATURES = 'encrypted-media; fullscreen; picture-in-picture'

/**
 * An oEmbed answer → what is shown of it; null when nothing may be shown. Of the provider's `html` only the address and
 * the size of its first frame are used, and only when the frame is on a host of the provider.
 */
export function readEmbed(answer: unknown, provider: EmbedProvider): Embed | null {
  if (!isObject(answer)) return null
  const type = own(answer, 'type')
  const title = textOf(own(answer, 'title'))
  const shown = type === 'photo' ? photo(answer, provider) : frame(own(answer, 'html'), provider)
  if (shown === null) return null
  const width = pixels(own(answer, 'width')) ?? shown.width
  const height = pixels(own(answer, 'height')) ?? shown.height
  const size = { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) }
  const author = textOf(own(answer, 'author_name'))
  const thumbnail = webAddress(own(answer, 'thumbnail_url'))
  return {
    type: type === 'photo' || type === 'video' ? type : 'rich',
    version: '1.0',
    provider_name: provider.name,
    html: shown.html(title === '' ? provider.name : title, size),
    ...size,
    ...(title === '' ? {} : { title }),
    ...(author === '' ? {} : { author_name: author }),
    ...(thumbnail === null ? {} : { thumbnail_url: thumbnail.href }),
  }
}

interface Size {
  readonly width?: number | undefined
  readonly height?: number | undefined
}

interface FramedContent extends Size {
  html(title: string, size: Size): string
}

function photo(answer: UnknownObject, provider: EmbedProvider): FramedContent | null {
  const url = addressOf(own(answer, 'url'), provider)
  if (url === null) return null
  return {
    html: (alt, size) => `<img${attributes({ src: url.href, alt, ...size, loading: 'lazy', decoding: 'async' })}>`,
  }
}

function frame(html: unknown, provider: EmbedProvider): FramedContent | null {
  const given = typeof html === 'string' && html.length <= MAX_HTML ? firstFrame(html) : null
  const url = given === null ? null : addressOf(given.src, provider)
  if (given === null || url === null) return null
  const rights = {
    loading: 'lazy',
    allow: FEATURES,
    allowfullscreen: true,
    referrerpolicy: 'strict-origin-when-cross-origin',
    sandbox: SANDBOX,
  }
  return {
    width: pixels(given.width),
    height: pixels(given.height),
    html: (title, size) => `<iframe${attributes({ src: url.href, title, ...size, ...rights })}></iframe>`,
  }
}

/** The attributes of the first frame in HTML. */
function firstFrame(html: string): Readonly<Record<string, string>> | null {
  let first: Readonly<Record<string, string>> | null = null
  const parser = new (htmlParser().Parser)({
    onopentag(name, attributes) {
      if (name === 'iframe') first ??= attributes
    },
  })
  parser.end(html)
  return first
}

function addressOf(value: unknown, provider: EmbedProvider): URL | null {
  const url = webAddress(value)
  return url !== null && provider.hosts.some((host) => isHostOf(host, url)) ? url : null
}

/** An https address; also of one without a scheme (`//host/path`). */
function webAddress(value: unknown): URL | null {
  if (typeof value !== 'string' || value.length > MAX_URL || !/^\s*(https:)?\/\//i.test(value)) return null
  const url = URL.parse(value, 'https://invalid.invalid')
  return url?.protocol === 'https:' && url.href.length <= MAX_URL ? url : null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_TEXT).trim() : ''
}

function pixels(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number > 0 && number <= MAX_PIXELS
    ? number
    : undefined
}
