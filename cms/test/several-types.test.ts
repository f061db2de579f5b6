import { beforeAll, expect, it } from 'vitest'
import { defineSite, page, piece } from '../src/index.ts'
import { uploadedImage } from './media.ts'
import { type Caller, describeService } from './service.ts'
import { FRONT_KEY, visit } from './visits.ts'

const note = { add: { note: { type: 'string' } } } as const
const items = {
  type: 'relationship',
  withType: ['article', 'event', 'plan', 'vault'],
  fields: note,
  max: 4,
} as const
const site = defineSite({
  static: true,
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  pages: { publicApiProjection: ['title', 'slug', '_url'] },
  types: [
    piece('article', {
      publicApiProjection: ['title', 'slug', '_shelves'],
      fields: {
        add: {
          text: { type: 'string' },
          _shelves: { type: 'relationshipReverse', withType: 'shelf', reverseOf: '_items' },
        },
      },
    }),
    piece('event', {
      publicApiProjection: ['title', '_shelves'],
      fields: {
        add: {
          day: { type: 'date' },
          _shelves: { type: 'relationshipReverse', withType: 'shelf', reverseOf: '_items' },
        },
      },
    }),
    piece('plan'),
    piece('vault', { viewRole: 'admin', editRole: 'admin' }),
    piece('other', { publicApiProjection: ['title'] }),
    page('landing', { fields: { add: { intro: { type: 'string' } } } }),
    page('leaflet'),
    page('shelves', { piecesType: 'shelf', piecesFilters: ['items'] }),
    piece('shelf', {
      publicApiProjection: ['title', '_items', '_pages', '_narrow', 'rows', '_crops'],
      guestApiAccess: true,
      fields: {
        add: {
          _items: items,
          _few: { type: 'relationship', withType: ['article', 'vault'], min: 2 },
          _narrow: {
            type: 'relationship',
            withType: ['article', 'event'],
            builders: { project: { title: 1, day: 1 } },
          },
          _pages: { type: 'relationship', withType: ['@cms/any-page', 'article', 'landing'] },
          _crops: { type: 'relationship', withType: ['article', '@cms/image'] },
          rows: { type: 'array', fields: { add: { _items: items } } },
        },
      },
    }),
  ],
})

describeService('§2.15 relationships to several types', { site, frontKey: FRONT_KEY }, (service) => {
  const id: Record<string, string> = {}
  const refs = (...names: string[]) => names.map((name) => ({ _id: id[name], _fields: { note: name } }))
  const titles = (documents: readonly { title: string }[]) => documents.map(({ title }) => title)
  const made = async (type: string, name: string, body: object = {}) => {
    const answer = await service.admin.post(type, { title: name, slug: `slug-${name}`, ...body })
    expect(answer).toMatchObject({ status: 200 })
    id[name] = answer.body.aposDocId
    return answer.body
  }
  const found = async (query: string, as: Caller = service.admin) => {
    const { status, body } = await as.get('shelf', `${query}&sort=title`)
    expect(status).toBe(200)
    return titles(body.results)
  }

  beforeAll(async () => {
    await made('article', 'one')
    await made('article', 'same')
    await made('event', 'day', { day: '2026-05-01' })
    await made('event', 'twin', { slug: 'slug-same' })
    await made('plan', 'plan')
    await made('vault', 'gold')
    await made('vault', 'lead')
    await made('other', 'other')
    await made('@cms/page', 'landing', {
      slug: '/landing',
      type: 'landing',
      _targetId: '_home',
      _position: 'lastChild',
    })
    await made('@cms/page', 'shelves', {
      slug: '/shelves',
      type: 'shelves',
      _targetId: '_home',
      _position: 'lastChild',
    })
    await made('shelf', 'all', { _items: refs('gold', 'day', 'plan', 'one'), rows: [{ _items: refs('gold', 'same') }] })
    await made('shelf', 'both', { _items: refs('twin', 'same') })
    await made('shelf', 'locked', { _items: refs('lead') })
    await made('shelf', 'none')
  })

  it('are populated in order, with what each type shows, in lists and alone', async () => {
    const shown = {
      admin: ['gold', 'day', 'plan', 'one'],
      editor: ['day', 'plan', 'one'],
      guest: ['day', 'plan', 'one'],
      anonymous: ['day', 'plan', 'one'],
    }
    for (const [role, names] of Object.entries(shown)) {
      const as = service[role as keyof typeof shown]
      const { body: alone } = await as.get(`shelf/${id.all}`)
      const { results } = (await as.get('shelf')).body
      for (const one of [alone, results.find(({ title }: { title: string }) => title === 'all')]) {
        expect(titles(one._items)).toEqual(names)
        expect(one._items).toMatchObject(names.map((name) => ({ aposDocId: id[name], _fields: { note: name } })))
        expect(titles(one.rows[0]._items)).toEqual(role === 'admin' ? ['gold', 'same'] : ['same'])
        if (role === 'anonymous') continue
        expect(one.itemsIds).toEqual(names.map((name) => id[name]))
        expect(Object.keys(one.itemsFields).sort()).toEqual(names.map((name) => id[name]).sort())
      }
      expect(JSON.stringify(alone)).not.toContain(role === 'admin' ? 'nothing' : id.gold)
    }
    const { body } = await service.anonymous.get(`shelf/${id.all}`)
    const names = ({ type, slug, day }: Record<string, string>) => [type, slug, day]
    expect(body._items.map(names)).toEqual([
      ['event', undefined, undefined],
      ['plan', 'slug-plan', undefined],
      ['article', 'slug-one', undefined],
    ])
  })

  it('take one statement for each type, however many documents there are', async () => {
    const counted = async () => {
      service.forget()
      await service.quiet()
      const before = service.statements.length
      await service.admin.get('shelf', 'project[_items]=1&project[title]=1')
      return service.statements.slice(before).filter((text) => text.includes('d.doc_id')).length
    }
    expect(await counted()).toBe(4)
    const more = await Promise.all(
      ['a', 'b', 'c'].map((title) => service.admin.post('shelf', { title, _items: refs('gold', 'one', 'twin') })),
    )
    expect(await counted()).toBe(4)
    for (const { body } of more) await service.admin.delete(`shelf/${body._id}`)
  })

  it('narrow each type to those fields that it has', async () => {
    const { body } = await service.admin.post('shelf', { title: 'narrow', _narrow: refs('one', 'day') })
    const { _narrow } = (await service.admin.get(`shelf/${body.aposDocId}`)).body
    expect(_narrow.map(({ text, day, slug, title }: Record<string, string>) => [text, day, slug, title])).toEqual([
      [undefined, undefined, undefined, 'one'],
      [undefined, '2026-05-01', undefined, 'day'],
    ])
    await service.admin.delete(`shelf/${body.aposDocId}`)
  })

  it.each([
    ['items=slug-day', ['all'], []],
    ['items=slug-same', ['both'], ['both']],
    ['items=slug-gold', ['all'], []],
    ['items[]=slug-plan&items[]=slug-same', ['all', 'both'], ['all', 'both']],
    ['itemsAnd[]=slug-day&itemsAnd[]=slug-one', ['all'], []],
    ['itemsAnd[]=slug-same', ['both'], ['both']],
    ['itemsAnd[]=slug-same&itemsAnd[]=slug-one', [], []],
    ['items=<day>', [], ['all']],
    ['_items=<day>', ['all'], ['all']],
    ['_items=<day>:en:published', ['all'], ['all']],
    ['_items=<gold>', ['all'], []],
    ['_itemsAnd[]=<gold>&_itemsAnd[]=<one>', ['all'], []],
    ['_itemsAnd[]=<twin>&_itemsAnd[]=<same>', ['both'], ['both']],
    ['items=none', ['none'], ['locked', 'none']],
    ['items[]=none&items[]=slug-one', ['all', 'none'], ['all', 'locked', 'none']],
    ['_items=<other>', [], []],
  ])('§4.1 filter by all types that the caller sees: %s', async (query, seen, seenByPublic) => {
    const asked = query.replaceAll(/<(\w+)>/g, (_, name: string) => id[name] ?? '')
    expect(await found(asked)).toEqual(seen)
    expect(await found(asked, service.anonymous)).toEqual(seenByPublic)
  })

  it('§4.1 choices have their types, and a slug that several have is one choice', async () => {
    const { body } = await service.admin.get('shelf', 'counts=items,_items')
    const texts = (choices: readonly Record<string, string>[]) =>
      choices.map(({ value, label, type, count }) => `${value} ${label} ${type} ${count}`)
    const byId = ['day event', 'gold vault', 'lead vault', 'one article', 'plan plan', 'same article', 'twin event']
    expect(texts(body.counts._items)).toEqual(
      byId.map((one) => one.split(' ')).map(([name = '', type]) => `${id[name]} ${name} ${type} 1`),
    )
    expect(texts(body.counts.items)).toEqual([
      'slug-day day event 1',
      'slug-gold gold vault 1',
      'slug-lead lead vault 1',
      'slug-one one article 1',
      'slug-plan plan plan 1',
      'slug-same same article 1',
    ])
    const anonymous = (await service.anonymous.get('shelf', 'counts=items')).body.counts.items
    expect(texts(anonymous)).toEqual([
      `${id.day} day event 1`,
      'slug-one one article 1',
      'slug-plan plan plan 1',
      'slug-same same article 1',
      `${id.twin} twin event 1`,
    ])
  })

  it('§4.1 count for each type in what a list compares', async () => {
    const each = (condition: object) => ({ $or: Array.from({ length: 50 }, () => condition) })
    const list = (condition: object) =>
      service.anonymous.post('shelf', { __aposGetWithQuery: { where: JSON.stringify(each(condition)) } })
    const most = [{ '_pages.title': 'x' }, { _pages: 'x' }, { _pages: { $ne: 'x' } }]
    for (const [index, { status }] of (await Promise.all(most.map(list))).entries()) {
      expect([index, status]).toEqual([index, index < 2 ? 200 : 400])
    }
    const [one, other] = [{ '_pages.title': { $not: { $contains: 'x' } } }, { _pages: { $nin: ['x'], $ne: 'y' } }]
    for (const { body } of [await list(one), await list(other)]) expect(body.message).toContain('more than 400 things')
  })

  it('§5.8 suggest no date that the caller does not see', async () => {
    for (const [as, isShown] of [
      ['anonymous', false],
      ['editor', true],
    ] as const) {
      const { body } = await service[as].get('shelf', 'where={"createdat":1}')
      expect(body.message.includes('createdAt')).toBe(isShown)
    }
  })

  it('refuse documents of other types, of types that the caller may not see, and too many', async () => {
    const errors = async (as: Caller, body: object) =>
      (await as.post('shelf', { title: 'x', ...body })).body.data.errors
    const wrong = (name: string, types: string) => [
      { path: '_items', name: 'invalid', message: `There is no ${types} with the id ${id[name]}.` },
    ]
    const all = 'article or event or plan or vault'
    expect(await errors(service.admin, { _items: refs('other') })).toEqual(wrong('other', all))
    expect(await errors(service.admin, { _items: refs('landing') })).toEqual(wrong('landing', all))
    expect(await errors(service.editor, { _items: refs('gold') })).toEqual(wrong('gold', 'article or event or plan'))
    expect(await errors(service.admin, { _items: refs('one', 'day', 'plan', 'gold', 'lead') })).toMatchObject([
      { path: '_items', name: 'max' },
    ])
    const { body } = await service.editor.post('shelf', { title: 'ids', itemsIds: [id.gold, id.other, id.one] })
    expect((await service.admin.get(`shelf/${body.aposDocId}`)).body.itemsIds).toEqual([id.one])
    await service.admin.delete(`shelf/${body.aposDocId}`)
  })

  it.each([
    ['PUT of what one sees', (path: string, shown: object) => service.editor.put(path, shown), 'gold day plan one'],
    ['PUT of the rest', (path: string) => service.editor.put(path, { title: 'kept' }), 'gold'],
    ['PATCH of ids', (path: string) => service.editor.patch(path, { itemsIds: [id.one, id.day] }), 'gold one day'],
    [
      '$push and $pullAll',
      (path: string) =>
        service.editor.patch(path, { $pullAllById: { _items: [id.day] }, $push: { _items: { $each: refs('same') } } }),
      'gold plan one same',
    ],
    ['revert', (path: string) => service.editor.post(`${path}/revert-draft-to-published`), 'gold day plan one'],
  ] as const)('§5.7 %s keeps what the caller may not see', async (_, go, names) => {
    const { body } = await service.admin.post('shelf', {
      title: 'kept',
      _items: refs('gold', 'day', 'plan', 'one'),
      _few: refs('gold', 'one'),
    })
    const path = `shelf/${body.aposDocId}`
    const { body: shown } = await service.editor.get(path)
    expect(shown.fewIds).toEqual([id.one])
    expect(await go(path, shown)).toMatchObject({ status: 200 })
    for (const mode of ['draft', 'published']) {
      const { body: now } = await service.admin.get(`${path}:en:${mode}`)
      expect(titles(now._items)).toEqual(names.split(' '))
      expect(now._items.map((one: { _fields: { note: string } }) => one._fields.note)).toEqual(names.split(' '))
    }
    await service.admin.delete(path)
  })

  it('§2.15 keep the ids of documents of types that the caller sees and that are not shown here', async () => {
    const { body: gone } = await service.admin.post('article', { title: 'gone' })
    const { body } = await service.admin.post('shelf', {
      title: 'kept',
      _items: [...refs('gold'), gone, ...refs('one')],
    })
    await service.admin.post(`article/${gone._id}/archive`)
    const { body: shown } = await service.editor.get(`shelf/${body._id}`)
    expect([shown.itemsIds, titles(shown._items)]).toEqual([[gone.aposDocId, id.one], ['one']])
    expect(await service.editor.put(`shelf/${body._id}`, shown)).toMatchObject({ status: 200 })
    const { itemsIds } = (await service.admin.get(`shelf/${body._id}`)).body
    expect(itemsIds).toEqual([id.gold, gone.aposDocId, id.one])
    const { body: guest } = await service.guest.get(`shelf/${body._id}`)
    expect(guest.itemsIds).toEqual([id.one])
    await service.admin.delete(`article/${gone._id}`)
    expect(titles((await service.admin.get(`shelf/${body._id}`)).body._items)).toEqual(['gold', 'one'])
    await service.admin.patch(`shelf/${body._id}`, { title: 'saved' })
    expect((await service.admin.get(`shelf/${body._id}`)).body.itemsIds).toEqual([id.gold, id.one])
    await service.admin.delete(`shelf/${body._id}`)
  })

  it('§5.7 a copy, and a copy in another locale, name what the caller sees; related documents come along', async () => {
    const { body: copy } = await service.editor.post('shelf', { _copyingId: id.all, title: 'copy' })
    expect((await service.admin.get(`shelf/${copy._id}`)).body).toMatchObject({
      itemsIds: [id.day, id.plan, id.one],
      rows: [{ itemsIds: [id.same] }],
    })
    const { body: french } = await service.editor.post(`shelf/${copy._id}/localize`, { toLocale: 'fr', related: true })
    expect(titles(french._items).sort()).toEqual(['day', 'one', 'plan'])
    await service.admin.post(`shelf/${id.all}/localize`, { toLocale: 'fr' })
    await service.editor.post(`shelf/${id.all}/localize`, { toLocale: 'fr', update: true })
    const { body } = await service.admin.get(`shelf/${id.all}:fr:draft`)
    expect(body.itemsIds).toEqual([id.gold, id.day, id.plan, id.one])
    await service.admin.delete(`shelf/${copy._id}`)
  })

  it('show in reverse, from each type', async () => {
    for (const name of ['one', 'day']) {
      const type = name === 'one' ? 'article' : 'event'
      for (const as of [service.admin, service.anonymous]) {
        expect(titles((await as.get(`${type}/${id[name]}`)).body._shelves)).toEqual(['all'])
      }
    }
  })

  it('§2.8 lead to all pages but the archive, also by the names that other sites use', async () => {
    const { admin } = service
    const home = (await admin.get('@cms/page')).body
    const _pages = [{ _id: home._id }, ...refs('landing', 'shelves', 'one', 'landing')]
    const { body } = await admin.post('shelf', { title: 'pages', _pages })
    const kinds = ({ type, _url, intro }: Record<string, string>) => [type, _url !== undefined, intro]
    expect(body._pages.map(kinds)).toEqual([
      ['@cms/home-page', true, undefined],
      ['landing', true, ''],
      ['shelves', true, undefined],
      ['article', false, undefined],
    ])
    const { body: archive } = await admin.get('@cms/page/_archive', 'archived=any')
    expect(await admin.post('shelf', { title: 'x', _pages: [{ _id: archive._id }] })).toMatchObject({ status: 400 })
    // Answers that are cached follow a page that changes its type.
    const path = `shelf/${body.aposDocId}`
    const typesOf = async (as: Caller) => (await as.get(path)).body._pages.map(({ type }: { type: string }) => type)
    const shown = (type: string) => ['@cms/home-page', type, 'shelves', 'article']
    for (const as of [admin, service.anonymous]) expect(await typesOf(as)).toEqual(shown('landing'))
    await admin.patch(`@cms/page/${id.landing}`, { type: 'leaflet', title: 'leaf' })
    for (const as of [admin, service.anonymous]) expect(await typesOf(as)).toEqual(shown('leaflet'))
    expect(await found('pages=/landing')).toEqual(['pages'])
    await admin.patch(`@cms/page/${id.landing}`, { _targetId: '_archive', _position: 'lastChild' })
    expect(await typesOf(service.anonymous)).toEqual(['@cms/home-page', 'shelves', 'article'])
    await admin.delete(path)
  })

  it('answer what each type is now: caches depend on all of them', async () => {
    const ask = async () => {
      const list = (await service.anonymous.get('shelf', 'items[]=slug-one&items[]=slug-plan')).body.results
      const { choices } = (await service.anonymous.get('shelf', 'choices=items')).body
      return [
        titles(list),
        list.flatMap(({ _items }: { _items: [] }) => titles(_items)),
        titles(choices.items.map(({ label }: { label: string }) => ({ title: label }))),
      ]
    }
    const { body } = await service.admin.post('shelf', { title: 'cached', _items: refs('one', 'day', 'plan') })
    await ask()
    for (const [type, name] of [
      ['article', 'one'],
      ['event', 'day'],
      ['plan', 'plan'],
    ] as const) {
      await service.admin.patch(`${type}/${id[name]}`, { title: `new ${name}` })
      const [lists, related, choices] = await ask()
      expect(lists).toContain('cached')
      expect(related).toContain(`new ${name}`)
      expect(choices).toContain(`new ${name}`)
      await service.admin.patch(`${type}/${id[name]}`, { title: name })
    }
    await service.admin.delete(`shelf/${body._id}`)
  })

  it('§2.5 changes are told to those who see all types', async () => {
    const { body } = await service.admin.post('shelf', { title: 'told', _items: refs('gold', 'day') })
    await service.admin.patch(`shelf/${body._id}`, { _items: refs('one', 'plan') })
    const rowsOf = async (as: Caller) => {
      const [version] = (await as.get(`@cms/document-versions`, `docId=${body.aposDocId}`)).body.results
      return (await as.get(`@cms/document-versions/${version._id}/changes`)).body
    }
    const { status } = await service.admin.get('@cms/document-versions', `docId=${body.aposDocId}`)
    expect(status).toBe(200)
    expect(JSON.stringify(await rowsOf(service.admin))).toContain('gold, day')
    expect(JSON.stringify(await rowsOf(service.editor))).not.toMatch(/gold|day|plan/)
    await service.admin.delete(`shelf/${body._id}`)
  })

  it('§4.3 crop the images among them, and nothing else', async () => {
    const attachment = await uploadedImage(service)
    const { body: image } = await service.admin.post('@cms/image', { title: 'Image', attachment })
    const crop = { left: 0, top: 0, width: 1, height: 1 }
    const save = (_id: string) =>
      service.admin.post('shelf', { title: 'crops', _crops: [{ _id, _fields: crop }, ...refs('one')] })
    const { body } = await save(image._id)
    expect(body._crops).toMatchObject([{ type: '@cms/image', _fields: crop }, { type: 'article' }])
    expect(await save(String(id.one))).toMatchObject({ status: 400 })
    await service.admin.delete(`shelf/${body._id}`)
  })

  it('§4.6 choices of an index page link to lists that hold what they say, each once', async () => {
    const build = { front: true, headers: { 'x-apos-static-base-url': '1' } }
    const { data } = await visit(service, '/shelves', build)
    const [filter] = data.filters
    expect(filter.choices[0]).toMatchObject({ value: 'slug-day', label: 'day', type: 'event' })
    const links = filter.choices.map(({ _url }: { _url: string }) => _url)
    expect(links).toContain('/shelves/items/slug-same')
    expect(new Set(links).size).toBe(links.length)
    const listed = (await visit(service, '/api/v1/@cms/url', build)).data.pages.map(({ url }: { url: string }) => url)
    expect(listed).toEqual(expect.arrayContaining(links))
    expect(listed.filter((url: string) => url === '/shelves/items/slug-same')).toHaveLength(1)
    const same = await visit(service, '/shelves/items/slug-same', build)
    expect(titles(same.data.pieces)).toEqual(['both'])
  })

  it('§5 are one of several shapes in OpenAPI, told apart by type', async () => {
    const itemsFor = async (as: Caller) => {
      const { components } = (await as.get('openapi.json')).body
      return components.schemas['shelf.projected'].properties._items.items.allOf[0]
    }
    const ref = (name: string) => `#/components/schemas/${name}`
    expect(await itemsFor(service.editor)).toEqual({
      oneOf: ['article.related', 'event.related', 'plan.related'].map((name) => ({ $ref: ref(name) })),
      discriminator: {
        propertyName: 'type',
        mapping: { article: ref('article.related'), event: ref('event.related'), plan: ref('plan.related') },
      },
    })
    expect((await itemsFor(service.anonymous)).discriminator.mapping).toMatchObject({ plan: ref('plan.minimal') })
  })
})
