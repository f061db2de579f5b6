import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { isWhole, seed } from '../../../test/sample.ts'
import { describeService, type Service } from '../../../test/service.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, piece } from '../../model/declared/content-type.ts'
import type { PageFilter } from '../../model/declared/page-data-types.ts'
import type { DocumentUrl } from '../../model/declared/url-metadata.ts'

const PER_PAGE = 2

const siteWith = (staticCombinations: 1 | 2) =>
  defineSite({
    static: true,
    types: [
      piece('topic', {}),
      piece('article', {
        fields: {
          add: {
            kind: { type: 'string' },
            section: { type: 'string' },
            season: { type: 'select', choices: ['Summer', 'winter', 'e\u0301te\u0301'] },
            stars: { type: 'integer' },
            _topics: { type: 'relationship', withType: 'topic' },
          },
        },
        sort: { title: 1 },
      }),
      page('articles', {
        piecesType: 'article',
        piecesFilters: ['kind', 'section', 'season', 'stars', 'topics', '_topics'],
        perPage: PER_PAGE,
        staticCombinations,
      }),
    ],
  })

/** The front end of a static build. */
const BUILD = { front: true, headers: { 'x-apos-static-base-url': '1' } }

/** The paths that the metadata list. */
async function listedPaths(service: Service): Promise<Set<string>> {
  const { data } = await visit(service, '/api/v1/@cms/url', BUILD)
  return new Set((data.pages as DocumentUrl[]).map(({ url }) => url))
}

async function pageAt(service: Service, path: string) {
  const { status, data } = await visit(service, path.split('/').map(encodeURIComponent).join('/'), BUILD)
  expect({ path, status, isRedirect: data?.redirect ?? false }).toEqual({ path, status: 200, isRedirect: false })
  return data as { filters?: PageFilter[]; totalPages?: number }
}

async function makeIndex({ admin }: Service): Promise<void> {
  const place = { _targetId: '_home', _position: 'lastChild' }
  expect(await admin.post('@cms/page', { type: 'articles', title: 'Articles', ...place })).toMatchObject({
    status: 200,
  })
}

/** Spellings, of which some are one value, and some cannot be the name of a file everywhere. */
const KINDS = [
  'page',
  'PAGE',
  'a',
  'A',
  'é',
  'E\u0301',
  'e\u0301',
  'Été & co',
  'a/b',
  'A/B',
  'con',
  'index.html',
  '100%',
]

const article = fc.record({
  kind: fc.constantFrom(...KINDS),
  section: fc.constantFrom('News', 'news', 'NEWS', 'Essay', 'essay'),
  season: fc.constantFrom('Summer', 'winter', 'e\u0301te\u0301'),
  stars: fc.nat(2),
  topics: fc.nat(3),
  visibility: fc.constantFrom('public', 'public', 'loginRequired'),
})

describeService('links of filters', { site: siteWith(2), frontKey: FRONT_KEY, isLong: true }, (service) => {
  it('§4.6 every link of every page that the metadata list is itself listed', async () => {
    const { admin } = service
    await makeIndex(service)
    const topics = await Promise.all(['Art', 'Été'].map(async (title) => (await admin.post('topic', { title })).body))
    const check = async (some: readonly object[]) => {
      const { body } = await admin.get('article', 'perPage=100')
      for (const { _id } of body.results) await admin.patch(`article/${_id}`, { archived: true })
      for (const one of some as { topics: number }[]) {
        const _topics = topics.filter((_, index) => (one.topics >> index) % 2 === 1)
        expect(await admin.post('article', { title: 'One', ...one, _topics })).toMatchObject({ status: 200 })
      }
      const listed = await listedPaths(service)
      for (const path of listed) {
        const { filters = [] } = await pageAt(service, path)
        const links = filters.flatMap(({ choices }) => choices.map(({ _url }) => decodeURIComponent(_url)))
        const missing = links.filter((link) => !link.includes('?') && !listed.has(link))
        expect({ path, missing }).toEqual({ path, missing: [] })
      }
    }
    const articles = fc.array(article, { minLength: 4, maxLength: 9 })
    await fc.assert(fc.asyncProperty(articles, check), { seed, numRuns: isWhole ? 12 : 2, endOnFailure: true })
  })
})

describeService('spellings of filter values', { site: siteWith(1), frontKey: FRONT_KEY }, (service) => {
  const choicesAt = async (path: string, name: string) => {
    const { filters = [] } = await pageAt(service, path)
    return filters.find((filter) => filter.name === name)?.choices
  }

  beforeAll(async () => {
    await makeIndex(service)
    const kinds = ['Page', 'PAGE', 'page', 'E\u0301te\u0301', 'Été']
    for (const [index, kind] of kinds.entries()) {
      const body = { title: `${index}`, kind, section: kind === 'Page' ? 'news' : 'essay', season: 'e\u0301te\u0301' }
      expect(await service.admin.post('article', body)).toMatchObject({ status: 200 })
    }
  })

  it('§4.6 a value has one spelling, whatever else the list is filtered by', async () => {
    for (const path of ['/articles', '/articles/section/essay', '/articles/section/essay/page/2']) {
      expect(await choicesAt(path, 'kind')).toEqual([
        { value: 'Été', label: 'Été', _url: '/articles/kind/%C3%89t%C3%A9' },
        { value: 'Page', label: 'Page', _url: '/articles/kind/Page' },
      ])
    }
    const listed = [...(await listedPaths(service))].filter((path) => path.includes('/kind/'))
    expect(listed).toEqual(['/articles/kind/Été', '/articles/kind/Page', '/articles/kind/Page/page/2'])
  })

  it('§4.6 a path in another spelling redirects to that of the links, with number and query', async () => {
    for (const [path, to] of [
      ['/articles/kind/PAGE', '/articles/kind/Page'],
      ['/articles/kind/page/page/2?x=1', '/articles/kind/Page/page/2?x=1'],
      ['/articles/kind/%C3%A9t%C3%A9', '/articles/kind/%C3%89t%C3%A9'],
      ['/articles/section/ESSAY', '/articles/section/essay'],
    ]) {
      const { status, headers } = await visit(service, path ?? '')
      expect({ path, status, to: headers.get('location') }).toEqual({ path, status: 302, to })
    }
    for (const path of [
      '/articles/kind/E%CC%81te%CC%81',
      '/articles/season/e%CC%81te%CC%81',
      '/articles/season/%C3%A9t%C3%A9',
    ]) {
      expect({ path, status: (await visit(service, path)).status }).toEqual({ path, status: 200 })
    }
    expect(await visit(service, '/articles/kind/PAG')).toMatchObject({ status: 404 })
  })

  it('§4.6 a choice is active however its value was spelled', async () => {
    const active = async (query: string) => {
      const { data } = await visit(service, `/articles?${query}`, BUILD)
      const [kinds] = data.filters as PageFilter[]
      return kinds?.choices.filter((choice) => choice.active).map(({ value }) => value)
    }
    expect(await active('kind=PAGE')).toEqual(['Page'])
    expect(await active('kind=e%CC%81te%CC%81')).toEqual(['Été'])
    expect(await active('kind=none')).toEqual([])
  })
})
