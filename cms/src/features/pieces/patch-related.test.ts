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

  it('§4.1 what is said of related documents is changed by itself, too, under the name that answers give it', async () => {
    const { editor } = service
    const [ida, bo] = await Promise.all(
      ['Ida', 'Bo'].map(async (title) => (await editor.post('person', { title })).body.aposDocId),
    )
    const _directors = [ida, bo].map((_id) => ({ _id, _fields: { role: 'first' } }))
    const path = `film/${(await editor.post('film', { title: 'Film', _directors })).body._id}`
    const after = async (patch: object) => {
      const { status, body } = await editor.patch(path, patch)
      if (status !== 200) return body.data.errors[0].path
      const draft = (await editor.get(path.replace('published', 'draft'))).body
      expect([draft.directorsIds, draft.directorsFields]).toEqual([body.directorsIds, body.directorsFields])
      return body._directors.map(({ _id, _fields }: { _id: string; _fields: object }) => [_id.slice(0, 26), _fields])
    }
    const said = (role: string) => ({ [ida]: { role }, [`${bo}:en:published`]: { role } })
    const both = (role: string) => [ida, bo].map((id) => [id, { role }])
    expect(await after({ directorsFields: said('second') })).toEqual(both('second'))
    expect(await after({ _patches: [{ directorsFields: said('third') }] })).toEqual(both('third'))
    expect(await after({ directorsFields: { [bo]: { role: 5 } } })).toBe(`_directors.${bo}.role`)
    expect(await after({ directorsFields: 'x' })).toMatch(/^_directors/)
    expect(await after({ _directors, directorsFields: said('other') })).toEqual(both('first'))
    expect(await after({ directorsFields: said('other'), _directors })).toEqual(both('first'))
    expect(await after({ directorsFields: { [bo]: { role: 'only' } } })).toEqual([
      [ida, {}],
      [bo, { role: 'only' }],
    ])
    expect(await after({ directorsFields: said('kept'), directorsIds: [bo] })).toEqual([[bo, { role: 'kept' }]])
    expect(await after({ _patches: [{ _directors: null }, { directorsFields: said('none') }] })).toEqual([])
  })
})
