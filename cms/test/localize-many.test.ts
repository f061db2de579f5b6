import { expect, test } from 'vitest'
import { invalid } from '../src/base/errors.ts'
import { defineSite } from '../src/model/compile/site-options.ts'
import { page, piece } from '../src/model/declared/content-type.ts'
import { describeService, type Service } from './service.ts'

const fields = {
  add: { _topics: { type: 'relationship', withType: 'topic' } },
} as const
const types = [
  piece('topic'),
  piece('story', { fields }),
  page('leaf', { fields }),
  piece('hooked', {
    fields: { add: { number: { type: 'integer' } } },
    hooks: {
      beforeSave: async (values, { id, reason }, ctx) => {
        if (values.title === 'Refused' && reason === 'localized') throw invalid('Not this one.')
        if (reason !== 'localized') return
        const scope = { type: 'hooked', locale: id.locale, mode: id.mode, archived: false, visibility: null } as const
        values.number = (await ctx.tx.read.documents.count({ ...scope, conditions: [] })) + 1
      },
    },
  }),
] as const

const site = defineSite({
  locales: {
    en: { label: 'English' },
    fr: { label: 'French', prefix: '/fr' },
    it: { label: 'Italian', prefix: '/it' },
  },
  types,
})

/** How many statements are sent per document at most, and for each request. */
const PER_DOCUMENT = 1.5
const PER_REQUEST = 60

describeService('§3.4 localizing many documents', { site, timeout: 120_000, isLong: true }, (service) => {
  const made = async (type: string, body: object) => {
    const answer = await service.admin.post(type, body)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const child = (parent: string, title: string, more: object = {}) =>
    made('@cms/page', { title, type: 'leaf', _targetId: parent, _position: 'lastChild', ...more })
  const subtree = (id: string, body: object = {}) =>
    service.editor.post(`@cms/page/${id}/localize`, { toLocale: 'fr', subtree: true, ...body })
  const many = (type: string, body: object) => service.editor.post(`${type}/localize`, body)
  /** What is stored of a tree in a locale: titles and slugs in their order. */
  const shape = async (id: string, locale: string) => {
    const { body } = await service.admin.get(`@cms/page/${id}:${locale}:draft`)
    const { results } = (await service.admin.get('@cms/page', `aposLocale=${locale}:draft&all=1&flat=1`)).body
    const below = results.filter((one: { path: string }) => one.path.startsWith(body.path))
    return below.map((one: { title: string; slug: string; rank: number; level: number; aposDocId: string }) => {
      return [one.title, one.slug, one.rank, one.level, one.aposDocId]
    })
  }
  const versionsOf = (id: string, locale: string) =>
    service.app.store.versions
      .list({ docId: id, locale }, { limit: 10 })
      .then((all) => all.map(({ mode, author }) => [mode, author]))

  test('a subtree keeps its order, positions, slugs and versions, in few statements a page', async () => {
    const { topic, root, pages } = await treeOf({ made, child })
    await service.quiet()
    const { answer, statements } = await counted(service, () => subtree(root, { publish: true, related: true }))
    expect(answer.status).toBe(200)
    expect(statements).toBeLessThan(pages.length * PER_DOCUMENT + PER_REQUEST)
    expect(await shape(root, 'fr')).toEqual(await shape(root, 'en'))
    const [first, ...others] = pages
    expect(answer.body.localized).toEqual([first, topic, ...others].map((id) => `${id}:fr:published`))
    for (const id of [root, pages[0] ?? '', pages.at(-1) ?? '']) {
      expect(await versionsOf(id, 'fr')).toEqual([['published', 'editor key']])
    }
    const related = (await service.editor.get(`@cms/page/${first}:fr:published`)).body._topics
    expect(related.map((one: { _id: string }) => one._id)).toEqual([`${topic}:fr:published`])
    const again = await counted(service, () => subtree(root, { update: true, publish: true }))
    expect(again.answer.body.localized).toHaveLength(pages.length)
    expect(again.statements).toBeLessThan(pages.length * PER_DOCUMENT + PER_REQUEST)
  })

  test('a slug that is taken there gets a number, and what is below it follows', async () => {
    const root = (await child('_home', 'Numbered')).aposDocId
    const one = (await child(root, 'One')).aposDocId
    await child(root, 'Two')
    await child(one, 'Below')
    await service.admin.post(
      '@cms/page',
      {
        type: 'leaf',
        title: 'Taken',
        slug: '/numbered/one',
        _targetId: '_home',
        _position: 'firstChild',
      },
      'aposLocale=fr',
    )
    expect((await subtree(root)).status).toBe(200)
    const slugs = (await shape(root, 'fr')).map(([, slug]: string[]) => slug)
    expect(slugs).toEqual(['/numbered', '/numbered/one-2', '/numbered/one-2/below', '/numbered/two'])
  })

  test('a page that is refused in the middle refuses all, and nothing is left', async () => {
    const root = (await child('_home', 'Whole')).aposDocId
    const one = (await child(root, 'First')).aposDocId
    await child(root, 'Second')
    await service.admin.post(`@cms/page/${root}/localize`, { toLocale: 'fr' })
    // Published below a draft: refused.
    const refused = await service.editor.post(`@cms/page/${root}/localize`, {
      toLocale: 'fr',
      subtree: true,
      publish: true,
    })
    expect(refused).toMatchObject({ status: 400, body: { name: 'invalid' } })
    expect((await service.admin.get(`@cms/page/${one}:fr:draft`)).status).toBe(404)
    expect(await shape(root, 'fr')).toHaveLength(1)
  })

  test('§4.1 many pieces are localized in few statements each, and each is told of', async () => {
    const topic = (await made('topic', { title: 'Of all' })).aposDocId
    const ids: string[] = []
    for (let n = 0; n < 60; n += 1) {
      ids.push((await made('story', { title: `Story ${n}`, topicsIds: [topic] })).aposDocId)
    }
    await service.editor.post(`story/${ids[3]}/localize`, { toLocale: 'it' })
    await service.quiet()
    const { answer, statements } = await counted(service, () =>
      many('story', { _ids: ids, toLocales: ['fr'], related: true }),
    )
    expect(answer.body.results).toEqual(ids.map((id) => ({ _id: `${id}:fr:draft`, toLocale: 'fr', ok: true })))
    expect(statements).toBeLessThan(ids.length * PER_DOCUMENT + PER_REQUEST)
    expect((await service.editor.get(`topic/${topic}:fr:published`)).status).toBe(200)
    const query = 'aposLocale=fr:draft&search=story&topics=of-all&perPage=100'
    expect((await service.editor.get('story', query)).body.total).toBe(60)
    expect(await versionsOf(ids[5] ?? '', 'fr')).toEqual([['draft', 'editor key']])
    const mixed = await many('story', { _ids: ['no such id', ...ids.slice(0, 6)], toLocales: ['fr', 'it'] })
    const told = mixed.body.results.map((one: { ok: boolean; toLocale: string }) => [one.toLocale, one.ok])
    expect(told).toEqual(
      ['none', ...ids.slice(0, 6)].flatMap((id, index) => [
        ['fr', false],
        ['it', index > 0 && id !== ids[3]],
      ]),
    )
  })

  test('§4.1 what is asked for is localized itself, not brought along by another', async () => {
    const topic = (await made('topic', { title: 'Asked' })).aposDocId
    const one = (await made('topic', { title: 'Other' })).aposDocId
    const { body } = await many('topic', { _ids: [one, topic, `${one}:en:draft`], toLocales: ['fr'], related: true })
    expect(body.results.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, false])
  })

  test('§6 hooks see each document when those before it are stored, and refuse only their own', async () => {
    const ids: string[] = []
    for (const title of ['A', 'B', 'Refused', 'C']) ids.push((await made('hooked', { title })).aposDocId)
    const { body } = await many('hooked', { _ids: ids, toLocales: ['fr'] })
    expect(body.results).toMatchObject([
      { ok: true },
      { ok: true },
      { ok: false, error: { message: 'Not this one.' } },
      { ok: true },
    ])
    const numbers = await Promise.all(
      [0, 1, 3].map(async (n) => (await service.editor.get(`hooked/${ids[n]}:fr:draft`)).body.number),
    )
    expect(numbers).toEqual([1, 2, 3])
  })
})

type Making = {
  readonly made: (type: string, body: object) => Promise<{ aposDocId: string }>
  readonly child: (parent: string, title: string, more?: object) => Promise<{ aposDocId: string }>
}

/** A page with sixty below it on two levels, some of which share a topic. */
async function treeOf({ made, child }: Making) {
  const topic = (await made('topic', { title: 'Topic' })).aposDocId
  const root = (await child('_home', 'Root')).aposDocId
  const [first, second]: [string[], string[]] = [[], []]
  for (let n = 0; n < 55; n += 1) {
    first.push((await child(root, `Leaf ${n}`, n > 2 ? {} : { topicsIds: [topic] })).aposDocId)
  }
  for (let n = 0; n < 5; n += 1) second.push((await child(first[n % 2] ?? '', `Deep ${n}`)).aposDocId)
  return { topic, root, pages: [...first, ...second] }
}

async function counted<T>(service: Service, work: () => Promise<T>) {
  const before = service.statements.length
  const answer = await work()
  return { answer, statements: service.statements.length - before }
}
