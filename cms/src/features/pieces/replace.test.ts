import { describe, expect, it } from 'vitest'
import { testDatabases } from '../../../test/databases.ts'
import { type Answer, callerOf, describeService, startService } from '../../../test/service.ts'
import { createApp } from '../../app.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece } from '../../model/declared/content-type.ts'

const everything = {
  title: 'Whole',
  slug: 'whole',
  subtitle: 'Sub',
  count: 9,
  tags: ['red'],
  visibility: 'loginRequired',
  links: [{ _id: 'l1', label: 'One' }],
  address: { city: 'Bern' },
  body: '<p>Text</p>',
}

describeService('§4.1 PUT and DELETE', { isLong: true }, (service) => {
  const make = async (fields: object = {}, query = '') => {
    const { slug: _slug, ...rest } = everything
    return (await service.editor.post('article', { ...rest, ...fields }, query)).body
  }
  const state = async (id: string) => (await service.editor.get(`article/${id}`, 'archived=any')).status

  it('§2.11 replaces every content field, and keeps slug, visibility and archived when they are left out', async () => {
    const { _id, slug, body } = await make()
    const answer = await service.editor.put(`article/${_id}`, { title: 'Less' })
    expect(answer.body).toMatchObject({ title: 'Less', subtitle: '', count: 7, tags: [], links: [] })
    expect(answer.body).toMatchObject({ slug, visibility: 'loginRequired', archived: false, address: { city: '' } })
    expect(answer.body.body).toMatchObject({ _id: body._id, items: [] })
    await service.editor.patch(`article/${_id}`, { archived: true })
    expect((await service.editor.put(`article/${_id}`, { title: 'Still' })).body.archived).toBe(true)
    const restored = await service.editor.put(`article/${_id}`, {
      title: 'Back',
      archived: false,
      visibility: 'public',
    })
    expect(restored.body).toMatchObject({ archived: false, visibility: 'public' })
  })

  it('§3 a published PUT replaces both copies, one of the draft only that', async () => {
    const { aposDocId } = await make()
    await service.contributor.put(`article/${aposDocId}:en:draft`, { title: 'Draft', subtitle: 'Draft' })
    expect((await service.editor.get(`article/${aposDocId}`)).body.title).toBe('Whole')
    await service.editor.put(`article/${aposDocId}`, { title: 'Both' })
    const draft = await service.editor.get(`article/${aposDocId}:en:draft`)
    expect(draft.body).toMatchObject({ title: 'Both', subtitle: '', modified: false })
    expect((await service.contributor.put(`article/${aposDocId}`, { title: 'x' })).status).toBe(403)
  })

  it('§4.1 what was read can be sent back as it is: nothing changes', async () => {
    const { _id } = await make({ body: { items: [{ type: 'promo', heading: 'H', items: [{ text: 't' }] }] } })
    const { body } = await service.editor.get(`article/${_id}`)
    const answer = await service.editor.put(`article/${_id}`, body)
    expect(answer.body).toEqual(body)
  })

  it('§2.1 areas that were read as HTML keep their widgets when they are sent back, and make no new document', async () => {
    const { aposDocId } = await make({ body: { items: [{ type: 'promo', heading: 'H', items: [{ text: 't' }] }] } })
    const draft = `article/${aposDocId}:en:draft`
    const widgets = { items: [{ type: 'promo', heading: 'Draft' }] }
    await service.editor.patch(draft, { 'body.items.0.heading': 'Draft' })
    const before = await service.editor.get(`article/${aposDocId}`)
    const { body: read } = await service.editor.get(`article/${aposDocId}`, 'render-areas=true')
    expect(read.body).toMatchObject({ _rendered: expect.stringContaining('H') })
    expect(read.body.items).toBeUndefined()
    for (const sent of [
      service.editor.patch(`article/${aposDocId}`, read),
      service.editor.patch(draft, { body: read.body }),
    ])
      expect(await sent).toMatchObject({ status: 200 })
    expect((await service.editor.get(draft)).body.body).toMatchObject(widgets)
    expect((await service.editor.put(`article/${aposDocId}`, read)).body.body).toEqual(before.body.body)
    expect((await service.editor.patch(draft, { body: { ...read.body, items: [] } })).body.body.items).toEqual([])
    const made = await service.editor.post('article', { title: 'New', body: read.body })
    expect(made).toMatchObject({ status: 400, body: { data: { errors: [{ path: 'body', name: 'invalid' }] } } })
  })

  it('§2.11 required fields are checked, with all that is wrong at once', async () => {
    const product = { title: 'P', sku: 's', price: 1, color: 'red' }
    const { _id } = (await service.editor.post('product', product)).body
    const answer = await service.editor.put(`product/${_id}`, { price: -1, color: 'green' })
    expect(answer.body.data.errors.map(({ path, name }: { path: string; name: string }) => `${path} ${name}`)).toEqual([
      'price min',
      'color invalid',
      'title required',
      'sku required',
    ])
    expect((await service.editor.get(`product/${_id}`)).body).toMatchObject(product)
  })

  it('§5.7 keeps fields that the caller cannot see', async () => {
    const product = { title: 'P', sku: 's', price: 1, color: 'red', secretNote: 'hush' }
    const { _id } = (await service.editor.post('product', product, 'aposMode=draft')).body
    const { secretNote: _, ...seen } = product
    const answer = await service.contributor.put(`product/${_id}`, { ...seen, secretNote: 'mine' })
    expect('secretNote' in answer.body).toBe(false)
    expect((await service.editor.get(`product/${_id}`)).body.secretNote).toBe('hush')
  })

  it('§2.12 slugs in a PUT are used, made when empty, refused when taken', async () => {
    const { _id } = await make()
    const { slug: other } = await make()
    const slugAfter = async (slug: unknown) =>
      (await service.editor.put(`article/${_id}`, { title: 'Put it', slug })).body
    expect((await slugAfter('Own One')).slug).toBe('own-one')
    expect((await slugAfter('')).slug).toBe('put-it')
    expect((await slugAfter(other)).name).toBe('conflict')
    expect((await slugAfter(['x'])).name).toBe('invalid')
  })

  it('§3 DELETE removes both copies in this locale, and other documents lose them', async () => {
    const { _id, aposDocId } = await make()
    await service.editor.post(`article/${_id}/localize`, { toLocale: 'fr' })
    const pointing = await make({ _related: [_id] })
    const answer = await service.editor.delete(`article/${_id}`)
    expect([answer.status, answer.body]).toEqual([200, {}])
    expect([await state(_id), await state(`${aposDocId}:en:draft`)]).toEqual([404, 404])
    expect(await state(`${aposDocId}:fr:draft`)).toBe(200)
    expect((await service.editor.get(`article/${pointing._id}`)).body._related).toEqual([])
    expect((await service.editor.delete(`article/${_id}`)).status).toBe(404)
  })

  it('§3 DELETE of a draft is refused while its published copy exists', async () => {
    const { aposDocId } = await make()
    const refused = await service.editor.delete(`article/${aposDocId}:en:draft`)
    expect([refused.status, refused.body.name]).toEqual([400, 'invalid'])
    expect((await service.editor.delete(`article/${aposDocId}`, 'aposMode=draft')).status).toBe(400)
    await service.editor.post(`article/${aposDocId}/unpublish`)
    expect((await service.editor.delete(`article/${aposDocId}:en:draft`)).status).toBe(200)
  })

  it.each([
    ['anonymous', 401, 401],
    ['guest', 403, 403],
    ['contributor', 403, 200],
    ['editor', 200, 200],
  ] as const)('§5.2 %s gets %i for DELETE of published, %i of a draft', async (role, published, draft) => {
    expect((await service[role].delete(`article/${(await make())._id}`)).status).toBe(published)
    expect((await service[role].delete(`article/${(await make({}, 'aposMode=draft'))._id}`)).status).toBe(draft)
    expect((await service[role].delete('article/unknown')).status).toBe(published === 200 ? 404 : published)
  })

  it('§3 an archived piece can be deleted, a singleton cannot', async () => {
    const { _id } = await make()
    await service.editor.patch(`article/${_id}`, { archived: true })
    expect((await service.editor.delete(`article/${_id}`)).status).toBe(200)
    const { body } = await service.editor.get('@cms/global')
    const singleton = `@cms/global/${body.results[0]._id}`
    const answers: Answer[] = [
      await service.editor.delete(singleton),
      await service.editor.post(`${singleton}/unpublish`),
      await service.editor.post(`${singleton}/archive`),
      await service.editor.patch(singleton, { archived: true }),
      await service.editor.put(singleton, { title: 'Global', archived: true }),
    ]
    for (const { status, body } of answers) expect([status, body.name]).toEqual([400, 'invalid'])
    expect((await service.editor.patch(singleton, { footer: 'Bottom' })).body.footer).toBe('Bottom')
    expect((await service.contributor.patch(singleton, { footer: 'x' }, 'aposMode=draft')).status).toBe(403)
  })

  it('§2.17 types without locales are replaced and deleted by their plain id', async () => {
    const { _id } = (await service.editor.post('note', { title: 'Note' })).body
    expect((await service.editor.put(`note/${_id}`, { title: 'Noted' }, 'aposMode=draft')).body.title).toBe('Noted')
    expect((await service.editor.delete(`note/${_id}:en:draft`)).status).toBe(200)
    expect((await service.editor.get(`note/${_id}`)).status).toBe(404)
  })

  it('§5.3 a type says who may edit it', async () => {
    const { _id } = (await service.admin.post('secret', { title: 'S' })).body
    expect((await service.editor.put(`secret/${_id}`, { title: 'x' })).status).toBe(403)
    expect((await service.contributor.put(`secret/${_id}`, { title: 'x' })).status).toBe(403)
    expect((await service.admin.put(`secret/${_id}`, { title: 'x' })).status).toBe(200)
  })
})

const siteOf = (fields: object, hooks: object = {}) =>
  // `as`: what a site becomes stricter by is not known to the compiler here.
  defineSite({ types: [piece('thing', { fields: { add: { ...fields } as never }, hooks })] })

const loose = {
  tags: { type: 'checkboxes', choices: ['a', 'b'] },
  rows: { type: 'array', fields: { add: { text: { type: 'string' } } } },
  note: { type: 'string' },
}
const strict = {
  tags: { type: 'checkboxes', choices: ['b'] },
  rows: { type: 'array', max: 1, fields: { add: { text: { type: 'string', required: true } } } },
  note: { type: 'string', required: true, max: 2 },
  added: { type: 'string', required: true },
  list: { type: 'array', fields: { add: { text: { type: 'string' } } } },
  password: { type: 'password' },
}

describe.each(testDatabases)('§2.14 a site that has become stricter, on $name', (databases) => {
  it('takes patches of other fields, and archives and restores', async () => {
    const service = await startService(databases, { site: siteOf(loose) })
    const fields = { title: 'T', tags: ['a'], rows: [{}, {}], note: 'long' }
    const { _id } = (await service.editor.post('thing', fields)).body
    const keys = [{ key: 'k', role: 'editor', name: 'k' }] as const
    const app = await createApp(siteOf(strict), { database: service.databaseUrl, keys })
    const address = await app.listen(0, '127.0.0.1')
    const editor = callerOf(address, 'k', null)
    const thing = `thing/${_id}`
    const untouched = { tags: [], note: 'long', rows: [{ text: '' }, { text: '' }] }
    expect((await editor.patch(thing, { title: 'U' })).body).toMatchObject({
      ...untouched,
      title: 'U',
      added: '',
      list: [],
    })
    expect((await editor.patch(thing, { $push: { list: { text: 'x' } } })).body.list).toMatchObject([{ text: 'x' }])
    expect((await editor.post(`${thing}/archive`)).body).toMatchObject({ ...untouched, archived: true })
    expect((await editor.post(`${thing}/restore`)).body).toMatchObject({ ...untouched, archived: false })
    expect((await editor.patch(thing, { tags: ['a'], note: 'longer' })).status).toBe(400)
    expect((await editor.put(thing, { title: 'U' })).status).toBe(400)
    await app.close()
    await service.stop()
  })

  it.each([
    ['without hooks', {}],
    ['with a hook that changes nothing', { beforeSave: () => {} }],
  ])('keeps what is sent unchanged, whatever else is done with the document, %s', async (_title, hooks) => {
    const text = { type: 'string' }
    const area = { type: 'area', widgets: { '@cms/rich-text': {} } }
    const things = { type: 'relationship', withType: 'thing' }
    const choices = (...choices: string[]) => ({ type: 'checkboxes', choices })
    const rows = (max: number, add: object) => ({ type: 'array', max, fields: { add } })
    const before = {
      tags: choices('a', 'b'),
      place: { type: 'object', fields: { add: { tags: choices('a', 'b') } } },
      rows: rows(9, { text, tags: choices('a', 'b') }),
      body: area,
      few: { ...area },
      _things: things,
    }
    const after = {
      tags: choices('b'),
      place: { type: 'object', fields: { add: { tags: choices('b') } } },
      rows: rows(1, { text: { ...text, max: 1 }, tags: choices('b') }),
      body: { ...area, max: 1 },
      few: { ...area, min: 4 },
      _things: { ...things, max: 1 },
    }
    const service = await startService(databases, { site: siteOf(before, hooks) })
    const related = [
      (await service.editor.post('thing', { title: 'A' })).body,
      (await service.editor.post('thing', { title: 'B' })).body,
    ]
    const items = ['w1', 'w2', 'w3'].map((_id) => ({ _id, type: '@cms/rich-text', content: `<p>${_id}</p>` }))
    const given = {
      title: 'T',
      tags: ['a'],
      place: { tags: ['a'] },
      rows: [
        { _id: 'r1', text: 'long', tags: ['a'] },
        { _id: 'r2', text: 'x' },
      ],
      body: { items },
      few: { items },
      _things: related,
    }
    const { aposDocId } = (await service.editor.post('thing', given)).body
    const keys = [{ key: 'k', role: 'editor', name: 'k' }] as const
    const app = await createApp(siteOf(after, hooks), { database: service.databaseUrl, keys })
    const editor = callerOf(await app.listen(0, '127.0.0.1'), 'k', null)
    const thing = `thing/${aposDocId}`
    const { title: _, _things: __, ...kept } = given
    const [first, second] = given.rows
    // What is no choice any more is set aside.
    const blank = { tags: [], place: { tags: [] }, rows: [{ ...first, tags: [] }, second] }
    const unchanged = { ...kept, ...blank, thingsIds: related.map((one) => one.aposDocId) }
    const stored = (await editor.get(thing)).body
    for (const write of [
      () => editor.patch(thing, { title: 'U' }),
      () => editor.put(thing, stored),
      () => editor.post(`${thing}/unpublish`),
      () => editor.post(`${thing}/publish`),
      () => editor.patch(`${thing}:en:draft`, { title: 'V' }),
      () => editor.post(`${thing}:en:draft/revert-draft-to-published`),
      () => editor.post(`${thing}/archive`),
      () => editor.post(`${thing}/restore`),
    ]) {
      const { status, body } = await write()
      expect([status, body]).toMatchObject([200, unchanged])
    }
    const copy = await editor.post('thing', { title: 'Copy', _copyingId: aposDocId })
    expect([copy.status, copy.body]).toMatchObject([
      200,
      { tags: [], place: { tags: [] }, rows: [{ text: 'long' }, {}] },
    ])
    // One that is archived is not shown, and stays when the answer is sent back, though there are too many.
    await editor.post(`thing/${related[1].aposDocId}/archive`)
    const shown = (await editor.get(thing)).body
    expect(shown._things).toHaveLength(1)
    expect((await editor.put(thing, shown)).body.thingsIds).toEqual(unchanged.thingsIds)
    // A list that is too long may be changed and get shorter, and one that is too short longer; not the other way.
    expect((await editor.patch(thing, { '@w1.content': '<p>new</p>' })).status).toBe(200)
    const one = { type: '@cms/rich-text', content: '<p>one</p>' }
    for (const [list, more, less] of [
      ['body', 400, 200],
      ['few', 200, 400],
    ] as const) {
      expect((await editor.patch(`${thing}:en:draft`, { $push: { [`${list}.items`]: one } })).status).toBe(more)
      await editor.post(`${thing}:en:draft/revert-draft-to-published`)
      expect((await editor.patch(`${thing}:en:draft`, { $pullAllById: { [`${list}.items`]: ['w3'] } })).status).toBe(
        less,
      )
    }
    await app.close()
    await service.stop()
  })
})
