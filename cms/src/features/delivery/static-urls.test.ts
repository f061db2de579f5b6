import { beforeAll, expect, it } from 'vitest'
import { sampledDatabases } from '../../../test/databases.ts'
import { type Caller, callerOf, describeService } from '../../../test/service.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'
import { html } from '../../base/html.ts'
import type { Scene } from '../../engine/context.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, piece } from '../../model/declared/content-type.ts'
import type { PageData, ShownDocument } from '../../model/declared/page-data-types.ts'

const ODD_MOODS = ['a/b', '..', 'Été & co', 'a%2Fb', '100%', 'é'.repeat(100)]

const index = {
  render: (
    { page, pieces = [], filters = [], totalPages = 1 }: PageData<{ title: string }, ShownDocument>,
    { urls }: Scene,
  ) => {
    const link = (kind: string, url: unknown, text: unknown) =>
      html`<a class="${kind}" href="${url as string}">${text as string}</a>`
    return html`<h1>${page.title}</h1>
${pieces.map(({ title, _url }) => link('piece', _url, title))}
${filters.flatMap(({ choices }) => choices.map(({ label, _url }) => link('filter', _url, label)))}
${Array.from({ length: totalPages }, (_, at) => link('number', urls.getPageUrl(at + 1), at + 1))}`
  },
}

const siteWith = (options: { readonly static: boolean; readonly prefix: '' | '/site' }) =>
  defineSite({
    ...options,
    locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
    types: [
      piece('topic', {}),
      piece('article', {
        fields: {
          add: {
            _topics: { type: 'relationship', withType: 'topic' },
            mood: { type: 'string' },
            stars: { type: 'integer' },
          },
        },
        sort: { title: 1 },
      }),
      page('default-page', {}),
      page('articles', { piecesType: 'article', piecesFilters: ['topics', 'mood', 'stars'], perPage: 2, index }),
      page('@cms/home-page', { piecesType: 'article', piecesFilters: ['topics'], perPage: 2, index }),
    ],
  })

/** Five articles in two languages: two pages with the topic `art`, one without. */
async function fill(admin: Caller): Promise<void> {
  const made = async (type: string, body: object) => {
    const answer = await admin.post(type, body)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const art = await made('topic', { title: 'Art' })
  await made('topic', { title: 'Unused' })
  const ids: string[] = [art._id]
  for (const [at, title] of ['One', 'Two', 'Three', 'Four', 'Page', 'Topics'].entries()) {
    const mood = ODD_MOODS[at] ?? ''
    const { _id } = await made('article', { title, mood, stars: at % 2, _topics: title === 'Four' ? [] : [art] })
    ids.push(_id)
  }
  const below = { _targetId: '_home', _position: 'lastChild' }
  const list = await made('@cms/page', { type: 'articles', title: 'Articles', ...below })
  // Pages that lie where filters and numbers begin.
  for (const slug of ['page', 'topics']) {
    const { _id } = await made('@cms/page', {
      type: 'default-page',
      title: slug,
      _targetId: list._id,
      _position: 'lastChild',
    })
    expect((await admin.get(`@cms/page/${_id}`)).body.slug).toBe(`/articles/${slug}`)
  }
  for (const id of ids) {
    const type = id === art._id ? 'topic' : 'article'
    expect(await admin.post(`${type}/${id}/localize`, { toLocale: 'fr', publish: true })).toMatchObject({ status: 200 })
  }
  expect(await admin.post(`@cms/page/${list._id}/localize`, { toLocale: 'fr', publish: true })).toMatchObject({
    status: 200,
  })
}

const links = (text: string, kind: string) =>
  [...text.matchAll(new RegExp(`<a class="${kind}" href="([^"]*)">([^<]*)</a>`, 'g'))].map(
    ([, href = '', label = '']) => ({
      href: href.replaceAll('&amp;', '&'),
      label,
    }),
  )

for (const prefix of ['', '/site'] as const) {
  describeService(
    `static URLs, prefix “${prefix}”`,
    { site: siteWith({ static: true, prefix }), frontKey: FRONT_KEY, on: sampledDatabases(`static${prefix}`) },
    (service) => {
      const open = (path: string) => visit(service, prefix + path)
      const titlesAt = async (path: string) => {
        const { status, text } = await open(path)
        return status === 200 ? links(text, 'piece').map(({ label }) => label) : status
      }
      beforeAll(() => fill(callerOf(service.address + prefix, 'key-admin', null)))

      it.each(['', '/fr'])(
        '§4.6 numbers and filters are steps of the path, with the prefix “%s” of a locale',
        async (locale) => {
          expect(await titlesAt(`${locale}/articles`)).toEqual(['Four', 'One'])
          expect(await titlesAt(`${locale}/articles/page/2`)).toEqual(['Page', 'Three'])
          expect(await titlesAt(`${locale}/articles/topics/art`)).toEqual(['One', 'Page'])
          expect(await titlesAt(`${locale}/articles/topics/art/page/3`)).toEqual(['Two'])
          expect(await titlesAt(`${locale}/articles/stars/1/page/2`)).toEqual(['Two'])
          expect(await titlesAt(`${locale}/articles/topics/art?stars=1`)).toEqual(['Topics', 'Two'])
          expect(await titlesAt(`${locale}/articles/topics/art?page=3`)).toEqual(['Two'])
          expect(await titlesAt(`${locale}/articles/topics/art?page=4`)).toEqual(404)
          expect(await titlesAt(`${locale}/articles/topics/art/page/3?page=2`)).toEqual(['Two'])
        },
      )

      it('§4.6 a home page that lists pieces has them at the root', async () => {
        expect(await titlesAt('/')).toEqual(['Four', 'One'])
        expect(await titlesAt('/page/2')).toEqual(['Page', 'Three'])
        expect(await titlesAt('/topics/art/page/2')).toEqual(['Three', 'Topics'])
        expect(await titlesAt('/fr/topics/art/page/2')).toEqual(['Three', 'Topics'])
      })

      it('§4.6 every link that is made leads to where it says', async () => {
        for (const start of [
          '/',
          '/page/2',
          '/fr/',
          '/articles',
          '/fr/articles',
          '/articles/topics/art',
          '/articles?stars=1',
        ]) {
          const { text } = await open(start)
          const found = [...links(text, 'filter'), ...links(text, 'number')]
          expect(found.length).toBeGreaterThan(2)
          for (const { href, label } of found) {
            expect(href).not.toMatch(/^\/\/|[^:]\/\//)
            const { status } = await visit(service, href)
            expect({ start, href, label, status }).toMatchObject({ status: 200 })
          }
        }
      })

      it('§4.6 the links to other pages keep the filter, and lead back to the first', async () => {
        const numbers = async (path: string) => links((await open(path)).text, 'number').map(({ href }) => href)
        const at = (...paths: string[]) => paths.map((path) => prefix + path)
        expect(await numbers('/articles')).toEqual(at('/articles', '/articles/page/2', '/articles/page/3'))
        expect(await numbers('/articles/page/3')).toEqual(at('/articles', '/articles/page/2', '/articles/page/3'))
        expect(await numbers('/page/2')).toEqual(at('/', '/page/2', '/page/3'))
        expect(await numbers('/fr/page/2?aposRefresh=1')).toEqual(at('/fr/', '/fr/page/2', '/fr/page/3'))
        expect(await numbers('/articles/topics/art/page/2?x=1')).toEqual(
          at('/articles/topics/art?x=1', '/articles/topics/art/page/2?x=1', '/articles/topics/art/page/3?x=1'),
        )
        expect(await numbers('/articles/topics/art?page=2')).toEqual(
          at('/articles/topics/art', '/articles/topics/art/page/2', '/articles/topics/art/page/3'),
        )
        expect(await numbers('/articles?stars=1&page=2')).toEqual(at('/articles?stars=1', '/articles/page/2?stars=1'))
      })

      it('§4.6 a value that no step of a path can hold is in the query', async () => {
        const moods = links((await open('/articles')).text, 'filter').filter(({ href }) => href.includes('mood'))
        expect(Object.fromEntries(moods.map(({ label, href }) => [label, href]))).toEqual({
          'a/b': `${prefix}/articles?mood=a%2Fb`,
          '..': `${prefix}/articles?mood=..`,
          'Été &amp; co': `${prefix}/articles/mood/%C3%89t%C3%A9%20&%20co`,
          'a%2Fb': `${prefix}/articles?mood=a%252Fb`,
          '100%': `${prefix}/articles?mood=100%25`,
          [ODD_MOODS[5] ?? '']: `${prefix}/articles?mood=${'%C3%A9'.repeat(100)}`,
        })
        expect(await titlesAt('/articles/mood/a%2Fb')).toEqual(['One'])
      })

      it('§4.6 values that are not in use have no path; a query for them is not to be indexed', async () => {
        for (const path of [
          'topics/unused',
          'topics/none-such',
          'stars/9',
          'stars/x',
          'stars/01',
          'stars/1.0',
          'mood/100%25x',
          'nothing/art',
          'topics/art/page/4',
        ]) {
          const { status } = await open(`/articles/${path}`)
          expect({ path, status }).toEqual({ path, status: 404 })
        }
        expect(await titlesAt('/articles/mood/A%2FB')).toEqual(['One'])
        for (const [query, robots] of [
          ['topics=unused', 'noindex'],
          ['topics=none-such', 'noindex'],
          ['topics=art', null],
          ['utm=1', null],
        ]) {
          const { status, headers } = await open(`/articles?${query}`)
          expect({ query, status, robots: headers.get('x-robots-tag') }).toEqual({ query, status: 200, robots })
        }
      })

      it('§4.6 the first page has one path', async () => {
        for (const [path, to] of [
          ['/articles/page/1', '/articles'],
          ['/articles/topics/art/page/1?x=1', '/articles/topics/art?x=1'],
          ['/page/1', '/'],
          ['/fr/page/1', '/fr/'],
          ['/fr/articles/page/1', '/fr/articles'],
        ]) {
          const { status, headers } = await open(path ?? '')
          expect({ path, status, to: headers.get('location') }).toEqual({ path, status: 302, to: prefix + to })
        }
        for (const path of [
          'page/0',
          'page/01',
          'page/-1',
          'page/x',
          'page/99999999999999999999',
          'page/2/page/2',
          'page',
        ]) {
          expect([path, (await open(`/articles/topics/art/${path}`)).status]).toEqual([path, 404])
        }
      })

      it('§4.6 pages and pieces that are called like filters hide none of them', async () => {
        expect((await open('/articles/page')).text).toContain('<h1>page</h1>')
        expect((await open('/articles/topics')).text).toContain('<h1>topics</h1>')
        expect(await titlesAt('/articles/page/3')).toEqual(['Topics', 'Two'])
        expect(await titlesAt('/articles/topics/art')).toEqual(['One', 'Page'])
        expect(await titlesAt('/articles/page/9')).toBe(404)
        // In French there are no such pages, but pieces.
        expect((await open('/fr/articles/page')).text).toContain('<h1>Page</h1>')
        expect((await open('/fr/articles/topics')).text).toContain('<h1>Topics</h1>')
        expect(await titlesAt('/fr/articles/topics/art')).toEqual(['One', 'Page'])
      })

      it('§4.6 what the metadata list is what links lead to: a static export misses nothing, and has nothing too many', async () => {
        const listed = new Map<string, string>()
        for (const locale of ['en', 'fr']) {
          const { data } = await visit(service, `${prefix}/api/v1/@cms/url?aposLocale=${locale}`, { front: true })
          for (const { url, type } of data.pages) listed.set(prefix + url, type)
        }
        const reached = new Set<string>()
        const waiting = ['/', '/fr/', '/articles', '/fr/articles'].map((path) => prefix + path)
        for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
          if (reached.has(path)) continue
          reached.add(path)
          const { status, text } = await visit(service, path)
          expect({ path, status }).toEqual({ path, status: 200 })
          const hrefs = ['piece', 'filter', 'number'].flatMap((kind) => links(text, kind)).map(({ href }) => href)
          waiting.push(...hrefs.filter((href) => !href.includes('?')))
        }
        const expected = [...listed].flatMap(([url, type]) => (type === 'default-page' ? [] : [url]))
        expect([...reached].map(decodeURIComponent).toSorted()).toEqual(expected.toSorted())
        expect(expected.length).toBeGreaterThan(30)
      })

      it('§4.6 the header of static builds changes URLs alone, and caches keep the answers apart', async () => {
        const headers = { 'x-apos-static-base-url': '1' }
        const plain = await open('/articles')
        const built = await visit(service, `${prefix}/articles`, { headers })
        // The address that this service was asked at is not that of a static site.
        expect(built.text).toBe(plain.text.replaceAll(service.address, ''))
        for (const { headers } of [plain, built]) expect(headers.get('vary')).toContain('X-Apos-Static-Base-Url')
        expect((await visit(service, `${prefix}/nothing`, { headers })).status).toBe(404)
      })
    },
  )
}
