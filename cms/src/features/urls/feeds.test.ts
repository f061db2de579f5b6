import { beforeAll, describe, expect, it, test } from 'vitest'
import { imagePiece } from '../../../test/media.ts'
import { describeService } from '../../../test/service.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'
import { elements } from '../../../test/xml.ts'
import { compileSite, defineSite } from '../../model/compile/site.ts'
import { page, piece, widget } from '../../model/declared/content-type.ts'

const article = piece('article', {
  fields: {
    add: {
      day: { type: 'date' },
      teaser: { type: 'area', widgets: { '@cms/rich-text': {}, aside: {} } },
      note: { type: 'string', viewPermission: 'editor' },
      _picture: { type: 'relationship', withType: '@cms/image', max: 1 },
      _authors: { type: 'relationship', withType: 'author' },
    },
  },
})
const aside = widget('aside', {
  fields: { add: { open: { type: 'string' }, closed: { type: 'string', viewPermission: 'editor' } } },
})
const articlePage = page('article-page', {
  piecesType: 'article',
  feed: { items: 3, date: 'day', summary: 'teaser', image: '_picture', author: '_authors' },
})
const types = [piece('author'), article, articlePage, page('text-page')] as const
const parked = [{ parkedId: 'articles', type: 'article-page', title: 'News & <views>', slug: '/articles' }] as const

const site = defineSite({
  name: 'Tea "&" more',
  baseUrl: 'https://example.org',
  static: true,
  locales: { en: { label: 'English' }, pt_BR: { label: 'Português', prefix: '/pt' } },
  types,
  widgets: [aside],
  pages: { parked },
})

const HOSTILE = 'A & B <script>alert(1)</script> ]]> "q" \u0001 🫖'
const SHOWN = 'A & B <script>alert(1)</script> ]]> "q"  🫖'

describeService('feeds', { site, frontKey: FRONT_KEY, isLong: true }, (service) => {
  const made = async (type: string, body: object, query = '') => {
    const answer = await service.admin.post(type, body, query)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  let image: { attachment: { length: number; _id: string } }

  beforeAll(async () => {
    const author = await made('author', { title: 'Ada & Co' })
    image = await imagePiece(service)
    const content = `<p>Of ${'tea '.repeat(200)}</p>`
    const teaser = {
      items: [
        { type: 'aside', open: 'Of us.', closed: 'Behind doors.' },
        { type: '@cms/rich-text', content },
      ],
    }
    await made('article', { title: 'Oldest', day: '2020-01-01' })
    await made('article', { title: HOSTILE, day: '2026-03-01', teaser, _authors: [author], _picture: [image] })
    await made('article', { title: 'Middle', day: '2026-02-01' })
    await made('article', { title: 'Newest', day: '2026-04-01', note: 'Between us' })
    await made('article', { title: 'Members', day: '2026-05-01', visibility: 'loginRequired' })
    await made('article', { title: 'Draft', day: '2026-05-01' }, 'aposMode=draft')
    await made('article', { title: 'Gone', day: '2026-05-01', archived: true })
  })

  it('§4.6 RSS tells of the newest pieces that visitors see', async () => {
    const { status, headers, text } = await visit(service, '/articles/rss.xml')
    expect({ status, type: headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/rss+xml; charset=utf-8',
    })
    const texts = (name: string) => elements(text, name).map((one) => one.text)
    const title = 'News & <views> – Tea "&" more'
    expect(texts('title')).toEqual([title, 'Newest', SHOWN, 'Middle'])
    expect(texts('link')[0]).toBe('https://example.org/articles')
    expect(
      texts('link')
        .slice(1)
        .every((url) => url.startsWith('https://example.org/articles/')),
    ).toBe(true)
    expect(texts('language')).toEqual(['en'])
    expect(texts('pubDate')).toEqual([
      'Wed, 01 Apr 2026 00:00:00 GMT',
      'Sun, 01 Mar 2026 00:00:00 GMT',
      'Sun, 01 Feb 2026 00:00:00 GMT',
    ])
    expect(new Date(texts('lastBuildDate')[0] ?? '').getTime()).toBeGreaterThan(Date.now() - 600_000)
    expect(texts('dc:creator')).toEqual(['Ada & Co'])
    expect(texts('description')[0]).toBe(title)
    expect(texts('description')[1]).toMatch(/^Of us\. Of tea tea .*…$/)
    expect(texts('description')[1]?.length).toBeLessThan(510)
    for (const guid of elements(text, 'guid')) {
      expect(guid.attributes.isPermaLink).toBe('false')
      expect(guid.text).toMatch(/^urn:quire:[0-9a-z]{26}:en$/)
    }
    const [enclosure] = elements(text, 'enclosure')
    expect(enclosure?.attributes).toMatchObject({ type: 'image/jpeg', length: String(image.attachment.length) })
    expect(enclosure?.attributes.url).toContain(`https://example.org/uploads/attachments/${image.attachment._id}`)
    expect(elements(text, 'atom:link')[0]?.attributes).toEqual({
      rel: 'self',
      type: 'application/rss+xml',
      href: 'https://example.org/articles/rss.xml',
    })
    expect(text).not.toMatch(/Members|Draft|Gone|Between us|Oldest|Behind/)
    for (const url of texts('link')) {
      expect((await visit(service, url.slice('https://example.org'.length))).status).toBe(200)
    }
  })

  it('§4.6 Atom tells the same', async () => {
    const { headers, text } = await visit(service, '/articles/atom.xml')
    expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    const texts = (name: string) => elements(text, name).map((one) => one.text)
    expect(elements(text, 'feed')[0]?.attributes).toMatchObject({ 'xml:lang': 'en' })
    expect(texts('title').slice(1)).toEqual(['Newest', SHOWN, 'Middle'])
    expect(texts('id')).toHaveLength(4)
    expect(new Set(texts('id')).size).toBe(4)
    expect(texts('updated')).toHaveLength(4)
    for (const time of texts('updated')) expect(time).toMatch(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/)
    expect(texts('published')[0]).toBe('2026-04-01T00:00:00.000Z')
    expect(texts('name')).toEqual(['Tea "&" more', 'Ada & Co'])
    const links = elements(text, 'link').map(({ attributes }) => `${attributes.rel} ${attributes.href}`)
    expect(links[0]).toBe('self https://example.org/articles/atom.xml')
    expect(links[1]).toBe('alternate https://example.org/articles')
    expect(links.filter((link) => link.startsWith('enclosure '))).toHaveLength(1)
  })

  it('§4.6 all callers get the same, and HEAD and If-None-Match are answered', async () => {
    const { text, headers } = await visit(service, '/articles/rss.xml')
    for (const visitor of [{ front: true }, { role: 'admin' }, { role: 'guest' }] as const) {
      expect((await visit(service, '/articles/rss.xml', visitor)).text).toBe(text)
    }
    const etag = headers.get('etag') ?? ''
    expect(await visit(service, '/articles/rss.xml', { headers: { 'if-none-match': etag } })).toMatchObject({
      status: 304,
    })
    expect(await visit(service, '/articles/rss.xml', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
  })

  it('§4.6 an index page names its feeds in its head, other pages have none', async () => {
    const { text } = await visit(service, '/articles')
    expect(text).toContain(
      '<link rel="alternate" type="application/rss+xml" title="News &amp; &lt;views&gt; – Tea &quot;&amp;&quot; more" href="https://example.org/articles/rss.xml">',
    )
    expect(text).toContain('href="https://example.org/articles/atom.xml"')
    expect((await visit(service, '/')).text).not.toContain('application/rss+xml')
    for (const path of [
      '/rss.xml',
      '/articles/rss.xml/page/2',
      '/articles/feed.xml',
      '/articles/newest/rss.xml',
      '/nosuch/rss.xml',
    ]) {
      expect({ path, status: (await visit(service, path)).status }).toEqual({ path, status: 404 })
    }
  })

  it('§4.6 each locale has its own feed, which is listed for static builds', async () => {
    const index = await service.admin.get('@cms/page', 'all=1&flat=1')
    const { _id } = index.body.results.find(({ type }: { type: string }) => type === 'article-page')
    const found = await visit(service, '/pt/articles/rss.xml')
    expect(elements(found.text, 'language')[0]?.text).toBe('pt-br')
    expect(elements(found.text, 'item')).toEqual([])
    for (const [locale, prefix] of [
      ['en', ''],
      ['pt_BR', '/pt'],
    ] as const) {
      const { data } = await visit(service, `/api/v1/@cms/url?aposLocale=${locale}`, { front: true })
      const literals = data.pages.filter((entry: { contentType?: string }) => entry.contentType !== undefined)
      const id = _id.split(':')[0]
      expect(literals).toEqual([
        { url: `${prefix}/articles/rss.xml`, contentType: 'application/rss+xml', i18nId: `${id}.rss`, sitemap: false },
        {
          url: `${prefix}/articles/atom.xml`,
          contentType: 'application/atom+xml',
          i18nId: `${id}.atom`,
          sitemap: false,
        },
      ])
    }
    const { data } = await visit(service, '/api/v1/@cms/url/literal-routes', { front: true })
    expect(data.patterns).toEqual(['**/rss.xml', '**/atom.xml'])
  })

  it('§4.6 the feed of a page that a visitor may not see is not there', async () => {
    const target = { type: 'article-page', _targetId: '_home', _position: 'lastChild' }
    await made('@cms/page', { ...target, title: 'Inside', visibility: 'loginRequired' })
    expect((await visit(service, '/inside/rss.xml')).status).toBe(404)
    expect((await visit(service, '/inside/rss.xml', { role: 'guest' })).status).toBe(200)
  })
})

describe('feeds of a site', () => {
  const mistakes = (
    feed: object | boolean,
    options: object = { baseUrl: 'https://example.org' },
    piecesType = 'article',
  ) => {
    try {
      // `as`: the compiler refuses some of these, too.
      const index = page('list', { ...(piecesType === '' ? {} : { piecesType }), feed: feed as true })
      compileSite(defineSite({ types: [piece('author'), article, index], widgets: [aside], ...options }))
      return ''
    } catch (error) {
      return String(error)
    }
  }

  test.each([
    [true, ''],
    [{ formats: ['rss'], items: 100, date: 'updatedAt', author: 'title' }, ''],
    [{ items: 101 }, 'types.list.feed'],
    [{ formats: [] }, 'types.list.feed'],
    [{ date: 'teaser' }, 'types.list.feed.date: "teaser" is not a date of the pieces'],
    [{ summary: 'nosuch' }, 'types.list.feed.summary'],
    [{ image: 'teaser' }, 'types.list.feed.image'],
    [{ author: 'day' }, 'types.list.feed.author'],
  ])('§4.6 options are checked at start: %j', (feed, message) => {
    if (message === '') expect(mistakes(feed)).toBe('')
    else expect(mistakes(feed)).toContain(message)
  })

  test('§4.6 feeds need an index page and whole URLs', () => {
    expect(mistakes(true, {})).toContain('types.list.feed: needs whole URLs')
    expect(mistakes(true, { baseUrl: 'https://example.org' }, '')).toContain(
      'types.list.feed: only index pages have feeds',
    )
  })
})
