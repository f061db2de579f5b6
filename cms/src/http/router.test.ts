import { describe, expect, test } from 'vitest'
import { testLocale, testRoute } from '../../test/http-server.ts'
import { addressOf, hostLocales } from './address.ts'
import { Router, stepsOf } from './router.ts'

const handle = async () => ({})

describe('Router', () => {
  const router = new Router([
    testRoute({ path: '/api/v1/@cms/image', handle }),
    testRoute({ path: '/api/v1/article/:_id', handle }),
    testRoute({ method: 'POST', path: '/api/v1/article/publish', handle }),
    testRoute({ method: 'POST', path: '/api/v1/article/:_id/publish', handle }),
  ])
  const found = (method: string, path: string) => {
    const match = router.find(method, stepsOf(path))
    return match && [match.route.path, { ...match.params }]
  }

  test.each<[string, string, unknown]>([
    ['GET', '/api/v1/@cms/image', ['/api/v1/@cms/image', {}]],
    ['GET', '/api/v1/%40cms/image/', ['/api/v1/@cms/image', {}]],
    ['GET', '/api/v1/article/a%3Aen%3adraft', ['/api/v1/article/:_id', { _id: 'a:en:draft' }]],
    ['GET', '/api/v1/article/a%2Fb', ['/api/v1/article/:_id', { _id: 'a/b' }]],
    ['POST', '/api/v1/article/publish', ['/api/v1/article/publish', {}]],
    ['GET', '/api/v1/article/publish', ['/api/v1/article/:_id', { _id: 'publish' }]],
    ['POST', '/api/v1/article/publish/publish', ['/api/v1/article/:_id/publish', { _id: 'publish' }]],
    ['GET', '/api/v1/article/__proto__', ['/api/v1/article/:_id', { _id: '__proto__' }]],
    ['PUT', '/api/v1/@cms/image', null],
    ['GET', '/api/v1/article//', null],
    ['GET', '//api/v1/@cms/image', null],
    ['GET', '/api/v1', null],
    ['GET', '/', null],
  ])('%s %s', (method, path, expected) => {
    expect(found(method, path)).toEqual(expected)
  })

  test('bad percent-encoding is invalid', () => {
    expect(() => stepsOf('/api/%E0%A4%A')).toThrow(expect.objectContaining({ name: 'invalid' }))
  })

  test('two routes of one method and path are a mistake found at start', () => {
    const route = testRoute({ path: '/api/v1/a/:_id', handle })
    expect(() => new Router([route, { ...route, path: '/api/v1/a/:id' }])).toThrow(
      'Two routes answer GET /api/v1/a/:id',
    )
  })
})

describe('decisions 4.5: the locale of a request', () => {
  const locales = new Map([
    ['en', testLocale('en', { hostname: 'example.org' })],
    ['fr', testLocale('fr', { hostname: 'example.fr', prefix: '/fr' })],
    ['fr-ca', testLocale('fr-ca', { hostname: 'example.ca', prefix: '/fr/ca' })],
  ])

  test('is the one whose prefix the path begins with, below the site prefix', () => {
    const site = { prefix: '/site', locales }
    expect(addressOf(site, '/site/fr/api/v1/a?x=1')).toEqual({
      steps: ['api', 'v1', 'a'],
      queryText: 'x=1',
      locale: 'fr',
    })
    expect(addressOf(site, '/site/france')).toMatchObject({ steps: ['france'], locale: null })
    expect(addressOf(site, 'http://example.org/site/fr')).toMatchObject({ steps: [], locale: 'fr' })
    expect(addressOf(site, '/site/fr/ca/api')).toMatchObject({ steps: ['api'], locale: 'fr-ca' })
    expect(() => addressOf(site, '/api/v1/a')).toThrow(expect.objectContaining({ name: 'notfound' }))
    expect(() => addressOf(site, '/sitemap')).toThrow(expect.objectContaining({ name: 'notfound' }))
  })

  test('or of the host name; a forwarded one only where the proxy is trusted', () => {
    const headers = { host: 'EXAMPLE.fr:8080', 'x-forwarded-host': 'example.org' }
    expect(hostLocales({ locales, trustProxy: false })(headers)).toBe('fr')
    expect(hostLocales({ locales, trustProxy: true })(headers)).toBe('en')
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
    const site = { prefix: '', locales: shared }
    const french = ['a.test', 'b.test', 'b.test:80', 'elsewhere'].map((host) => addressOf(site, '/fr/x', host).locale)
    expect(french).toEqual(['fr-ch', 'fr-be', 'fr-be', 'fr-ch'])
    expect(addressOf(site, '/nl/x', 'a.test').locale).toBe('nl-be')
    expect(addressOf(site, '/x', 'b.test').locale).toBeNull()
  })
})
