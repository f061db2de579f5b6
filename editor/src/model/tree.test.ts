import fc from 'fast-check'
import type { JsonObject } from 'quire-client'
import { describe, expect, it } from 'vitest'
import { patch } from '../../../cms/src/engine/values/patch.ts'
import { fuzzing } from '../../../cms/test/sample.ts'
import { counting } from '../../test/counting.ts'
import { field, madeUpType } from '../../test/made-up-schema.ts'
import { Dice, randomEdit } from '../../test/random-edits.ts'
import { nestedSample, samples } from '../../test/test-sites.ts'
import { shapesOf } from './fields.ts'
import type { Items, Leaf, OpenDocument, Path } from './form.ts'
import { sentValue } from './patching/sent-form.ts'
import { openDocument } from './tree.ts'

const blocks = { options: { widgets: { text: { toolbar: ['bold'] } } } }
const schema = {
  types: {
    note: madeUpType([
      field('title', 'string', { required: true }),
      field('subtitle', 'string', { if: { title: 'x' } }),
      field('slug', 'slug'),
      field('secret', 'string', { locked: { reason: 'role', needs: 'admin' } }),
      field('address', 'object', { fields: [field('city', 'string')] }),
      field('body', 'area', blocks),
      field('_topics', 'relationship'),
    ]),
  },
  widgets: { text: { label: 'Text', groups: [], fields: [field('content', 'richText')] } },
}
const text = (_id: string, content: string): JsonObject => ({ _id, metaType: 'widget', type: 'text', content })
const stored: JsonObject = {
  _id: 'd1:en:draft',
  title: 'x',
  subtitle: 'y',
  slug: 's',
  secret: 'z',
  odd: { kept: 1 },
  address: { _id: 'a1', metaType: 'object', city: 'Ghent' },
  body: { _id: 'b1', metaType: 'area', items: [text('w1', 'one'), { _id: 'g1', type: 'gone', words: 'w' }] },
  _topics: [{ _id: 't1:en:draft', aposDocId: 't1', title: 'T', _fields: {} }],
  topicsIds: ['t1', 't2'],
  topicsFields: {},
}

let now = 0
const open = (document = stored) => openDocument(schema, 'note', document, { newId: counting('n'), now: () => now })

function leaf(document: OpenDocument, ...path: Path): Leaf {
  const node = document.node(path)
  if (node?.kind !== 'leaf') throw new Error(`No leaf at ${path.join('.')}`)
  return node
}

function body(document: OpenDocument): Items {
  const node = document.node(['body'])
  if (node?.kind !== 'items') throw new Error('No area')
  return node
}

describe('4.1 an open document', () => {
  it('sends nothing of what it does not know, and of what may not be written', () => {
    const document = open()
    leaf(document, 'secret').set('other')
    expect(document.node(['odd'])).toBe(null)
    expect(document.patch().body).toBe(null)
    const gone = body(document).item('g1')
    expect([gone.widgetType, gone.children.size]).toEqual([null, 0])
    body(document).move('g1', 0)
    expect(document.patch().body).toEqual({ $move: { 'body.items': { $item: 'g1', $before: 'w1' } } })
    expect(document.root.value.value.odd).toEqual({ kept: 1 })
  })

  it('knows the related documents that the service did not show', () => {
    const topics = leaf(open(), '_topics')
    expect(topics.value.value).toEqual([stored._topics, [{ _id: 't2', _fields: {} }]].flat())
    const document = open()
    leaf(document, '_topics').set([{ _id: 't2', _fields: {} }])
    expect(document.patch().body).toEqual({ _topics: [{ _id: 't2', _fields: {} }] })
  })

  it('gives rich text the options that its area sets', () => {
    expect(leaf(open(), 'body', 'w1', 'content').field.options).toEqual({ toolbar: ['bold'] })
  })

  it('duplicates with new ids all the way down', () => {
    const document = open()
    const id = body(document).duplicate('w1')
    expect(body(document).ids.value).toEqual(['w1', id, 'g1'])
    expect(body(document).item(id).value.value).toEqual(text(id, 'one'))
  })

  it('shows what counts, and the problems of that alone', () => {
    const document = open()
    const subtitle = leaf(document, 'subtitle')
    document.serviceProblems.value = [{ path: document.pathOf('subtitle'), name: 'max', message: 'Too long.' }]
    expect([subtitle.isShown.value, subtitle.problems.value.length]).toEqual([true, 1])
    leaf(document, 'title').set('')
    expect([subtitle.isShown.value, subtitle.problems.value.length]).toEqual([false, 0])
    expect(document.problems.value).toEqual([{ path: ['title'], name: 'required' }])
    expect(document.pathOf('body.w1.content.0')).toEqual(['body', 'w1', 'content'])
  })
})

describe('5.4 undo', () => {
  it('takes back changes of one field within half a second together, and says what', () => {
    const document = open()
    for (const [at, value] of [
      [0, 'a'],
      [400, 'ab'],
      [1000, 'abc'],
    ] as const) {
      now = at
      leaf(document, 'title').set(value)
    }
    const title = leaf(document, 'title').value
    document.undo()
    expect(title.value).toBe('ab')
    expect(document.undoLabel.value).toEqual({ kind: 'set', path: ['title'], label: 'title' })
    document.undo()
    expect([title.value, document.undoLabel.value]).toEqual(['x', null])
    document.redo()
    document.redo()
    expect([title.value, document.redoLabel.value]).toEqual(['abc', null])
  })

  it('is not touched by saves and merges', () => {
    const document = open()
    body(document).remove('w1')
    const { upTo } = document.patch()
    expect(document.undoLabel.value).toEqual({ kind: 'remove', path: ['body', 'w1'], label: 'Text' })
    document.saved({ ...document.root.value.value, title: 'from a hook' }, upTo)
    document.merge({ ...document.root.value.value, slug: 'theirs' }, 'Samir')
    document.undo()
    expect(body(document).ids.value).toEqual(['w1', 'g1'])
    expect([leaf(document, 'title').value.value, leaf(document, 'slug').value.value]).toEqual(['from a hook', 'theirs'])
  })
})

describe('5.2 what the service answers', () => {
  it('comes in, unless the field was changed since', () => {
    const document = open()
    leaf(document, 'title').set(' New ')
    leaf(document, 'address', 'city').set('Bruges ')
    const { upTo } = document.patch()
    leaf(document, 'title').set(' Newer ')
    const address = { _id: 'a1', metaType: 'object', city: 'Bruges' }
    document.saved({ ...stored, title: 'New', slug: 'new', address }, upTo)
    expect(document.patch().body).toEqual({ title: ' Newer ' })
    expect(leaf(document, 'address', 'city').value.value).toBe('Bruges')
    expect(leaf(document, 'slug').value.value).toBe('new')
    expect(document.unsaved()).toHaveLength(1)
  })

  it('leaves what was left out', () => {
    const document = open()
    leaf(document, 'title').set('New')
    leaf(document, 'slug').set('?')
    const { body: sent, upTo } = document.patch([['slug']])
    expect(sent).toEqual({ title: 'New' })
    document.saved({ ...stored, title: 'New' }, upTo)
    expect([leaf(document, 'slug').value.value, document.unsaved().length]).toEqual(['?', 1])
    expect(document.patch().body).toEqual({ slug: '?' })
  })

  it('is no change of others where only the answer was lost', () => {
    const document = open()
    leaf(document, 'title').set('New')
    body(document).insert(text('w2', 'two'), 1)
    const { upTo } = document.patch()
    const arrived = document.root.value.value
    leaf(document, 'title').set('Newer')
    leaf(document, 'body', 'w2', 'content').set('three')
    document.merge({ ...arrived, slug: 'theirs' }, 'Samir', [upTo])
    expect(document.conflicts.value).toEqual([])
    expect(document.patch().body).toEqual({ title: 'Newer', 'body.@w2.content': 'three' })
  })
})

describe('5.3 conflicts', () => {
  const theirs = { ...stored, title: 'Theirs', slug: 'theirs' }

  it('wait until somebody decides, while the rest is saved', () => {
    const document = open()
    leaf(document, 'title').set('Mine')
    leaf(document, 'address', 'city').set('Bruges')
    document.merge(theirs, 'Samir')
    const conflict = { kind: 'value', path: ['title'], label: 'title', before: 'x', mine: 'Mine', theirs: 'Theirs' }
    expect(document.conflicts.value).toEqual([{ ...conflict, by: 'Samir' }])
    const { body: sent, upTo } = document.patch()
    expect(sent).toEqual({ 'address.city': 'Bruges' })
    document.saved({ ...theirs, address: { _id: 'a1', metaType: 'object', city: 'Bruges' } }, upTo)
    expect(document.unsaved().map(({ path }) => path)).toEqual([['title']])
    document.resolve(['title'], 'mine')
    expect(document.patch().body).toEqual({ title: 'Mine' })
    document.merge({ ...theirs, title: 'Again' }, 'Ann')
    document.resolve(['title'], 'theirs')
    expect([leaf(document, 'title').value.value, document.patch().body]).toEqual(['Again', null])
    document.undo()
    expect(document.patch().body).toEqual({ title: 'Mine' })
  })

  it('wait, too, where the answer of a save beside them was lost', () => {
    const document = open()
    leaf(document, 'title').set('Mine')
    document.merge(theirs, 'Samir')
    leaf(document, 'address', 'city').set('Bruges ')
    const { upTo } = document.patch()
    const arrived = { ...theirs, address: { _id: 'a1', metaType: 'object', city: 'Bruges' } }
    document.merge(arrived, '', [upTo])
    expect(document.conflicts.value).toMatchObject([{ path: ['title'], mine: 'Mine', theirs: 'Theirs' }])
    expect(document.unsaved()).toMatchObject([{ path: ['title'], value: 'Mine' }])
    document.merge({ ...arrived, title: 'Mine' }, 'Samir')
    expect(document.conflicts.value).toEqual([])
  })

  it('are found behind a lost answer', () => {
    const document = open()
    leaf(document, 'title').set('Mine')
    const { upTo } = document.patch()
    leaf(document, 'title').set('Mine, longer')
    document.merge(theirs, 'Samir', [upTo])
    expect(document.conflicts.value).toMatchObject([{ mine: 'Mine, longer', theirs: 'Theirs' }])
    expect(document.unsaved()).toHaveLength(2)
  })

  it('are none where the service has cleaned what was removed since', () => {
    const document = open()
    body(document).insert(text('w2', 'two '), 1)
    const { upTo } = document.patch()
    const answer = document.root.value.value
    body(document).remove('w2')
    document.saved(JSON.parse(JSON.stringify(answer).replace('two ', 'deux')), upTo)
    expect(document.conflicts.value).toEqual([])
    expect(body(document).ids.value).toEqual(['w1', 'g1'])
  })

  it.each([
    ['mine', ['w1', 'g1'], true],
    ['theirs', ['g1'], false],
  ] as const)('block that they removed and I changed: %s', (side, ids, isSent) => {
    const document = open()
    leaf(document, 'body', 'w1', 'content').set('mine')
    document.merge(
      { ...stored, body: { _id: 'b1', metaType: 'area', items: [{ _id: 'g1', type: 'gone', words: 'w' }] } },
      'S',
    )
    expect(document.conflicts.value.map(({ kind, path }) => [kind, path])).toEqual([['item', ['body', 'w1']]])
    expect(document.patch().body).toBe(null)
    document.resolve(['body', 'w1'], side)
    expect([body(document).ids.value, document.patch().body !== null]).toEqual([ids, isSent])
  })

  it.each([
    ['mine', ['g1'], true],
    ['theirs', ['w1', 'g1'], false],
  ] as const)('block that I removed and they changed: %s', (side, ids, isSent) => {
    const document = open()
    body(document).remove('w1')
    document.merge(
      {
        ...stored,
        body: { _id: 'b1', metaType: 'area', items: [text('w1', 'theirs'), { _id: 'g1', type: 'gone', words: 'w' }] },
      },
      'S',
    )
    expect(document.patch().body).toBe(null)
    document.resolve(['body', 'w1'], side)
    expect([body(document).ids.value, document.patch().body !== null]).toEqual([ids, isSent])
  })

  it('is found when the journal is put back onto another value', () => {
    const document = open(theirs)
    const gone = { kind: 'set', path: ['body', 'w9', 'content'], value: 'a', before: '' } as const
    expect(document.replay([{ kind: 'set', path: ['title'], value: 'Mine', before: 'x' }, gone])).toEqual([gone])
    expect(document.conflicts.value.map(({ theirs: saved }) => saved)).toEqual(['Theirs'])
  })
})

describe('5.3 two editors of one document', () => {
  type Action = readonly [who: number, what: number, dice: readonly number[]]
  const actions = fc.array(fc.tuple(fc.nat(1), fc.nat(9), fc.array(fc.nat(1000), { minLength: 12, maxLength: 12 })), {
    maxLength: 40,
  })
  const sample = fc.oneof(fc.constantFrom(...samples), fc.constantFrom(...nestedSample))

  it('have the same in the end, which is what is stored', () => {
    fc.assert(
      fc.property(sample, actions, ({ schema: of, type }, all: readonly Action[]) => {
        const service = { document: { _id: 'd1' } as JsonObject, revision: 0 }
        const given = { newId: counting('id'), now: () => 0 }
        const editors = [0, 1].map(() => ({ document: openDocument(of, type.name, service.document, given), seen: 0 }))
        const save = ({ document, seen }: (typeof editors)[number]) => {
          if (seen !== service.revision) document.merge(service.document, 'other')
          const { body: sent, upTo } = document.patch()
          // `as`: both are JSON.
          const target = JSON.parse(JSON.stringify(service.document)) as Parameters<typeof patch>[1]
          if (sent !== null) patch(type.fields, target, structuredClone(sent) as Record<string, unknown>)
          service.document = target
          if (sent !== null) service.revision += 1
          document.saved(service.document, upTo)
          return service.revision
        }
        const decide = ({ document }: (typeof editors)[number], number: number) => {
          for (const { path } of document.conflicts.value) document.resolve(path, number % 2 === 0 ? 'mine' : 'theirs')
        }
        for (const [who, what, dice] of all) {
          const editor = editors[who]
          if (editor === undefined) continue
          if (what < 7) randomEdit(editor.document, new Dice(dice))
          else if (what === 7) decide(editor, dice[0] ?? 0)
          else editor.seen = save(editor)
        }
        for (let round = 0; round < 4; round += 1) {
          for (const editor of editors) {
            editor.seen = save(editor)
            decide(editor, round)
          }
        }
        for (const editor of editors) editor.seen = save(editor)
        for (const editor of editors) editor.seen = save(editor)
        const shapes = shapesOf(of)
        const [one, other, there] = [
          editors[0]?.document.root.value.value,
          editors[1]?.document.root.value.value,
          service.document,
        ].map((values) =>
          (of.types[type.name]?.fields ?? []).map((each) => sentValue(shapes, each, values?.[each.name] ?? null)),
        )
        expect(one).toEqual(there)
        expect(other).toEqual(there)
      }),
      fuzzing(100),
    )
  })
})
