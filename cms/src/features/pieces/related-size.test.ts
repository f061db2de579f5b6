import { beforeAll, expect, it } from 'vitest'
import { describeService, type Service } from '../../../test/service.ts'
import { newId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import { insertMany } from '../../engine/operations/insert.ts'
import { write } from '../../engine/write.ts'
import { defineSite, page, piece } from '../../index.ts'

const person = piece('person', {
  publicApiProjection: ['title', 'bio', '_friends'],
  fields: {
    add: {
      bio: { type: 'string' },
      _friends: { type: 'relationship', withType: 'person', withRelationships: true },
    },
  },
})
const site = defineSite({ name: 'Circles', types: [person] })
const FRIENDS = 16
/** Friends of friends of all of them are too much for one answer. */
const BIO = 'x'.repeat(25_000)

describeService('§2.15 documents that all relate to one another', { site, isLong: true }, (service) => {
  let ids: string[] = []

  beforeAll(async () => {
    const people = Array.from({ length: FRIENDS }, (_, index) => ({ title: `P${index}`, bio: BIO }))
    const made = await Promise.all(people.map((one) => service.editor.post('person', one)))
    ids = made.map(({ body }) => body.aposDocId)
    for (const id of ids) {
      expect((await service.editor.patch(`person/${id}`, { friendsIds: ids })).status).toBe(200)
    }
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

const note = piece('note', {
  fields: { add: { text: { type: 'string' }, _tags: { type: 'relationship', withType: 'tag' } } },
})
const tag = piece('tag', {
  fields: { add: { _notes: { type: 'relationshipReverse', withType: 'note', reverseOf: '_tags' } } },
})
const binder = page('binder', { fields: { add: { _notes: { type: 'relationship', withType: 'note' } } } })
const NOTES = 70
/**
 * So many are saved without an answer, which would hold all those before; one of the others is the first that is too
 * much.
 */
const UNANSWERED = 60
const SHORT = ['_id', 'aposDocId', 'aposLocale', 'aposMode', 'metaType', 'slug', 'title', 'type']

async function insertNotes({ app }: Service, notes: readonly JsonObject[]): Promise<string[]> {
  const type = app.site.types.get('note')
  if (type === undefined) throw new Error('The site has no notes.')
  const documents = notes.map((body) => ({ docId: newId(), body }))
  await write(app.context({ kind: 'operator' }), (ctx) =>
    insertMany(ctx, { type, locale: 'en', mode: 'published' }, documents),
  )
  return documents.map(({ docId }) => docId)
}

describeService(
  '§2.15 what was written is answered',
  { site: defineSite({ types: [note, tag, binder] }), isLong: true },
  (service) => {
    it('with related documents in short form where they would be too long', async () => {
      const { editor } = service
      const { body: made } = await editor.post('tag', { title: 'Tag' })
      const text = 'x'.repeat(500_000)
      const notes = Array.from({ length: NOTES }, (_, n) => ({ title: `Note ${n}`, text, tagsIds: [made.aposDocId] }))
      const notesIds = await insertNotes(service, notes.slice(0, UNANSWERED))
      for (const note of notes.slice(UNANSWERED)) {
        const { status, body } = await editor.post('note', note)
        expect({ status, message: body.message }).toEqual({ status: 200, message: undefined })
        notesIds.push(body.aposDocId)
      }
      const target = { _targetId: '_home', _position: 'lastChild' }
      const binder = await editor.post('@cms/page', { type: 'binder', title: 'Binder', notesIds, ...target })
      const tag = await editor.patch(`tag/${made._id}`, { title: 'Tag of many' })
      for (const { status, body } of [binder, tag]) {
        expect({ status, message: body.message }).toEqual({ status: 200, message: undefined })
        const { _notes: notes } = body
        expect(notes).toHaveLength(NOTES)
        expect(notes[0].text).toHaveLength(text.length)
        const names = Object.keys(notes[NOTES - 1]).filter((name) => name !== '_fields')
        expect(names.toSorted()).toEqual(SHORT)
      }
      expect(binder.body._notes.map(({ aposDocId }: { aposDocId: string }) => aposDocId)).toEqual(notesIds)
      for (const path of [`@cms/page/${binder.body._id}`, `tag/${made._id}`]) {
        expect((await editor.get(path)).status).toBe(400)
        expect((await editor.get(path, 'project[title]=1')).status).toBe(200)
      }
    })
  },
)
