import { beforeAll, describe, expect, it, test } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'
import { elements } from '../../../test/xml.ts'
import { compileSite, defineSite } from '../../model/compile/site.ts'
import { page, piece } from '../../model/declared/content-type.ts'
import { sitemapFile } from './sitemap.ts'

const article = piece('article', {
  fields: {
    add: { noindex: { type: 'boolean' }, section: { type: 'select', choices: [{ label: 'A', value: 'a&b' }] } },
  },
  sitemap: ({ noindex }) => (noindex ? false : { changefreq: 'weekly', priority: 0.5 }),
})
const secret = piece('secret', { viewRole: 'editor' })

const types = [
  article,
  secret,
  page('text-page'),
  page('legal-page', { sitemap: false }),
  page('article-page', { piecesType: 'article', piecesFilters: ['section'], perPage: 2 }),
  page('secret-page', { piecesType: 'secret' }),
  page('closed-page', { viewRole: 'guest' }),
] as const

const locales = {
  en: { label: 'English' },
  fr_CA: { label: 'Français', prefix: '/fr' },
  it: { label: 'Italiano', prefix: '/it', private: true },
} as const

const site = defineSite({
  baseUrl: 'https://example.org',
  prefix: '/site',
  static: true,
  locales,
  types,
  robots: { rules: [{ userAgent: ['GPTBot', 'Other'], disallow: ['/'] }, { allow: ['/site/'] }] },
  sitemap: { lists: true },
  llms: { title: 'Tea & [more]', summary: 'All about tea.', details: 'Written by people.' },
})

describeService('files for search engines', { site, frontKey: FRONT_KEY, isLong: true }, (service) => {
  const get = (path: string, visitor = {}) => visit(service, `/site${path}`, visitor)
  const made = async (type: string, body: object, query = '') => {
    const target = type.endsWith('-page') ? { type, _targetId: '_home', _position: 'lastChild' } : {}
    const path = type.endsWith('-page') ? '@cms/page' : type
    const url = `${service.address}/site/api/v1/${path}?${query}`
    const headers = { authorization: 'ApiKey key-admin', 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ ...target, ...body }) })
    const answer = (await response.json()) as { _id: string; aposDocId: string }
    expect({ status: response.status, answer }).toMatchObject({ status: 200 })
    return answer
  }
  const localize = async (path: string, toLocale: string) => {
    const headers = { authorization: 'ApiKey key-admin', 'content-type': 'application/json' }
    const url = `${service.address}/site/api/v1/${path}/localize`
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ toLocale, mode: 'published' }),
    })
    expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 })
    const [id = ''] = path.split(':')
    const published = await fetch(`${service.address}/site/api/v1/${id}:${toLocale}:draft/publish`, {
      method: 'POST',
      headers,
    })
    expect(published.status).toBe(200)
  }

  beforeAll(async () => {
    const about = await made('text-page', { title: 'Über (uns) [neu]', slug: '/über' })
    await localize(`@cms/page/${about._id}`, 'fr_CA')
    await localize(`@cms/page/${about._id}`, 'it')
    await made('legal-page', { title: 'Imprint' })
    await made('closed-page', { title: 'Closed' })
    await made('text-page', { title: 'Draft' }, 'aposMode=draft')
    const hidden = await made('text-page', { title: 'Hidden', visibility: 'loginRequired' })
    await made('text-page', { title: 'Below', _targetId: hidden._id })
    const list = await made('article-page', { title: 'Articles' })
    await localize(`@cms/page/${list._id}`, 'fr_CA')
    await made('secret-page', { title: 'Secrets' })
    await made('secret', { title: 'Whisper' })
    const first = await made('article', { title: 'First', section: 'a&b' })
    await localize(`article/${first._id}`, 'fr_CA')
    await made('article', { title: 'Second' })
    await made('article', { title: 'Third' })
    await made('article', { title: 'Not indexed', noindex: true })
    await made('article', { title: 'For members', visibility: 'loginRequired' })
    const gone = await made('article', { title: 'Gone' })
    const headers = { authorization: 'ApiKey key-admin', 'content-type': 'application/json' }
    const url = `${service.address}/site/api/v1/article/${gone._id}`
    await fetch(url, { method: 'PATCH', headers, body: JSON.stringify({ archived: true }) })
  })

  it('§4.6 the sitemap lists what visitors see in public locales, and each URL is there', async () => {
    const { status, headers, text } = await get('/sitemap.xml')
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/xml; charset=utf-8',
    })
    const urls = elements(text, 'loc').map((one) => one.text)
    const base = 'https://example.org/site'
    expect(urls).toEqual([
      `${base}/`,
      `${base}/%C3%BCber`,
      `${base}/articles`,
      `${base}/articles/page/2`,
      `${base}/articles/section/a&b`,
      `${base}/articles/first`,
      `${base}/articles/second`,
      `${base}/articles/third`,
      `${base}/fr/`,
      `${base}/fr/%C3%BCber`,
      `${base}/fr/articles`,
      `${base}/fr/articles/section/a&b`,
      `${base}/fr/articles/first`,
    ])
    for (const url of urls) {
      const found = await visit(service, url.slice('https://example.org'.length))
      expect({ url, status: found.status }).toEqual({ url, status: 200 })
    }
  })

  it('§4.6 the sitemap names alternates, dates of documents, and what the type says', async () => {
    const { text } = await get('/sitemap.xml')
    const of = (path: string) =>
      text.split('\n').find((line) => line.includes(`<loc>https://example.org/site${path}</loc>`)) ?? ''
    const alternates = elements(
      of('/fr/articles/first').replace('<url>', '<url xmlns:xhtml="http://www.w3.org/1999/xhtml">'),
      'xhtml:link',
    )
    expect(alternates.map(({ attributes }) => [attributes.hreflang, attributes.href])).toEqual([
      ['en', 'https://example.org/site/articles/first'],
      ['fr-CA', 'https://example.org/site/fr/articles/first'],
      ['x-default', 'https://example.org/site/articles/first'],
    ])
    expect(of('/articles/first')).toContain('<changefreq>weekly</changefreq><priority>0.5</priority>')
    expect(of('/articles/first')).toMatch(/<lastmod>20\d\d-\d\d-\d\dT[\d:.]+Z<\/lastmod>/)
    expect(of('/articles/second')).not.toContain('xhtml:link')
    expect(of('/articles/page/2')).not.toContain('lastmod')
    expect(text).not.toContain('/it/')
  })

  it('§4.6 alternates are what the sitemap of the other locale lists, and answer back', async () => {
    const shared = async (title: string, change: object) => {
      const { _id, aposDocId } = await made('article', { title })
      await localize(`article/${_id}`, 'fr_CA')
      const headers = { authorization: 'ApiKey key-admin', 'content-type': 'application/json' }
      const url = `${service.address}/site/api/v1/article/${aposDocId}?aposLocale=fr_CA`
      const changed = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify(change) })
      expect(changed.status).toBe(200)
    }
    await shared('Only here', { noindex: true })
    await shared('Inside there', { visibility: 'loginRequired' })
    const { text } = await get('/sitemap.xml')
    const hrefs = elements(text, 'xhtml:link').map(({ attributes }) => attributes.href)
    const urls = new Set(elements(text, 'loc').map((one) => one.text))
    expect(hrefs.length).toBeGreaterThan(5)
    expect(hrefs.filter((href) => !urls.has(href ?? ''))).toEqual([])
    expect(urls).toContain('https://example.org/site/articles/only-here')
    expect(text).not.toMatch(/href="[^"]*(only-here|inside-there)/)
  })

  it('§4.6 is cached until the content changes, and answers HEAD', async () => {
    const { headers } = await get('/sitemap.xml')
    const etag = headers.get('etag') ?? ''
    expect(headers.get('cache-control')).toBe('public, no-cache')
    expect(await get('/sitemap.xml', { headers: { 'if-none-match': etag } })).toMatchObject({ status: 304 })
    expect(await get('/sitemap.xml', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
    await made('text-page', { title: 'New' })
    expect((await get('/sitemap.xml', { headers: { 'if-none-match': etag } })).text).toContain('/site/new</loc>')
  })

  it('§4.6 a query makes nobody work again', async () => {
    await service.quiet()
    const first = await get('/sitemap.xml')
    await get('/llms.txt')
    await get('/sitemaps/2.xml')
    const before = service.statements.length
    for (const query of ['?a=1', '?b[]=2', '?aposMode=published']) {
      expect((await get(`/sitemap.xml${query}`)).text).toBe(first.text)
      expect((await get(`/llms.txt${query}`)).status).toBe(200)
      expect((await get(`/sitemaps/99999.xml${query}`)).status).toBe(404)
    }
    expect(service.statements.length - before).toBe(0)
    expect((await get('/sitemap.xml?aposLocale=zz')).status).toBe(400)
    expect((await get('/llms.txt?aposLocale=fr_CA')).text).toContain('/site/fr/articles/first')
    expect((await get('/llms.txt?fr_CA')).text).toBe((await get('/llms.txt')).text)
    expect((await get('/llms.txt?aposLocale=it')).status).toBe(404)
  })

  it('§4.6 a long sitemap is an index of files, none above its limits', async () => {
    const whole = await get('/sitemap.xml')
    const urls = elements(whole.text, 'loc').map((one) => one.text)
    const ctx = service.app.context({ kind: 'anonymous' })
    for (const limits of [
      { urls: 4, bytes: 1e6 },
      { urls: 1e6, bytes: 1500 },
    ]) {
      const { files } = await sitemapFile(ctx, 1, limits)
      expect(files).toBeGreaterThan(2)
      const found: string[] = []
      for (let number = 1; number <= files; number += 1) {
        const { bytes } = await sitemapFile(ctx, number, limits)
        const text = Buffer.from(bytes ?? []).toString()
        const some = elements(text, 'loc').map((one) => one.text)
        expect(some.length).toBeLessThanOrEqual(limits.urls)
        expect(text.length).toBeLessThanOrEqual(limits.bytes)
        found.push(...some)
      }
      expect(found).toEqual(urls)
      expect((await sitemapFile(ctx, files + 1, limits)).bytes).toBeNull()
    }
    for (const path of ['/sitemaps/1.xml', '/sitemaps/0.xml', '/sitemaps/x', '/sitemaps/1']) {
      expect({ path, status: (await get(path)).status }).toEqual({ path, status: 404 })
    }
  })

  it('§4.6 robots.txt has the rules of the site, and where the sitemap is', async () => {
    const { headers, text } = await get('/robots.txt')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(text).toBe(
      'User-agent: GPTBot\nUser-agent: Other\nDisallow: /\nUser-agent: *\nAllow: /site/\n\nSitemap: https://example.org/site/sitemap.xml\n',
    )
  })

  it('§4.6 llms.txt names pages and pieces by their titles', async () => {
    const { text } = await get('/llms.txt')
    expect(text.startsWith('# Tea & \\[more\\]\n\n> All about tea.\n\nWritten by people.\n\n## Pages\n\n')).toBe(true)
    expect(text).toContain('- [Über (uns) \\[neu\\]](https://example.org/site/%C3%BCber)\n')
    expect(text).toContain('## Articles\n\n- [First](https://example.org/site/articles/first)\n')
    expect(text).not.toMatch(/Hidden|Below|Closed|Draft|Whisper|members|Gone|Not indexed|Imprint|\/fr\//)
  })

  it('§4.6 static builds find these files in the metadata of one locale, and front ends their paths', async () => {
    const literals = async (query: string) => {
      const { data } = await get(`/api/v1/@cms/url?${query}`, { front: true })
      return data.pages.filter((entry: { contentType?: string }) => entry.contentType !== undefined)
    }
    expect(await literals('')).toEqual([
      { url: '/robots.txt', contentType: 'text/plain', i18nId: 'robots.txt', sitemap: false },
      { url: '/sitemap.xml', contentType: 'application/xml', i18nId: 'sitemap.xml', sitemap: false },
      { url: '/llms.txt', contentType: 'text/plain', i18nId: 'llms.txt', sitemap: false },
    ])
    expect(await literals('aposLocale=fr_CA')).toEqual([])
    const { data } = await get('/api/v1/@cms/url/literal-routes', { front: true })
    expect(data.patterns).toEqual(['/robots.txt', '/sitemap.xml', '/sitemaps/*', '/llms.txt'])
    expect((await get('/robots.txt', { front: true })).text).toBe((await get('/robots.txt')).text)
  })
})

describeService(
  'files for search engines of several hosts',
  {
    site: defineSite({
      types,
      locales: {
        en: { label: 'English', hostname: 'en.example.org' },
        de: { label: 'Deutsch', hostname: 'de.example.org' },
      },
      robots: true,
      sitemap: true,
    }),
  },
  (service) => {
    it('§4.6 each host has the sitemap of its own locales, with alternates at the others', async () => {
      for (const [host, other] of [
        ['en.example.org', 'de.example.org'],
        ['de.example.org', 'en.example.org'],
      ] as const) {
        const port = new URL(service.address).port
        const lines = await new Promise<string>((done, fail) => {
          import('node:http').then(({ get }) =>
            get({ port, host: '127.0.0.1', path: '/sitemap.xml', headers: { host } }, (response) => {
              let text = ''
              response.on('data', (chunk) => {
                text += chunk
              })
              response.on('end', () => done(text))
            }).on('error', fail),
          )
        })
        expect(elements(lines, 'loc').map((one) => one.text)).toEqual([`https://${host}/`])
        expect(lines).toContain(`href="https://${other}/"`)
      }
    })
  },
)

describe('files for search engines of a site', () => {
  const mistakes = (options: object) => {
    try {
      compileSite(defineSite(options))
      return ''
    } catch (error) {
      return String(error)
    }
  }

  test.each([
    [{ sitemap: true }, 'sitemap: needs whole URLs'],
    [{ llms: true }, 'llms: needs whole URLs'],
    [{ robots: { rules: [{ disallow: ['drafts'] }] } }, 'robots'],
    [{ robots: { rules: [{ userAgent: 'a\nAllow: /' }] } }, 'robots'],
    [
      { robots: { rules: [{ disallowPages: ['article'] }] }, types: [piece('article')] },
      'robots.rules.0.disallowPages',
    ],
    [{ llms: { title: 'a\nb' }, baseUrl: 'https://example.org' }, 'llms'],
    [{ types: [piece('a', { sitemap: { priority: 2 } })] }, 'types.a.sitemap'],
  ])('§4.6 options are checked at start: %j', (options, message) => {
    expect(mistakes(options)).toContain(message)
  })

  test('§4.6 a site that is only built statically begins URLs with the base URL of its builds', () => {
    expect(mistakes({ sitemap: true, llms: true, staticBaseUrl: 'https://example.org' })).toBe('')
  })

  test('§4.6 a site has none of these files unless it asks for them', () => {
    expect(compileSite(defineSite({})).discovery).toEqual({ robots: null, sitemap: null, llms: null })
  })
})

const home = defineSite({
  baseUrl: 'https://example.org',
  static: true,
  sitemap: true,
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [piece('article'), page('@cms/home-page', { piecesType: 'article' }), page('text-page')],
})

const listing = defineSite({
  baseUrl: 'https://example.org',
  types: [article, page('article-page', { piecesType: 'article', piecesFilters: ['section'], perPage: 1 })],
  sitemap: true,
  features: [
    {
      name: 'calendar',
      hooks: {
        getAllUrlMetadata(_ctx, results) {
          results.push({ url: '/calendar', type: 'calendar', aposDocId: 'c', i18nId: 'c', _id: 'c:en:published' })
        },
      },
    },
  ],
})

describeService('the sitemap of a site with lists', { site: listing, isLong: true }, (service) => {
  it('§4.6 leaves out further pages and filters unless the site asks for them', async () => {
    const place = { _targetId: '_home', _position: 'lastChild' }
    await service.admin.post('@cms/page', { type: 'article-page', title: 'Articles', ...place })
    for (const title of ['One', 'Two']) await service.admin.post('article', { title, section: 'a&b' })
    const { text } = await visit(service, '/sitemap.xml')
    const paths = elements(text, 'loc').map((one) => one.text.slice('https://example.org'.length))
    expect(paths).toEqual(['/', '/articles', '/articles/one', '/articles/two', '/calendar'])
  })
})

describeService(
  'URL metadata of a home page that lists pieces',
  { site: home, frontKey: FRONT_KEY, isLong: true },
  (service) => {
    it('§4.6 what would lie where the service or a locale answers is not listed', async () => {
      for (const title of ['FR', 'API', 'Sitemaps', 'Uploads', 'One']) {
        expect((await service.admin.post('article', { title })).status).toBe(200)
      }
      const { data } = await visit(service, '/api/v1/@cms/url', { front: true })
      const urls = data.pages.map(({ url }: { url: string }) => url)
      expect(urls).toEqual(['/', '/one', '/sitemap.xml'])
      const below = {
        type: 'text-page',
        title: 'Two',
        slug: '/sitemaps/two',
        _targetId: '_home',
        _position: 'lastChild',
      }
      expect((await service.admin.post('@cms/page', below)).status).toBe(400)
    })
  },
)
