import { expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { newId } from '../../base/ids.ts'

const VERSIONS = '@cms/document-versions'

describeService('§4.4 labels of versions', { isLong: true }, (service) => {
  const make = async () =>
    (await service.editor.post('article', { title: 'First', slug: newId() }, 'aposMode=draft')).body.aposDocId as string
  const listed = async (id: string) => (await service.editor.get(VERSIONS, `docId=${id}`)).body.results
  const label = (versionId: string, label: unknown, caller = service.editor) =>
    caller.patch(`${VERSIONS}/${versionId}`, { label })

  it('PATCH gives a version a label, and takes it away', async () => {
    const id = await make()
    const [version] = await listed(id)
    const { live: _live, ...record } = version
    const answer = await label(version._id, '  As sent to the printer ')
    expect(answer).toMatchObject({ status: 200, body: { ...record, label: 'As sent to the printer' } })
    expect(await listed(id)).toEqual([{ ...version, label: 'As sent to the printer' }])
    expect((await service.editor.get(`${VERSIONS}/${version._id}`)).body.label).toBe('As sent to the printer')
    for (const nothing of [null, '', '  ']) {
      await label(version._id, 'Again')
      expect('label' in (await label(version._id, nothing)).body).toBe(false)
    }
  })

  it('an autosave starts a new version after one with a label', async () => {
    const id = await make()
    const autosave = (title: string) => service.editor.patch(`article/${id}:en:draft`, { title, _autosave: true })
    await autosave('Same version')
    const [version] = await listed(id)
    await label(version._id, 'Kept')
    await autosave('Next version')
    expect(await listed(id)).toMatchObject([{ changeCount: 1 }, { _id: version._id, label: 'Kept' }])
    expect((await service.editor.get(`${VERSIONS}/${version._id}`)).body.doc.title).toBe('Same version')
  })

  it('what is no label is invalid, and who may not edit the document finds nothing', async () => {
    const [version] = await listed(await make())
    const names = async (...labels: unknown[]) =>
      Promise.all(labels.map(async (one) => (await label(version._id, one)).body.name))
    expect(await names('x'.repeat(201), 5, ['x'], {}, true, undefined)).toEqual(Array(6).fill('invalid'))
    expect(await names('a\u0000b', 'a\nb', '\ud800x', 'a\u202eb')).toEqual(Array(4).fill('invalid'))
    expect(await names('x'.repeat(200), '😀'.repeat(200), '😀'.repeat(201))).toEqual([undefined, undefined, 'invalid'])
    expect((await label(version._id, 'Mine', service.contributor)).status).toBe(200)
    expect((await label(version._id, 'Mine', service.guest)).status).toBe(404)
    expect((await label(version._id, 'Mine', service.anonymous)).status).toBe(401)
    expect((await label(newId(), 'None')).status).toBe(404)
    expect((await label('a:b', 'None')).status).toBe(400)
    const { body: secret } = await service.admin.post('secret', { title: 'Secret' })
    const [hidden] = (await service.admin.get(VERSIONS, `docId=${secret._id}`)).body.results
    expect((await label(hidden._id, 'Mine', service.contributor)).status).toBe(404)
  })
})
