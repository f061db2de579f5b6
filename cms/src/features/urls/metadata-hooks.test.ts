import { beforeEach, expect, it } from 'vitest'
import { referenceSite } from '../../../../conformance/site.ts'
import { describePages } from '../../../test/pages.ts'
import { describeService, type Service } from '../../../test/service.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'
import { insert } from '../../engine/operations/insert.ts'
import { getAllUrlMetadata, type UrlMetadataOptions } from '../../engine/urls/collect-urls.ts'
import { write } from '../../engine/write.ts'
import { defineSite } from '../../model/compile/site.ts'
import { page, piece } from '../../model/declared/content-type.ts'
import type { UrlEntry } from '../../model/declared/url-metadata.ts'
import type { Feature } from '../feature.ts'

const PATH = '/api/v1/@cms/url'

/** Adds articles by the function that every POST goes through. */
async function fill({ app }: Pick<Service, 'app'>, count: number): Promise<void> {
  const type = app.site.types.get('article')
  if (type === undefined) throw new Error('The site has no articles.')
  await write(app.context({ kind: 'operator' }), async (ctx) => {
    for (let number = 0; number < count; number += 1) {
      await insert(ctx, { type, locale: 'en', mode: 'published' }, { title: `Article ${number}` })
    }
  })
}

describePages(
  'the cost of URL metadata',
  { frontKey: FRONT_KEY, site: referenceSite({}), isLong: true, timeout: 90_000 },
  (pages) => {
    const statements = async () => {
      const query = 'attachments=1'
      return pages.cost(async () => {
        const { status, text } = await visit(pages.service, `${PATH}?${query}`, { front: true })
        return { status, body: text } as never
      })
    }

    it('§4.6 is a constant number of statements for each 1,000 entries', async () => {
      await pages.made('Articles', { type: 'article-page' })
      await fill(pages.service, 10)
      // Where the index pages are is cached from then on.
      await statements()
      await fill(pages.service, 10)
      const few = await statements()
      await fill(pages.service, 1000)
      // One more batch of pieces, and of what they refer to.
      expect((await statements()) - few).toBe(2)
    })

    it('§4.6 is one moment, whatever is saved meanwhile', async () => {
      const { app } = pages.service
      const ctx = app.context({ kind: 'anonymous' })
      const before = await getAllUrlMetadata(ctx)
      const found: string[] = []
      await ctx.store.snapshot(async (reader) => {
        await reader.documents.everywhere('none')
        await fill(pages.service, 1)
        const view = {
          type: 'article',
          locale: 'en',
          mode: 'published',
          archived: false,
          visibility: 'public',
        } as const
        for (let after = ''; ; ) {
          const some = await reader.documents.bySlug(view, after, 1000)
          found.push(...some.map(({ slug }) => slug))
          if (some.length < 1000) break
          after = some.at(-1)?.key ?? ''
        }
      })
      const articles = before.pages.filter((entry) => 'type' in entry && entry.type === 'article')
      expect(found.length).toBe(articles.length)
      expect((await getAllUrlMetadata(ctx)).pages.length).toBeGreaterThan(before.pages.length)
    })
  },
)

const heard: unknown[] = []
/** Further values that the hook adds to its own entries. */
const left: unknown[] = []
const pushing: Feature = {
  name: 'pushing',
  hooks: {
    getAllUrlMetadata(ctx, results, { excludeTypes }) {
      heard.push(['own', ctx.locale, results.length, excludeTypes])
      // `as`: what plain JavaScript may leave.
      results.push(...(left as UrlEntry[]))
      results.push({ url: '/feed.json', contentType: 'application/json', i18nId: 'feed', sitemap: false })
      results.push({ url: '/about', contentType: 'text/plain', i18nId: 'twice' })
      const at = { type: 'odd', aposDocId: 'odd', i18nId: 'odd', _id: 'odd:en:published' }
      results.push({ url: 'https://example.org/site/odd', ...at })
      for (const entry of results) if (entry && 'type' in entry && entry.type === 'article') entry.priority = 0.2
    },
    '@cms/url:getAllUrlMetadata'(_ctx, results) {
      heard.push(['event', results.length])
    },
    getAllAttachmentMetadata(_ctx, results, options) {
      heard.push(['attachments', results.length, options])
      results.push({ _id: 'extra', base: 'https://cdn.example.org', urls: [{ path: '/a.pdf' }] })
    },
    '@cms/url:getAllAttachmentMetadata'(_ctx, results) {
      heard.push(['attachment event', results.length])
    },
    getLiteralContentRoutes(_ctx, patterns) {
      patterns.push('/feed.json')
    },
  },
}

const site = defineSite({
  baseUrl: 'https://example.org',
  prefix: '/site',
  static: true,
  types: [piece('article'), page('text-page'), page('article-page', { piecesType: 'article' })],
  pages: {
    parked: [
      { parkedId: 'about', type: 'text-page', title: 'About', slug: '/about' },
      { parkedId: 'articles', type: 'article-page', title: 'Articles', slug: '/articles' },
    ],
  },
  features: [pushing],
})

describeService('hooks of URL metadata', { site, frontKey: FRONT_KEY, isLong: true }, (service) => {
  const ask = (options: UrlMetadataOptions) => getAllUrlMetadata(service.app.context({ kind: 'anonymous' }), options)
  beforeEach(() => void heard.splice(0))

  it('§6 they add entries and change them, by their own names and those of the events', async () => {
    await fill(service, 1)
    const { data } = await visit(service, `/site${PATH}?attachments=1&attachmentScope=all&attachmentSizes=full`, {
      front: true,
    })
    expect(data.pages.map(({ url }: { url: string }) => url)).toEqual([
      '/',
      '/about',
      '/articles',
      '/articles/article-0',
      '/feed.json',
      '/odd',
    ])
    expect(data.pages[3]).toMatchObject({ type: 'article', priority: 0.2 })
    expect(data.attachments).toEqual({
      uploadsUrl: '/site/uploads',
      results: [{ _id: 'extra', base: 'https://cdn.example.org', urls: [{ path: '/a.pdf' }] }],
    })
    expect(heard).toEqual([
      ['own', 'en', 4, []],
      ['event', 7],
      ['attachments', 0, { scope: 'all', sizes: ['full'], skipSizes: [], uploadsUrl: '/site/uploads' }],
      ['attachment event', 1],
    ])
  })

  it('§4.6 code leaves types out, and hooks get their names', async () => {
    const { pages, attachments } = await ask({ excludeTypes: ['article', 'text-page'] })
    expect(attachments).toBeNull()
    expect(pages.map(({ url }) => url)).toEqual(['/', '/articles', '/feed.json', '/about', '/odd'])
    expect(heard[0]).toEqual(['own', 'en', 2, ['article', 'text-page']])
    expect(heard).toHaveLength(2)
  })

  it('§4.6 code gets the files of attachments when it asks for them', async () => {
    expect((await ask({ attachments: true })).attachments?.results).toHaveLength(1)
    expect(heard[2]).toEqual([
      'attachments',
      0,
      { scope: 'used', sizes: null, skipSizes: [], uploadsUrl: '/site/uploads' },
    ])
    expect((await ask({ attachments: false })).attachments).toBeNull()
  })

  it('§6 what is not an entry is left out and logged, and nothing else suffers', async () => {
    const bad = [
      null,
      {},
      { url: 'relative', type: 'x' },
      { url: '//evil.example', type: 'x' },
      { url: '/x', priority: '0.5' },
      { url: '/y', changefreq: 'sometimes' },
      { url: '/z', contentType: 5 },
    ]
    left.push(...bad)
    const { pages } = await ask({})
    expect(pages.map(({ url }) => url)).toEqual([
      '/',
      '/about',
      '/articles',
      '/articles/article-0',
      '/feed.json',
      '/odd',
    ])
    const logged = service.logged.filter(({ message }) => message.includes('getAllUrlMetadata'))
    expect(logged.map(({ data }) => (data as { entry: unknown }).entry)).toEqual(bad)
    left.splice(0)
  })

  it('§4.6 front ends get the paths of further files', async () => {
    const { data } = await visit(service, `/site${PATH}/literal-routes`, { front: true })
    expect(data).toEqual({ patterns: ['/feed.json'] })
  })
})

const spelled = defineSite({
  static: true,
  types: [
    piece('article', {
      fields: {
        add: {
          kind: { type: 'string' },
          section: { type: 'select', choices: ['news', 'essay'].map((value) => ({ value, label: value })) },
        },
      },
    }),
    page('article-page', { piecesType: 'article', piecesFilters: ['kind', 'section'] }),
  ],
  pages: { parked: [{ parkedId: 'articles', type: 'article-page', title: 'Articles', slug: '/articles' }] },
})

describeService(
  'URLs of values that are spelled in several ways',
  { site: spelled, frontKey: FRONT_KEY, isLong: true },
  (service) => {
    it('§4.6 all pages link to the spelling that is listed', async () => {
      for (const [kind, section] of [
        ['Walk', 'news'],
        ['WALK', 'essay'],
        ['é', 'essay'],
        ['É', 'news'],
      ]) {
        expect((await service.admin.post('article', { title: 'A', kind, section })).status).toBe(200)
      }
      const { data } = await visit(service, PATH, { front: true })
      const listed = new Set(data.pages.map(({ url }: { url: string }) => url))
      for (const path of ['/articles', '/articles/section/news', '/articles/section/essay']) {
        const { data } = await visit(service, path, { front: true, headers: { 'x-apos-static-base-url': '1' } })
        const links: string[] = data.filters.flatMap(({ choices }: { choices: { _url: string }[] }) =>
          choices.map(({ _url }) => decodeURIComponent(_url)),
        )
        expect(links.length).toBeGreaterThan(2)
        expect(links.filter((link) => !listed.has(link))).toEqual([])
      }
    })
  },
)

describeService(
  'URL metadata of a site without static URLs',
  { site: defineSite({ types: [page('text-page')] }), frontKey: FRONT_KEY, isLong: true },
  (service) => {
    it('§4.6 is invalid, but not for callers without the key', async () => {
      const { status, data } = await visit(service, PATH, { front: true })
      expect({ status, data }).toMatchObject({ status: 400, data: { name: 'invalid' } })
      expect((await visit(service, PATH)).status).toBe(403)
    })
  },
)

describeService(
  'URL metadata with uploads elsewhere',
  { site, frontKey: FRONT_KEY, uploadsUrl: 'https://cdn.example.org/files/', isLong: true },
  (service) => {
    it('§4.6 uploadsUrl is where browsers fetch them', async () => {
      const { data } = await visit(service, `/site${PATH}?attachments=1`, { front: true })
      expect(data.attachments.uploadsUrl).toBe('https://cdn.example.org/files')
    })
  },
)

const inTwoLanguages = defineSite({
  baseUrl: 'https://example.org',
  prefix: '/site',
  sitemap: true,
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  features: [pushing],
})

describeService('hooks of URL metadata in two languages', { site: inTwoLanguages, isLong: true }, (service) => {
  it('§4.6 what a hook adds to each is in the sitemap once', async () => {
    const { text } = await visit(service, '/site/sitemap.xml')
    const locations = text.match(/(?<=<loc>)[^<]*/g)
    const base = 'https://example.org/site'
    expect(locations).toEqual([`${base}/`, `${base}/odd`, `${base}/fr/`])
  })
})

const literal: Feature = {
  name: 'literal',
  hooks: {
    listLiteralUrls(_ctx, results) {
      const more = { contentType: 'text/calendar', i18nId: 'calendar' }
      results.push({ url: '/calendar.ics', ...more }, { url: '/calendar.ics', ...more })
      results.push({ url: 'https://www.example.org/abs.txt', ...more })
    },
    getLiteralContentRoutes(_ctx, patterns) {
      patterns.push('/calendar.ics', '/calendar.ics')
    },
  },
}
const withFeed = defineSite({
  baseUrl: 'https://example.org',
  static: true,
  sitemap: true,
  types: [
    // `as`: what plain JavaScript may return.
    piece('article', { sitemap: ({ title }) => (title === 'Odd' ? ({ priority: Number.NaN } as object) : undefined) }),
    page('article-page', { piecesType: 'article', feed: { formats: ['rss'] } }),
  ],
  pages: { parked: [{ parkedId: 'articles', type: 'article-page', title: 'Articles', slug: '/articles' }] },
  features: [literal],
})

describeService('files of a site in URL metadata', { site: withFeed, frontKey: FRONT_KEY }, (service) => {
  const ask = async (excludeTypes: string[]) => {
    const { pages } = await getAllUrlMetadata(service.app.context({ kind: 'anonymous' }), { excludeTypes })
    return pages.map(({ url }) => url)
  }

  it('§4.6 are listed once, and only as proper paths; those of types that are left out are not', async () => {
    expect(await ask([])).toEqual(['/', '/articles', '/articles/rss.xml', '/sitemap.xml', '/calendar.ics'])
    expect(await ask(['article-page'])).toEqual(['/', '/sitemap.xml', '/calendar.ics'])
    const { data } = await visit(service, `${PATH}/literal-routes`, { front: true })
    expect(data.patterns).toEqual(['/sitemap.xml', '/sitemaps/*', '**/rss.xml', '/calendar.ics'])
  })

  it('§4.6 a function that says nothing proper of a document is named in the log', async () => {
    const { body } = await service.admin.post('article', { title: 'Odd' })
    expect((await visit(service, '/sitemap.xml')).status).toBe(500)
    const errors = service.logged.filter(({ level }) => level === 'error')
    expect(JSON.stringify(errors)).toContain('The function sitemap of article')
    expect((await service.admin.patch(`article/${body._id}`, { title: 'Even' })).status).toBe(200)
    expect((await visit(service, '/sitemap.xml')).text).toContain('/articles/odd</loc>')
  })
})
