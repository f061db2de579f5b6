import { expect, it } from 'vitest'
import { defineSite } from '../src/model/compile/site-options.ts'
import { page, piece } from '../src/model/declared/content-type.ts'
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
const reason = { type: 'string', required: true, if: { status: 'refused' } } as const
const order = piece('order', {
  fields: {
    add: {
      status: { type: 'string', viewPermission: 'admin' },
      reason,
      lines: { type: 'array', fields: { add: { status: { type: 'string', viewPermission: 'admin' }, reason } } },
      details: {
        type: 'object',
        if: { status: 'refused' },
        fields: { add: { text: { type: 'string', required: true } } },
      },
    },
  },
})
const claim = piece('claim', {
  fields: { add: { approval: { type: 'string', required: true, editPermission: 'admin' } } },
})
const ticket = piece('ticket', {
  fields: { add: { number: { type: 'string', required: true, viewPermission: 'admin' } } },
})
const site = defineSite({ types: [piece('product', { fields }), page('shelf', { fields }), order, claim, ticket] })

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

  it('§5.8 tell nobody what a hidden field holds, by what they require', async () => {
    const { admin, editor } = service
    const add = async (status: string, more: object = {}) => {
      const made = await admin.post('order', { title: 'A', status, ...more })
      return `order/${made.body.aposDocId}`
    }
    const complete = { reason: 'why', lines: [{ reason: 'why' }], details: { text: 'x' } }
    const orders = [await add('refused', complete), await add('open')]
    const answers = async (ask: (path: string) => Promise<{ status: number; body: { data?: object } }>) => {
      const all = await Promise.all(orders.map(ask))
      return all.map(({ status, body }) => ({ status, data: body.data }))
    }
    const requests = [
      (path: string) => editor.put(path, { title: 'B', lines: [{}], details: {} }),
      (path: string) => editor.patch(path, { reason: '', lines: [{}], details: {} }),
      (path: string) => editor.patch(`${path}:en:draft`, { 'details.text': '' }),
    ]
    for (const request of requests) {
      const [refused, open] = await answers(request)
      expect(refused).toEqual(open)
    }
    const asked = await admin.patch(orders[0] ?? '', { reason: '' })
    expect(asked).toMatchObject({ status: 400, body: { data: { errors: [{ path: 'reason', name: 'required' }] } } })
  })

  it('§5.8 are not asked of those who cannot fill them in', async () => {
    const { admin, editor } = service
    const lacksApproval = await editor.post('claim', { title: 'A', number: '1' })
    expect(lacksApproval).toMatchObject({
      status: 400,
      body: { data: { errors: [{ path: 'approval', name: 'required' }] } },
    })
    const { body } = await editor.post('ticket', { title: 'A' })
    expect(await editor.put(`ticket/${body._id}`, { title: 'B' })).toMatchObject({ status: 200 })
    expect(await admin.put(`ticket/${body._id}`, { title: 'B' })).toMatchObject({
      status: 400,
      body: { data: { errors: [{ path: 'number', name: 'required' }] } },
    })
  })
})
