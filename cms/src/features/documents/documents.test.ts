import { defineSite, page, piece } from 'quire-cms'
import { beforeAll, expect, test } from 'vitest'
import { jpeg, upload } from '../../../test/media.ts'
import { type Answer, type Caller, describeService } from '../../../test/service.ts'

const site = defineSite({
  locales: {
    en: { label: 'English' },
    fr: { label: 'French', prefix: '/fr' },
    it: { label: 'Italian', prefix: '/it', private: true },
  },
  types: [
    piece('note', { publicApiProjection: ['title'] }),
    piece('vault', { viewRole: 'admin', editRole: 'admin' }),
    piece('mute', { fields: { add: { text: { type: 'string', viewPermission: 'admin' } } } }),
    piece('stamp', { localized: false }),
    page('leaf'),
  ],
})

interface Thin {
  readonly _id: string
  readonly aposDocId: string
  readonly title: string
  readonly [name: string]: unknown
}

describeService('§4.1 documents of all types', { site }, (service) => {
  const done = (answer: Answer): Answer['body'] => {
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const made = async (type: string, title: string, query = '', more: object = {}): Promise<string> =>
    done(await service.admin.post(type, { title, ...more }, query)).aposDocId
  const list = async (query: string, caller: Caller = service.contributor) =>
    done(await caller.get('@cms/documents', query)) as {
      results: Thin[]
      total: number
      pages: number
      counts?: { readonly [name: string]: readonly { value: string; count: number }[] }
    }
  const OWN = 'types[]=note&types[]=stamp&types[]=leaf&types[]=@cms/image'
  const titles = async (query: string, caller?: Caller) =>
    (await list(`${OWN}&${query}`, caller)).results.map(({ title }) => title)

  let ids: Readonly<Record<'never' | 'changed' | 'gone' | 'section' | 'leaf' | 'image' | 'secret', string>>
  beforeAll(async () => {
    const place = (_targetId: string) => ({ type: 'leaf', _targetId, _position: 'lastChild' })
    const attachment = (await upload(service, 'admin', await jpeg())).body
    const image = await made('@cms/image', 'Picture', '', { attachment })
    const section = await made('@cms/page', 'Section', '', place('_home'))
    const leaf = await made('@cms/page', 'Leaf', 'aposMode=draft', place(section))
    const [never, changed, gone] = [
      await made('note', 'Never', 'aposMode=draft'),
      await made('note', 'Before'),
      await made('note', 'Gone'),
    ]
    await made('stamp', 'Stamp')
    await made('note', 'Nuovo', 'aposLocale=it')
    const secret = await made('vault', 'Secret words')
    await made('mute', 'Mute', '', { text: 'Muted words' })
    done(await service.editor.patch(`note/${changed}:en:draft`, { title: 'Changed' }))
    done(await service.editor.post(`note/${gone}/archive`))
    ids = { never, changed, gone, section, leaf, image, secret }
  })

  test('come in one list, the newest first, with their state and path', async () => {
    expect(await titles('')).toEqual(['Changed', 'Stamp', 'Never', 'Leaf', 'Section', 'Picture'])
    const { results, total, pages } = await list(`${OWN}&perPage=4`)
    expect([total, pages]).toEqual([6, 2])
    expect(results[0]).toMatchObject({ _id: `${ids.changed}:en:draft`, state: 'modified', modified: true, _edit: true })
    expect(results[0]).toMatchObject({ updatedBy: { title: 'editor key' }, lastPublishedAt: expect.any(String) })
    expect(results[0]).not.toHaveProperty('_path')
    expect(results[1]).toMatchObject({ state: 'published', type: 'stamp' })
    expect(results[3]).toMatchObject({
      state: 'draft',
      _url: '/section/leaf',
      _path: [{ title: 'Home' }, { _id: `${ids.section}:en:draft`, title: 'Section' }],
    })
    const [picture] = (await list('types=@cms/image')).results
    expect(picture).toMatchObject({ _thumbnail: expect.stringContaining('one-sixth'), _url: expect.any(String) })
  })

  test.each([
    ['state=draft', ['Never', 'Leaf']],
    ['state=modified,archived', ['Changed', 'Gone']],
    ['state=draft&sort=title', ['Leaf', 'Never']],
    ['sort=-title&perPage=2', ['Stamp', 'Section']],
    ['sort=-title&perPage=2&page=3', ['Leaf', 'Changed']],
    ['search=section', ['Leaf', 'Section']],
    ['autocomplete=Se', ['Leaf', 'Section']],
    ['search=changed&state=draft', []],
    ['archived=true', ['Gone']],
    ['updatedAt[max]=2020-01-01', []],
    ['updatedBy=nobody', []],
    ['page=9', []],
    ['page=201&search=section', []],
    ['aposLocale=it&types=note', ['Nuovo', 'Stamp']],
    ['missingIn=it', ['Changed', 'Never', 'Leaf', 'Section', 'Picture']],
    ['missingIn=en&aposLocale=it', ['Nuovo']],
    ['outdatedIn=it', []],
  ])('%s', async (query, expected) => {
    const found = await titles(query)
    expect(query.startsWith('state=modified') ? found.toSorted() : found).toEqual(expected)
  })

  test('§5.8 locales that there are not cannot be asked for', async () => {
    for (const name of ['missingIn', 'outdatedIn']) {
      expect((await service.contributor.get('@cms/documents', `${name}=xx`)).body.name).toBe('invalid')
    }
  })

  test('sorted by the last publication, what is not published comes last', async () => {
    const newest = await titles('sort=-lastPublishedAt&types=note')
    expect(newest.slice(-2).toSorted()).toEqual(['Leaf', 'Never'])
    expect((await titles('sort=lastPublishedAt')).slice(-2).toSorted()).toEqual(['Leaf', 'Never'])
  })

  test('named by ids of any locale and mode, in that order, archived ones too', async () => {
    const named = [`${ids.changed}:en:published`, ids.gone, `${ids.leaf}:en:draft`, ids.image, ids.secret, 'nothing']
    const { results, total } = await list(named.map((id) => `_ids[]=${id}`).join('&'))
    expect(results.map(({ title, state }) => [title, state])).toEqual([
      ['Before', 'modified'],
      ['Gone', 'archived'],
      ['Leaf', 'draft'],
      ['Picture', 'published'],
    ])
    expect(total).toBe(4)
  })

  test('are counted by type and state, each whatever the other filter says of it', async () => {
    const { counts, total } = await list('types=note&state=draft&counts=type,state')
    expect(total).toBe(1)
    const byState = Object.fromEntries(counts?.state?.map(({ value, count }) => [value, count]) ?? [])
    expect(byState).toEqual({ draft: 1, modified: 1, archived: 1 })
    const byType = Object.fromEntries(counts?.type?.map(({ value, count }) => [value, count]) ?? [])
    expect(byType).toEqual({ note: 1, leaf: 1 })
  })

  test('§5.8 never those that the caller may not see', async () => {
    const whole = async (query: string, caller?: Caller) => JSON.stringify(await list(`${query}&perPage=50`, caller))
    for (const query of ['counts=type,state', 'search=words', 'sort=title', `_ids=${ids.secret}`]) {
      const text = await whole(query)
      expect(text).not.toMatch(/vault|Secret|Muted/)
    }
    expect((await list('search=words')).total).toBe(0)
    expect((await list('search=words', service.admin)).total).toBe(2)
    expect(await service.contributor.get('@cms/documents', 'types=vault')).toMatchObject({ status: 400 })
    expect(await service.guest.get('@cms/documents')).toMatchObject({ status: 403 })
    expect(await service.anonymous.get('@cms/documents')).toMatchObject({ status: 401 })
  })

  test('§4.1 the list of one type goes as far as it is long', async () => {
    expect(await list('types=note&page=201')).toMatchObject({ results: [], total: 2 })
    expect((await list('types=note&page=2&perPage=1')).results).toHaveLength(1)
  })

  test.each([
    'state=new',
    'sort=slug',
    'counts=title',
    'types=nothing',
    'state=draft&aposMode=published',
    'perPage=0',
    'page=201',
  ])('refuses %s', async (query) => {
    expect(await service.contributor.get('@cms/documents', query)).toMatchObject({ status: 400 })
  })

  test('follow what is saved, published and moved', async () => {
    const found = async () => (await list('types=note&types=leaf&search=Following')).results
    expect(await found()).toEqual([])
    const id = await made('note', 'Following', 'aposMode=draft')
    expect(await found()).toMatchObject([{ state: 'draft' }])
    done(await service.editor.post(`note/${id}/publish`))
    expect(await found()).toMatchObject([{ state: 'published' }])
    done(await service.admin.delete(`note/${id}`))
    expect(await found()).toEqual([])
    done(await service.editor.patch(`@cms/page/${ids.section}:en:draft`, { title: 'Part' }))
    const [leaf] = (await list(`_ids=${ids.leaf}`)).results
    expect(leaf).toMatchObject({ _path: [{}, { title: 'Part' }] })
  })
})
