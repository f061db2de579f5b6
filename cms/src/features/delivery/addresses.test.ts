import { beforeAll, expect, it } from 'vitest'
import { sampledDatabases } from '../../../test/databases.ts'
import { describeService } from '../../../test/service.ts'
import { FRONT_KEY, type Visitor, visit } from '../../../test/visits.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, piece } from '../../model/declared/content-type.ts'

const types = [
  piece('article', {
    publicApiProjection: ['title', '_url', '_parentUrl'],
    localized: false,
    fields: { add: { section: { type: 'select', choices: [{ value: 'a/b', label: 'A & B' }] } } },
  }),
  page('articles', { piecesType: 'article', piecesFilters: [{ name: 'section', counts: true }] }),
] as const

const prefixed = defineSite({
  namespace: '@apostrophecms',
  prefix: '/site',
  baseUrl: 'https://example.test',
  pages: { historicRedirect: 301 },
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types,
})

describeService(
  'public URLs of a site with a prefix',
  { site: prefixed, frontKey: FRONT_KEY, staticBaseUrl: 'https://static.test', on: sampledDatabases('prefixed') },
  (service) => {
    const open = (path: string, visitor: Visitor = {}) => visit(service, path, visitor)
    const api = (path: string, headers = {}) => fetch(`${service.address}/site/api/v1/${path}`, { headers })
    const post = async (path: string, body: object) => {
      const headers = { authorization: 'ApiKey key-admin', 'content-type': 'application/json' }
      const answer = await fetch(`${service.address}/site/api/v1/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      expect(answer.status).toBe(200)
      return answer.json()
    }
    beforeAll(async () => {
      const target = { _targetId: '_home', _position: 'lastChild' }
      await post('@apostrophecms/page', { type: 'articles', title: 'Articles', ...target })
      await post('article', { title: 'One', section: 'a/b' })
    })

    it('§0.1 the prefix stands in front of every path, and in no redirect of the front end', async () => {
      for (const path of ['/site/', '/site', '/site/articles', '/site/fr/', '/site/articles/one']) {
        const { status } = await open(path)
        expect({ path, status }).toEqual({ path, status: path === '/site' ? 302 : 200 })
      }
      expect((await open('/site')).headers.get('location')).toBe('/site/')
      expect((await open('/site/articles/')).headers.get('location')).toBe('/site/articles')
      expect((await open('/site/fr')).headers.get('location')).toBe('/site/fr/')
      expect((await open('/site/fr', { front: true })).data).toEqual({ redirect: true, url: '/fr/', status: 302 })
      expect(await open('/articles')).toMatchObject({ status: 404 })
    })

    it('§0.1 the namespace is that of the site in all names', async () => {
      const { data } = await open('/site/nosuch', { front: true })
      expect(data).toMatchObject({ module: '@apostrophecms/page', template: '@apostrophecms/page:notFound' })
      expect(data.home.type).toBe('@apostrophecms/home-page')
    })

    it('§4.6 without the option static, filters and further pages are queries', async () => {
      const { data } = await open('/site/articles', { front: true })
      expect(data).toMatchObject({ staticUrls: false, piecesFilters: { section: [{ value: 'a/b', count: 1 }] } })
      const [choice] = data.filters[0].choices
      expect(choice).toEqual({
        value: 'a/b',
        label: 'A & B',
        count: 1,
        _url: 'https://example.test/site/articles?section=a%2Fb',
      })
      expect((await open('/site/articles?section=a%2Fb', { front: true })).data.totalPieces).toBe(1)
      for (const path of ['/site/articles/section/a%2Fb', '/site/articles/page/1']) {
        expect(await open(path)).toMatchObject({ status: 404 })
      }
    })

    it('§4.2b a site may redirect former URLs for good', async () => {
      const page = (await post('@apostrophecms/page', {
        type: 'articles',
        title: 'Before',
        _targetId: '_home',
        _position: 'lastChild',
      })) as { _id: string }
      const url = `${service.address}/site/api/v1/@apostrophecms/page/${page._id}`
      const headers = { authorization: 'ApiKey key-admin', 'content-type': 'application/json' }
      const answer = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify({ slug: '/after' }) })
      expect(answer.status).toBe(200)
      const { status, headers: sent } = await open('/site/before')
      expect({ status, location: sent.get('location') }).toEqual({ status: 301, location: '/site/after' })
      expect((await open('/site/before?x', { front: true })).data).toEqual({
        redirect: true,
        url: '/after?x',
        status: 301,
      })
    })

    it('§4.6 URLs begin with the base URL, in static builds with that of static builds', async () => {
      const { data } = await open('/site/articles/one', { front: true })
      expect(data.piece).toMatchObject({
        _url: 'https://example.test/site/articles/one',
        _parentUrl: 'https://example.test/site/articles',
      })
      expect(data).toMatchObject({ baseUrl: 'https://example.test', baseUrlWithPrefix: 'https://example.test/site' })
      const headers = { 'x-apos-static-base-url': '1' }
      const build = await open('/site/articles/one', { front: true, headers })
      expect(build.data.piece._url).toBe('https://static.test/site/articles/one')
      for (const [sent, base] of [
        [{}, 'https://example.test'],
        [headers, 'https://static.test'],
        [headers, 'https://static.test'],
        [{}, 'https://example.test'],
      ] as const) {
        for (const caller of [{ authorization: 'ApiKey key-admin' }, {}]) {
          const answer = await api('article', { ...sent, ...caller })
          expect(await answer.json()).toMatchObject({ results: [{ _url: `${base}/site/articles/one` }] })
        }
      }
    })
  },
)

const hosts = defineSite({
  locales: {
    en: { label: 'English', hostname: 'en.example.test' },
    fr: { label: 'Français', hostname: 'en.example.test', prefix: '/fr' },
    de: { label: 'Deutsch', hostname: 'de.example.test' },
  },
  types,
})

describeService(
  'public URLs of locales with host names',
  { site: hosts, frontKey: FRONT_KEY, on: sampledDatabases('hosts') },
  (service) => {
    it('§4.5 the host name says which locale a path is in', async () => {
      const localeAt = async (host: string, path: string) => {
        const { data } = await visit(service, path, { front: true, headers: { 'x-forwarded-host': host } })
        return [data.locale, data.localizations.map(({ _url }: { _url: string }) => _url)]
      }
      // Without a proxy that is trusted the host is that of the connection, of which there is no locale.
      expect(await localeAt('de.example.test', '/')).toEqual([
        'en',
        ['https://en.example.test/', 'https://en.example.test/fr/', 'https://de.example.test/'],
      ])
      expect((await localeAt('x', '/fr/'))[0]).toBe('fr')
    })
  },
)
