import { beforeAll, expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { defineSite, piece } from '../../index.ts'

const person = piece('person', {})
const crew = { type: 'relationship', withType: 'person', min: 2 } as const
const boat = piece('boat', {
  fields: { add: { _crew: crew, trips: { type: 'array', fields: { add: { _crew: crew } } } } },
})
const site = defineSite({ name: 'Boats', types: [person, boat] })

describeService('§2.15 relationships with a minimum', { site }, (service) => {
  let people: string[] = []

  beforeAll(async () => {
    const names = ['Ada', 'Bo', 'Cy']
    people = await Promise.all(
      names.map(async (title) => (await service.editor.post('person', { title })).body.aposDocId),
    )
  })

  const related = (...ids: readonly (string | undefined)[]) => ids.map((_id) => ({ _id }))
  const stored = async () => (await service.editor.post('boat', { title: 'Boat', _crew: related(...people) })).body
  const tooFew = (path: string) => ({
    status: 400,
    body: { data: { errors: [{ path, name: 'min', message: 'Give at least 2.' }] } },
  })

  it('count what is left of them when documents are taken out of what was read', async () => {
    const boat = await stored()
    const left = { ...boat, _crew: boat._crew.slice(1) }
    expect((await service.editor.put(`boat/${boat._id}`, left)).body.crewIds).toEqual(people.slice(1))
    const one = { ...boat, _crew: boat._crew.slice(2) }
    expect(await service.editor.put(`boat/${boat._id}`, one)).toMatchObject(tooFew('_crew'))
    const { _crew, crewIds } = one
    expect(await service.editor.patch(`boat/${boat._id}`, { _crew, crewIds })).toMatchObject(tooFew('_crew'))
    expect((await service.editor.get(`boat/${boat._id}`)).body.crewIds).toEqual(people.slice(1))
  })

  it('do not count ids of documents that do not exist', async () => {
    const crewIds = [people[0], 'nobody']
    expect(await service.editor.post('boat', { title: 'Ghost', crewIds })).toMatchObject(tooFew('_crew'))
    const trips = [{ crewIds: people }, { crewIds }]
    expect(await service.editor.post('boat', { title: 'Ghost', trips })).toMatchObject(tooFew('trips.1._crew'))
    const boat = await stored()
    expect(await service.editor.patch(`boat/${boat._id}`, { crewIds })).toMatchObject(tooFew('_crew'))
    expect((await service.editor.get('boat', 'title=Ghost')).body.total).toBe(0)
  })

  it('may stay with fewer once their documents were deleted, and be emptied', async () => {
    const { body: gone } = await service.editor.post('person', { title: 'Gone' })
    const boat = (await service.editor.post('boat', { title: 'Old', _crew: related(people[0], gone._id) })).body
    await service.editor.delete(`person/${gone._id}`)
    const put = await service.editor.put(`boat/${boat._id}`, { ...boat, _crew: boat._crew.slice(0, 1), title: 'Older' })
    expect(put).toMatchObject({ status: 200, body: { title: 'Older', crewIds: [people[0]] } })
    const trips = [{ _id: 'first', crewIds: boat.crewIds }]
    expect(await service.editor.post('boat', { title: 'Moved', trips })).toMatchObject(tooFew('trips.first._crew'))
    const emptied = await service.editor.patch(`boat/${boat._id}`, { _crew: [], crewIds: boat.crewIds })
    expect(emptied).toMatchObject({ status: 200, body: { crewIds: [] } })
  })

  it('do not keep a publication from being undone whose documents were deleted since', async () => {
    const { body: gone } = await service.editor.post('person', { title: 'Gone too' })
    const first = { title: 'Undone', _crew: related(people[0], gone._id) }
    const { _id } = (await service.editor.post('boat', first)).body
    await service.editor.patch(`boat/${_id}`, { _crew: related(...people) })
    await service.editor.delete(`person/${gone._id}`)
    const undone = await service.editor.post(`boat/${_id}/revert-published-to-previous`)
    expect(undone).toMatchObject({ status: 200, body: { crewIds: [people[0]] } })
  })
})
