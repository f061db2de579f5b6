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
          approved: { type: 'string', editPermission: 'admin' },
          secret: { type: 'string', viewPermission: 'admin' },
          _topics: { type: 'relationship', withType: 'topic' },
        },
      },
    }),
    piece('always', { autopublish: true }),
    piece('diary', { versions: false }),
    piece('plain', { localized: false }),
    page('text'),
    page('other'),
  ],
})

describeService('§4.4 POST …/revert-published-to-previous', { site, isLong: true }, (service) => {
  const UNDO = 'revert-published-to-previous'
  const undo = (path: string, caller = service.editor) => caller.post(`${path}/${UNDO}`)
  const listed = async (docId: string) => (await service.admin.get(VERSIONS, `docId=${docId}`)).body.results

  it('puts the published document back to the publication before, and leaves the draft', async () => {
    const gone = (await service.admin.post('topic', { title: 'Gone' })).body
    const { body } = await service.admin.post('plan', { title: 'One', text: 'a', topicsIds: [gone._id] })
    const path = `plan/${body.aposDocId}`
    await service.editor.delete(`topic/${gone._id}`)
    await service.admin.patch(`${path}:en:draft`, { title: 'Two', text: '-' })
    await service.editor.post(`${path}/publish`)
    await service.editor.patch(`${path}:en:draft`, { title: 'Waiting' })
    await service.editor.patch(path, { visibility: 'loginRequired' })
    const answer = await undo(`${path}:en:draft`)
    const expected = { title: 'One', text: 'a', topicsIds: [], aposMode: 'published', visibility: 'loginRequired' }
    expect(answer).toMatchObject({ status: 200, body: expected })
    expect((await service.editor.get(path)).body).toMatchObject(expected)
    expect((await service.editor.get(`${path}:en:draft`)).body).toMatchObject({ title: 'Waiting', modified: true })
    const [newest, ...others] = await listed(body._id)
    expect(newest).toMatchObject({ mode: 'published', restoredFrom: others.at(-1)._id, changeCount: 0 })
    expect(others).toHaveLength(4)
  })

  it('a second time in a row is invalid; after another publication it is not', async () => {
    const { body } = await service.editor.post('plan', { title: 'One', text: 'a' })
    const path = `plan/${body.aposDocId}`
    expect((await undo(path)).body.name).toBe('invalid')
    await service.editor.patch(path, { title: 'Two' })
    expect((await undo(path)).status).toBe(200)
    expect((await undo(path)).body).toMatchObject({ name: 'invalid', message: expect.stringContaining('already') })
    await service.editor.patch(path, { title: 'Three' })
    await service.editor.post(`${path}/publish`)
    await service.editor.patch(`${path}:en:draft`, { title: 'Four' })
    for (const _twice of [1, 2]) await service.editor.post(`${path}/publish`)
    expect((await undo(path)).body.title).toBe('Three')
  })

  it('§5.7 fields that the caller may not write keep their present values', async () => {
    const { body } = await service.admin.post('plan', { title: 'One', text: 'a', approved: 'yes', secret: 'old' })
    const path = `plan/${body.aposDocId}`
    await service.admin.patch(path, { text: 'b', approved: 'no', secret: 'new' })
    expect((await undo(path)).body).toMatchObject({ text: 'a', approved: 'no' })
    expect((await service.admin.get(path)).body).toMatchObject({ text: 'a', approved: 'no', secret: 'new' })
  })

  it('on autopublish types takes the draft along', async () => {
    const { body } = await service.editor.post('always', { title: 'One' })
    await service.editor.patch(`always/${body.aposDocId}`, { title: 'Two' })
    expect((await undo(`always/${body._id}`)).body.title).toBe('One')
    expect((await service.editor.get(`always/${body.aposDocId}:en:draft`)).body).toMatchObject({
      title: 'One',
      modified: false,
    })
    const [undone, , first, ...others] = await listed(body._id)
    expect(others).toEqual([])
    // Restoring the publication before the last one is not the same as taking that back.
    for (const title of ['Three', 'Four']) await service.editor.patch(`always/${body.aposDocId}`, { title })
    const [, three] = await listed(body._id)
    await service.editor.put(`always/${body.aposDocId}:en:draft`, { _restoreVersion: three._id })
    expect((await undo(`always/${body._id}`)).body.title).toBe('Four')
    expect((await undo(`always/${body._id}`)).body.name).toBe('invalid')
    expect([undone.restoredFrom, first.restoredFrom]).toEqual([first._id, undefined])
  })

  it('a slug that was taken meanwhile gets a number', async () => {
    const { body } = await service.editor.post('plan', { title: 'One', text: 'a', slug: 'first' })
    await service.editor.patch(`plan/${body._id}`, { slug: 'second' })
    await service.editor.post('plan', { title: 'Other', text: 'a', slug: 'first' })
    expect((await undo(`plan/${body._id}`)).body.slug).toBe('first-2')
  })

  it('is invalid for what is not published, has no versions or no draft, and refused to others', async () => {
    const { body: draft } = await service.editor.post('plan', { title: 'One', text: 'a' }, 'aposMode=draft')
    expect((await undo(`plan/${draft._id}`)).body.name).toBe('invalid')
    const { body: diary } = await service.editor.post('diary', { title: 'One' })
    await service.editor.patch(`diary/${diary._id}`, { title: 'Two' })
    expect((await undo(`diary/${diary._id}`)).body.name).toBe('invalid')
    const { body: plain } = await service.editor.post('plain', { title: 'One' })
    expect((await undo(`plain/${plain._id}`)).body.name).toBe('invalid')
    const { body } = await service.editor.post('plan', { title: 'One', text: 'a' })
    await service.editor.patch(`plan/${body._id}`, { title: 'Two' })
    for (const caller of [service.contributor, service.guest, service.ai]) {
      expect((await undo(`plan/${body._id}`, caller)).status).toBe(403)
    }
    expect((await undo(`plan/${body._id}`, service.anonymous)).status).toBe(401)
    const stale = await service.editor.post(`plan/${body._id}/${UNDO}`, {}, '', { 'if-match': '"99"' })
    expect(stale.body.name).toBe('conflict')
    expect((await service.editor.get(`plan/${body._id}`)).body.title).toBe('Two')
  })

  describe('of a page', () => {
    const add = async (fields: object) =>
      (await service.editor.post(PAGES, { type: 'text', _targetId: '_home', _position: 'lastChild', ...fields })).body

    it('rolls back the last step of its slug, which the pages below follow', async () => {
      const parent = await add({ title: 'Parent' })
      const child = await add({ title: 'Child', slug: '/child' })
      const below = await add({ title: 'Below', _targetId: child._id })
      await service.editor.patch(`${PAGES}/${child._id}`, { title: 'Renamed', slug: '/renamed' })
      await service.editor.patch(`${PAGES}/${child._id}`, { _targetId: parent._id, _position: 'lastChild' })
      expect((await undo(`${PAGES}/${child._id}`)).body).toMatchObject({
        title: 'Child',
        slug: '/parent/child',
        level: 2,
      })
      expect((await service.editor.get(`${PAGES}/${below._id}`)).body.slug).toBe('/parent/child/below')
      const { historicUrls } = (await service.editor.get(`${PAGES}/${child._id}`)).body
      expect(historicUrls.some((url: string) => url.endsWith('/parent/renamed'))).toBe(true)
    })

    it('of another type since is invalid', async () => {
      const { _id } = await add({ title: 'One' })
      await service.editor.put(`${PAGES}/${_id}`, { title: 'Two', type: 'other' })
      expect((await undo(`${PAGES}/${_id}`)).body.name).toBe('invalid')
    })
  })
})
