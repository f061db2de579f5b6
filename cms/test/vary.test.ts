import { request } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { defineSite, type Html, html, page, pageMetadata, piece, type Scene } from '../src/index.ts'
import { sampledDatabases } from './databases.ts'
import { type Service, startService } from './service.ts'

const FRONT_KEY = 'key-of-the-front-end'.padEnd(32, '-')

const siteOf = (options: object) =>
  defineSite({
    trustProxy: true,
    types: [
      piece('note', { publicApiProjection: ['title', '_url'] }),
      page('landing', { publicApiProjection: ['_url'] }),
    ],
    layout: (content: Html, _data: object, scene: Scene) => html`<!doctype html>${pageMetadata(scene, {})}${content}`,
    ...options,
  })

const HOSTS = { en: { label: 'English', hostname: 'en.example' }, fr: { label: 'French', hostname: 'fr.example' } }
const PREFIXES = { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } }

const SITES = [
  [
    'that says where it is',
    siteOf({ baseUrl: 'https://site.example', locales: PREFIXES, sitemap: true }),
    ['x-apos-static-base-url'],
  ],
  ['that does not', siteOf({ locales: PREFIXES }), ['x-forwarded-host', 'x-forwarded-proto']],
  ['whose locales have hosts', siteOf({ locales: HOSTS, sitemap: true }), ['x-forwarded-host']],
  [
    'whose locales have hosts, that says where it is',
    siteOf({ baseUrl: 'https://en.example', locales: HOSTS }),
    ['x-forwarded-host'],
  ],
  [
    'that redirects by language',
    siteOf({ baseUrl: 'https://site.example', locales: PREFIXES, redirectByLanguage: true }),
    ['accept-language'],
  ],
] as const

/** What visitors may send, each with values that might change an answer. */
const SENT: Readonly<Record<string, readonly string[]>> = {
  accept: ['application/json', 'text/html', 'image/png'],
  'accept-language': ['fr', 'de'],
  'apos-external-front-key': [FRONT_KEY, 'wrong'],
  authorization: ['Bearer wrong'],
  cookie: ['site.sid=none', 'other=1'],
  forwarded: ['host=fr.example;proto=http'],
  origin: ['https://evil.example'],
  'quire-revision': ['none.1'],
  range: ['bytes=0-3'],
  referer: ['https://evil.example/'],
  'sec-fetch-site': ['same-origin', 'cross-site'],
  'user-agent': ['curl'],
  'x-apos-static-base-url': ['1'],
  'x-forwarded-for': ['203.0.113.9'],
  'x-forwarded-host': ['fr.example', 'evil.example'],
  'x-forwarded-proto': ['http', 'https'],
  'x-forwarded-prefix': ['/evil'],
  'x-http-method-override': ['DELETE'],
  'x-original-url': ['/api/v1/note'],
  'x-requested-with': ['AposExternalFront', 'XMLHttpRequest'],
}

const PATHS = ['/', '/fr/', '/api/v1', '/api/v1/note', '/api/v1/@cms/page', '/sitemap.xml', '/api/v1/openapi.json']

/** An answer to a visitor, as a cache in front sees it. */
interface Seen {
  readonly content: string
  readonly isKept: boolean
  readonly vary: readonly string[]
}

/** As `fetch` cannot send it: with any host. */
async function ask(address: string, path: string, headers: Readonly<Record<string, string>>): Promise<Seen> {
  const { promise, resolve, reject } = Promise.withResolvers<Seen>()
  request(
    address + path,
    { headers: { host: 'en.example', 'accept-language': 'en', ...headers } },
    async (response) => {
      const chunks = await response.toArray()
      const { statusCode, headers: answered } = response
      const content = `${statusCode} ${answered.location ?? ''} ${answered['content-type']} ${Buffer.concat(chunks)}`
      const isKept = answered['cache-control']?.startsWith('public') === true
      resolve({ content, isKept, vary: (answered.vary ?? '').toLowerCase().split(', ') })
    },
  )
    .on('error', reject)
    .end()
  return promise
}

describe.each(SITES)('§0.7 answers of a site %s', (title, site, decisive) => {
  let service: Service
  beforeAll(async () => {
    const [databases] = sampledDatabases(title)
    if (databases === undefined) throw new Error('There are databases.')
    service = await startService(databases, { site, frontKey: FRONT_KEY, staticBaseUrl: 'https://static.example' })
    return () => service.stop()
  }, 60_000)

  test('name in `Vary` each header of a visitor that they depend on, where a cache may keep them', async () => {
    await service.admin.post('note', { title: 'One' })
    const found = new Set<string>()
    for (const path of PATHS) {
      const usual = await ask(service.address, path, {})
      for (const [name, values] of Object.entries(SENT)) {
        for (const value of values) {
          const other = await ask(service.address, path, { [name]: value })
          if (other.content === usual.content) continue
          found.add(name)
          for (const { isKept, vary } of [usual, other])
            if (isKept) expect([path, name, value, vary]).toEqual([path, name, value, expect.arrayContaining([name])])
        }
      }
    }
    expect([...found]).toEqual(expect.arrayContaining([...decisive]))
  })
})
