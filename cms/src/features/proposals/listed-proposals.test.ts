import { beforeAll, expect, it } from 'vitest'
import { PROPOSAL, person, site } from '../../../test/proposing.ts'
import { type Caller, describeService } from '../../../test/service.ts'
import { newId } from '../../base/ids.ts'

describeService('§4.9.2 a list of proposals and its total', { site }, (service) => {
  let admin: Caller

  beforeAll(async () => {
    admin = await person(service, 'adele', 'admin')
  })

  const makePage = async (type: string) => {
    const body = { title: 'Page', slug: `/${newId()}`, type, _targetId: '_home', _position: 'lastChild', lead: 'One' }
    const { aposDocId } = (await admin.post('@cms/page', body, 'aposMode=draft')).body
    return `${aposDocId}:en:draft`
  }
  const proposed = async (docId: string, caller: Caller = service.ai): Promise<string> =>
    (await caller.post(PROPOSAL, { docId, title: 'Shorter', patch: { lead: 'Two' } })).body._id
  const listed = async (caller: Caller, docId: string) => {
    const { results, total } = (await caller.get(PROPOSAL, `docId=${docId}`)).body
    return { ids: results.map(({ _id }: { _id: string }) => _id), total }
  }
  /** What the caller finds when they ask for each of the proposals by its id. */
  const read = async (caller: Caller, ids: readonly string[]) => {
    const answers = await Promise.all(ids.map((id) => caller.get(`${PROPOSAL}/${id}`)))
    return ids.filter((_, index) => answers[index]?.status === 200)
  }
  const become = (docId: string, type: string) => admin.patch(`@cms/page/${docId}`, { type })
  const NONE = { ids: [], total: 0 }

  it('neither lists nor counts those of a page that has become one of a hidden type', async () => {
    const docId = await makePage('text')
    const id = await proposed(docId)
    expect(await listed(service.editor, docId)).toEqual({ ids: [id], total: 1 })
    expect((await become(docId, 'hidden-text')).status).toBe(200)
    for (const caller of [service.editor, service.contributor, service.ai]) {
      expect(await listed(caller, docId)).toEqual(NONE)
      expect(await read(caller, [id])).toEqual([])
    }
    expect(await listed(admin, docId)).toEqual({ ids: [id], total: 1 })
  })

  it('also not when that page is archived', async () => {
    const docId = await makePage('text')
    const id = await proposed(docId)
    await become(docId, 'hidden-text')
    await admin.patch(`@cms/page/${docId}`, { _targetId: '_archive', _position: 'lastChild' })
    expect(await listed(service.editor, docId)).toEqual(NONE)
    expect(await listed(service.ai, docId)).toEqual(NONE)
    expect(await listed(admin, docId)).toEqual({ ids: [id], total: 1 })
  })

  it('has those of a page of a hidden type that anybody may read by now, as reading one does', async () => {
    const docId = await makePage('hidden-text')
    const id = await proposed(docId, service.admin)
    expect(await listed(service.editor, docId)).toEqual(NONE)
    await become(docId, 'text')
    expect(await read(service.editor, [id])).toEqual([id])
    expect(await listed(service.editor, docId)).toEqual({ ids: [id], total: 1 })
  })

  it('names an archived document by the title of its draft, as reading one does', async () => {
    const { aposDocId: topic } = (await admin.post('topic', { title: 'Piece' }, 'aposMode=draft')).body
    const ids = { Piece: `${topic}:en:draft`, Page: await makePage('text') }
    for (const [title, docId] of Object.entries(ids)) {
      const patch = title === 'Piece' ? { note: 'Two' } : { lead: 'Two' }
      const { _id } = (await service.ai.post(PROPOSAL, { docId, title: 'Shorter', patch })).body
      if (title === 'Piece') await admin.post(`topic/${docId}/archive`)
      else await admin.patch(`@cms/page/${docId}`, { _targetId: '_archive', _position: 'lastChild' })
      const [listed] = (await service.editor.get(PROPOSAL, `docId=${docId}`)).body.results
      expect(listed).toMatchObject({ _id, documentTitle: title })
      expect((await service.editor.get(`${PROPOSAL}/${_id}`)).body).toMatchObject({ documentTitle: title })
    }
  })

  it('has those of a draft that was deleted, by the type that it had', async () => {
    const [seen, hidden] = [await makePage('text'), await makePage('hidden-text')]
    const id = await proposed(seen)
    await proposed(hidden, service.admin)
    for (const docId of [seen, hidden]) await admin.delete(`@cms/page/${docId}`)
    expect(await listed(service.editor, seen)).toEqual({ ids: [id], total: 1 })
    expect(await listed(service.editor, hidden)).toEqual(NONE)
  })

  it('has those whose type or locale is gone for who made them alone', async () => {
    const docId = await makePage('text')
    const id = await proposed(docId)
    const stored = await service.app.store.proposals.get(id, '')
    if (stored === null) throw new Error('It is not stored.')
    const contents = { base: { lead: 'One' }, proposed: { lead: 'Two' } }
    const gone = { ...stored, docId: newId(), type: 'gone-page' }
    const elsewhere = { ...stored, docId: newId(), locale: 'de' }
    for (const one of [gone, elsewhere]) {
      const copy = { ...one, id: newId() }
      await service.app.store.transaction(({ proposals }) => proposals.add(copy, contents))
      for (const [caller, found] of [
        [service.ai, { ids: [copy.id], total: 1 }],
        [service.editor, NONE],
        [admin, { ids: [copy.id], total: 1 }],
      ] as const) {
        expect(await listed(caller, one.docId)).toEqual(found)
        expect(await read(caller, [copy.id])).toEqual(found.ids)
      }
    }
  })
})
