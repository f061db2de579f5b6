import { defineSite, page, piece } from 'quire-cms'
import { beforeAll, describe, expect, test } from 'vitest'
import { rowsOf } from '../../../test/consistency.ts'
import { describePages } from '../../../test/pages.ts'
import { homeId, parkedDocId } from '../../engine/pages/parked.ts'

interface PageNode {
  readonly title: string
  readonly _children?: readonly PageNode[]
}

/** Titles with those of the children in brackets. */
function outline(pages: readonly PageNode[]): string {
  return pages
    .map(({ title, _children = [] }) => (_children.length > 0 ? `${title}(${outline(_children)})` : title))
    .join(' ')
}

describePages('§4.2 GET', {}, (pages, databases) => {
  let middle: { readonly _id: string; readonly aposDocId: string }
  beforeAll(async () => {
    const a = await pages.made('A')
    const b = await pages.made('B', { _targetId: a._id })
    await pages.made('C', { _targetId: b._id })
    middle = b
    const orphan = await pages.made('Orphan', { orphan: true })
    await pages.made('Below orphan', { _targetId: orphan._id })
    const hidden = await pages.made('Hidden', { visibility: 'loginRequired' })
    await pages.made('Below hidden', { _targetId: hidden._id })
    await pages.made('Draft', { _targetId: a._id, _position: 0 }, 'aposMode=draft')
    await pages.made('Old', { _targetId: '_archive' })
  })

  const list = async (query: string, caller = pages.admin) => (await caller.get('@cms/page', query)).body
  const kids = async (query: string, caller = pages.admin) => outline((await list(query, caller))._children)

  test('§2.2 home is there from the start, in every locale, with its place and what is fixed on it', async () => {
    for (const locale of ['en', 'fr', 'es', 'de', 'it']) {
      expect(await list(`aposLocale=${locale}`)).toMatchObject({
        _id: `${homeId}:${locale}:published`,
        type: '@cms/home-page',
        slug: '/',
        path: homeId,
        level: 0,
        rank: 0,
        parkedId: 'home',
        parked: ['slug', 'parkedId'],
        _ancestors: [],
      })
    }
    const archive = await pages.admin.get('@cms/page/_archive', 'archived=any')
    expect(archive.body).toMatchObject({ type: '@cms/archive-page', archived: true, parkedId: 'archive', level: 1 })
    expect((await pages.admin.get('@cms/page/_archive')).status).toBe(404)
  })

  describe('§4.1 project narrows every answer', () => {
    const always = ['_id', 'aposDocId', 'aposLocale', 'aposMode', 'metaType', 'type']
    const names = (body: object) => Object.keys(body).filter((name) => !/^_(create|edit|publish|delete)$/.test(name))
    const every = (page: PageNode): PageNode[] => [page, ...(page._children ?? []).flatMap(every)]

    test('nested trees, which keep their children', async () => {
      for (const query of ['', '&all=1', '&all=1&aposMode=draft', '&children=false']) {
        const body = await list(`project[title]=1${query}`)
        expect(outline([body])).toBe(outline([await list(query.slice(1))]))
        for (const page of every(body)) {
          const form = page._children ? ['_children'] : []
          expect(names(page).toSorted()).toEqual([...always, ...form, 'title'].toSorted())
        }
      }
    })

    test('flat trees', async () => {
      const { results } = await list('all=1&flat=1&project[slug]=1&project[path]=1')
      expect(results).toHaveLength((await list('all=1&flat=1')).results.length)
      for (const page of results) expect(names(page).toSorted()).toEqual([...always, 'path', 'slug'].toSorted())
      const ids = (await list('all=1&flat=1&project[_children]=1&project[_ancestors]=1')).results
      for (const page of ids) expect(names(page).toSorted()).toEqual([...always, '_ancestors', '_children'].toSorted())
    })

    test('all but some names', async () => {
      const [body, whole] = [await list('all=1&project[slug]=0&project[level]=0'), await list('all=1')]
      expect(names(body)).toEqual(names(whole).filter((name) => name !== 'slug' && name !== 'level'))
      expect(names(await list('all=1&project[_children]=0'))).not.toContain('_children')
    })

    test('single pages, with their ancestors and children where those are named', async () => {
      const single = async (query: string) => (await pages.read(middle, query)).body
      expect(names(await single('project[title]=1')).toSorted()).toEqual([...always, 'title'].toSorted())
      const body = await single('project[title]=1&project[_ancestors]=1&project[_children]=1')
      expect(body._ancestors.map(({ title }: PageNode) => title)).toEqual(['Home', 'A'])
      expect(body._children.map(({ title }: PageNode) => title)).toEqual(['C'])
      expect(names(body._ancestors[1]).toSorted()).toEqual([...always, 'title'].toSorted())
      expect(names(await single('project[_ancestors]=0'))).not.toContain('_ancestors')
    })

    test('it is refused where it is malformed', async () => {
      for (const query of ['project=title', 'project[title]=yes', 'project[]=title']) {
        expect((await pages.admin.get('@cms/page', query)).status).toBe(400)
        expect((await pages.admin.get('@cms/page/_home', query)).status).toBe(400)
      }
    })
  })

  test('the list has the top-level pages, or all, or children; orphans and the archive only on request', async () => {
    expect(await kids('')).toBe('A Hidden')
    expect(await kids('aposMode=draft')).toBe('A Hidden')
    expect(await kids('all=1')).toBe('A(B(C)) Orphan(Below orphan) Hidden(Below hidden)')
    expect(await kids('all=1&aposMode=draft')).toBe('A(Draft B(C)) Orphan(Below orphan) Hidden(Below hidden)')
    expect(await kids('archived=any')).toBe('A Hidden Archive')
    expect(await kids('all=1&archived=any')).toBe('A(B(C)) Orphan(Below orphan) Hidden(Below hidden) Archive(Old)')
    expect(await list('archived=true')).toMatchObject({ title: 'Archive', _children: [{ title: 'Old' }] })
    for (const query of ['children=false', 'children=false&all=1']) {
      expect(await list(query)).not.toHaveProperty('_children')
    }
  })

  test('the flat list has the same pages depth first, with ancestors and children as ids', async () => {
    const { results } = await list('all=1&flat=1&aposMode=draft')
    const titles = results.map(({ title }: PageNode) => title)
    expect(titles).toEqual(['Home', 'A', 'Draft', 'B', 'C', 'Orphan', 'Below orphan', 'Hidden', 'Below hidden'])
    const [home, a, draft, b] = results
    expect(a).toMatchObject({ _ancestors: [home._id], _children: [draft._id, b._id], level: 1, rank: 0 })
    expect(a._ancestors[0]).toBe(`${homeId}:en:draft`)
    const top = (await list('flat=1')).results
    expect(top.map(({ title }: PageNode) => title)).toEqual(['Home', 'A', 'Hidden'])
    const bare = (await list('flat=1&children=false')).results
    expect(bare.map(({ title }: PageNode) => title)).toEqual(['Home', 'A', 'Hidden'])
    for (const each of bare) expect(each).not.toHaveProperty('_children')
  })

  test('a published list skips drafts and keeps the order', async () => {
    const a = (await list('')).results ?? (await list(''))._children[0]
    const children = (await pages.admin.get(`@cms/page/${a._id}`)).body._children
    expect(children).toMatchObject([{ title: 'B', rank: 1 }])
    expect((await pages.admin.get(`@cms/page/${a._id}`, 'aposMode=draft')).body._children).toMatchObject([
      { title: 'Draft', rank: 0 },
      { title: 'B', rank: 1 },
    ])
  })

  test('§5.8 anonymous callers see the projection of public pages, guests those for known callers too', async () => {
    const { anonymous, guest } = pages.service
    expect(await kids('', anonymous)).toBe('A')
    expect(await kids('all=1&archived=any', anonymous)).toBe('A(B(C)) Orphan(Below orphan)')
    expect(await kids('all=1', guest)).toBe('A(B(C)) Orphan(Below orphan) Hidden(Below hidden)')
    const flat = (await list('all=1&flat=1', anonymous)).results
    expect(flat.map(({ title }: PageNode) => title)).toEqual(['Home', 'A', 'B', 'C', 'Orphan', 'Below orphan'])
    expect(Object.keys(flat[0]).toSorted()).toEqual([
      '_ancestors',
      '_children',
      '_id',
      '_url',
      'aposDocId',
      'aposLocale',
      'aposMode',
      'level',
      'metaType',
      'path',
      'rank',
      'slug',
      'title',
      'type',
    ])
    expect((await anonymous.get('@cms/page/_home', 'aposMode=draft')).status).toBe(401)
    expect((await guest.get('@cms/page', 'aposMode=draft')).status).toBe(403)
    expect((await anonymous.get('@cms/page/_archive', 'archived=any')).status).toBe(404)
    expect((await anonymous.get('@cms/page', 'aposLocale=it')).status).toBe(404)
    for (const query of ['aposLocale=xx', 'aposMode=live', 'archived=perhaps']) {
      expect((await pages.admin.get('@cms/page', query)).status).toBe(400)
    }
  })

  test('every accepted form of an id finds the page', async () => {
    const [a] = (await list(''))._children
    const forms = [a.aposDocId, a._id, `${a.aposDocId}:en:draft`, `${a.aposDocId}:fr:draft`]
    for (const form of forms) {
      const answer = await pages.admin.get(`@cms/page/${form}`, 'aposLocale=en&aposMode=published')
      expect(answer.body).toMatchObject({ _id: a._id, _ancestors: [{ _id: `${homeId}:en:published` }] })
    }
    expect((await pages.admin.get('@cms/page/_home', 'aposLocale=fr:draft')).body._id).toBe(`${homeId}:fr:draft`)
    expect((await pages.admin.get('default-page')).status).toBe(404)
    expect((await pages.admin.get(`article/${a.aposDocId}`)).status).toBe(404)
  })

  test('many pages take one more statement for each 50 that are not cached, and range scans of the index', async () => {
    const cost = (query: string) => pages.cost(() => pages.admin.get('@cms/page', query))
    const top = await pages.made('Top')
    const costs = async () => [await cost('all=1'), await cost('all=1&flat=1'), await cost('')]
    const before = await costs()
    const count = (await list('all=1&flat=1')).results.length
    const size = 200
    const ids = await pages.fill(top._id, size)
    const more = Math.ceil((count + size) / 50) - Math.ceil(count / 50)
    expect(await costs()).toEqual(before.map((cost, index) => (index === 0 ? cost + more : cost)))
    expect(Math.max(...before)).toBeLessThan(5)
    expect((await list('all=1&flat=1')).results.length).toBe(count + size)
    expect(await pages.cost(() => pages.admin.get(`@cms/page/${ids.at(-1)}`))).toBeLessThan(6)
    if (databases.name !== 'SQLite') return
    const place = "locale = 'en' and p.path >= 'a/b' and p.path < 'a/b0'"
    const [select = [], update = []] = await rowsOf(pages.service.databaseUrl, [
      `explain query plan select d.slug from places p cross join documents d
        on d.doc_id = p.doc_id and d.locale = p.locale and d.mode = 'draft' where p.${place} order by p.level`,
      `explain query plan update places as p set path = 'c' where p.${place}`,
    ])
    for (const plan of [select, update]) {
      expect(plan.map(({ detail }) => detail).join('\n')).toMatch(
        /SEARCH p.* USING .*INDEX places_by_path \(locale=\? AND path>\? AND path<\?\)/,
      )
    }
  })
})

const site = defineSite({
  baseUrl: 'https://example.test',
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [
    page('default-page', {
      publicApiProjection: ['title', '_url', '_children', '_next'],
      fields: { add: { intro: { type: 'string' }, _next: { type: 'relationship', withType: 'default-page' } } },
    }),
    page('staff-page', { viewRole: 'editor' }),
    page('live-page', { autopublish: true }),
    piece('note', { fields: { add: { _page: { type: 'relationship', withType: 'default-page' } } } }),
  ],
  pages: {
    publicApiProjection: ['title', '_url', '_children'],
    parked: [
      {
        parkedId: 'news',
        type: 'default-page',
        title: 'News',
        slug: '/news',
        fields: { intro: 'Fixed' },
        fixed: ['slug', 'intro'],
      },
    ],
  },
})

describePages('§4.2 what a site declares', { site }, (pages) => {
  test('parked pages exist in every locale, before the archive, and their fixed fields cannot be changed', async () => {
    const id = parkedDocId('news')
    for (const [locale, url] of [
      ['en', 'https://example.test/news'],
      ['fr', 'https://example.test/fr/news'],
    ]) {
      const news = await pages.admin.get(`@cms/page/${id}`, `aposLocale=${locale}`)
      expect(news.body).toMatchObject({
        _url: url,
        parkedId: 'news',
        parked: ['slug', 'intro'],
        rank: 0,
        intro: 'Fixed',
      })
    }
    const before = await pages.tree()
    for (const body of [
      { intro: 'Other' },
      { slug: '/other' },
      { type: 'live-page' },
      { _targetId: '_archive', _position: 0 },
    ]) {
      expect((await pages.admin.patch(`@cms/page/${id}`, body)).body.name).toBe('invalid')
      expect((await pages.admin.patch(`@cms/page/${id}`, body, 'aposMode=draft')).body.name).toBe('invalid')
    }
    expect((await pages.admin.put(`@cms/page/${id}`, { title: 'Blank' })).body.name).toBe('invalid')
    expect((await pages.admin.delete(`@cms/page/${id}`)).body.name).toBe('invalid')
    expect((await pages.admin.post(`@cms/page/${id}/unpublish`)).body.name).toBe('invalid')
    expect(await pages.tree()).toEqual(before)
    expect((await pages.admin.patch(`@cms/page/${id}`, { title: 'Novelties' })).body.title).toBe('Novelties')
    await pages.made('Below', { _targetId: id, _position: 0 })
    expect((await pages.admin.get('@cms/page/_archive', 'archived=any')).body.rank).toBe(1)
  })

  test('former URLs have the form of _url, also in related pages', async () => {
    const target = await pages.made('Target')
    await pages.admin.patch(`@cms/page/${target._id}`, { slug: '/goal' })
    expect((await pages.read(target)).body.historicUrls).toEqual(['https://example.test/target'])
    const note = await pages.admin.post('note', { title: 'N', _page: [{ _id: target._id }] })
    expect(note.body._page).toMatchObject([{ title: 'Target', _url: 'https://example.test/goal' }])
    const from = await pages.made('From', { _next: [{ _id: target._id }] })
    expect(from._next).toMatchObject([{ _url: 'https://example.test/goal' }])
    await pages.admin.patch(`@cms/page/${target._id}`, { slug: '/aim' })
    expect((await pages.service.anonymous.get(`@cms/page/${from._id}`)).body._next).toMatchObject([
      { _url: 'https://example.test/aim' },
    ])
  })

  test('pages of types that a caller may not see are hidden, with everything below them', async () => {
    const staff = await pages.made('Staff', { type: 'staff-page' })
    const below = await pages.made('Rota', { _targetId: staff._id })
    const { contributor, anonymous } = pages.service
    for (const caller of [contributor, anonymous]) {
      expect(outline((await caller.get('@cms/page', 'all=1')).body._children)).not.toMatch(/Staff|Rota/)
      const flat = (await caller.get('@cms/page', 'all=1&flat=1')).body.results
      expect(flat.map(({ title }: PageNode) => title).join()).not.toMatch(/Staff|Rota/)
      expect((await caller.get(`@cms/page/${staff._id}`)).status).toBe(404)
    }
    expect((await contributor.get(`@cms/page/${below._id}`)).body._ancestors).toHaveLength(1)
    const draft = `${staff.aposDocId}:en:draft`
    expect((await contributor.patch(`@cms/page/${draft}`, { title: 'x' })).status).toBe(404)
    const body = { type: 'default-page', title: 'x', _targetId: draft, _position: 'lastChild' }
    expect((await contributor.post('@cms/page', body, 'aposMode=draft')).status).toBe(404)
    expect((await contributor.post('@cms/page', { ...body, type: 'staff-page' }, 'aposMode=draft')).status).toBe(404)
    expect(await pages.slug(staff)).toBe('/staff')
  })

  test('a page of an autopublish type requires a published parent too', async () => {
    const parent = await pages.made('Waiting', {}, 'aposMode=draft')
    const place = { _targetId: parent._id, _position: 'lastChild' }
    const live = { type: 'live-page', title: 'Live', ...place }
    const refused = await pages.admin.post('@cms/page', live, 'aposMode=draft')
    expect(refused.body).toMatchObject({ name: 'invalid', data: { unpublishedAncestors: [{ _id: parent._id }] } })
    const draft = await pages.service.contributor.post('@cms/page', live, 'aposMode=draft')
    const patched = await pages.admin.patch(`@cms/page/${draft.body._id}`, { title: 'Live now' })
    expect(patched.body).toMatchObject({ name: 'invalid', data: { unpublishedAncestors: [{ _id: parent._id }] } })
    const top = await pages.made('Top live', { type: 'live-page' }, 'aposMode=draft')
    expect((await pages.read(top)).status).toBe(200)
  })
})
