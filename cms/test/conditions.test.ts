import { expect, it } from 'vitest'
import { page, piece } from '../src/model/content-type.ts'
import { defineSite } from '../src/model/site-options.ts'
import { sampledDatabases } from './databases.ts'
import { describeService } from './service.ts'

const fields = {
  add: {
    kind: { type: 'select', choices: ['gift', 'book'].map((value) => ({ label: value, value })), def: 'gift' },
    isbn: { type: 'string', required: true, if: { $or: [{ kind: 'book' }] } },
    author: { type: 'object', if: { kind: 'book' }, fields: { add: { name: { type: 'string', required: true } } } },
    note: { type: 'string' },
  },
} as const
const site = defineSite({ types: [piece('product', { fields }), page('shelf', { fields })] })

describeService('§2.11 fields with a condition', { site, on: sampledDatabases('conditions') }, (service) => {
  const placed = { _targetId: '_home', _position: 'lastChild', type: 'shelf' }
  const complete = { isbn: '978', author: { name: 'Ann' } }
  const missing = {
    status: 400,
    body: {
      data: { errors: ['isbn', 'author.name'].map((path) => expect.objectContaining({ path, name: 'required' })) },
    },
  }

  it.each(['product', '@cms/page'])('are required by whatever makes them apply: %s', async (path) => {
    const { editor } = service
    const made = await editor.post(path, { title: 'A', ...placed })
    expect(made.status).toBe(200)
    const id = made.body.aposDocId
    for (const one of [id, `${id}:en:draft`]) {
      for (const body of [{ kind: 'book' }, { note: 'a', kind: 'book' }, { kind: 'book', isbn: '', author: {} }])
        expect(await editor.patch(`${path}/${one}`, body)).toMatchObject(missing)
      expect(await editor.put(`${path}/${one}`, { title: 'A', kind: 'book' })).toMatchObject(missing)
    }
    expect(await editor.post(path, { title: 'B', kind: 'book', ...placed })).toMatchObject(missing)
    expect(await editor.patch(`${path}/${id}`, { kind: 'book', ...complete })).toMatchObject({ status: 200 })
    expect(await editor.patch(`${path}/${id}`, { kind: 'gift', isbn: '' })).toMatchObject({ status: 200 })
    expect((await editor.patch(`${path}/${id}`, { kind: 'book' })).body.data.errors).toMatchObject([{ path: 'isbn' }])
  })

  it('keep their values while they do not apply', async () => {
    const { editor } = service
    const { body } = await editor.post('product', { title: 'A', kind: 'book', ...complete })
    await editor.patch(`product/${body._id}`, { kind: 'gift' })
    expect(await editor.patch(`product/${body._id}`, { kind: 'book' })).toMatchObject({ status: 200, body: complete })
  })
})
