import { beforeAll, expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { defineSite, piece } from '../../index.ts'

const person = piece('person', {
  publicApiProjection: ['title', 'bio', '_friends'],
  fields: {
    add: {
      bio: { type: 'string' },
      _friends: { type: 'relationship', withType: 'person', withRelationships: true },
      _fans: { type: 'relationshipReverse', withType: 'person', reverseOf: '_friends', withRelationships: ['_fans'] },
    },
  },
})
const site = defineSite({ name: 'Circles', types: [person] })
const FRIENDS = 40

describeService('§2.15 documents that all relate to one another', { site, isLong: true }, (service) => {
  let ids: string[] = []

  beforeAll(async () => {
    const people = Array.from({ length: FRIENDS }, (_, index) => ({ title: `P${index}`, bio: 'x'.repeat(1500) }))
    const made = await Promise.all(people.map((one) => service.editor.post('person', one)))
    ids = made.map(({ body }) => body.aposDocId)
    for (const id of ids) await service.editor.patch(`person/${id}`, { friendsIds: ids })
  })

  it('no relationship is filled in three times along one path', async () => {
    const [id = '', friend = ''] = ids
    await service.editor.patch(`person/${id}`, { friendsIds: [friend] })
    await service.editor.patch(`person/${friend}`, { friendsIds: [id] })
    const { status, body } = await service.anonymous.get(`person/${id}`)
    expect(status).toBe(200)
    expect(body._friends[0]).toMatchObject({ title: 'P1', _friends: [{ title: 'P0' }] })
    expect(body._friends[0]._friends[0]._friends).toBe(undefined)
    for (const one of [id, friend]) await service.editor.patch(`person/${one}`, { friendsIds: ids })
  })

  it('an answer that would grow without end is refused with a message that says what to do', async () => {
    const whole = await service.anonymous.get('person', 'perPage=50')
    expect(whole).toMatchObject({ status: 400, body: { name: 'invalid' } })
    expect(whole.body.message).toContain('perPage')
    for (const query of ['perPage=2', 'perPage=50&project[title]=1', 'perPage=50&project[_friends]=0']) {
      const { status, body } = await service.anonymous.get('person', query)
      expect({ query, status, total: body.total }).toEqual({ query, status: 200, total: FRIENDS })
    }
    expect((await service.anonymous.get(`person/${ids[0]}`)).body._friends).toHaveLength(FRIENDS)
  })
})
