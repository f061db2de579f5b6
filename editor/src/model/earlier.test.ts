import type { JsonObject } from 'quire-client'
import { expect, it } from 'vitest'
import { counting } from '../../test/counting.ts'
import { field, madeUpType } from '../../test/made-up-schema.ts'
import { putEarlier } from './earlier.ts'
import type { Path } from './form.ts'
import { openDocument } from './tree.ts'

const blocks = { options: { widgets: { text: {} } } }
const schema = {
  types: {
    note: madeUpType([
      field('title', 'string'),
      field('secret', 'string', { locked: { reason: 'role', needs: 'admin' } }),
      field('address', 'object', { fields: [field('city', 'string')] }),
      field('body', 'area', blocks),
      field('_topics', 'relationship', { fields: [field('why', 'string')] }),
    ]),
  },
  widgets: { text: { label: 'Text', groups: [], fields: [field('content', 'richText')] } },
}
const text = (_id: string, content = _id): JsonObject => ({ _id, metaType: 'widget', type: 'text', content })
const area = (...items: readonly JsonObject[]) => ({ _id: 'b1', metaType: 'area', items })
const topic = (id: string, why: string) => ({ _id: `${id}:en:draft`, aposDocId: id, title: id, _fields: { why } })
const earlier: JsonObject = {
  title: 'Before',
  secret: 'Before',
  address: { _id: 'a1', metaType: 'object', city: 'Ghent' },
  body: area(text('w1'), text('w2'), text('w3'), text('w4')),
  _topics: [topic('t1', 'Before'), topic('t2', 'Before')],
}

const open = (now: JsonObject) =>
  openDocument(schema, 'note', { ...earlier, ...now }, { newId: counting('n'), now: () => 0 })
const put = (now: JsonObject, path: Path) => {
  const document = open(now)
  const isDone = putEarlier(document, earlier, path)
  const { value } = document.root.value
  const { items } = value.body as { items: readonly JsonObject[] }
  return { isDone, document, value, ids: items.map(({ _id }) => _id) }
}

it('6 a field comes back as it was, also within an object and a block, and can be undone', () => {
  const { isDone, document, value } = put({ title: 'After' }, ['title'])
  expect([isDone, value.title]).toEqual([true, 'Before'])
  document.undo()
  expect(document.root.value.value.title).toBe('After')
  expect(put({ address: { _id: 'a1', city: 'Bruges' } }, ['address', 'city']).value.address).toMatchObject({
    city: 'Ghent',
  })
  const changed = put({ body: area(text('w1', 'After')) }, ['body', 'w1', 'content'])
  expect(changed.value.body).toMatchObject({ items: [{ content: 'w1' }] })
})

it.each([
  [['w1', 'w3'], 'w2', ['w1', 'w2', 'w3']],
  [['w3', 'w1'], 'w2', ['w3', 'w1', 'w2']],
  [['w4'], 'w1', ['w1', 'w4']],
  [[], 'w3', ['w3']],
  [['n1', 'w2'], 'w3', ['n1', 'w2', 'w3']],
  [['w1', 'n1'], 'n1', ['w1']],
  [['w1'], 'n1', ['w1']],
  [['w1', 'w2'], 'w2', ['w1', 'w2']],
])('6 a block that was removed from %j comes back at its place, one that was added goes: %s', (now, id, expected) => {
  const { isDone, ids } = put({ body: area(...now.map((one) => text(one))) }, ['body', id])
  expect([isDone, ids]).toEqual([true, expected])
})

it('6 a field of a block that is gone brings back the whole block', () => {
  expect(put({ body: area(text('w1')) }, ['body', 'w2', 'content']).ids).toEqual(['w1', 'w2'])
})

it('6 an order comes back in one step of undo; what was added since stays where it is', () => {
  const now = ['w3', 'n1', 'w1', 'w2']
  const { ids, document } = put({ body: area(...now.map((one) => text(one))) }, ['body'])
  expect(ids).toEqual(['w1', 'n1', 'w2', 'w3'])
  document.undo()
  expect(document.root.value.value.body).toMatchObject({ items: now.map((_id) => ({ _id })) })
})

it('6 of a relationship one field of one document comes back, or all of it', () => {
  const now = { _topics: [topic('t2', 'After'), topic('t1', 'After')] }
  const one = put(now, ['_topics', 't1', 'why']).value._topics
  expect(one).toMatchObject([
    { aposDocId: 't2', _fields: { why: 'After' } },
    { aposDocId: 't1', _fields: { why: 'Before' } },
  ])
  expect(put({ _topics: [] }, ['_topics', 't1', 'why']).value._topics).toEqual(earlier._topics)
  expect(put(now, ['_topics']).value._topics).toEqual(earlier._topics)
})

it('6 nothing changes where there is no place any more, or where it may not be changed', () => {
  for (const path of [['secret'], ['gone'], [], ['body', 'w1', 'gone']]) {
    const { isDone, document } = put({ secret: 'After' }, path)
    expect([path, isDone, document.revision.value]).toEqual([path, false, 0])
  }
})
