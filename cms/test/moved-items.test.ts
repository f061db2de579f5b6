import { expect, it } from 'vitest'
import { defineSite } from '../src/model/compile/site-options.ts'
import { piece } from '../src/model/declared/content-type.ts'
import { sampledDatabases } from './databases.ts'
import { describeService } from './service.ts'

const row = { name: { type: 'string' }, approved: { type: 'string', editPermission: 'admin' } } as const
const rows = { type: 'array', fields: { add: row } } as const
const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [piece('thing', { fields: { add: { groups: { type: 'array', fields: { add: { rows } } } } } })],
})

describeService('§5.7 items that are moved', { site, on: sampledDatabases('moved items') }, (service) => {
  const made = async () => {
    const groups = [{ rows: [{ name: 'A', approved: 'by the admin' }] }, { rows: [] }]
    const { body } = await service.admin.post('thing', { title: 'A', groups })
    return { id: body.aposDocId as string, groups: body.groups }
  }
  const moved = ([from, to]: { rows: { _id: string }[] }[]) => [
    { ...from, rows: [] },
    { ...to, rows: from?.rows.map(({ _id }) => ({ _id, name: 'A' })) },
  ]

  it('keep what their mover may not write where a draft is reverted or localized again', async () => {
    const { id, groups } = await made()
    await service.editor.post(`thing/${id}/localize`, { toLocale: 'fr' })
    await service.admin.patch(`thing/${id}:fr:draft`, { 'groups.0.rows.0.approved': 'in French' })
    for (const locale of ['en', 'fr']) {
      const { body } = await service.editor.patch(`thing/${id}:${locale}:draft`, { groups: moved(groups) })
      const approved = locale === 'en' ? 'by the admin' : 'in French'
      expect(body.groups).toMatchObject([{ rows: [] }, { rows: [{ name: 'A', approved }] }])
    }
    const reverted = await service.editor.post(`thing/${id}:en:draft/revert-draft-to-published`)
    expect(reverted.body.groups).toMatchObject([{ rows: [{ approved: 'by the admin' }] }, { rows: [] }])
    const again = await service.editor.post(`thing/${id}:en:draft/localize`, { toLocale: 'fr', update: true })
    expect(again.body.groups).toMatchObject([{ rows: [{ approved: 'in French' }] }, { rows: [] }])
  })

  it('are not made of their ids: what only admins write stays with the one item that has it', async () => {
    const { id, groups } = await made()
    const [from, to] = groups
    const forged = { ...to, rows: [{ _id: from.rows[0]._id, name: 'Forged' }] }
    for (const given of [
      [from, forged],
      [forged, from],
    ]) {
      const { body } = await service.editor.patch(`thing/${id}:en:draft`, { groups: given })
      const all = body.groups.flatMap(({ rows }: typeof from) => rows)
      expect(all).toHaveLength(2)
      for (const { name, approved } of all)
        expect([name, approved]).toEqual(name === 'A' ? [name, 'by the admin'] : [name, ''])
    }
  })
})
