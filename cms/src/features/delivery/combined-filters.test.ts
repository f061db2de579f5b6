import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { sampledDatabases } from '../../../test/databases.ts'
import { isWhole, seed } from '../../../test/sample.ts'
import { describeService, type Service } from '../../../test/service.ts'
import { FRONT_KEY, visit } from '../../../test/visits.ts'
import { html } from '../../base/html.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, piece } from '../../model/declared/content-type.ts'
import type { PageData, PageFilter } from '../../model/declared/page-data-types.ts'
import type { DocumentUrl } from '../../model/declared/url-metadata.ts'

const filters = ['section', 'topics', 'mood', 'stars'].map((name) => ({ name, counts: true }))

/** What a template is given, as text of its page: front ends get other links of active choices. */
const told = ({
  filters,
  totalPieces,
  url,
  clearUrl,
}: Pick<PageData, 'filters' | 'totalPieces' | 'url' | 'clearUrl'>) =>
  html`<pre>${JSON.stringify({ filters, totalPieces, url, clearUrl })}</pre>`

const siteWith = (style: { readonly static: boolean; readonly staticCombinations?: 2 }) =>
  defineSite({
    static: style.static,
    types: [
      piece('topic', {}),
      piece('article', {
        fields: {
          add: {
            section: { type: 'select', choices: ['news', 'essay', 'page'] },
            _topics: { type: 'relationship', withType: 'topic' },
            mood: { type: 'string' },
            stars: { type: 'integer' },
          },
        },
        sort: { title: 1 },
      }),
      page('articles', {
        piecesType: 'article',
        piecesFilters: filters,
        perPage: 3,
        ...(style.staticCombinations ? { staticCombinations: style.staticCombinations } : {}),
        index: { render: told },
      }),
    ],
  })

const SECTIONS = ['news', 'essay', 'page']
const MOODS = ['Calm', 'calm', 'a/b', 'Été']

/** Sixteen articles, of many combinations, and none of others. */
async function fill({ admin }: Service): Promise<void> {
  const place = { _targetId: '_home', _position: 'lastChild' }
  expect(await admin.post('@cms/page', { type: 'articles', title: 'Articles', ...place })).toMatchObject({
    status: 200,
  })
  const topics = []
  for (const title of ['Art', 'Water', 'Section']) topics.push((await admin.post('topic', { title })).body)
  for (let at = 0; at < 16; at += 1) {
    const _topics = topics.filter((_, index) => ((at * 5 + 1) >> index) % 2 === 1)
    const values = { section: SECTIONS[at % 3], mood: MOODS[at % 4], stars: at % 2, _topics }
    expect(await admin.post('article', { title: `No. ${at}`, ...values })).toMatchObject({ status: 200 })
  }
}

type IndexData = Required<Pick<PageData, 'filters' | 'totalPieces' | 'url'>> & Pick<PageData, 'clearUrl'>

const at = async (service: Service, path: string, headers: Record<string, string> = {}) => {
  const { status, text } = await visit(service, path, { headers })
  expect({ path, status }).toEqual({ path, status: 200 })
  const json = /<pre>(.*)<\/pre>/s.exec(text)?.[1] ?? ''
  return JSON.parse(
    json.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&'),
  ) as IndexData
}

const activeOf = ({ filters }: IndexData) =>
  filters.flatMap(({ name, choices }) => choices.filter(({ active }) => active).map(({ value }) => `${name}=${value}`))

/** Each choice of a page with its filter. */
const choicesOf = ({ filters }: IndexData) =>
  filters.flatMap((filter) => filter.choices.map((choice) => ({ filter, choice })))

const without = (active: readonly string[], { name }: PageFilter) => active.filter((one) => !one.startsWith(`${name}=`))

for (const style of [{ static: false }, { static: true }, { static: true, staticCombinations: 2 }] as const) {
  describeService(
    `filters that combine, ${JSON.stringify(style)}`,
    { site: siteWith(style), frontKey: FRONT_KEY, isLong: !style.static },
    (service) => {
      beforeAll(() => fill(service))

      /** Follows a choice, or clears filters: what is active then is what the link says, and as much as it says. */
      const follow = async (data: IndexData, { filter, choice }: ReturnType<typeof choicesOf>[number]) => {
        const before = activeOf(data)
        const after = await at(service, choice._url)
        const own = `${filter.name}=${choice.value}`
        const expected = choice.active ? before.filter((one) => one !== own) : [...without(before, filter), own]
        const found = { from: data.url, to: choice._url, active: activeOf(after).toSorted() }
        expect(found).toEqual({ ...found, active: expected.toSorted() })
        const isOnly = before.length - without(before, filter).length === 1
        if (!choice.active) expect({ ...found, total: after.totalPieces }).toEqual({ ...found, total: choice.count })
        else if (isOnly) expect(choice.count).toBe(data.totalPieces)
        return after
      }

      const clear = async (data: IndexData) => {
        for (const filter of data.filters) {
          const isActive = filter.choices.some(({ active }) => active)
          expect({ url: data.url, name: filter.name, isClear: filter.clearUrl !== undefined }).toMatchObject({
            isClear: isActive,
          })
          if (filter.clearUrl === undefined) continue
          expect(activeOf(await at(service, filter.clearUrl))).toEqual(without(activeOf(data), filter))
        }
        expect(data.clearUrl).toBe(activeOf(data).length > 0 ? '/articles' : undefined)
      }

      it('§4.2b each link keeps the other filters, and what it leads to is what it says', async () => {
        const starts = [
          '/articles',
          '/articles?page=2',
          '/articles?topics=art&topics=water&page=2',
          '/articles?mood=a%2Fb&section=news',
        ]
        const walk = fc.tuple(fc.constantFrom(...starts), fc.array(fc.nat(), { minLength: 1, maxLength: 6 }))
        await fc.assert(
          fc.asyncProperty(walk, async ([start, turns]) => {
            let data = await at(service, start)
            for (const turn of turns) {
              const choices = choicesOf(data)
              const next = choices[turn % choices.length]
              if (next === undefined) throw new Error(`${data.url} offers nothing`)
              data = await follow(data, next)
            }
            await clear(data)
          }),
          { seed, numRuns: isWhole ? 60 : 5, endOnFailure: true },
        )
      })

      it('§4.2b what is asked for can be taken back, though nothing has it', async () => {
        const empty = await at(service, '/articles?mood=calm&section=essay&stars=1&topics=none-such')
        expect(empty.totalPieces).toBe(0)
        expect(activeOf(empty)).toEqual(['section=essay', 'mood=Calm', 'stars=1'])
        for (const one of choicesOf(empty)) await follow(empty, one)
        expect(empty.filters.map(({ clearUrl }) => clearUrl !== undefined)).toEqual([true, true, true, true])
        expect(empty.clearUrl).toBe('/articles')
      })

      it('§4.2b a filtered page takes one statement more for each filter', async () => {
        const { statements } = service
        const statementsFor = async (path: string) => {
          await service.quiet()
          service.forget()
          const before = statements.length
          await at(service, path)
          return statements.length - before
        }
        const plain = await statementsFor('/articles')
        const filtered = await statementsFor('/articles?section=news&stars=1&topics=art&topics=water&mood=calm')
        expect(filtered - plain).toBeLessThanOrEqual(2 * filters.length)
      })

      it('§4.2b a long query is in no link: an answer is never much longer than what it says', async () => {
        const long = Array.from({ length: 40 }, (_, index) => `topics=${index}${'x'.repeat(60)}`).join('&')
        const data = await at(service, `/articles?topics=art&section=news&${long}`)
        const [sections, topics] = data.filters
        expect([sections?.clearUrl, topics?.clearUrl, data.clearUrl]).toEqual(['/articles', '/articles', '/articles'])
        for (const { choice } of choicesOf(data)) {
          if (choice.active) expect(choice._url).toBe('/articles')
          else expect((await at(service, choice._url)).totalPieces).toBe(choice.count)
        }
      })

      it('§4.2b values of one filter are taken back one at a time, and conditions stay', async () => {
        const two = await at(service, '/articles?topics=ART&topics=water&topics=art&stars[$gte]=1')
        const [, topics] = two.filters
        const urls = topics?.choices.filter(({ active }) => active).map(({ _url }) => decodeURIComponent(_url))
        const [art, water] = style.static ? ['/topics/art', '/topics/water'] : ['?topics=art&', '?topics=water&']
        const end = style.static ? '?stars[$gte]=1' : 'stars[$gte]=1'
        expect(urls).toEqual([`/articles${water}${end}`, `/articles${art}${end}`])
        const third = topics?.choices.find(({ value }) => value === 'section')
        const { totalPieces } = await at(service, third?._url ?? '')
        expect(totalPieces).toBe(third?.count)
      })
    },
  )
}

describeService(
  'combinations in paths',
  { site: siteWith({ static: true, staticCombinations: 2 }), frontKey: FRONT_KEY, isLong: true },
  (service) => {
    beforeAll(() => fill(service))

    it('§4.6 each list has one path', async () => {
      for (const [path, to] of [
        ['/articles/topics/art/section/essay', '/articles/section/essay/topics/art'],
        ['/articles/topics/ART/section/essay/page/2?x=1', '/articles/section/essay/topics/art/page/2?x=1'],
        ['/articles/mood/CALM/stars/0', '/articles/mood/Calm/stars/0'],
        ['/articles/section/essay/topics/art/page/1', '/articles/section/essay/topics/art'],
        ['/articles/topics/section/section/page', '/articles/section/page/topics/section'],
      ] as const) {
        const { status, headers } = await visit(service, path)
        expect({ path, status, to: headers.get('location') }).toEqual({ path, status: 302, to })
      }
    })

    it('§4.6 what no path can name is not found', async () => {
      for (const path of [
        'topics/art/topics/water',
        'section/essay/topics/none-such',
        'section/essay/nothing/art',
        'section/essay/topics/art/stars/1',
        'section/essay/page/1/topics/art',
        'section/essay/topics/art/page/99',
        'section/essay/topics',
      ]) {
        expect({ path, status: (await visit(service, `/articles/${path}`)).status }).toEqual({ path, status: 404 })
      }
    })

    it('§4.6 a combination that nothing has is empty, and not to be indexed; one of a path and a query works', async () => {
      const { status, headers } = await visit(service, '/articles/mood/Calm/stars/1?section=news&topics=none-such')
      expect([status, headers.get('x-robots-tag')]).toEqual([200, 'noindex'])
      expect((await at(service, '/articles/topics/art?section=essay')).totalPieces).toBe(
        (await at(service, '/articles/section/essay/topics/art')).totalPieces,
      )
    })
  },
)

for (const staticCombinations of [undefined, 2] as const) {
  const site = siteWith({ static: true, ...(staticCombinations ? { staticCombinations } : {}) })
  describeService(
    `static builds of combinations: ${staticCombinations}`,
    { site, frontKey: FRONT_KEY, isLong: true },
    (service) => {
      beforeAll(() => fill(service))

      it('§4.6 list each combination that pieces have, and each link leads to what is listed, with the count that it says', async () => {
        const build = { 'x-apos-static-base-url': '1' }
        const { data } = await visit(service, '/api/v1/@cms/url', { front: true, headers: build })
        const listed = new Map((data.pages as DocumentUrl[]).map((entry) => [encodeURI(entry.url), entry]))
        const combined = [...listed].filter(([url]) => /^\/articles(\/(?!page)[^/]+\/[^/]+){2}/.test(url))
        expect(combined.length > 20).toBe(staticCombinations === 2)
        for (const [, { sitemap, i18nId, aposDocId }] of combined) {
          expect(sitemap).toBe(false)
          expect(i18nId.slice(aposDocId.length)).toMatch(/^\.\w+\.[^.]+\.\w+\.[^.]+\.\d$/)
        }
        const totals = new Map<string, number>()
        const lists = [...listed.keys()].filter((url) => url.startsWith('/articles') && !url.includes('/no-'))
        for (const url of lists) totals.set(url, (await at(service, url, build)).totalPieces)
        for (const url of lists) {
          const data = await at(service, url, build)
          for (const { choice } of choicesOf(data)) {
            if (choice.value === 'a/b') continue
            expect({ url, to: choice._url, total: choice.active || totals.get(choice._url) }).toEqual({
              url,
              to: choice._url,
              total: choice.active || choice.count,
            })
            if (choice.active) expect([choice._url, listed.has(choice._url)]).toEqual([choice._url, true])
          }
        }
      })
    },
  )
}

describeService(
  'front ends of others',
  { site: siteWith({ static: true }), frontKey: FRONT_KEY, on: sampledDatabases('front-ends-filters') },
  (service) => {
    it('§4.2b page through a filtered list by the URL of the active choice, and take it back by `clearUrl`', async () => {
      await fill(service)
      const { data } = await visit(service, '/articles/section/news?topics=art', { front: true })
      const active = (data as unknown as IndexData).filters.flatMap(({ clearUrl, choices }) =>
        choices.flatMap((choice) => (choice.active ? [[choice._url, clearUrl]] : [])),
      )
      expect(active).toEqual([
        ['/articles/section/news?topics=art', '/articles/topics/art'],
        ['/articles/section/news?topics=art', '/articles/section/news'],
      ])
    })
  },
)

describeService(
  'two filters with very many values',
  { site: siteWith({ static: true, staticCombinations: 2 }), frontKey: FRONT_KEY, isLong: true },
  (service) => {
    it('§4.6 are not combined in static builds: their links lead to one choice alone', async () => {
      const { admin } = service
      const place = { _targetId: '_home', _position: 'lastChild' }
      await admin.post('@cms/page', { type: 'articles', title: 'Articles', ...place })
      // 101 moods and 101 numbers are more than 10,000 combinations; sections have 303 with either.
      for (let number = 0; number < 101; number += 1) {
        const values = { section: 'news', mood: `m${number}`, stars: number }
        expect(await admin.post('article', { title: 'One', ...values })).toMatchObject({ status: 200 })
      }
      const build = { 'x-apos-static-base-url': '1' }
      const { data } = await visit(service, '/api/v1/@cms/url', { front: true, headers: build })
      const urls = (data.pages as DocumentUrl[]).map(({ url }) => url)
      expect(urls.filter((url) => /mood.*stars/.test(url))).toEqual([])
      expect(urls.filter((url) => /section.*(mood|stars)/.test(url))).toHaveLength(202)
      const links = choicesOf(await at(service, '/articles/mood/m7', build)).map(({ choice }) => choice._url)
      expect(links).toEqual(expect.arrayContaining(['/articles/stars/7', '/articles/section/news/mood/m7']))
      const others = choicesOf(await at(service, '/articles/mood/m7')).map(({ choice }) => choice._url)
      expect(others).toContain('/articles/mood/m7/stars/7')
    })
  },
)
