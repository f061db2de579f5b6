import { beforeAll, expect, it } from 'vitest'
import { type Answer, type Caller, describeService } from '../../../test/service.ts'
import { defineSite, piece } from '../../index.ts'

type Related = { readonly title: string }
const names = (related: readonly Related[] | undefined) => (related ?? []).map(({ title }) => title).join(' ')

describeService('§4.1 GET one', { isLong: true }, (service) => {
  const id: Record<string, string> = {}

  beforeAll(async () => {
    const { editor } = service
    const product = { sku: 's', price: 1, color: 'red', secretNote: 'hush' }
    id.plain = (await editor.post('product', { ...product, title: 'plain' })).body.aposDocId
    await editor.patch(`product/${id.plain}`, { title: 'plain draft' }, 'aposMode=draft')
    await editor.post(`product/${id.plain}/localize`, { toLocale: 'fr' })
    await editor.patch(`product/${id.plain}`, { title: 'simple' }, 'aposLocale=fr:draft')
    await editor.post(`product/${id.plain}/publish`, {}, 'aposLocale=fr')
    await editor.post(`product/${id.plain}/localize`, { toLocale: 'it' })
    await editor.post(`product/${id.plain}/publish`, {}, 'aposLocale=it')
    id.hidden = (
      await editor.post('product', { ...product, title: 'hidden', visibility: 'loginRequired' })
    ).body.aposDocId
    id.draft = (await editor.post('product', { ...product, title: 'draft' }, 'aposMode=draft')).body.aposDocId
    id.archived = (await editor.post('product', { ...product, title: 'archived' })).body.aposDocId
    await editor.post(`product/${id.archived}/archive`)
    id.note = (await editor.post('note', { title: 'note' })).body._id
    id.secret = (await service.admin.post('secret', { title: 'secret' })).body._id
    id.guesty = (await editor.post('guesty', { title: 'guesty' })).body.aposDocId
  })

  const filled = (text: string) => text.replaceAll(/<(\w+)>/g, (_, name: string) => id[name] ?? '')

  it.each([
    ['<plain>', '', 'plain', 'en:published'],
    ['<plain>:en:published', '', 'plain', 'en:published'],
    ['<plain>:en:draft', '', 'plain draft', 'en:draft'],
    ['<plain>', 'aposMode=draft', 'plain draft', 'en:draft'],
    ['<plain>:en:draft', 'aposMode=published', 'plain', 'en:published'],
    ['<plain>:en:published', 'aposMode=draft', 'plain draft', 'en:draft'],
    ['<plain>:fr:published', '', 'simple', 'fr:published'],
    ['<plain>:fr:published', 'aposLocale=en', 'plain', 'en:published'],
    ['<plain>:en:draft', 'aposLocale=fr', 'simple', 'fr:draft'],
    ['<plain>:en:draft', 'aposLocale=fr:published', 'simple', 'fr:published'],
    ['<plain>', 'aposLocale=fr', 'simple', 'fr:published'],
    ['<plain>', 'aposLocale=fr:draft', 'simple', 'fr:draft'],
    ['<plain>', 'aposLocale=fr:draft&aposMode=published', 'simple', 'fr:published'],
  ])('§2.10 %s with "%s" is %s, %s', async (one, query, title, aposLocale) => {
    const { status, body } = await service.editor.get(`product/${filled(one)}`, query)
    expect({ status, title: body.title, aposLocale: body.aposLocale }).toEqual({ status: 200, title, aposLocale })
    expect(body._id).toBe(`${id.plain}:${aposLocale}`)
    expect(body.aposMode).toBe(aposLocale.split(':')[1])
  })

  it.each([
    // path, query, then the status for anonymous callers, guests, contributors
    ['product/<plain>', '', 200, 200, 200],
    ['product/<plain>:en:draft', '', 401, 403, 200],
    ['product/<plain>', 'aposMode=draft', 401, 403, 200],
    ['product/<plain>:en:draft', 'aposMode=published', 200, 200, 200],
    ['product/<plain>:it:published', '', 404, 200, 200],
    ['product/<plain>', 'aposLocale=it', 404, 200, 200],
    ['product/<plain>:it:published', 'aposLocale=en', 200, 200, 200],
    ['product/<plain>:de:published', '', 404, 404, 404],
    ['product/<plain>:xx:published', '', 404, 404, 404],
    ['product/<hidden>', '', 404, 200, 200],
    ['product/<draft>', '', 404, 404, 404],
    ['product/<draft>', 'aposMode=draft', 401, 403, 200],
    ['product/no-such', 'aposMode=draft', 401, 403, 404],
    ['product/<archived>', '', 404, 404, 404],
    ['product/<archived>', 'archived=true', 404, 404, 200],
    ['product/<archived>', 'archived=any', 404, 404, 200],
    ['product/<plain>', 'archived=any', 200, 200, 200],
    ['product/<plain>', 'archived=true', 200, 200, 404],
    ['product/<plain>', 'archived=nonsense', 200, 200, 400],
    ['product/no-such', '', 404, 404, 404],
    ['product/a:b:c:d', '', 404, 404, 404],
    ['product/%00', '', 404, 404, 404],
    ['product/<note>', '', 404, 404, 404],
    ['topic/<plain>', '', 404, 404, 404],
    ['article/<plain>', '', 404, 404, 404],
    ['note/<note>', '', 200, 200, 200],
    ['note/<note>:en:published', '', 200, 200, 200],
    ['note/<note>', 'aposLocale=fr', 200, 200, 200],
    ['note/<note>', 'aposLocale=it', 404, 200, 200],
    ['guesty/<guesty>', '', 404, 200, 200],
    ['secret/<secret>', '', 404, 404, 404],
    ['product/<plain>', 'project=title', 400, 400, 400],
    ['product/<plain>', 'aposLocale=xx', 400, 400, 400],
    ['no-such-type/<plain>', '', 404, 404, 404],
  ])(
    '§5.3 %s with "%s" is %i for anonymous callers, %i for guests, %i for contributors',
    async (path, query, ...expected) => {
      const callers = [service.anonymous, service.guest, service.contributor]
      const answers = await Promise.all(callers.map((as) => as.get(filled(path), query)))
      expect(answers.map(({ status }) => status)).toEqual(expected)
      expect((await service.wrong.get(filled(path), query)).status).toBe(401)
    },
  )

  it('§5.8 what one may not read answers exactly like what does not exist', async () => {
    const missing = (await service.anonymous.get('product/no-such')).body
    for (const path of [
      'product/<hidden>',
      'product/<archived>',
      'product/<draft>',
      'article/x',
      'secret/<secret>',
      'product/<plain>:it:published',
    ]) {
      expect((await service.anonymous.get(filled(path))).body).toEqual(missing)
    }
  })

  it('§2.1 anonymous callers get the projection and who the document is, nothing else', async () => {
    const { body } = await service.anonymous.get(`product/${id.plain}`)
    expect(Object.keys(body).toSorted()).toEqual([
      '_id',
      '_topics',
      'aposDocId',
      'aposLocale',
      'aposMode',
      'color',
      'metaType',
      'price',
      'sku',
      'slug',
      'tags',
      'title',
      'topicsFields',
      'topicsIds',
      'type',
      'visibility',
    ])
    const note = (await service.anonymous.get(`note/${id.note}`)).body
    expect(note).toEqual({
      _id: id.note,
      aposDocId: id.note,
      type: 'note',
      metaType: 'doc',
      title: 'note',
      slug: 'note',
    })
  })

  it('§2.1 known callers get the common fields; annotations say only what is true', async () => {
    const annotated = async (as: Caller, query = '') => {
      const { body } = await as.get(`product/${id.plain}`, query)
      return Object.keys(body)
        .filter((name) => /^_(create|edit|publish|delete)$/.test(name))
        .toSorted()
        .join(' ')
    }
    const { body } = await service.editor.get(`product/${id.plain}`)
    expect(body).toMatchObject({
      archived: false,
      visibility: 'public',
      secretNote: 'hush',
      lastPublishedAt: expect.any(String),
    })
    expect(Object.keys(body.updatedBy).toSorted()).toEqual(['_id', 'firstName', 'lastName', 'title', 'username'])
    expect(body.modified).toBe(undefined)
    expect((await service.editor.get(`product/${id.plain}:en:draft`)).body.modified).toBe(true)
    expect(await annotated(service.editor)).toBe('_create _delete _edit _publish')
    expect(await annotated(service.contributor)).toBe('')
    expect(await annotated(service.contributor, 'aposMode=draft')).toBe('_create _edit')
    expect(await annotated(service.guest)).toBe('')
    const fresh = (await service.contributor.get(`product/${id.draft}`, 'aposMode=draft')).body
    expect(fresh._delete).toBe(true)
    const contributors = (await service.contributor.get(`product/${id.plain}`)).body
    expect('secretNote' in contributors).toBe(false)
  })

  it('§4.1 HEAD answers the headers of GET', async () => {
    const url = `${service.address}/api/v1/product/${id.plain}`
    const [head, get] = [await fetch(url, { method: 'HEAD' }), await fetch(url)]
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    for (const name of ['etag', 'cache-control', 'content-type', 'vary'])
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    expect((await fetch(`${service.address}/api/v1/article`, { method: 'HEAD' })).status).toBe(404)
  })

  it('§0.7 anonymous callers revalidate by ETag; nothing of the known is stored', async () => {
    for (const path of [`product/${id.plain}`, 'product']) {
      const first = await service.anonymous.get(path)
      const tag = first.headers.get('etag') ?? ''
      expect(first.headers.get('cache-control')).toBe('public, no-cache')
      expect(tag).toMatch(/^"[^"]+"$/)
      for (const known of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
        const again = await service.anonymous.get(path, '', { 'if-none-match': known })
        expect({ status: again.status, body: again.body }).toEqual({ status: 304, body: null })
        expect(again.headers.get('etag')).toBe(tag)
      }
      expect((await service.anonymous.get(path, '', { 'if-none-match': '"other"' })).status).toBe(200)
      for (const caller of [service.guest, service.contributor, service.editor]) {
        const known = await caller.get(path, '', { 'if-none-match': tag })
        expect(known.status).toBe(200)
        expect(known.headers.get('cache-control')).toBe('no-store')
        expect(known.headers.get('vary')).toMatch(/^Authorization, Cookie(, Accept-Encoding)?$/)
      }
      expect((await service.wrong.get(path, '', { 'if-none-match': tag })).status).toBe(401)
    }
    expect((await service.anonymous.get('product/no-such')).headers.get('cache-control')).toBe('no-store')
  })

  it('§0.7 one URL answers each caller alike, in whatever order they ask', async () => {
    const callers = {
      anonymous: service.anonymous,
      guest: service.guest,
      contributor: service.contributor,
      editor: service.editor,
    }
    const roles = Object.keys(callers) as (keyof typeof callers)[]
    for (const path of ['product', `product/${id.plain}`, 'guesty', 'note', 'article', 'secret', 'topic']) {
      const fresh = new Map<string, string>()
      const text = ({ status, body }: Answer) => `${status} ${JSON.stringify(body)}`
      for (const [index, role] of roles.entries())
        fresh.set(role, text(await callers[role].get(path, `fresh=${index}`)))
      const orders = roles.flatMap((first) => roles.map((second) => [first, second, ...roles]))
      for (const [index, order] of orders.entries()) {
        for (const role of order) expect(text(await callers[role].get(path, `order=${index}`))).toBe(fresh.get(role))
      }
      const keyed = await fetch(`${service.address}/api/v1/${path}?order=0&apikey=key-editor`)
      expect(`${keyed.status} ${await keyed.text()}`).toBe(fresh.get('editor'))
      expect(text(await service.anonymous.get(path, 'order=0'))).toBe(fresh.get('anonymous'))
    }
  })

  it('§0.7 after every kind of write the next read is fresh', async () => {
    const { editor, anonymous } = service
    const { body } = await editor.post('product', { title: 'fresh 0', sku: 'f', price: 1, color: 'red' })
    const path = `product/${body.aposDocId}`
    const seen = async () => {
      const [one, list] = [await anonymous.get(path), await anonymous.get('product', 'sku=f')]
      const listed = names(list.body.results)
      expect(one.status === 200 ? one.body.title : '').toBe(listed)
      return listed
    }
    const writes: [() => Promise<Answer>, string][] = [
      [() => editor.patch(path, { title: 'fresh 1' }), 'fresh 1'],
      [() => editor.put(path, { title: 'fresh 2', sku: 'f', price: 1, color: 'red' }), 'fresh 2'],
      [() => editor.patch(path, { title: 'fresh 3' }, 'aposMode=draft'), 'fresh 2'],
      [() => editor.post(`${path}/publish`), 'fresh 3'],
      [() => editor.patch(path, { visibility: 'loginRequired' }), ''],
      [() => editor.patch(path, { visibility: 'public' }), 'fresh 3'],
      [() => editor.post(`${path}/archive`), ''],
      [() => editor.post(`${path}/restore`), 'fresh 3'],
      [() => editor.post(`${path}/unpublish`), ''],
      [() => editor.post(`${path}/publish`), 'fresh 3'],
      [() => editor.post('product/archive', { _ids: [body.aposDocId] }), ''],
      [() => editor.post('product/restore', { _ids: [body.aposDocId] }), 'fresh 3'],
      [() => editor.delete(path), ''],
    ]
    expect(await seen()).toBe('fresh 0')
    for (const [write, title] of writes) {
      expect((await write()).status).toBe(200)
      expect(await seen()).toBe(title)
    }
  })
})

/** Types that lead to one another in every way that access allows. */
const web = defineSite({
  name: 'Web',
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [
    piece('writer', {
      publicApiProjection: ['title', '_books', '_essays'],
      fields: {
        add: {
          phone: { type: 'string' },
          _books: { type: 'relationshipReverse', withType: 'book', reverseOf: '_writers' },
          _essays: { type: 'relationshipReverse', withType: 'book', reverseOf: '_ghosts', max: 2 },
          _city: { type: 'relationship', withType: 'city' },
        },
      },
    }),
    piece('city', { publicApiProjection: ['title'], fields: { add: { people: { type: 'integer' } } } }),
    piece('vault', { viewRole: 'editor', publicApiProjection: ['title'] }),
    piece('plan', { fields: { add: { budget: { type: 'integer' } } } }),
    piece('globe', {
      localized: false,
      publicApiProjection: ['title', '_writers'],
      fields: { add: { _writers: { type: 'relationship', withType: 'writer' } } },
    }),
    piece('book', {
      publicApiProjection: ['title', '_writers', '_deep', '_narrow', '_plans', '_vaults', '_globes'],
      fields: {
        add: {
          _writers: { type: 'relationship', withType: 'writer', fields: { add: { part: { type: 'string' } } } },
          _deep: { type: 'relationship', withType: 'writer', withRelationships: ['_city'] },
          _narrow: { type: 'relationship', withType: 'writer', builders: { project: { title: 1 } } },
          _ghosts: { type: 'relationship', withType: 'writer', viewPermission: 'editor' },
          _plans: { type: 'relationship', withType: 'plan' },
          _vaults: { type: 'relationship', withType: 'vault' },
          _globes: { type: 'relationship', withType: 'globe' },
          _private: { type: 'relationship', withType: 'writer' },
        },
      },
    }),
  ],
})

describeService('§2.15 populated relationships', { isLong: true, site: web }, (service) => {
  const id: Record<string, string> = {}

  beforeAll(async () => {
    const { editor } = service
    const make = async (type: string, title: string, body: object = {}, query = '') => {
      const answer = await editor.post(type, { title, ...body }, query)
      expect(answer.body.name).toBe(undefined)
      id[title] = answer.body.aposDocId
    }
    await make('city', 'Rome', { people: 3 })
    for (const title of ['Ann', 'Bob', 'Cid']) await make('writer', title, { phone: '1', _city: [{ _id: id.Rome }] })
    await make('writer', 'Hid', { visibility: 'loginRequired' })
    await make('writer', 'Dot', {}, 'aposMode=draft')
    await make('writer', 'Arc')
    await make('writer', 'Fay', {}, 'aposLocale=fr')
    await make('plan', 'Plan', { budget: 5 })
    await make('plan', 'Quiet', { visibility: 'loginRequired' })
    await make('vault', 'Vault')
    const everybody = ['Cid', 'Hid', 'Ann', 'Dot', 'Arc', 'Fay', 'Bob'].map((name) => ({
      _id: id[name],
      _fields: { part: `${name}'s part` },
    }))
    await make('globe', 'Globe', { _writers: everybody })
    await make('book', 'Book', {
      _writers: everybody,
      _deep: [{ _id: id.Ann }],
      _narrow: [{ _id: id.Ann }],
      _ghosts: [{ _id: id.Bob }],
      _plans: [{ _id: id.Plan }, { _id: id.Quiet }],
      _vaults: [{ _id: id.Vault }],
      _globes: [{ _id: id.Globe }],
      _private: [{ _id: id.Ann }],
    })
    await editor.post(`writer/${id.Arc}/archive`)
    await editor.patch(`writer/${id.Ann}`, { title: 'Ann draft' }, 'aposMode=draft')
  })

  const book = async (as: Caller, query = '') => (await as.get(`book/${id.Book}`, query)).body
  const listed = async (as: Caller) => (await as.get('book', 'title=Book')).body.results[0]

  it('§2.1 in the order given, with _fields, one level deep, what the caller may see', async () => {
    const seen = await book(service.anonymous)
    expect(names(seen._writers)).toBe('Cid Ann Bob')
    expect(seen.writersIds).toEqual([id.Cid, id.Ann, id.Bob])
    expect(Object.keys(seen.writersFields).toSorted()).toEqual([id.Cid, id.Ann, id.Bob].toSorted())
    expect(seen._writers[1]._fields).toEqual({ part: "Ann's part" })
    expect(seen._writers[1].phone).toBe(undefined)
    expect(seen._writers[1]._books).toBe(undefined)
    expect('_private' in seen || 'privateIds' in seen || '_ghosts' in seen).toBe(false)
    expect(await listed(service.anonymous)).toEqual(seen)
    expect(names((await book(service.guest))._writers)).toBe('Cid Hid Ann Bob')
    const known = await book(service.contributor)
    expect(names(known._writers)).toBe('Cid Hid Ann Bob')
    expect(known.writersIds).toHaveLength(7)
    expect(known._writers[0].phone).toBe('1')
    expect(known._writers[0]).toMatchObject({ cityIds: [id.Rome] })
    expect(known._writers[0]._city).toBe(undefined)
    expect('_ghosts' in known || 'ghostsIds' in known).toBe(false)
    expect(names((await book(service.editor))._ghosts)).toBe('Bob')
  })

  it('§2.15 _fields is {} where nothing was set, with fields of the relationship and without', async () => {
    const bare = await service.editor.post('book', { title: 'Bare', _writers: [{ _id: id.Ann }] })
    expect(bare.body._writers[0]._fields).toEqual({})
    const set = await service.editor.patch(`book/${bare.body._id}`, { '_writers.0._fields.part': 'Lead' })
    expect(set.body._writers[0]._fields).toEqual({ part: 'Lead' })
    expect((await book(service.editor))._plans[0]._fields).toEqual({})
  })

  it('§2.15 in the mode and the locale of the document', async () => {
    expect(names((await book(service.editor, 'aposMode=draft'))._writers)).toBe('Cid Hid Ann draft Dot Bob')
    const full = (await service.editor.get(`book/${id.Book}:en:draft`)).body
    expect(names(full._writers)).toBe('Cid Hid Ann draft Dot Bob')
    await service.editor.post(`book/${id.Book}/localize`, { toLocale: 'fr', update: true })
    expect(names((await book(service.editor, 'aposLocale=fr:draft'))._writers)).toBe('Fay')
    expect(names((await service.editor.get(`book/${id.Book}:fr:draft`)).body._writers)).toBe('Fay')
    const published = await service.editor.post(`book/${id.Book}/publish`, {}, 'aposMode=draft')
    expect(names(published.body._writers)).toBe('Cid Hid Ann Bob')
  })

  it('§2.15 withRelationships goes on, builders.project narrows', async () => {
    const known = await book(service.editor)
    expect(names(known._deep[0]._city)).toBe('Rome')
    expect(known._deep[0]._city[0].people).toBe(3)
    expect(known._narrow[0].title).toBe('Ann')
    expect(known._narrow[0].phone).toBe(undefined)
    expect(known._narrow[0].updatedAt).toBe(undefined)
    expect(known._narrow[0].aposDocId).toBe(id.Ann)
    const seen = await book(service.anonymous)
    expect(seen._deep[0]._city).toBe(undefined)
    expect(seen._narrow[0].title).toBe('Ann')
  })

  it('§2.15 a type that is not public shows _id, title and slug, and a restricted one nothing', async () => {
    const seen = await book(service.anonymous)
    expect(names(seen._plans)).toBe('Plan')
    expect(Object.keys(seen._plans[0]).toSorted()).toEqual([
      '_fields',
      '_id',
      'aposDocId',
      'aposLocale',
      'aposMode',
      'metaType',
      'slug',
      'title',
      'type',
    ])
    expect(seen.plansIds).toEqual([id.Plan])
    expect({ documents: seen._vaults, ids: seen.vaultsIds }).toEqual({ documents: [], ids: [] })
    expect(names((await book(service.guest))._plans)).toBe('Plan Quiet')
    expect((await book(service.guest))._vaults).toEqual([])
    expect((await book(service.contributor))._vaults).toEqual([])
    expect(names((await book(service.editor))._vaults)).toBe('Vault')
    expect((await book(service.contributor))._plans[0].budget).toBe(5)
  })

  it('§2.17 documents without locale are found from every locale, and lead on in the locale that was asked for', async () => {
    expect(names((await book(service.anonymous))._globes)).toBe('Globe')
    const globe = (as: Caller, query = '') => as.get(`globe/${id.Globe}`, query)
    expect(names((await globe(service.anonymous)).body._writers)).toBe('Cid Ann Bob')
    expect(names((await globe(service.anonymous, 'aposLocale=fr')).body._writers)).toBe('Fay')
    expect(names((await globe(service.editor, 'aposMode=draft')).body._writers)).toBe('Cid Hid Ann draft Dot Bob')
  })

  it('§5.8 drafts do not leak through documents that have no mode', async () => {
    for (const as of [service.anonymous, service.guest]) {
      const single = await as.get(`globe/${id.Globe}`, 'aposMode=draft')
      const list = await as.get('globe', 'aposMode=draft')
      const filtered = await as.get('globe', `aposMode=draft&_writers=${id.Dot}`)
      expect(JSON.stringify([single.body, list.body])).not.toMatch(/draft"|Dot/)
      expect(filtered.body.total ?? 0).toBe(0)
    }
  })

  it('§2.15 relationshipReverse lists who points here, newest first, under the same rules', async () => {
    for (const title of ['One', 'Two', 'Three']) {
      await service.editor.post('book', {
        title,
        visibility: title === 'Two' ? 'loginRequired' : 'public',
        _writers: [{ _id: id.Cid }],
        _ghosts: [{ _id: id.Cid }],
      })
    }
    const draft = await service.editor.post('book', { title: 'Sketch', _writers: [{ _id: id.Cid }] }, 'aposMode=draft')
    const old = await service.editor.post('book', { title: 'Old', _writers: [{ _id: id.Cid }] })
    await service.editor.post(`book/${old.body._id}/archive`)
    const cid = async (as: Caller, query = '') => (await as.get(`writer/${id.Cid}`, query)).body
    expect(names((await cid(service.anonymous))._books)).toBe('Three One Book')
    expect(names((await cid(service.guest))._books)).toBe('Three Two One Book')
    expect(names((await cid(service.editor))._books)).toBe('Three Two One Book')
    expect(names((await cid(service.editor, 'aposMode=draft'))._books)).toBe('Sketch Three Two One Book')
    expect((await cid(service.anonymous))._books[0]._writers).toBe(undefined)
    // The limit that the field declares, and the permission of the field that points.
    expect(names((await cid(service.editor))._essays)).toBe('Three Two')
    expect((await cid(service.contributor))._essays).toEqual([])
    expect((await cid(service.anonymous))._essays ?? []).toEqual([])
    await service.editor.delete(`book/${draft.body._id}`)
    expect(names((await cid(service.editor, 'aposMode=draft'))._books)).toBe('Three Two One Book')
  })

  it('§4.1 a list that is filtered by a reverse relationship is refused, not answered whole', async () => {
    for (const as of [service.anonymous, service.editor]) {
      for (const query of [`_books=${id.Cid}`, `_books[]=${id.Cid}`, '_books=none']) {
        const { status, body } = await as.get('writer', query)
        expect([query, status, body.message]).toEqual([
          query,
          400,
          expect.stringContaining('Use _books.<field> of the related documents.'),
        ])
      }
    }
  })
})
