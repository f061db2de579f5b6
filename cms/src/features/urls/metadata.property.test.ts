import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWhole, seed } from '../../../test/sample.ts'
import { describeService, type Service } from '../../../test/service.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'
import type { DocumentUrl } from '../../model/declared/url-metadata.ts'

/** One more document. Numbers choose among the pages there are. */
interface Step {
  readonly type: 'default-page' | 'article-page' | 'article' | 'product'
  readonly title: string
  readonly target: number
  readonly topics: number
  readonly visibility: 'public' | 'loginRequired'
  readonly mode: 'draft' | 'published'
  readonly fate: 'stays' | 'archived' | 'unpublished' | 'localized'
}

const step: fc.Arbitrary<Step> = fc.record({
  type: fc.constantFrom<Step['type']>('default-page', 'default-page', 'article-page', 'article', 'article', 'product'),
  // Titles that become slugs which meet the paths of index pages.
  title: fc.constantFrom('Page', 'Topics', 'One', 'Two', 'Été', 'Art'),
  target: fc.nat(999),
  topics: fc.nat(3),
  visibility: fc.constantFrom<Step['visibility']>('public', 'public', 'public', 'loginRequired'),
  mode: fc.constantFrom<Step['mode']>('published', 'published', 'published', 'draft'),
  fate: fc.constantFrom<Step['fate']>('stays', 'stays', 'stays', 'archived', 'unpublished', 'localized'),
})

/** Makes a document; what is refused is refused, and nothing comes of it. Returns the id of a new page. */
async function make({ admin }: Service, one: Step, pages: readonly string[], topics: readonly object[]) {
  const isPage = one.type.endsWith('-page')
  const { title, visibility } = one
  const _targetId = pages[one.target % pages.length]
  const _topics = topics.filter((_, index) => (one.topics >> index) % 2 === 1)
  const own = isPage ? { type: one.type, _targetId, _position: 'lastChild' } : { price: 1, sku: 'a', color: 'red' }
  const path = isPage ? '@cms/page' : one.type
  const { status, body } = await admin.post(path, { title, visibility, _topics, ...own }, `aposMode=${one.mode}`)
  if (status !== 200) return null
  const id = body.aposDocId
  if (one.fate === 'archived') {
    await admin.patch(`${path}/${id}`, isPage ? { _targetId: '_archive', _position: 'lastChild' } : { archived: true })
  }
  if (one.fate === 'unpublished') await admin.post(`${path}/${id}:en:published/unpublish`, {})
  if (one.fate === 'localized') {
    await admin.post(`${path}/${id}/localize`, { toLocale: 'fr' }, 'aposLocale=en')
    await admin.post(`${path}/${id}:fr:draft/publish`, {})
  }
  return isPage ? id : null
}

/** All paths that pages link to, from the home page on, as JSON for the front end tells them. */
async function reached(service: Service, home: string): Promise<Set<string>> {
  const found = new Set<string>([home])
  for (const path of found) {
    const { status, data } = await visit(service, path, { front: true })
    expect({ path, status }).toEqual({ path, status: 200 })
    const { page, pieces = [], filters = [], totalPages = 0, currentPage = 1 } = data
    const links = [
      ...page._children.map(({ _url }: { _url: string }) => _url),
      ...pieces.map(({ _url }: { _url: string }) => _url),
      ...filters.flatMap(({ choices }: { choices: { _url: string }[] }) => choices.map(({ _url }) => _url)),
    ]
    if (currentPage < totalPages) {
      links.push(`${path.replace(/\/page\/\d+$/, '').replace(/\/$/, '')}/page/${currentPage + 1}`)
    }
    for (const link of links.map(decodeURIComponent))
      if ((await visit(service, link, { front: true })).status === 200) found.add(link)
  }
  return found
}

describeService('URL metadata of random sites', { frontKey: FRONT_KEY, isLong: true, timeout: 240_000 }, (service) => {
  test('§4.6 every URL is there, none is twice, and all that visitors get to is listed', async () => {
    const topics = await Promise.all(
      ['Art', 'Été'].map(async (title) => (await service.admin.post('topic', { title })).body),
    )
    const home = (await service.admin.get('@cms/page/_home')).body.aposDocId
    const pages: string[] = [home]
    const steps = fc.array(step, { minLength: 8, maxLength: 14 })
    const check = async (some: readonly Step[]) => {
      for (const one of some) {
        const id = await make(service, one, pages, topics)
        if (id !== null) pages.push(id)
      }
      for (const [locale, home] of [
        ['en', '/'],
        ['fr', '/fr/'],
      ] as const) {
        const { data } = await visit(service, `/api/v1/@cms/url?aposLocale=${locale}`, { front: true })
        const urls = (data.pages as DocumentUrl[]).map(({ url }) => url)
        expect(urls.filter((url, index) => urls.indexOf(url) < index)).toEqual([])
        for (const url of urls) {
          const { status } = await visit(service, url)
          expect({ url, status }).toEqual({ url, status: 200 })
        }
        const listed = new Set(urls)
        expect([...(await reached(service, home))].filter((path) => !listed.has(path))).toEqual([])
      }
    }
    await fc.assert(fc.asyncProperty(steps, check), { seed, numRuns: isWhole ? 15 : 3, endOnFailure: true })
  })
})
