import { beforeAll, describe, expect, it } from 'vitest'
import { sampledDatabases } from '../../../test/databases.ts'
import { type Caller, callerOf, describeService } from '../../../test/service.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'
import { type DeclaredLocale, defineSite } from '../../model/compile/site-options.ts'
import { page, piece } from '../../model/declared/content-type.ts'

const types = [
  page('landing', {}),
  page('articles', { piecesType: 'article' }),
  piece('article', {
    fields: { add: { _others: { type: 'relationship', withType: 'article' } } },
    publicApiProjection: ['title', '_others', '_url'],
  }),
] as const

/** A document in several locales. */
async function localized(admin: Caller, path: string, body: object, locales: readonly string[]): Promise<string> {
  const { aposDocId } = (await admin.post(path, body)).body
  for (const toLocale of locales) {
    const { status } = await admin.post(`${path}/${aposDocId}/localize`, { toLocale, publish: true })
    expect(status).toBe(200)
  }
  return aposDocId
}

const BELOW_HOME = { _targetId: '_home', _position: 'lastChild' }

interface Layout {
  readonly prefix?: '/site'
  readonly baseUrl?: string
  readonly locales: { readonly [name: string]: DeclaredLocale }
  /** By locale: the host that is asked, and the path. */
  readonly at: { readonly [locale: string]: readonly [host: string, path: string] }
}

const own = (label: string, hostname?: string, prefix?: string): DeclaredLocale => ({
  label,
  ...(hostname ? { hostname } : {}),
  ...(prefix ? { prefix } : {}),
})

/** Where locales can be. */
const LAYOUTS: { readonly [name: string]: Layout } = {
  prefixes: {
    locales: {
      en: own('English'),
      ar: { ...own('العربية', undefined, '/ar'), direction: 'rtl' },
      ja: own('日本語', undefined, '/日本語'),
    },
    at: {
      en: ['x.test', '/about'],
      ar: ['x.test', '/ar/about'],
      ja: ['x.test', `/${encodeURIComponent('日本語')}/about`],
    },
  },
  'prefixes below a prefix': {
    prefix: '/site',
    baseUrl: 'https://x.test',
    locales: { en: own('English'), ar: { ...own('العربية', undefined, '/ar'), direction: 'rtl' } },
    at: { en: ['x.test', '/site/about'], ar: ['x.test', '/site/ar/about'] },
  },
  hosts: {
    baseUrl: 'https://en.test',
    locales: { en: own('English', 'en.test'), ar: { ...own('العربية', 'ar.test'), direction: 'rtl' } },
    at: { en: ['en.test', '/about'], ar: ['AR.test', '/about'] },
  },
  ports: {
    baseUrl: 'http://x.test:1',
    locales: { en: own('English', 'x.test:1'), ar: { ...own('العربية', 'x.test:2'), direction: 'rtl' } },
    at: { en: ['x.test:1', '/about'], ar: ['x.test:2', '/about'] },
  },
  'hosts, prefixes and a prefix': {
    prefix: '/site',
    baseUrl: 'https://en.test',
    locales: {
      en: own('English', 'en.test'),
      fr: own('Français', 'en.test', '/fr'),
      ar: { ...own('العربية', 'ar.test', '/ar'), direction: 'rtl' },
    },
    at: { en: ['en.test', '/site/about'], fr: ['en.test', '/site/fr/about'], ar: ['ar.test', '/site/ar/about'] },
  },
}

describe.each(Object.entries(LAYOUTS))('%s', (title, { at, ...options }) => {
  const site = defineSite({ types, trustProxy: true, ...options })
  describeService(title, { site, frontKey: FRONT_KEY, on: sampledDatabases(title) }, (service) => {
    const { prefix = '', locales } = options
    const others = Object.keys(locales).slice(1)
    const open = (locale: string, front = true, query = '') => {
      const [host, path] = at[locale] ?? ['', '']
      return visit(service, path + query, { front, headers: { 'x-forwarded-host': host } })
    }
    let id = ''
    beforeAll(async () => {
      const admin = callerOf(service.address + prefix, 'key-admin', null)
      id = await localized(admin, '@cms/page', { type: 'landing', title: 'About', ...BELOW_HOME }, others)
    })

    it('§4.5 each locale is where it is declared, and every address in it leads back there', async () => {
      for (const [name, { direction = 'ltr' }] of Object.entries(locales)) {
        const { data } = await open(name)
        expect(data).toMatchObject({ locale: name, i18n: { direction }, page: { _id: `${id}:${name}:published` } })
        const here = data.localizations.find(({ current }: { current: boolean }) => current)
        expect(here).toMatchObject({ locale: name, available: true, _url: data.page._url, direction })
        const [host, path] = at[name] ?? []
        const url = new URL(data.page._url, 'https://x.test')
        expect([url.host, url.pathname]).toEqual([host?.toLowerCase(), path])
        const home = new URL(data.home._url, 'https://x.test')
        const { data: answered } = await visit(service, home.pathname, {
          front: true,
          headers: { 'x-forwarded-host': home.host },
        })
        expect(answered).toMatchObject({ locale: name, page: { level: 0 } })
        const { text } = await open(name, false)
        expect(text).toContain(`<html lang="${name}" dir="${direction}">`)
      }
    })

    it('§4.5 the query outweighs the address, also of the interface', async () => {
      expect((await open('en', true, '?aposLocale=ar')).data.locale).toBe('ar')
      const [host, path = ''] = at.ar ?? []
      const below = path.slice(prefix.length).replace(/\/about$/, '')
      const read = async (query: string) => {
        const answer = await fetch(`${service.address}${prefix}${below}/api/v1/@cms/page/${id}${query}`, {
          headers: { authorization: 'ApiKey key-guest', 'x-forwarded-host': host ?? '' },
        })
        return ((await answer.json()) as { aposLocale?: string }).aposLocale
      }
      const contributed = async (query: string) =>
        (
          await visit(service, `${prefix}${below}/api/v1/@cms/page/${id}${query}`, {
            role: 'contributor',
            headers: { 'x-forwarded-host': host ?? '' },
          })
        ).data
      expect(await read('')).toBeUndefined()
      expect((await contributed('')).aposLocale).toBe('ar:published')
      expect((await contributed(':en:published')).aposLocale).toBe('en:published')
      expect((await contributed(':en:published?aposLocale=ar')).aposLocale).toBe('ar:published')
    })

    it('§4.5 pages name their alternates, and the default layout has a language switch', async () => {
      const { data } = await open('ar')
      for (const { locale, _url } of data.localizations) {
        expect(data.appendHead).toContain(
          `<link rel="alternate" hreflang="${locale}" href="${new URL(_url, 'http://x.test').href}">`,
        )
      }
      expect(data.appendHead).toContain('hreflang="x-default"')
      const { text } = await open('ar', false)
      expect(text).toContain(data.appendHead)
      expect(text).toContain('<nav class="languages"')
      const missing = await visit(service, `${prefix}/nosuch`, { front: true })
      expect([missing.data.page, missing.data.appendHead]).toEqual([null, ''])
    })
  })
})

const chosen = defineSite({
  types,
  prefix: '/site',
  redirectByLanguage: true,
  locales: {
    en: own('English'),
    fr: own('Français', undefined, '/fr'),
    pt_br: own('Português', undefined, '/br'),
    'zh-Hant': own('繁體中文', undefined, '/zh'),
    it: { ...own('Italiano', undefined, '/it'), private: true },
  },
})

describeService(
  'a visitor’s language',
  { site: chosen, frontKey: FRONT_KEY, on: sampledDatabases('language') },
  (service) => {
    const at = async (
      path: string,
      languages: string,
      more: { front?: boolean; headers?: Record<string, string>; method?: 'HEAD' } = {},
    ) => {
      const headers = { 'accept-language': languages, ...more.headers }
      const answer = await visit(service, path, { ...more, headers })
      return answer.status === 302 ? answer.headers.get('location') : answer.status
    }

    it.each([
      ['fr-CH, fr;q=0.9, en;q=0.8', '/site/fr/'],
      ['pt-BR', '/site/br/'],
      ['pt', '/site/br/'],
      ['de, fr;q=0.5, en;q=0.4', '/site/fr/'],
      ['en-GB, fr;q=0.9', 200],
      ['fr-CA, en', '/site/fr/'],
      ['zh-Hant-HK', '/site/zh/'],
      ['zh-TW', '/site/zh/'],
      ['de, zh;q=0.5', '/site/zh/'],
      ['en, fr', 200],
      ['it, de', 200],
      ['*', 200],
      ['fr;q=0', 200],
      ['', 200],
      [';;q=x,,', 200],
      [`fr${',x'.repeat(1000)}`, 200],
    ])('§4.5 of "%.30s" leads from / to %s', async (languages, expected) => {
      expect(await at('/site/', languages)).toBe(expected)
    })

    it('§4.5 leads nobody away from where they are going: deep links, the interface, the front end, the site itself', async () => {
      expect(await at('/site/?a=1', 'fr')).toBe('/site/fr/?a=1')
      expect(await at('/site/', 'fr', { method: 'HEAD' })).toBe('/site/fr/')
      expect(await at('/site/nosuch', 'fr')).toBe(404)
      expect(await at('/site/?aposLocale=en', 'fr')).toBe(200)
      expect(await at('/site/br/', 'fr')).toBe(200)
      expect(await at('/site/api/v1/article', 'fr')).toBe(200)
      expect(await at('/site/', 'fr', { front: true })).toBe(200)
      expect(await at('/site/', 'fr', { headers: { 'sec-fetch-site': 'same-origin' } })).toBe(200)
    })

    it('§4.5 is declared to caches, which never answer one language with another', async () => {
      await Promise.all(
        ['en', 'fr', 'en', 'fr'].map(async (language) => {
          const answer = await visit(service, '/site/', { headers: { 'accept-language': language } })
          expect(answer.status).toBe(language === 'fr' ? 302 : 200)
          expect(answer.headers.get('vary')).toContain('Accept-Language')
          expect(answer.headers.get('set-cookie')).toBeNull()
        }),
      )
      expect((await visit(service, '/site/fr/')).headers.get('vary')).not.toContain('Accept-Language')
    })
  },
)

const hidden = defineSite({
  types,
  redirectByLanguage: true,
  locales: {
    it: { ...own('Italiano'), private: true },
    fr: own('Français', undefined, '/fr'),
    de: own('Deutsch', undefined, '/de'),
  },
})

describeService(
  'a private locale at /',
  { site: hidden, frontKey: FRONT_KEY, on: sampledDatabases('hidden') },
  (service) => {
    it.each([
      [undefined, 'fr', '/fr/'],
      [undefined, 'it, de;q=0.5', '/de/'],
      [undefined, 'ja, *;q=0.1', '/fr/'],
      [undefined, 'it', 404],
      [undefined, 'ja', 404],
      ['guest', 'it, de;q=0.5', 200],
      ['guest', 'fr', '/fr/'],
    ] as const)('§4.5 leads %s with %s to %s', async (role, languages, expected) => {
      for (const url of ['/', '/?a=1']) {
        const { status, headers } = await visit(service, url, {
          headers: { 'accept-language': languages },
          ...(role && { role }),
        })
        const to = headers.get('location')
        expect(status === 302 ? to : status).toBe(typeof expected === 'string' ? url.replace('/', expected) : expected)
      }
    })
  },
)

const belgian = defineSite({
  types,
  prefix: '/site',
  trustProxy: true,
  locales: {
    en: own('English', 'en.test'),
    'fr-be': own('Français', 'be.test', '/fr'),
    'nl-be': own('Nederlands', 'be.test', '/日本'),
  },
})

describeService(
  'a host that has locales with prefixes only',
  { site: belgian, frontKey: FRONT_KEY, on: sampledDatabases('belgian') },
  (service) => {
    const at = async (path: string, more: { front?: boolean; method?: 'HEAD' } = {}) => {
      const answer = await visit(service, path, { ...more, headers: { 'x-forwarded-host': 'be.test' } })
      return answer.status === 302 ? answer.headers.get('location') : more.front ? answer.data : answer.status
    }

    it('§4.5 has one URL for each page: that with the prefix', async () => {
      const page = { type: 'landing', title: 'About', ...BELOW_HOME }
      await localized(callerOf(`${service.address}/site`, 'key-admin', null), '@cms/page', page, ['fr-be', 'nl-be'])
      expect(await at('/site/fr/about')).toBe(200)
      expect(await at('/site/about?a=1')).toBe('/site/fr/about?a=1')
      expect(await at('/site/about', { method: 'HEAD' })).toBe('/site/fr/about')
      expect(await at('/site/')).toBe('/site/fr/')
      expect(await at('/site//evil.test/')).toBe('/site/fr/evil.test')
      expect(await at('/site/about', { front: true })).toEqual({ redirect: true, url: '/fr/about', status: 302 })
      expect(await at('/site/about?aposLocale=nl-be')).toBe(200)
      expect(await at('/site/about?aposLocale=fr-be')).toBe(200)
      expect(await at('/site/api/v1/article')).toBe(200)
      const english = await visit(service, '/site/about', { headers: { 'x-forwarded-host': 'en.test' } })
      expect(english.status).toBe(200)
    })
  },
)

const secretive = defineSite({
  types,
  baseUrl: 'https://x.test',
  locales: {
    en: own('English'),
    fr: own('Français', undefined, '/fr'),
    it: { ...own('Italiano', undefined, '/it'), private: true },
  },
})

describeService(
  'a private locale',
  { site: secretive, frontKey: FRONT_KEY, on: sampledDatabases('private') },
  (service) => {
    const SECRET = 'Segreto'
    let article = ''
    beforeAll(async () => {
      await localized(service.admin, '@cms/page', { type: 'articles', title: 'Articles', ...BELOW_HOME }, ['fr', 'it'])
      article = await localized(service.admin, 'article', { title: 'Article' }, ['it'])
      await service.admin.patch(`article/${article}:it:published`, { title: SECRET })
      await service.admin.post('article', { title: 'Points', othersIds: [article] })
    })

    it('§4.5 is to anonymous callers nowhere: route, list, relationship, switch, page', async () => {
      const paths = [
        '/',
        '/fr/',
        '/articles',
        '/articles/article',
        '/nosuch',
        '/it',
        '/it/',
        '/it/articles',
        '/it/articles/segreto',
        '/?aposLocale=it',
        '/articles/article?aposLocale=it',
        '/it/nosuch',
      ]
      const api = [
        'article',
        `article/${article}:it:published`,
        `article?_ids[]=${article}:it:published`,
        'article?search=segreto',
        'article?aposLocale=it',
        'article?aposLocale=zz',
        '@cms/page',
        '@cms/i18n/locales',
        'openapi.json',
        'article?choices=_others',
      ]
      for (const front of [false, true]) {
        for (const path of [
          ...paths,
          ...(front ? [] : api.map((one) => `/api/v1/${one}`)),
          '/it/api/v1/article'.repeat(front ? 0 : 1),
        ]) {
          if (path === '') continue
          const { text, headers } = await visit(service, path, { front })
          const shown = text + [...headers].join()
          for (const secret of [SECRET, 'Italiano', ':it:', '"it"', '/it/']) {
            const isEcho = (secret === '/it/' && path.startsWith('/it/')) || (secret === '"it"' && path.includes('=it'))
            if (!isEcho)
              expect({ path, front, secret, shown: shown.includes(secret) }).toEqual({
                path,
                front,
                secret,
                shown: false,
              })
          }
        }
      }
    })

    it('§4.5 the first page of an index has alternates, further and filtered ones have none', async () => {
      const head = async (query: string) => (await visit(service, `/articles${query}`, { front: true })).data.appendHead
      expect(await head('')).toContain('<link rel="alternate" hreflang="fr" href="https://x.test/fr/articles">')
      expect(await head('?topic=x')).toContain('alternate')
      for (let n = 0; n < 11; n += 1) await service.admin.post('article', { title: `Article ${n}` })
      expect(await head('?page=2')).toBe('')
    })

    it('§4.5 is there for known callers, but for search engines not even then', async () => {
      const { data, status } = await visit(service, '/it/articles', { front: true, role: 'guest' })
      expect([status, data.locale]).toEqual([200, 'it'])
      expect(data.localizations.map(({ locale }: { locale: string }) => locale)).toEqual(['en', 'fr', 'it'])
      expect(data.appendHead).not.toContain('hreflang="it"')
      expect((await visit(service, '/it/articles', { role: 'guest' })).text).toContain('Italiano')
    })

    it('§4.5 a piece has no alternate where a page of its own lies at its path', async () => {
      const { admin } = service
      const { body } = await admin.post('article', { title: 'Masked' })
      const localized = await admin.post(`article/${body.aposDocId}/localize`, { toLocale: 'fr', publish: true })
      expect(localized).toMatchObject({ status: 200 })
      const alternates = async () => (await visit(service, '/articles/masked', { front: true })).data
      expect((await alternates()).appendHead).toContain('href="https://x.test/fr/articles/masked"')
      const place = { _targetId: '_home', _position: 'lastChild' }
      const page = { type: 'landing', title: 'Masking', slug: '/articles/masked', ...place }
      expect(await admin.post('@cms/page', page, 'aposLocale=fr')).toMatchObject({ status: 200 })
      const { appendHead, localizations } = await alternates()
      expect(appendHead).toBe('')
      expect(localizations).toMatchObject([
        { locale: 'en', available: true },
        { locale: 'fr', available: false, _url: 'https://x.test/fr/' },
      ])
    })

    it('§4.2b a preview opens the one draft of it', async () => {
      const { body } = await service.admin.post(`article/${article}:it:draft/preview`)
      const opened = await visit(service, body.url.replace('https://x.test', ''), { front: true })
      expect(opened).toMatchObject({ status: 200, data: { locale: 'it', piece: { title: SECRET } } })
    })
  },
)
