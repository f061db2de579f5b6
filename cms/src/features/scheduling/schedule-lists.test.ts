import { defineSite, page, piece } from 'quire-cms'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Caller, describeService } from '../../../test/service.ts'

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [
    piece('topic', { scheduling: true, publicApiProjection: ['title'] }),
    piece('news', {
      scheduling: true,
      publicApiProjection: ['title', 'kind'],
      fields: {
        add: {
          kind: { type: 'select', choices: ['a', 'b'] },
          _topics: { type: 'relationship', withType: 'topic' },
        },
      },
    }),
    piece('plain', { publicApiProjection: ['title'] }),
    page('landing', { scheduling: true }),
  ],
})

const FIRST = '2100-01-01T00:00:00.000Z'
const SECOND = '2100-02-01T00:00:00.000Z'
const THIRD = '2100-03-01T00:00:00.000Z'

describeService('§3.9 lists by the times of schedules', { site }, (service) => {
  const done = (answer: Answer): Answer['body'] => {
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const titles = async (query: string, caller: Caller = service.contributor, path = 'news') =>
    done(await caller.get(path, query)).results.map(({ title }: { title: string }) => title)
  const make = async (path: string, body: object, query = 'aposMode=draft'): Promise<string> =>
    done(await service.editor.post(path, body, query)).aposDocId

  let both: string
  beforeAll(async () => {
    await make('news', { title: 'None', kind: 'a' })
    both = await make('news', { title: 'Both', kind: 'a', publishAt: SECOND, archiveAt: THIRD })
    await make('news', { title: 'Publish', kind: 'b', publishAt: FIRST }, '')
    await make('news', { title: 'Archive', kind: 'b', archiveAt: SECOND })
    await make('news', { title: 'French', publishAt: FIRST }, 'aposMode=draft&aposLocale=fr')
    await make('plain', { title: 'Plain' })
    await make('@cms/page', {
      ...{ type: 'landing', title: 'Page', publishAt: THIRD },
      ...{ _targetId: '_home', _position: 'lastChild' },
    })
  })

  test.each([
    [`publishAt=${FIRST}`, ['Publish']],
    [`publishAt[]=${FIRST}&publishAt[]=${SECOND}`, ['Both', 'Publish']],
    ['publishAt=2100-01-01', ['Publish']],
    [`publishAt[min]=${SECOND}`, ['Both']],
    [`publishAt[max]=${SECOND}`, ['Both', 'Publish']],
    [`publishAt[$lt]=${SECOND}`, ['Publish']],
    [`publishAt[$between][]=${FIRST}&publishAt[$between][]=${SECOND}`, ['Both', 'Publish']],
    ['publishAt[$exists]=true', ['Both', 'Publish']],
    ['publishAt[$exists]=false', ['Archive', 'None']],
    ['publishAt[$exists]=true&archiveAt[$exists]=true', ['Both']],
    [`publishAt[$ne]=${FIRST}`, ['Archive', 'Both', 'None']],
    ['publishAt=never', []],
    [`archiveAt[min]=${FIRST}&kind=a`, ['Both']],
    ['publishAt[$exists]=true&aposLocale=fr', ['French']],
    ['publishAt[$exists]=true&state=published', ['Publish']],
    [
      `aposMode=draft&where=${encodeURIComponent('{"$or":[{"publishAt":{"$exists":true}},{"kind":"b"}]}')}`,
      ['Archive', 'Both', 'Publish'],
    ],
  ])('filtered by %s', async (query, expected) => {
    expect((await titles(query)).toSorted()).toEqual(expected)
    expect(done(await service.contributor.get('news', query)).total).toBe(expected.length)
  })

  test('sorted: those without a time come last, and pages are parts of one order', async () => {
    expect(await titles('sort=publishAt')).toEqual(['Publish', 'Both', 'None', 'Archive'])
    expect(await titles('sort=-publishAt')).toEqual(['Both', 'Publish', 'Archive', 'None'])
    expect(await titles('sort[archiveAt]=1&sort[title]=-1')).toEqual(['Archive', 'Both', 'Publish', 'None'])
    const pages = [1, 2, 3, 4].map((page) => titles(`sort=publishAt&perPage=1&page=${page}`))
    expect((await Promise.all(pages)).flat()).toEqual(['Publish', 'Both', 'None', 'Archive'])
    expect(await titles('sort=-archiveAt&publishAt[$exists]=true')).toEqual(['Both', 'Publish'])
  })

  test('lists of all types are filtered and sorted likewise; types without schedules have none of them', async () => {
    const all = (query: string) => titles(query, service.contributor, '@cms/documents')
    expect(await all('publishAt[$exists]=true&sort=publishAt')).toEqual(['Publish', 'Both', 'Page'])
    expect(await all('publishAt[$exists]=true&sort=-publishAt&perPage=1&page=2')).toEqual(['Both'])
    expect(await all(`archiveAt[max]=${SECOND}`)).toEqual(['Archive'])
    expect(await all('publishAt[$exists]=false&types[]=news&types[]=plain&sort=title')).toEqual(['Archive', 'None'])
    expect((await all('sort=archiveAt')).slice(0, 2)).toEqual(['Archive', 'Both'])
    expect(await all('sort=publishAt&types=news&search=both')).toEqual(['Both'])
    const counted = done(await service.contributor.get('@cms/documents', 'publishAt[$exists]=true&counts=type'))
    expect(counted.counts.type).toEqual(
      expect.arrayContaining([
        { value: 'news', count: 2 },
        { value: 'landing', count: 1 },
      ]),
    )
  })

  test('follow what is scheduled, canceled and removed', async () => {
    const found = () => titles('kind=a&publishAt[$exists]=true&sort=publishAt')
    const related = () => titles('_topics.publishAt[$exists]=true&aposMode=draft')
    expect([await found(), await related()]).toEqual([['Both'], []])
    const topic = await make('topic', { title: 'Topic' })
    const id = await make('news', { title: 'Later', kind: 'a', _topics: [topic] })
    expect([await found(), await related()]).toEqual([['Both'], []])
    done(await service.editor.patch(`topic/${topic}:en:draft`, { publishAt: FIRST }))
    done(await service.editor.patch(`news/${id}:en:draft`, { publishAt: THIRD }))
    expect([await found(), await related()]).toEqual([['Both', 'Later'], ['Later']])
    done(await service.editor.patch(`news/${id}:en:draft`, { publishAt: FIRST }))
    expect(await found()).toEqual(['Later', 'Both'])
    done(await service.editor.patch(`news/${both}:en:draft`, { publishAt: null }))
    expect(await found()).toEqual(['Later'])
    done(await service.editor.patch(`news/${both}:en:draft`, { publishAt: SECOND }))
    done(await service.editor.delete(`news/${id}:en:draft`))
    expect(await found()).toEqual(['Both'])
  })

  describe('§5.8 callers who do not see schedules', () => {
    test.each(['anonymous', 'guest'] as const)('%s finds nothing out', async (name) => {
      const caller = service[name]
      const status = async (query: string, path = 'news') => (await caller.get(path, query)).status
      const whole = await caller.get('news')
      const [known, unknown] = [await caller.get('news', 'publishAt=x'), await caller.get('news', 'nothing=x')]
      expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
      expect((await caller.get('news', `archiveAt=${FIRST}`)).body.results).toEqual(whole.body.results)
      expect(await status('sort=publishAt')).toBe(400)
      expect(await status('sort[archiveAt]=-1')).toBe(400)
      expect(await status('where={"publishAt":{"$exists":true}}')).toBe(400)
      expect(await status('publishAt[$exists]=true', '@cms/documents')).toBe(name === 'guest' ? 403 : 401)
    })

    test('types without schedules take no such filter from anybody', async () => {
      expect((await service.editor.get('plain', 'sort=publishAt')).status).toBe(400)
      expect((await service.editor.get('plain', 'publishAt=2100-01-01')).body.results).toHaveLength(0)
      expect((await service.editor.get('plain', 'aposMode=draft&publishAt=2100-01-01')).body.results).toHaveLength(1)
    })
  })

  test('refuse what is of no use', async () => {
    const status = async (query: string, path = 'news') => (await service.editor.get(path, query)).status
    for (const query of [
      'publishAt[$exists]=x',
      'publishAt[$contains]=2',
      'publishAt[$between][]=2100-01-01',
      'publishAt[$exists]=true&aposMode=published',
      'sort=publishAt&aposMode=published',
    ]) {
      expect([query, await status(query), await status(query, '@cms/documents')]).toEqual([query, 400, 400])
    }
  })

  test('take as many statements for thirty documents as for three', async () => {
    const statementsFor = async (count: number) => {
      for (let n = 0; n < count; n += 1) await make('topic', { title: `T${count} ${n}`, archiveAt: THIRD })
      await service.quiet()
      const before = service.statements.length
      await titles('archiveAt[$exists]=true&sort=archiveAt&perPage=50', service.contributor, 'topic')
      return service.statements.length - before
    }
    expect(await statementsFor(30)).toBe(await statementsFor(3))
  })
})
