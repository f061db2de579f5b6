import { describe, expect, test } from 'vitest'
import { testLocale } from '../../../test/http-server.ts'
import { hostLocales, localeOfPath, routedUrl } from './locale-prefixes.ts'

describe('§4.5 the locale of a request', () => {
  const locales = new Map([
    ['en', testLocale('en', { hostname: 'example.org' })],
    ['fr', testLocale('fr', { hostname: 'example.fr', prefix: '/fr' })],
    ['fr-ca', testLocale('fr-ca', { hostname: 'example.ca', prefix: '/fr/ca' })],
  ])

  test('is the one whose prefix the path begins with, below the site prefix', () => {
    const site = { prefix: '/site', locales, trustProxy: false }
    const read = (url: string) => [routedUrl(site, { url, headers: {} }), localeOfPath(site, { url, headers: {} })]
    expect(read('/site/fr/api/v1/a?x=/fr')).toEqual(['/site/api/v1/a?x=/fr', 'fr'])
    expect(read('/site/fr/ca/api')).toEqual(['/site/api', 'fr-ca'])
    expect(read('http://example.org/site/fr?a')).toEqual(['/site/fr?a', 'fr'])
    expect(read('/site/france')).toEqual(['/site/france', null])
    expect(read('/fr/api/v1/a')).toEqual(['/fr/api/v1/a', null])
    expect(read('/sitemap')).toEqual(['/sitemap', null])
  })

  test('is cut off for the API alone, where %40 is @', () => {
    const site = { prefix: '', locales, trustProxy: false }
    const routed = (url: string) => routedUrl(site, { url, headers: {} })
    expect(routed('/fr/api/v1/%40cms/page?a=%40')).toBe('/api/v1/@cms/page?a=%40')
    expect(routed('/api/v1/%2540cms')).toBe('/api/v1/%2540cms')
    expect(routed('/fr/apis/%40')).toBe('/fr/apis/%40')
    expect(routed('/fr/about')).toBe('/fr/about')
  })

  test('or of the host name; a forwarded one only where the proxy is trusted', () => {
    const headers = { host: 'EXAMPLE.fr:8080', 'x-forwarded-host': 'example.org' }
    expect(hostLocales({ locales, trustProxy: false })(headers)).toBe('fr')
    expect(hostLocales({ locales, trustProxy: true })(headers)).toBe('en')
    expect(hostLocales({ locales, trustProxy: true })({ ...headers, 'x-forwarded-host': '' })).toBe('fr')
    expect(hostLocales({ locales, trustProxy: false })({ host: 'elsewhere' })).toBeNull()
  })

  test('on a host of several locales it is the one without a prefix, else the first', () => {
    const shared = new Map([
      ['de-ch', testLocale('de-ch', { hostname: 'a.test', prefix: '/de' })],
      ['en', testLocale('en', { hostname: 'a.test' })],
      ['fr-ch', testLocale('fr-ch', { hostname: 'a.test', prefix: '/fr' })],
      ['fr-be', testLocale('fr-be', { hostname: 'b.test', prefix: '/fr' })],
      ['nl-be', testLocale('nl-be', { hostname: 'b.test', prefix: '/nl' })],
      ['it', testLocale('it', { hostname: 'b.test:8080' })],
    ])
    const localeOf = hostLocales({ locales: shared, trustProxy: false })
    const hosts = ['a.test', 'A.test:1', 'b.test', 'b.test:80', 'b.test:8080']
    expect(hosts.map((host) => localeOf({ host }))).toEqual(['en', 'en', 'fr-be', 'fr-be', 'it'])
    // Hosts may share a prefix.
    const site = { prefix: '', locales: shared, trustProxy: false }
    const at = (url: string, host: string) => localeOfPath(site, { url, headers: { host } })
    const french = ['a.test', 'b.test', 'b.test:80', 'elsewhere'].map((host) => at('/fr/x', host))
    expect(french).toEqual(['fr-ch', 'fr-be', 'fr-be', 'fr-ch'])
    expect(at('/nl/x', 'a.test')).toBe('nl-be')
    expect(at('/x', 'b.test')).toBeNull()
  })
})
