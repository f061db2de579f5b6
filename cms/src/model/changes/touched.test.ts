import { expect, test } from 'vitest'
import { expectLinear } from '../../../test/growth.ts'
import { compileSite } from '../compile/site.ts'
import { defineSite } from '../compile/site-options.ts'
import { piece, widget } from '../declared/content-type.ts'
import { ChangesByPlace, HeldKeys, keysByPath, TouchedKeys } from './touched.ts'

test('§2.5 a save has a part in what it changed, and in what is above and below', () => {
  const touched = new TouchedKeys(['body.w1.content', 'links', 'tags#order', 'body.w2#deleted'])
  for (const key of [
    'body.w1.content',
    'body.w1',
    'links',
    'links.a.to',
    'links#order',
    'tags#order',
    'body.w2',
    'body.w2#added',
  ])
    expect([key, touched.has(key)]).toEqual([key, true])
  for (const key of ['body.w3', 'body.w1.caption', 'body#order', 'tags.a', 'link', 'body.w'])
    expect([key, touched.has(key)]).toEqual([key, false])
})

test('§2.5 a version held what was filled in', () => {
  const { types } = compileSite(
    defineSite({
      types: [
        piece('story', {
          fields: {
            add: {
              text: { type: 'string' },
              empty: { type: 'string' },
              margin: { type: 'box' },
              links: { type: 'array', fields: { add: { to: { type: 'string' }, by: { type: 'string' } } } },
              body: { type: 'area', widgets: { quote: {} } },
              none: { type: 'area', widgets: { quote: {} } },
            },
          },
        }),
      ],
      widgets: [widget('quote', { fields: { add: { words: { type: 'string' }, by: { type: 'string' } } } })],
    }),
  )
  const fields = types.get('story')?.fields
  if (!fields) throw new Error('There is no such type.')
  const held = new HeldKeys(fields, {
    text: 'x',
    empty: '',
    margin: { top: 1, right: null, bottom: null, left: null },
    links: [{ _id: 'l', metaType: 'arrayItem', to: 'x', by: '' }],
    body: { _id: 'b', metaType: 'area', items: [{ _id: 'w', metaType: 'widget', type: 'quote', words: 'x', by: '' }] },
    none: { _id: 'n', metaType: 'area', items: [] },
  })
  for (const key of ['text', 'margin', 'margin.top', 'links.l', 'links.l.to', 'links#order', 'body.w', 'body.w.words'])
    expect([key, held.has(key)]).toEqual([key, true])
  for (const key of ['empty', 'links.m', 'links.l.by', 'body.v', 'body.w.by', 'none', 'none#order'])
    expect([key, held.has(key)]).toEqual([key, false])
})

test('§4.9 the changes of a place are those of it, above and below', () => {
  const keys = ['body.w1', 'body.w1.content', 'body.w2#deleted', 'links', 'tags#order', 'box.in.a', 'box.in.b']
  const changes = new ChangesByPlace(keys.map((key) => ({ key })))
  const near = (key: string) => changes.near(key).map((one) => one.key)
  expect(near('body.w1.content')).toEqual(['body.w1', 'body.w1.content'])
  expect(near('body')).toEqual(['body.w1', 'body.w1.content', 'body.w2#deleted'])
  expect(near('links.a.to')).toEqual(['links'])
  expect(near('tags#order')).toEqual(['tags#order'])
  expect([near('body.w3'), near('tags.a'), near('link')]).toEqual([[], [], []])
  for (const key of keys) {
    expect(near(key)).toEqual(keys.filter((other) => new TouchedKeys([key]).has(other)))
  }
})

test('§4.9 a path belongs to the key above it, else to the first one below', () => {
  const keyOf = keysByPath(new Set(['body.w1', 'box.in.a', 'box.in.b']))
  expect(['body.w1.content', 'body.w1', 'box.in', 'box.in.b', 'body.w2', 'other'].map(keyOf)).toEqual([
    'body.w1',
    'body.w1',
    'box.in.a',
    'box.in.b',
    null,
    null,
  ])
})

test('§4.9 looking for the changes of all places takes time as their number', async () => {
  const make = (count: number) => Array.from({ length: count }, (_, n) => `steps.i${n}.name`)
  await expectLinear(
    make,
    (keys) => {
      const changes = new ChangesByPlace(keys.map((key) => ({ key })))
      const keyOf = keysByPath(new Set(keys))
      return keys.map((key) => [changes.near(key), keyOf(key.replace('.name', '.note'))])
    },
    1_000,
  )
})
