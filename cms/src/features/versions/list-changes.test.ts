import { expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { newId } from '../../base/ids.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece } from '../../model/declared/content-type.ts'

const VERSIONS = '@cms/document-versions'

interface Record {
  readonly _id: string
  readonly changeCount: number
  readonly restoredFrom?: string
}

describeService('§4.4 the changes of a version', { isLong: true }, (service) => {
  const make = async (fields: object = {}) =>
    (await service.editor.post('article', { title: 'First', slug: newId(), ...fields }, 'aposMode=draft')).body
      .aposDocId as string
  const edit = (id: string, fields: object, caller = service.editor) => caller.patch(`article/${id}:en:draft`, fields)
  const listed = async (id: string, query = ''): Promise<Record[]> =>
    (await service.editor.get(VERSIONS, `docId=${id}&${query}`)).body.results
  const changes = (versionId: string | undefined, query = '', caller = service.editor) =>
    caller.get(`${VERSIONS}/${versionId}/changes`, query)
  const rowsOf = async (versionId: string | undefined, query = '') =>
    (await changes(versionId, query)).body.rows.map(
      (row: { path: { name: string }[]; type: string; old: unknown; new: unknown }) =>
        [row.path.map(({ name }) => name).join('.'), row.type, row.old, row.new].filter((one) => one !== undefined),
    )

  it('are those between it and the version before it', async () => {
    const id = await make({ subtitle: 'Sub' })
    await edit(id, { title: 'Second', subtitle: '' })
    const [newest, first] = await listed(id)
    const { body } = await changes(newest?._id)
    expect(body).toMatchObject({
      counts: { added: 0, modified: 1, deleted: 1, ai: 0 },
      versionIds: [newest?._id],
      compared: true,
    })
    expect(await rowsOf(newest?._id)).toEqual([
      ['title', 'modified', 'First', 'Second'],
      ['subtitle', 'deleted', 'Sub'],
    ])
    expect((await changes(first?._id)).body).toEqual({
      rows: [],
      counts: { added: 0, modified: 0, deleted: 0, ai: 0 },
      versionIds: [first?._id],
      compared: false,
    })
  })

  it('of a restored version are none; of a publication without changes neither, but that was compared', async () => {
    const id = await make()
    await edit(id, { title: 'Second' })
    const [, first] = await listed(id)
    await service.editor.put(`article/${id}:en:draft`, { _restoreVersion: first?._id })
    await service.editor.post(`article/${id}/publish`)
    const [published, restored] = await listed(id)
    expect((await changes(restored?._id)).body).toMatchObject({ rows: [], compared: false })
    expect((await changes(published?._id)).body).toMatchObject({ rows: [], compared: true })
  })

  it('of the newest of a run are those of all, net', async () => {
    const id = await make()
    await edit(id, { subtitle: 'By a contributor' }, service.contributor)
    await edit(id, { title: 'By AI', subtitle: 'Also', _ai: true })
    await edit(id, { subtitle: 'By a contributor' })
    await edit(id, { title: 'By hand' })
    const versions = await listed(id)
    const run = versions.slice(0, 3).map(({ _id }) => _id)
    const [newest, inside] = versions
    const { body } = await changes(newest?._id, 'consolidate=1')
    expect(body).toMatchObject({ versionIds: run, compared: true, counts: { modified: 1 } })
    expect(await rowsOf(newest?._id, 'consolidate=1')).toEqual([['title', 'modified', 'First', 'By hand']])
    const [item] = await listed(id, 'consolidate=1')
    expect(item).toMatchObject({ _id: newest?._id, changeCount: 1, versionIds: run })
    // Inside a run, and of one who is in none, it has no effect.
    expect((await changes(inside?._id, 'consolidate=1')).body).toEqual((await changes(inside?._id)).body)
    expect((await changes(versions[3]?._id, 'consolidate=1')).body).toEqual((await changes(versions[3]?._id)).body)
  })

  it('of a run that reaches the first version are none', async () => {
    const id = await make({ _ai: true })
    await edit(id, { title: 'By hand' })
    const versions = await listed(id)
    expect((await changes(versions[0]?._id, 'consolidate=1')).body).toMatchObject({
      rows: [],
      compared: false,
      versionIds: versions.map(({ _id }) => _id),
    })
    expect(await listed(id, 'consolidate=1')).toMatchObject([{ changeCount: 0, ai: true }])
  })

  it('`against` compares any two versions of a timeline; the one named is the older side', async () => {
    const id = await make()
    await edit(id, { title: 'Second' })
    await edit(id, { title: 'Third', subtitle: 'New' })
    const [third, , first] = await listed(id)
    const added = ['subtitle', 'added', 'New']
    expect(await rowsOf(third?._id, `against=${first?._id}`)).toEqual([['title', 'modified', 'First', 'Third'], added])
    expect(await rowsOf(first?._id, `against=${third?._id}`)).toEqual([
      ['title', 'modified', 'Third', 'First'],
      ['subtitle', 'deleted', 'New'],
    ])
    expect((await changes(first?._id, `against=${first?._id}`)).body).toMatchObject({ rows: [], compared: true })
    await service.editor.post(`article/${id}/localize`, { toLocale: 'fr' })
    const [french] = await listed(`${id}:fr:draft`)
    const [other] = await listed(await make())
    const refused = async (against: string | undefined) => (await changes(first?._id, `against=${against}`)).body.name
    expect(await refused(french?._id)).toBe('notfound')
    expect(await refused(other?._id)).toBe('notfound')
    expect(await refused(newId())).toBe('notfound')
    expect(await refused('not%20an%20id')).toBe('invalid')
    expect(await refused('')).toBe('invalid')
  })

  it('are not found by callers who may not edit the document', async () => {
    const [version] = await listed(await make())
    const status = async (caller = service.editor, id = version?._id) => (await changes(id, '', caller)).status
    expect(await status()).toBe(200)
    expect(await status(service.contributor)).toBe(200)
    expect(await status(service.guest)).toBe(404)
    expect(await status(service.anonymous)).toBe(401)
    expect(await status(service.editor, newId())).toBe(404)
    expect(await status(service.editor, 'a:b')).toBe(400)
  })

  it('are as many as the list has said, for every caller', async () => {
    const id = await make({ subtitle: 'Sub' })
    const topic = (await service.editor.post('topic', { title: 'Topic' })).body
    await edit(id, { title: 'x', topicsIds: [topic._id], body: '<p>New</p>' })
    await edit(id, { topicsIds: [], count: 9 })
    for (const caller of [service.contributor, service.editor, service.admin]) {
      const { results } = (await caller.get(VERSIONS, `docId=${id}`)).body
      for (const { _id, changeCount } of results) {
        expect((await changes(_id, '', caller)).body.rows).toHaveLength(changeCount)
      }
      expect(results.map(({ changeCount }: Record) => changeCount > 0)).toEqual([true, true, false])
    }
  })

  it('take the same number of statements whatever was changed', async () => {
    const counted = async (versionId: string | undefined) => {
      await service.quiet()
      const before = service.statements.length
      await changes(versionId)
      return service.statements.length - before
    }
    const topics = []
    for (let index = 0; index < 5; index += 1) {
      topics.push((await service.editor.post('topic', { title: `Topic ${index}` })).body._id)
    }
    const id = await make()
    await edit(id, { topicsIds: topics.slice(0, 1) })
    await edit(id, { topicsIds: topics, title: 'Other', subtitle: 'New' })
    const [many, one] = await listed(id)
    expect(await counted(many?._id)).toBe(await counted(one?._id))
  })
})

const site = defineSite({
  types: [piece('story', { fields: { add: { short: { type: 'string' }, text: { type: 'string', textarea: true } } } })],
})

describeService('§2.5 changes of long texts', { site }, (service) => {
  it('show those that differ too much as they are, without a diff', async () => {
    const [older, newer] = ['One '.repeat(150_000).trim(), 'Two '.repeat(150_000).trim()]
    const story = { title: 'Story', short: 'One', text: older }
    const { body: made } = await service.editor.post('story', story, 'aposMode=draft')
    expect(await service.editor.patch(`story/${made._id}`, { short: 'Two', text: newer })).toMatchObject({
      status: 200,
    })
    const [{ _id }] = (await service.editor.get(VERSIONS, `docId=${made._id}`)).body.results
    const [short, text] = (await service.editor.get(`${VERSIONS}/${_id}/changes`)).body.rows
    expect(short).toMatchObject({ oldText: 'One', diff: [{ change: 'removed' }, { change: 'added' }] })
    expect([text.old === older, text.new === newer]).toEqual([true, true])
    expect([text.oldText === older, text.newText === newer]).toEqual([true, true])
    expect(text).not.toHaveProperty('diff')
  })
})
