import { defineSite, page } from 'quire-cms'
import { beforeAll, expect, test } from 'vitest'
import { type Answer, type Caller, describeService } from '../../../test/service.ts'

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [
    page('leaf', { fields: { add: { note: { type: 'string' } } } }),
    page('vault', { viewRole: 'admin', editRole: 'admin' }),
  ],
})

interface Thin {
  readonly _id: string
  readonly title: string
  readonly _childCount: number
  readonly [name: string]: unknown
}

describeService('§4.2 children of a page', { site }, (service) => {
  const done = (answer: Answer): Answer['body'] => {
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const made = async (title: string, _targetId = '_home', more: object = {}, query = ''): Promise<string> =>
    done(
      await service.admin.post('@cms/page', { type: 'leaf', title, _targetId, _position: 'lastChild', ...more }, query),
    ).aposDocId
  const list = async (id: string, query = 'aposMode=draft', caller: Caller = service.contributor) =>
    done(await caller.get(`@cms/page/${id}/children`, query)) as { results: Thin[]; total: number; pages: number }
  const titles = async (...args: Parameters<typeof list>) => (await list(...args)).results.map(({ title }) => title)

  let section: string
  let ids: Readonly<Record<string, string>>
  beforeAll(async () => {
    section = await made('Section')
    const [one, two] = [await made('One', section, { note: 'N' }), await made('Two', section, {}, 'aposMode=draft')]
    const [hidden, gone] = [await made('Hidden', section, { type: 'vault' }), await made('Gone', section)]
    await made('Below', one)
    await made('Draft below', one, {}, 'aposMode=draft')
    await made('Hidden below', one, { type: 'vault' })
    done(await service.admin.patch(`@cms/page/${two}:en:draft`, { orphan: true }))
    done(await service.admin.patch(`@cms/page/${one}:en:draft`, { title: 'One changed' }))
    done(await service.admin.patch(`@cms/page/${gone}`, { _targetId: '_archive', _position: 'lastChild' }))
    ids = { one, two, hidden, gone }
  })

  test('are thin, with their state, their path and how many children they have', async () => {
    const { results, ...rest } = await list(section)
    expect(rest).toEqual({ total: 2, pages: 1, currentPage: 1 })
    expect(results).toEqual([
      {
        _id: `${ids.one}:en:draft`,
        aposDocId: ids.one,
        aposLocale: 'en:draft',
        aposMode: 'draft',
        type: 'leaf',
        metaType: 'doc',
        title: 'One changed',
        slug: '/section/one',
        _url: '/section/one',
        archived: false,
        orphan: false,
        modified: true,
        lastPublishedAt: expect.any(String),
        updatedAt: expect.any(String),
        updatedBy: expect.objectContaining({ title: 'admin key' }),
        level: 2,
        rank: 0,
        path: expect.stringMatching(new RegExp(`/${section}/${ids.one}$`)),
        state: 'modified',
        _path: [
          { _id: expect.stringMatching(/:en:draft$/), title: 'Home' },
          { _id: `${section}:en:draft`, title: 'Section' },
        ],
        _childCount: 2,
        _create: true,
        _edit: true,
      },
      expect.objectContaining({ title: 'Two', state: 'draft', orphan: true, _childCount: 0, _delete: true }),
    ])
  })

  test('are those of the mode that is asked for', async () => {
    const { results } = await list(section, 'aposMode=published')
    expect(results).toMatchObject([{ title: 'One', state: 'modified', _childCount: 1 }])
  })

  test('§5.2 hide what the caller may not see, in counts and totals, too', async () => {
    const { results, total } = await list(section, 'aposMode=draft', service.admin)
    expect([total, results.map(({ title, _childCount }) => [title, _childCount])]).toEqual([
      3,
      [
        ['One changed', 3],
        ['Two', 0],
        ['Hidden', 0],
      ],
    ])
    expect(await service.contributor.get(`@cms/page/${ids.hidden}/children`)).toMatchObject({ status: 404 })
    expect(await service.guest.get(`@cms/page/${section}/children`)).toMatchObject({ status: 403 })
    expect(await service.anonymous.get(`@cms/page/${section}/children`)).toMatchObject({ status: 401 })
  })

  test('come in pages', async () => {
    const first = await list(section, 'aposMode=draft&perPage=1')
    expect(first).toMatchObject({ total: 2, pages: 2, currentPage: 1, results: [{ title: 'One changed' }] })
    expect(await titles(section, 'aposMode=draft&perPage=1&page=2')).toEqual(['Two'])
    expect(await list(section, 'aposMode=draft&page=9')).toMatchObject({ total: 2, results: [] })
    expect(await titles(section, 'aposMode=draft&perPage=200')).toHaveLength(2)
    expect(await service.contributor.get(`@cms/page/${section}/children`, 'perPage=5001')).toMatchObject({
      status: 400,
    })
  })

  test('of home and of the archive', async () => {
    expect(await titles('_home')).toEqual(['Section'])
    expect((await titles('_home', 'aposMode=draft&archived=any')).length).toBe(2)
    expect(await titles('_archive', 'aposMode=draft&archived=any')).toEqual(['Gone'])
    expect(await service.contributor.get('@cms/page/_archive/children')).toMatchObject({ status: 404 })
  })

  test('with project more than thin', async () => {
    const { results } = await list(section, 'aposMode=draft&project[note]=1')
    expect(results[0]).toMatchObject({ note: 'N', title: 'One changed', state: 'modified' })
  })

  test('follow what is moved, renamed and published', async () => {
    const id = await made('Moving', section, {}, 'aposMode=draft')
    expect((await list(section)).results.at(-1)).toMatchObject({ title: 'Moving', state: 'draft' })
    done(await service.editor.post(`@cms/page/${id}/publish`))
    expect((await list(section)).results.at(-1)).toMatchObject({ title: 'Moving', state: 'published' })
    done(await service.editor.patch(`@cms/page/${id}`, { _targetId: ids.one, _position: 'lastChild' }))
    expect((await list(section)).results.map(({ _childCount }) => _childCount)).toEqual([3, 0])
    done(await service.editor.delete(`@cms/page/${id}`))
    expect((await list(section)).results.map(({ _childCount }) => _childCount)).toEqual([2, 0])
  })

  test('are read in a constant number of statements', async () => {
    const parent = await made('Wide')
    for (let count = 0; count < 3; count += 1) await made(`Child ${count}`, parent)
    const statements = async (query: string) => {
      await service.quiet()
      const before = service.statements.length
      done(await service.contributor.get(`@cms/page/${parent}/children`, query))
      return service.statements.length - before
    }
    expect(await statements('perPage=1')).toBe(await statements('perPage=3'))
  })

  test('children=false and project narrow a page, and the answers of writes', async () => {
    const path = `@cms/page/${section}`
    const whole = done(await service.editor.get(path))
    const { _children, ...rest } = whole
    expect(_children).toHaveLength(1)
    expect(done(await service.editor.get(path, 'children=false'))).toEqual(rest)
    const narrow = 'children=false&project[title]=1'
    const names = (body: object) => Object.keys(body).filter((name) => !/^(_|apos|type$|metaType$)/.test(name))
    const answers = [
      await service.editor.patch(path, { title: 'Section' }, narrow),
      await service.editor.put(path, { title: 'Section', slug: '/section' }, narrow),
      await service.editor.post(`${path}/publish`, {}, narrow),
      await service.editor.post(
        '@cms/page',
        { type: 'leaf', title: 'Post', _targetId: section, _position: 'lastChild' },
        narrow,
      ),
    ]
    for (const answer of answers) {
      expect(names(done(answer))).toEqual(['title'])
      expect(answer.body).not.toHaveProperty('_children')
    }
    const refused = await service.editor.patch(path, { title: 'Never' }, 'project=title')
    expect([refused.status, done(await service.editor.get(path)).title]).toEqual([400, 'Section'])
  })
})
