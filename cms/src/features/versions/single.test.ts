import { describe, expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { newId } from '../../base/ids.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, piece } from '../../model/declared/content-type.ts'

const VERSIONS = '@cms/document-versions'
const PAGES = '@cms/page'

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr', private: true } },
  types: [
    piece('topic', { publicApiProjection: ['title'] }),
    piece('plan', {
      fields: {
        add: {
          text: { type: 'string' },
          later: { type: 'string', def: 'By default' },
          salary: { type: 'integer', viewPermission: 'editor' },
          approved: { type: 'boolean', editPermission: 'editor' },
          pin: { type: 'password' },
          _topics: { type: 'relationship', withType: 'topic' },
          items: {
            type: 'array',
            fields: { add: { name: { type: 'string' }, secret: { type: 'string', viewPermission: 'editor' } } },
          },
          body: { type: 'area', widgets: { '@cms/rich-text': {} } },
        },
      },
    }),
    piece('closed', { viewRole: 'editor' }),
    piece('diary', { versions: false }),
    page('plain'),
    page('hidden', { viewRole: 'admin', fields: { add: { text: { type: 'string' } } } }),
  ],
})

describeService('§4.4 one version', { site, isLong: true }, (service) => {
  const listed = async (docId: string) => (await service.admin.get(VERSIONS, `docId=${docId}`)).body.results
  const newest = async (docId: string) => (await listed(docId))[0]._id as string
  const read = async (versionId: string, caller = service.editor) => caller.get(`${VERSIONS}/${versionId}`)

  it('has the record, and the document like the answer to a GET of its draft', async () => {
    const { body: topic } = await service.editor.post('topic', { title: 'Ink' })
    const { body: first } = await service.editor.post('plan', {
      title: 'Plan',
      text: 'one',
      body: '<p>Hello</p>',
      items: [{ name: 'a', secret: 's' }],
      topicsIds: [topic._id],
    })
    const draft = await service.editor.get(`plan/${first.aposDocId}:en:draft`)
    const versionId = await newest(first.aposDocId)
    await service.editor.put(`plan/${first.aposDocId}`, { title: 'Other', visibility: 'loginRequired' })
    const { body } = await read(versionId)
    const [, record] = await listed(first.aposDocId)
    const { doc, ...rest } = body
    expect(rest).toEqual(record)
    const { updatedAt: _at, updatedBy, modified: _modified, lastPublishedAt: _published, ...common } = draft.body
    expect(doc).toMatchObject({ ...common, visibility: 'loginRequired' })
    expect(doc).toMatchObject({ updatedAt: record.createdAt, updatedBy: { _id: updatedBy._id, title: 'editor key' } })
    expect(Object.keys(doc).toSorted()).toEqual(Object.keys(draft.body).toSorted())
  })

  it('§2.4 fields that were added since have their defaults', async () => {
    const { body } = await service.editor.post('plan', { title: 'Old' })
    const id = newId()
    await service.app.store.transaction((tx) =>
      tx.versions.add(
        {
          id,
          docId: body.aposDocId,
          locale: 'en',
          mode: 'draft',
          type: 'plan',
          createdAt: '2020-01-01T00:00:00.000Z',
          updatedAt: null,
          author: 'Somebody',
          authorId: null,
          ai: false,
          restoredFrom: null,
          label: null,
          data: null,
        },
        { title: 'Then', slug: 'then' },
      ),
    )
    expect((await read(id)).body).toMatchObject({
      authorId: null,
      changeCount: 0,
      doc: { title: 'Then', slug: 'then', later: 'By default', items: [], _topics: [], text: '' },
    })
  })

  it('§5.7 nobody reads in the past what he may not read now', async () => {
    const { body } = await service.admin.post('plan', {
      title: 'Plan',
      salary: 5,
      pin: '12345678',
      items: [{ name: 'a', secret: 's' }],
    })
    const id = body.aposDocId
    await service.admin.patch(`plan/${id}`, { salary: 6, pin: '87654321' })
    await service.admin.patch(`plan/${id}`, { [`@${body.items[0]._id}.secret`]: 't', text: 'seen' })
    const countsFor = async (caller = service.admin) =>
      (await caller.get(VERSIONS, `docId=${id}`)).body.results.map((one: { changeCount: number }) => one.changeCount)
    expect(await countsFor()).toEqual([2, 1, 0])
    expect(await countsFor(service.contributor)).toEqual([1, 0, 0])
    const versionId = await newest(id)
    const { doc } = (await read(versionId, service.contributor)).body
    expect(doc).toMatchObject({ text: 'seen', items: [{ name: 'a' }] })
    expect(JSON.stringify(doc)).not.toMatch(/salary|secret|pin|argon/)
    expect((await read(versionId)).body.doc).toMatchObject({ salary: 6, items: [{ secret: 't' }] })
  })

  it('is not found by callers who may not edit the document, whatever they know of it', async () => {
    const { body: open } = await service.editor.post('plan', { title: 'Plan' })
    const { body: closed } = await service.admin.post('closed', { title: 'Closed' })
    const { body: french } = await service.admin.post('plan', { title: 'Plan' }, 'aposLocale=fr')
    const status = async (versionId: string, caller = service.editor) => (await read(versionId, caller)).status
    const version = await newest(open._id)
    expect(await status(version)).toBe(200)
    expect(await status(version, service.contributor)).toBe(200)
    expect(await status(version, service.ai)).toBe(200)
    expect(await status(version, service.guest)).toBe(404)
    expect(await status(version, service.anonymous)).toBe(401)
    expect(await status(version, service.wrong)).toBe(401)
    const hidden = await newest(closed._id)
    expect([await status(hidden), await status(hidden, service.contributor)]).toEqual([200, 404])
    expect(await status(await newest(french._id), service.contributor)).toBe(200)
    expect(await status(newId())).toBe(404)
    expect(await status('a:b')).toBe(400)
    expect(await status('abc')).toBe(400)
    expect(await status(newId().toUpperCase())).toBe(400)
    expect(await status('%20')).toBe(400)
    await service.editor.delete(`plan/${open._id}`)
    expect(await status(version)).toBe(404)
  })

  describe('of a page', () => {
    const add = async (fields: object) =>
      (await service.admin.post(PAGES, { type: 'plain', _targetId: '_home', _position: 'lastChild', ...fields })).body

    it('has the position of now', async () => {
      const parent = await add({ title: 'Parent' })
      const moved = await add({ title: 'Moved', slug: '/moved' })
      await service.editor.patch(`${PAGES}/${moved._id}`, { _targetId: parent._id, _position: 'lastChild' })
      await service.editor.patch(`${PAGES}/${moved._id}`, { title: 'Later' })
      const [, first] = await listed(moved._id)
      const { doc } = (await read(first._id)).body
      expect(doc).toMatchObject({ title: 'Moved', level: 2, rank: 0, path: expect.stringContaining(parent.aposDocId) })
      expect((await listed(moved._id)).map((one: { live?: true }) => one.live)).toEqual([true, undefined])
    })

    it('moving alone records nothing, and leaves the newest version live', async () => {
      const parent = await add({ title: 'Another parent' })
      const moved = await add({ title: 'Alone' })
      await service.editor.patch(`${PAGES}/${moved._id}`, { _targetId: parent._id, _position: 'lastChild' })
      expect(await listed(moved._id)).toMatchObject([{ live: true }])
    })

    it('of a type that the caller may not see is not found, and compared with nothing', async () => {
      const { _id } = await add({ title: 'Secret', type: 'hidden', text: 'x' })
      await service.admin.put(`${PAGES}/${_id}`, { title: 'Open', type: 'plain' })
      const seen = await service.editor.get(VERSIONS, `docId=${_id}`)
      expect(seen.body.results).toMatchObject([{ changeCount: 0 }, { changeCount: 0 }])
      const [open, secret] = await listed(_id)
      expect((await read(open._id)).body.doc.title).toBe('Open')
      expect((await read(secret._id)).status).toBe(404)
      expect((await read(secret._id, service.admin)).body.doc).toMatchObject({ type: 'hidden', text: 'x' })
    })
  })
})
