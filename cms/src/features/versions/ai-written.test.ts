import { expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'

interface Row {
  readonly path: readonly { readonly name: string }[]
  readonly type: string
  readonly ai: 'changed' | 'assisted' | false
}

describeService('§4.4 what AI has written', {}, (service) => {
  const make = async (fields: object, caller = service.editor): Promise<string> =>
    (await caller.post('article', { title: 'Made', ...fields }, 'aposMode=draft')).body.aposDocId
  const change = (id: string, fields: object, caller = service.editor) =>
    caller.patch(`article/${id}`, fields, 'aposMode=draft')
  const changes = async (id: string, query = 'whole=1') =>
    (await service.editor.get(`article/${id}/changes`, query)).body
  const marks = async (id: string): Promise<Record<string, Row['ai']>> => {
    const { rows } = (await changes(id)) as { rows: Row[] }
    return Object.fromEntries(rows.map(({ path, ai }) => [path.map(({ name }) => name).join('.'), ai]))
  }
  const aiMarks = async (ids: readonly string[], caller = service.editor) =>
    (await caller.get('@cms/ai-marks', ids.map((id) => `_ids[]=${id}`).join('&'))).body

  it('`whole=1`: of a document that was never published, all that it holds, with who wrote it', async () => {
    const id = await make({ subtitle: 'By AI' }, service.ai)
    expect(await changes(id, '')).toMatchObject({ rows: [], compared: false })
    expect(await changes(id)).toMatchObject({ compared: false, counts: { modified: 0, deleted: 0 } })
    expect(await marks(id)).toMatchObject({ title: 'changed', subtitle: 'changed' })
    await change(id, { title: 'By a person' })
    expect(await marks(id)).toMatchObject({ title: 'assisted', subtitle: 'changed' })
    await change(id, { subtitle: 'By a person, too' })
    await change(id, { title: 'By AI again' }, service.ai)
    expect(await marks(id)).toMatchObject({ title: 'changed', subtitle: 'assisted' })
  })

  it('`whole=1`: what people wrote is theirs, and a published document is compared as ever', async () => {
    const id = await make({ subtitle: 'By a person' })
    expect(await marks(id)).toMatchObject({ title: false, subtitle: false })
    await service.editor.post(`article/${id}/publish`)
    await change(id, { subtitle: 'Changed' })
    expect(await changes(id)).toMatchObject({
      rows: [{ path: [{ name: 'subtitle' }], type: 'modified' }],
      compared: true,
    })
  })

  it('`ai-marks` tells it of many documents, until a person publishes them', async () => {
    const [byAi, both, byPeople] = [await make({}, service.ai), await make({}, service.ai), await make({})]
    await change(both, { subtitle: 'By a person' })
    const found = async () => {
      const { results } = await aiMarks([byAi, `${both}:en:draft`, byPeople, 'nothing'])
      return new Map(results.map(({ aposDocId, ai }: { aposDocId: string; ai: string }) => [aposDocId, ai]))
    }
    expect(await found()).toEqual(
      new Map([
        [byAi, 'changed'],
        [both, 'assisted'],
      ]),
    )
    await service.editor.post(`article/${both}/publish`)
    expect(await found()).toEqual(new Map([[byAi, 'changed']]))
    await change(both, { title: 'AI once more' }, service.ai)
    expect(await found()).toEqual(
      new Map([
        [byAi, 'changed'],
        [both, 'changed'],
      ]),
    )
    expect((await service.editor.get('@cms/ai-marks', `_ids[]=${byAi}&aposLocale=fr`)).body).toEqual({ results: [] })
  })

  it('`ai-marks` tells nothing to those who may not edit, and takes no more ids than any list', async () => {
    const id = await make({}, service.ai)
    expect((await service.anonymous.get('@cms/ai-marks', `_ids[]=${id}`)).status).toBe(401)
    expect((await service.guest.get('@cms/ai-marks', `_ids[]=${id}`)).status).toBe(404)
    const many = Array.from({ length: 501 }, (_, n) => `${id}${n}`)
    expect(await aiMarks(many)).toMatchObject({ name: 'invalid' })
  })

  it('§4.4 `mode` and `labelled` list publications and named versions, and changes name the older side', async () => {
    const id = await make({})
    const list = async (query: string) =>
      (await service.editor.get('@cms/document-versions', `docId=${id}&${query}`)).body
    await service.editor.post(`article/${id}/publish`)
    await change(id, { title: 'Newest' })
    const [newest, publication, first] = (await list('')).results
    expect((await list('mode=published')).results).toMatchObject([{ _id: publication._id }])
    expect(await list('mode=draft')).toMatchObject({ results: [{ _id: newest._id }, { _id: first._id }], total: 2 })
    expect(await list('labelled=1')).toMatchObject({ results: [], total: 0 })
    await service.editor.patch(`@cms/document-versions/${first._id}`, { label: 'First' })
    expect((await list('labelled=1')).results).toMatchObject([{ _id: first._id, label: 'First' }])
    expect(await list('mode=other')).toMatchObject({ name: 'invalid' })
    const { body } = await service.editor.get(`@cms/document-versions/${newest._id}/changes`)
    expect(body.olderId).toBe(publication._id)
    const against = await service.editor.get(`@cms/document-versions/${newest._id}/changes`, `against=${first._id}`)
    expect(against.body.olderId).toBe(first._id)
  })
})
