import { expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { piece } from '../../model/content-type.ts'
import { defineSite } from '../../model/site-options.ts'

const credits = {
  type: 'relationship',
  withType: 'person',
  fields: { add: { role: { type: 'string' } } },
} as const

const site = defineSite({
  types: [piece('person'), piece('film', { fields: { add: { _directors: credits, _authors: credits } } })],
})

describeService('§4.1 PATCH of relationships to the same document', { site }, (service) => {
  it('§3 what a published patch names by its index is the same relationship in the draft', async () => {
    const { editor, contributor } = service
    const person = (await editor.post('person', { title: 'Ida' })).body.aposDocId
    const role = (role: string) => [{ _id: person, _fields: { role } }]
    const film = { title: 'Film', _directors: role('first'), _authors: role('second') }
    const id = (await editor.post('film', film)).body.aposDocId
    await contributor.patch(`film/${id}:en:draft`, { title: 'Waiting' })
    const rolesAfter = async (patch: object) => {
      await editor.patch(`film/${id}`, patch)
      const copies = await Promise.all(['published', 'draft'].map((mode) => editor.get(`film/${id}:en:${mode}`)))
      return copies.map(({ body }) => [body._directors[0]._fields.role, body._authors[0]._fields.role])
    }
    const roles = ['first', 'third']
    expect(await rolesAfter({ '_authors.0._fields.role': 'third' })).toEqual([roles, roles])
    const others = ['first', 'fourth']
    expect(await rolesAfter({ [`_authors.@${person}._fields.role`]: 'fourth' })).toEqual([others, others])
    const all = ['fifth', 'fourth']
    expect(await rolesAfter({ [`@${person}._fields.role`]: 'fifth' })).toEqual([all, all])
  })
})
