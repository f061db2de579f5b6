import { expect, it } from 'vitest'
import { type Answer, describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece } from '../../model/declared/content-type.ts'

const credits = {
  type: 'relationship',
  withType: 'person',
  fields: { add: { role: { type: 'string' } } },
} as const

const film = piece('film', {
  fields: {
    add: {
      _directors: credits,
      _authors: credits,
      _lead: { type: 'relationship', withType: 'person', max: 1 },
      _sequels: { type: 'relationship', withType: 'film' },
      scenes: { type: 'array', fields: { add: { _people: credits } } },
      set: { type: 'object', fields: { add: { _people: credits } } },
    },
  },
})

const site = defineSite({
  types: [piece('person'), film],
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

  it('§2.15 what was read is sent back with related documents that were not shown: they stay, and others go', async () => {
    const { editor } = service
    const people = await Promise.all(
      ['A', 'B', 'C', 'D'].map(async (title) => (await editor.post('person', { title })).body.aposDocId),
    )
    const [a, b, c, d] = people
    const related = people.map((_id) => ({ _id, _fields: { role: _id } }))
    const film = {
      title: 'Film',
      _directors: related,
      _lead: [{ _id: b }],
      scenes: [{ _people: related }],
      set: { _people: related },
    }
    const path = `film/${(await editor.post('film', film)).body._id}`
    await editor.post(`person/${b}/unpublish`)
    await editor.post(`person/${d}/archive`)
    const idsOf = ({ body }: Answer) => [body.directorsIds, body.scenes[0].peopleIds, body.set.peopleIds]
    for (const send of [editor.put, editor.patch]) {
      const { body } = await editor.get(path)
      expect(body._directors.map(({ aposDocId }: { aposDocId: string }) => aposDocId)).toEqual([a, c])
      const sent = await send(path, body)
      const answer = sent.body
      expect(idsOf(sent)).toEqual([people, people, people])
      expect(answer.directorsFields).toEqual(body.directorsFields)
      expect(answer.leadIds).toEqual([b])
    }
    const { body: read } = await editor.get(path)
    const less = { ...read, _directors: read._directors.slice(1), _lead: [{ _id: a }] }
    const fewer = (await editor.put(path, less)).body
    expect([fewer.directorsIds, fewer.leadIds]).toEqual([[b, c, d], [a]])
    const turned = { _directors: [{ _id: a }, { _id: c }], directorsIds: [c, d] }
    expect((await editor.patch(path, turned)).body.directorsIds).toEqual([a, c, d])
    expect((await editor.get(path.replace('published', 'draft'))).body.directorsIds).toEqual([a, c, d])
    expect((await editor.patch(path, { _directors: [{ _id: c }] })).body.directorsIds).toEqual([c])
    expect((await editor.patch(path, { _directors: [{ _id: a }], directorsIds: [a, d] })).body.directorsIds).toEqual([
      a,
    ])
  })

  it('§2.15 what is stored in one relationship does not stand for a document of another type in others', async () => {
    const { editor } = service
    const sequel = (await editor.post('film', { title: 'Sequel' })).body.aposDocId
    const person = (await editor.post('person', { title: 'Ida' })).body.aposDocId
    const film = { title: 'Film', _sequels: [{ _id: sequel }], _authors: [{ _id: person }] }
    const path = `film/${(await editor.post('film', film)).body._id}`
    for (const people of [
      { _directors: [{ _id: sequel }] },
      { set: { _people: [{ _id: sequel }] } },
      { $push: { _lead: sequel } },
    ]) {
      expect((await editor.patch(path, people)).body).toMatchObject({
        name: 'invalid',
        data: { errors: [{ name: 'invalid' }] },
      })
    }
    const put = await editor.put(path, { ...film, scenes: [{ _people: [{ _id: sequel }] }] })
    expect(put.body.data.errors).toMatchObject([{ path: 'scenes.0._people', name: 'invalid' }])
    const dropped = await editor.patch(path, { directorsIds: [sequel, person] })
    expect(dropped.body).toMatchObject({ sequelsIds: [sequel], directorsIds: [person], authorsIds: [person] })
  })
})
