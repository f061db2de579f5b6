import { beforeAll, expect, it } from 'vitest'
import { uploadedImage } from '../../../test/media.ts'
import { describeService } from '../../../test/service.ts'
import { defineSite, piece } from '../../index.ts'

const role = {
  name: { type: 'string' },
  picture: { type: 'attachment' },
  _tags: { type: 'relationship', withType: 'tag' },
  _boss: { type: 'relationship', withType: 'person' },
  since: { type: 'object', fields: { add: { _tags: { type: 'relationship', withType: 'tag' } } } },
} as const
const publicApiProjection = ['title'] as const
const site = defineSite({
  types: [
    piece('tag', { publicApiProjection, fields: { add: {} } }),
    piece('person', { publicApiProjection, fields: { add: {} } }),
    piece('project', {
      publicApiProjection: ['title', '_main', '_people'],
      fields: {
        add: {
          _main: { type: 'relationship', withType: 'tag' },
          _people: { type: 'relationship', withType: 'person', fields: { add: role } },
        },
      },
    }),
  ],
})

describeService('§2.15 what a relationship says of a document', { site }, (service) => {
  it('has its own files and documents filled in, in lists and alone, for each caller', async () => {
    const { editor, anonymous } = service
    const { body: tag } = await editor.post('tag', { title: 'Tag' })
    const { body: boss } = await editor.post('person', { title: 'Boss' })
    const { body: person } = await editor.post('person', { title: 'Person' })
    const picture = await uploadedImage(service)
    const says = { name: 'Lead', picture, _tags: [tag], _boss: [boss], since: { _tags: [tag] } }
    const _people = [{ _id: person._id, _fields: says }]
    const { body: made } = await editor.post('project', { title: 'Project', _main: [tag], _people })
    const shown = {
      title: 'Person',
      _fields: {
        name: 'Lead',
        picture: { _url: picture._url },
        _tags: [{ title: 'Tag' }],
        _boss: [{ title: 'Boss' }],
        since: { _tags: [{ title: 'Tag' }] },
      },
    }
    expect(made._people).toMatchObject([shown])
    for (const caller of [editor, anonymous]) {
      const { body: alone } = await caller.get(`project/${made._id}`)
      const { body: list } = await caller.get('project')
      for (const { _main, _people } of [alone, ...list.results]) {
        expect(_main).toMatchObject([{ title: 'Tag' }])
        expect(_people).toMatchObject([shown])
      }
    }
  })
})

/** Each is shown about 6 × 24³ times. */
const PEOPLE = 24
const withRelationships = ['_friends', '_rivals']
const people = { type: 'relationship', withType: 'person', withRelationships } as const
const circles = defineSite({
  types: [
    piece('person', { publicApiProjection: ['title'], fields: { add: { _friends: people, _rivals: people } } }),
    piece('club', { publicApiProjection: ['title', '_head'], fields: { add: { _head: people } } }),
  ],
})

describeService('§2.15 documents that all relate to one another twice', { site: circles, isLong: true }, (service) => {
  let ids: string[] = []

  beforeAll(async () => {
    const titles = Array.from({ length: PEOPLE }, (_, index) => `P${index}`.padEnd(300, '-'))
    const made = await Promise.all(titles.map((title) => service.editor.post('person', { title })))
    ids = made.map(({ body }) => body.aposDocId)
    for (const id of ids) await service.editor.patch(`person/${id}`, { friendsIds: ids, rivalsIds: ids })
  })

  it('an answer that would be longer than any text is refused before it is made', async () => {
    const { body: club } = await service.editor.post('club', { title: 'Club', headIds: ids.slice(0, 1) })
    const answer = await service.editor.get(`club/${club.aposDocId}`)
    expect(answer).toMatchObject({ status: 400, body: { name: 'invalid' } })
  })
})
