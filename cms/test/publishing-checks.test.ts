import { beforeAll, describe, expect, it } from 'vitest'
import { defineSite, page, piece, widget } from '../src/index.ts'
import { describeService } from './service.ts'

const lead = { type: 'string', required: true } as const
const fields = {
  add: {
    lead,
    _topics: { type: 'relationship', withType: 'topic' },
    rows: { type: 'array', fields: { add: { _topics: { type: 'relationship', withType: ['topic', 'note'] } } } },
    body: { type: 'area', widgets: { card: {}, '@cms/image': {}, '@cms/rich-text': {} } },
    _vaults: { type: 'relationship', withType: 'vault' },
  },
} as const

const site = defineSite({
  widgets: [widget('card', { fields: { add: { _notes: { type: 'relationship', withType: 'note' } } } })],
  types: [
    piece('topic', { fields: { add: { lead: { type: 'string' } } } }),
    piece('vault', { viewRole: 'admin', editRole: 'admin' }),
    piece('flat', { localized: false }),
    piece('note', { fields }),
    piece('plain', { versions: false, fields: { add: { lead: { type: 'string' } } } }),
    page('leaf', { fields }),
  ],
})

/** A kind of document: its route, and what a body of one has. */
const KINDS = [
  ['note', {}],
  ['@cms/page', { type: 'leaf', _targetId: '_home', _position: 'lastChild' }],
] as const

describeService('§3.3 before a draft is published', { site }, (service) => {
  const drafted = async (route: string, body: object): Promise<string> => {
    const made = await service.editor.post(route, { ...body, _incomplete: true }, 'aposMode=draft')
    expect(made.status).toBe(200)
    return made.body.aposDocId
  }
  const check = async (path: string, by = service.contributor) => {
    const { status, body } = await by.post(`${path}/publish`, { check: true })
    expect(status).toBe(200)
    return body
  }
  let vault = ''
  beforeAll(async () => {
    vault = (await service.admin.post('vault', { title: 'Hidden' }, 'aposMode=draft')).body.aposDocId
  })

  it.each(KINDS)('%s: a check tells what stands in the way, and writes nothing', async (route, base) => {
    const topics = [await drafted('topic', { title: 'One' }), await drafted('topic', { title: 'Two' })]
    const live = (await service.editor.post('topic', { title: 'Live' })).body.aposDocId
    const note = await drafted('note', { title: 'Note' })
    const body = { items: [{ type: 'card', _notes: [note] }] }
    const rows = [{ _topics: [topics[1], live] }]
    const id = await drafted(route, { ...base, title: 'Draft', _topics: [topics[0], live], rows, body })
    await service.admin.patch(`${route}/${id}:en:draft`, { _vaults: [vault], _incomplete: true })
    const told = await check(`${route}/${id}`)
    expect(told).toEqual({
      ok: false,
      problems: [{ path: 'lead', name: 'required', message: 'Lead is required.' }],
      unpublishedAncestors: [],
      unpublishedRelated: [
        { _id: `${topics[0]}:en:draft`, type: 'topic', title: 'One' },
        { _id: `${topics[1]}:en:draft`, type: 'topic', title: 'Two' },
        { _id: `${note}:en:draft`, type: 'note', title: 'Note' },
      ],
      alsoPublished: [],
      changes: 0,
    })
    expect((await service.editor.get(`${route}/${id}`)).status).toBe(404)
    await service.editor.patch(`${route}/${id}:en:draft`, { lead: 'x' })
    expect((await service.editor.post(`${route}/${id}/publish`)).status).toBe(200)
    await service.editor.patch(`${route}/${id}:en:draft`, { lead: 'y', title: 'Changed' })
    expect(await check(`${route}/${id}`)).toMatchObject({ ok: true, problems: [], changes: 2 })
    expect((await service.editor.get(`${route}/${id}`)).body.lead).toBe('x')
    const { unpublishedRelated } = await check(`${route}/${id}`, service.admin)
    expect(unpublishedRelated).toContainEqual({ _id: `${vault}:en:draft`, type: 'vault', title: 'Hidden' })
  })

  it('tells of the pages above that are not published', async () => {
    const [, base] = KINDS[1]
    const above = await drafted('@cms/page', { ...base, title: 'Above', lead: 'x' })
    const below = await drafted('@cms/page', { ...base, _targetId: above, title: 'Below', lead: 'x' })
    const told = await check(`@cms/page/${below}`)
    expect(told).toMatchObject({ ok: false, problems: [], unpublishedAncestors: [{ title: 'Above', type: 'leaf' }] })
    const refused = await service.editor.post(`@cms/page/${below}/publish`)
    expect(refused.body.data.unpublishedAncestors).toEqual(told.unpublishedAncestors)
    await service.editor.post(`@cms/page/${above}/publish`)
    expect(await check(`@cms/page/${below}`)).toMatchObject({ ok: true, unpublishedAncestors: [] })
  })

  it('is for those who may edit; only check: true checks', async () => {
    const id = await drafted('note', { title: 'T', lead: 'x' })
    const asked = { anonymous: 401, guest: 403, contributor: 200, editor: 200 } as const
    for (const who of ['anonymous', 'guest', 'contributor', 'editor'] as const) {
      expect((await service[who].post(`note/${id}/publish`, { check: true })).status).toBe(asked[who])
    }
    expect((await service.contributor.post(`note/${id}/publish`, { check: false })).status).toBe(403)
    expect((await service.editor.post(`note/${id}/publish`, { check: 'perhaps' })).status).toBe(400)
    expect((await service.editor.post('note/publish', { _ids: [id], check: true })).status).toBe(400)
    expect((await service.editor.post('note/none/publish', { check: true })).status).toBe(404)
    expect((await service.editor.get(`note/${id}`)).status).toBe(404)
    const flat = (await service.editor.post('flat', { title: 'Flat' })).body._id
    expect((await service.editor.post(`flat/${flat}/publish`, { check: true })).status).toBe(400)
  })

  it('takes a constant number of statements', async () => {
    const counted = async (number: number) => {
      const topics: string[] = []
      for (let index = 0; index < number; index += 1) topics.push(await drafted('topic', { title: `Topic ${index}` }))
      const id = await drafted('note', { title: 'T', lead: 'x', _topics: topics })
      await check(`note/${id}`)
      await service.quiet()
      service.statements.length = 0
      await check(`note/${id}`)
      const checking = service.statements.length
      service.statements.length = 0
      const published = await service.editor.post(`note/${id}/publish`, { alsoPublish: topics })
      expect(published.status).toBe(200)
      return [checking, service.statements.length]
    }
    expect(await counted(12)).toEqual(await counted(2))
  })

  describe('alsoPublish', () => {
    it.each(KINDS)('%s: publishes related pieces together with it, all or none', async (route, base) => {
      const topics = [await drafted('topic', { title: 'A' }), await drafted('topic', { title: 'B' })]
      const id = await drafted(route, { ...base, title: 'T', lead: 'x', _topics: topics })
      const incomplete = await drafted('note', { title: 'No lead' })
      const send = (alsoPublish: unknown, by = service.editor) => by.post(`${route}/${id}/publish`, { alsoPublish })
      const refused = await send([...topics, incomplete])
      expect(refused).toMatchObject({
        status: 400,
        body: {
          message: `A document in alsoPublish is not complete: Note “No lead”, ${incomplete}:en:draft.`,
          data: { _id: `${incomplete}:en:draft`, errors: [{ path: 'lead', name: 'required' }] },
        },
      })
      expect((await send([...topics, vault])).status).toBe(404)
      expect((await send(topics, service.contributor)).status).toBe(403)
      for (const one of [route, `topic/${topics[0]}`])
        expect((await service.editor.get(`${one}/${id}`)).status).toBe(404)
      expect((await send([`${topics[0]}:en:draft`, topics[1], id])).status).toBe(200)
      for (const one of topics) expect((await service.editor.get(`topic/${one}`)).status).toBe(200)
      expect(await check(`${route}/${id}`)).toMatchObject({ ok: true, unpublishedRelated: [] })
    })

    it('refuses what it cannot publish', async () => {
      const id = await drafted('note', { title: 'T', lead: 'x' })
      const leaf = await drafted('@cms/page', { ...KINDS[1][1], title: 'L', lead: 'x' })
      const flat = (await service.editor.post('flat', { title: 'Flat' })).body._id
      const wrong = { x: 400, list: [1], page: [leaf], flat: [flat], none: ['none'], locale: [`${id}:xx:draft`] }
      const statuses = Object.values(wrong).map(async (alsoPublish) => {
        return (await service.editor.post(`note/${id}/publish`, { alsoPublish })).status
      })
      expect(await Promise.all(statuses)).toEqual([400, 400, 400, 404, 404, 400])
    })

    it.each(KINDS)('%s: a check refuses what publishing would, and tells what goes along', async (route, base) => {
      const topic = await drafted('topic', { title: 'Along' })
      const leaf = await drafted('@cms/page', { ...KINDS[1][1], title: 'Leaf', lead: 'x' })
      const id = await drafted(route, { ...base, title: 'Checked', lead: 'x' })
      const send = (alsoPublish: unknown, by = service.contributor) =>
        by.post(`${route}/${id}/publish`, { check: true, alsoPublish })
      const along = { _id: `${topic}:en:draft`, type: 'topic', title: 'Along', problems: [] }
      expect(await send([topic])).toMatchObject({ status: 200, body: { ok: true, alsoPublished: [along] } })
      const incomplete = await drafted('note', { title: 'No lead' })
      const { body } = await send([topic, incomplete])
      expect(body).toMatchObject({ ok: false, problems: [] })
      expect(body.alsoPublished).toHaveLength(2)
      expect(body.alsoPublished).toContainEqual(along)
      expect(body.alsoPublished).toContainEqual({
        _id: `${incomplete}:en:draft`,
        type: 'note',
        title: 'No lead',
        problems: [expect.objectContaining({ path: 'lead', name: 'required' })],
      })
      expect((await service.editor.get(`topic/${topic}`)).status).toBe(404)
      const statuses = [5, [1], [leaf], ['none'], [vault], [`${topic}:xx:draft`]].map(
        async (wrong) => (await send(wrong)).status,
      )
      expect(await Promise.all(statuses)).toEqual([400, 400, 400, 404, 404, 400])
    })
  })

  describe('§4.4 GET …/:_id/changes', () => {
    it.each(KINDS)('%s: has the rows from the published copy to the draft', async (route, base) => {
      const id = await drafted(route, { ...base, title: 'First', lead: 'x' })
      const changes = async () => (await service.contributor.get(`${route}/${id}/changes`)).body
      const none = { added: 0, modified: 0, deleted: 0, ai: 0 }
      expect(await changes()).toEqual({ rows: [], counts: none, versionIds: [], compared: false })
      await service.editor.post(`${route}/${id}/publish`)
      expect(await changes()).toEqual({ rows: [], counts: none, versionIds: [], compared: true })
      await service.editor.patch(`${route}/${id}:en:draft`, { lead: 'by AI', _ai: true })
      await service.editor.patch(`${route}/${id}:en:draft`, {
        title: 'First of all',
        body: { items: [{ type: '@cms/rich-text', content: '<p>New</p>' }] },
      })
      const told = await changes()
      expect(told.counts).toEqual({ added: 1, modified: 2, deleted: 0, ai: 1 })
      expect(told.versionIds).toHaveLength(2)
      const rows = told.rows.map((row: { path: { name: string }[]; type: string; ai: unknown }) => {
        return [row.path[0]?.name, row.type, row.ai]
      })
      expect(rows).toEqual([
        ['title', 'modified', false],
        ['lead', 'modified', 'changed'],
        ['body', 'added', false],
      ])
      expect(told.rows[0]).toMatchObject({ oldText: 'First', newText: 'First of all' })
      const version = `@cms/document-versions/${told.versionIds[0]}/changes`
      const last = (await service.editor.get(version)).body
      expect(told.rows[0]).toEqual(last.rows[0])
      await service.editor.post(`${route}/${id}/publish`)
      await service.editor.post(`${route}/${id}/revert-published-to-previous`)
      expect((await changes()).counts).toEqual({ added: 1, modified: 2, deleted: 0, ai: 1 })
    })

    it('without versions nothing is told of AI', async () => {
      const id = (await service.editor.post('plain', { title: 'T', lead: 'x' })).body.aposDocId
      await service.editor.patch(`plain/${id}:en:draft`, { lead: 'y', _ai: true })
      const { body } = await service.editor.get(`plain/${id}/changes`)
      expect(body).toMatchObject({ rows: [{ newText: 'y', ai: false }], versionIds: [], compared: true })
    })

    it('is for those who may edit', async () => {
      const id = (await service.editor.post('note', { title: 'T', lead: 'x' })).body.aposDocId
      const asked = { anonymous: 401, guest: 403, contributor: 200, editor: 200 } as const
      for (const who of ['anonymous', 'guest', 'contributor', 'editor'] as const) {
        expect((await service[who].get(`note/${id}/changes`)).status).toBe(asked[who])
      }
      expect((await service.editor.get('note/none/changes')).status).toBe(404)
    })
  })
})
