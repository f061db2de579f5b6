import { describe, expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, piece } from '../../model/declared/content-type.ts'

const VERSIONS = '@cms/document-versions'
const PAGES = '@cms/page'

const site = defineSite({
  types: [
    piece('topic'),
    piece('plan', {
      fields: {
        add: {
          text: { type: 'string', required: true },
          approved: { type: 'string', editPermission: 'editor' },
          secret: { type: 'string', viewPermission: 'editor' },
          _topics: { type: 'relationship', withType: 'topic', fields: { add: { note: { type: 'string' } } } },
          items: {
            type: 'array',
            fields: { add: { name: { type: 'string' }, price: { type: 'integer', viewPermission: 'editor' } } },
          },
          body: { type: 'area', widgets: { '@cms/rich-text': {} } },
        },
      },
    }),
    piece('always', { autopublish: true }),
    page('text', { fields: { add: { text: { type: 'string' } } } }),
    page('third'),
    page('vault', { viewRole: 'admin', editRole: 'admin', fields: { add: { text: { type: 'string' } } } }),
    page('other', { fields: { add: { text: { type: 'string' }, more: { type: 'string' } } } }),
  ],
})

describeService('§4.4 restoring a version', { site, isLong: true }, (service) => {
  const versions = async (docId: string) => (await service.admin.get(VERSIONS, `docId=${docId}`)).body.results
  const oldest = async (docId: string) => (await versions(docId)).at(-1)._id as string
  /** As the specification says: the version is read, and its document sent back to its own route. */
  const restore = async (
    route: string,
    docId: string,
    _restoreVersion: string,
    caller = service.editor,
    more: object = {},
  ) => {
    const { doc } = (await caller.get(`${VERSIONS}/${_restoreVersion}`)).body
    return caller.put(`${route}/${docId}`, { ...doc, ...more, _restoreVersion }, 'aposMode=draft')
  }

  it('brings back everything that the version held, in the draft alone', async () => {
    const topic = (await service.editor.post('topic', { title: 'Ink' })).body
    const content = {
      title: 'One',
      text: 'a',
      items: [
        { name: 'first', price: 1 },
        { name: 'second', price: 2 },
      ],
      body: '<p>Words</p>',
      _topics: [{ _id: topic._id, _fields: { note: 'main' } }],
    }
    const { body } = await service.editor.post('plan', content)
    const id = body.aposDocId
    const before = (await service.editor.get(`plan/${id}:en:draft`)).body
    await service.editor.put(`plan/${id}`, { title: 'Two', text: 'b', slug: 'two' })
    const versionId = await oldest(id)
    const answer = await restore('plan', id, versionId)
    const { title, slug, text, items, body: area, topicsIds, topicsFields } = before
    const restored = { title, slug, text, items, body: area, topicsIds, topicsFields }
    expect(answer).toMatchObject({ status: 200, body: { ...restored, aposMode: 'draft', modified: true } })
    expect('notRestored' in answer.body).toBe(false)
    expect((await service.editor.get(`plan/${id}`)).body.title).toBe('Two')
    const [newest, ...others] = await versions(id)
    expect(newest).toMatchObject({ mode: 'draft', restoredFrom: versionId, changeCount: 0, live: true })
    expect(others).toHaveLength(2)
    expect((await service.editor.get(`${VERSIONS}/${newest._id}`)).body.doc).toMatchObject(restored)
  })

  it('always records one, of a published version and of what the draft holds already, too', async () => {
    const { body } = await service.editor.post('plan', { title: 'One', text: 'a' })
    const versionId = await oldest(body._id)
    await restore('plan', body.aposDocId, versionId)
    await restore('plan', body.aposDocId, versionId)
    expect((await versions(body._id)).map((one: { mode: string }) => one.mode)).toEqual(['draft', 'draft', 'published'])
  })

  it('does not fail for what is required, nor for what was deleted since', async () => {
    const topic = (await service.editor.post('topic', { title: 'Gone' })).body
    const { body } = await service.editor.post('plan', { title: 'One', text: 'a', topicsIds: [topic._id] })
    const versionId = await oldest(body._id)
    await service.editor.delete(`topic/${topic._id}`)
    const answer = await restore('plan', body.aposDocId, versionId)
    expect(answer).toMatchObject({ status: 200, body: { text: 'a', topicsIds: [] } })
  })

  it('is of what the version held, whatever the body says', async () => {
    const { body } = await service.editor.post('plan', { title: 'One', text: 'a' })
    const id = body.aposDocId
    await service.editor.patch(`plan/${id}`, { text: 'b' })
    const other = { text: 'hidden from the history', items: [{ name: 'more' }], slug: 'other', type: 'topic' }
    const answer = await restore('plan', id, await oldest(id), service.contributor, other)
    expect(answer).toMatchObject({ status: 200, body: { text: 'a', items: [], slug: body.slug, type: 'plan' } })
    const empty = await service.editor.put(`plan/${id}:en:draft`, { _restoreVersion: await oldest(id) })
    expect(empty.body).toMatchObject({ title: 'One', text: 'a' })
  })

  it('§4.4 a version is named by PUT alone', async () => {
    const { body } = await service.editor.post('plan', { title: 'One', text: 'a' })
    const id = body.aposDocId
    const _restoreVersion = await oldest(id)
    for (const answer of [
      await service.editor.patch(`plan/${id}`, { _restoreVersion }, 'aposMode=draft'),
      await service.editor.patch(`plan/${id}`, { _patches: [{ title: 'Two', _restoreVersion }] }, 'aposMode=draft'),
      await service.editor.post('plan', { title: 'Three', text: 'a', _restoreVersion }),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { data: { errors: [{ path: '_restoreVersion' }] } } })
    }
    expect((await service.editor.get(`plan/${id}:en:draft`)).body.title).toBe('One')
  })

  it('§5.7 leaves what the caller may not write as it is now', async () => {
    const first = { title: 'One', text: 'a', approved: 'yes', secret: 'old', items: [{ name: 'n', price: 1 }] }
    const { body } = await service.editor.post('plan', first)
    const id = body.aposDocId
    const [{ _id: item }] = body.items
    const now = { text: 'b', approved: 'no', secret: 'new', items: [{ _id: item, name: 'm', price: 2 }] }
    await service.editor.put(`plan/${id}`, { title: 'Two', ...now })
    expect((await restore('plan', id, await oldest(id), service.contributor)).status).toBe(200)
    expect((await service.editor.get(`plan/${id}:en:draft`)).body).toMatchObject({
      title: 'One',
      text: 'a',
      approved: 'no',
      secret: 'new',
      items: [{ _id: item, name: 'n', price: 2 }],
    })
  })

  it('visibility and archived stay, on autopublish types the restored version is published', async () => {
    const { body } = await service.editor.post('always', { title: 'One' })
    const id = body.aposDocId
    await service.editor.patch(`always/${id}`, { title: 'Two', visibility: 'loginRequired' })
    await service.editor.patch(`always/${id}`, { archived: true })
    const answer = await restore('always', id, await oldest(id), service.editor, {
      visibility: 'public',
      archived: false,
    })
    expect(answer.body).toMatchObject({ title: 'One', visibility: 'loginRequired', archived: true })
    expect((await service.editor.get(`always/${id}`, 'archived=any')).body.title).toBe('One')
    expect((await versions(id))[0]).toMatchObject({ mode: 'published', restoredFrom: await oldest(id) })
  })

  describe('of a page', () => {
    const add = async (fields: object) =>
      (await service.editor.post(PAGES, { type: 'text', _targetId: '_home', _position: 'lastChild', ...fields })).body

    it('leaves its position, whatever the body says, and rolls back the last step of its slug', async () => {
      const parent = await add({ title: 'Parent' })
      const child = await add({ title: 'Child', text: 'then' })
      const below = await add({ title: 'Below', _targetId: child._id })
      await service.editor.patch(`${PAGES}/${child._id}`, { title: 'Renamed', slug: '/renamed', text: 'now' })
      await service.editor.patch(`${PAGES}/${child._id}`, { _targetId: parent._id, _position: 'lastChild' })
      const away = { _targetId: '_home', _position: 'firstChild' }
      const answer = await restore(PAGES, child.aposDocId, await oldest(child._id), service.editor, away)
      const expected = { title: 'Child', text: 'then', slug: '/parent/child', level: 2 }
      expect(answer).toMatchObject({ status: 200, body: expected })
      expect((await service.editor.get(`${PAGES}/${child._id}`)).body).toMatchObject({ slug: '/parent/renamed' })
      expect((await service.editor.get(`${PAGES}/${below.aposDocId}:en:draft`)).body.slug).toBe('/parent/child/below')
      const [newest] = await versions(child._id)
      expect(newest).toMatchObject({ restoredFrom: await oldest(child._id), live: true })
    })

    it('keeps the slug of home', async () => {
      await service.editor.patch(`${PAGES}/_home`, { title: 'Welcome' })
      const { aposDocId } = (await service.editor.get(`${PAGES}/_home`)).body
      const answer = await restore(PAGES, aposDocId, await oldest(aposDocId))
      expect(answer).toMatchObject({ status: 200, body: { slug: '/' } })
      expect(answer.body.title).not.toBe('Welcome')
    })

    it('brings back its type', async () => {
      const { aposDocId } = await add({ title: 'One', text: 'kept' })
      await service.editor.put(`${PAGES}/${aposDocId}`, { title: 'Two', type: 'other', text: 'b', more: 'm' })
      const answer = await restore(PAGES, aposDocId, await oldest(aposDocId))
      expect(answer.body).toMatchObject({ type: 'text', title: 'One', text: 'kept' })
      expect((await service.editor.get(`${PAGES}/${aposDocId}`)).body.type).toBe('other')
      const third = await restore(PAGES, aposDocId, await oldest(aposDocId), service.editor, { type: 'third' })
      expect(third.body.name).toBe('invalid')
    })

    it('§5.8 refuses what a page held while it was of a type that the caller does not see, as if it were not there', async () => {
      const place = { _targetId: '_home', _position: 'lastChild' }
      const { body } = await service.admin.post(PAGES, { type: 'vault', title: 'Hush', text: 'hush', ...place })
      const id = body.aposDocId
      const hidden = await oldest(id)
      await service.admin.patch(`${PAGES}/${id}`, { type: 'text', title: 'Open', text: 'open' })
      const put = (caller = service.editor, _restoreVersion = hidden) =>
        caller.put(`${PAGES}/${id}`, { _restoreVersion }, 'aposMode=draft')
      expect(await service.editor.get(`${VERSIONS}/${hidden}`)).toMatchObject({ status: 404 })
      const { status, body: refusal } = await put()
      expect({ status, refusal }).toEqual({ status: 400, refusal: (await put(service.editor, `${hidden}0`)).body })
      expect((await service.editor.get(`${PAGES}/${id}:en:draft`)).body).toMatchObject({ title: 'Open', text: 'open' })
      expect(await put(service.admin)).toMatchObject({ status: 200, body: { title: 'Hush', type: 'text' } })
    })

    it('refuses versions of other pages and the published mode', async () => {
      const [one, other] = [await add({ title: 'One' }), await add({ title: 'Other' })]
      const put = async (_restoreVersion: unknown, query = 'aposMode=draft') =>
        (await service.editor.put(`${PAGES}/${one.aposDocId}`, { title: 'x', _restoreVersion }, query)).body.name
      expect(await put(await oldest(other._id))).toBe('invalid')
      expect(await put('no such version')).toBe('invalid')
      expect(await put(null)).toBe('invalid')
      expect(await put(await oldest(one._id), 'aposMode=published')).toBe('invalid')
      expect(await versions(one._id)).toHaveLength(1)
    })
  })
})
