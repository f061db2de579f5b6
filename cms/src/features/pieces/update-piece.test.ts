import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece } from '../../model/declared/content-type.ts'

const links = [
  { _id: 'l1', label: 'One', n: 1 },
  { _id: 'l2', label: 'Two', n: 2 },
  { _id: 'l3', label: 'Three', n: 3 },
]
const body = {
  items: [
    { _id: 'w1', type: '@cms/rich-text', content: '<p>one</p>' },
    { _id: 'w2', type: 'promo', heading: 'Two', items: [{ _id: 'i1', text: 'deep' }] },
  ],
}

describeService('§4.1 PATCH', { isLong: true }, (service) => {
  let id: string
  let topics: string[]
  let article: string
  beforeAll(async () => {
    const made = await Promise.all(['A', 'B', 'C'].map((title) => service.editor.post('topic', { title })))
    topics = made.map((answer) => answer.body.aposDocId)
  })
  beforeEach(async () => {
    const fields = { title: 'Patched', tags: ['red', 'green'], address: { city: 'Bern', zip: 3000 } }
    const _topics = topics.slice(0, 2).map((_id) => ({ _id }))
    id = (await service.editor.post('article', { ...fields, links, body, _topics })).body.aposDocId
    article = `article/${id}`
  })

  const labels = (answer: { body: { links: { label: string }[] } }) =>
    answer.body.links.map(({ label }) => label).join()
  const draft = () => service.editor.get(`${article}:en:draft`)
  const published = () => service.editor.get(`${article}:en:published`)
  const each = (...names: string[]) => ({ $each: names.map((label) => ({ label })) })

  it.each([
    [{ subtitle: 'New' }, { subtitle: 'New' }],
    [{ 'address.city': 'Basel' }, { address: { city: 'Basel', zip: 3000 } }],
    [{ 'links.1.label': 'Changed' }, { links: [{ _id: 'l1' }, { _id: 'l2', label: 'Changed', n: 2 }, { _id: 'l3' }] }],
    [{ '@l2.label': 'Changed' }, { links: [{ _id: 'l1' }, { _id: 'l2', label: 'Changed', n: 2 }, { _id: 'l3' }] }],
    [{ '@l2': { label: 'Whole' } }, { links: [{ _id: 'l1' }, { _id: 'l2', label: 'Whole', n: null }, { _id: 'l3' }] }],
    [{ 'body.items.0.content': '<p>x</p>' }, { body: { items: [{ _id: 'w1', content: '<p>x</p>' }, { _id: 'w2' }] } }],
    [{ '@w2.items.0.text': 'x' }, { body: { items: [{ _id: 'w1' }, { items: [{ _id: 'i1', text: 'x' }] }] } }],
    [
      { '@i1.text': 'x', subtitle: 's' },
      { body: { items: [{ _id: 'w1' }, { items: [{ text: 'x' }] }] }, subtitle: 's' },
    ],
    [{ tags: [] }, { tags: [] }],
    [{ topicsIds: [] }, { topicsIds: [], _topics: [] }],
    [{ nonsense: 1, _nonsense: 2, __proto: 3, 'title.': 4 }, undefined],
  ])('§4.1 %j', async (patch, expected) => {
    const answer = await service.editor.patch(article, patch)
    if (expected === undefined) expect(answer.status).toBe(400)
    else {
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject(expected)
      expect(answer.body).toMatchObject({ title: 'Patched', count: 7 })
      expect((await draft()).body).toMatchObject({ ...expected, modified: false })
    }
  })

  it.each([
    [{ $push: { links: { label: 'New' } } }, 'One,Two,Three,New'],
    [{ $push: { links: each('A', 'B') } }, 'One,Two,Three,A,B'],
    [{ $push: { links: { ...each('A', 'B'), $position: 0 } } }, 'A,B,One,Two,Three'],
    [{ $push: { links: { ...each('A'), $position: 3 } } }, 'One,Two,Three,A'],
    [{ $push: { links: { ...each('A'), $before: 'l2' } } }, 'One,A,Two,Three'],
    [{ $push: { links: { ...each('A'), $after: 'l2' } } }, 'One,Two,A,Three'],
    [{ $push: { links: { ...each('A'), $position: 4 } } }, 400],
    [{ $push: { links: { ...each('A'), $position: -1 } } }, 400],
    [{ $push: { links: { ...each('A'), $position: 1.5 } } }, 400],
    [{ $push: { links: { ...each('A'), $position: '1' } } }, 400],
    [{ $push: { links: { ...each('A'), $after: 'no' } } }, 400],
    [{ $push: { links: { ...each('A'), $before: 'l1', $position: 1 } } }, 400],
    [{ $push: { links: { ...each('A'), $sort: 1 } } }, 400],
    [{ $push: { links: { $each: 'A' } } }, 400],
    [{ $push: { links: { n: 1 } } }, 400],
    [{ $push: { subtitle: 'x' } }, 400],
    [{ $push: { nothing: 'x' } }, 400],
    [{ $push: 'links' }, 400],
    [{ $pullAllById: { links: ['l1', 'l3'] } }, 'Two'],
    [{ $pullAllById: { links: ['l1', 'no'] } }, 400],
    [{ $pullAllById: { links: 'l1' } }, 400],
    [{ $pullAll: { links: [{ _id: 'l1' }, { label: 'Two' }] } }, 'Two,Three'],
    [{ $move: { links: { $item: 'l3', $before: 'l1' } } }, 'Three,One,Two'],
    [{ $move: { links: { $item: 'l1', $after: 'l3' } } }, 'Two,Three,One'],
    [{ $move: { links: { $item: 'l1', $after: 'l1' } } }, 400],
    [{ $move: { links: { $item: 'no', $after: 'l1' } } }, 400],
    [{ $move: { links: { $item: 'l1' } } }, 400],
    [{ $move: { links: { $item: 'l1', $before: 'l2', $after: 'l3' } } }, 400],
    [{ $move: { links: 'l1' } }, 400],
    [{ $set: { title: 'x' } }, 400],
    [{ $inc: { count: 1 } }, 400],
    [{ $constructor: { title: 'x' } }, 400],
    [{ 'links.3.label': 'x' }, 400],
    [{ 'links.-1.label': 'x' }, 400],
    [{ 'links.one.label': 'x' }, 400],
    [{ '@no.label': 'x' }, 400],
    [{ 'title.deep.er': 'x' }, 400],
    [{ _patches: [{ $push: { links: { label: 'A' } } }, { $pullAllById: { links: ['l1'] } }] }, 'Two,Three,A'],
    [
      { _patches: [{ 'links.0.label': 'First' }, { $push: { links: { label: 'A' } } }, { 'links.3.n': 9 }] },
      'First,Two,Three,A',
    ],
    [{ _patches: [{ $push: { links: { label: 'A' } } }, { $pullAllById: { links: ['no'] } }] }, 400],
    [{ _patches: [{ 'links.0.label': 'First' }, { $push: { links: { label: '' } } }] }, 400],
    [{ _patches: { title: 'x' } }, 400],
    [{ _patches: ['x'] }, 400],
    [{ _patches: [{ 'links.0.label': 'First' }, { _patches: [{ 'links.0.label': 'Lost' }] }] }, 400],
  ])('§4.1 %j gives %s', async (patch, expected) => {
    const answer = await service.editor.patch(article, patch)
    if (expected === 400) {
      expect([answer.status, answer.body.name]).toEqual([400, 'invalid'])
      expect(labels(await published())).toBe('One,Two,Three')
    } else {
      expect(labels(answer)).toBe(expected)
      expect((await draft()).body.links).toEqual((await published()).body.links.map(draftMarks))
    }
  })
  const draftMarks = (item: { _docId: string }) => ({ ...item, _docId: `${id}:en:draft` })

  it('§2.15 a PATCH of a relationship as ids keeps what it says of those that stay; documents win over ids', async () => {
    const { editor } = service
    const [a, b] = await Promise.all(
      ['Kept', 'Other'].map(async (title) => (await editor.post('article', { title })).body),
    )
    const _related = [{ _id: a._id, _fields: { why: 'first' } }, b]
    const { _id } = (await editor.post('article', { title: 'Relates', _related })).body
    const after = async (patch: object) => {
      const { status, body } = await editor.patch(`article/${_id}`, patch)
      if (status !== 200) return body.name
      const shown = [body, (await editor.get(`article/${_id.replace('published', 'draft')}`)).body].map((one) =>
        one._related.map((related: { title: string; _fields: { why?: string } }) => [
          related.title,
          related._fields.why,
        ]),
      )
      expect(shown[1]).toEqual(shown[0])
      return Object.fromEntries(shown[0])
    }
    expect(await after({ relatedIds: [b.aposDocId, a.aposDocId] })).toMatchObject({ Kept: 'first' })
    expect(await after({ relatedIds: [a._id] })).toEqual({ Kept: 'first' })
    expect(await after({ _patches: [{ relatedIds: [b.aposDocId, a._id] }] })).toMatchObject({ Kept: 'first' })
    const relatedFields = { [a.aposDocId]: { why: 'second' } }
    expect(await after({ relatedIds: [a._id], relatedFields })).toEqual({ Kept: 'second' })
    expect(await after({ relatedFields, relatedIds: [a.aposDocId] })).toEqual({ Kept: 'second' })
    const _documents = { _related: [{ _id: a._id, _fields: { why: 'third' } }] }
    expect(await after({ ..._documents, relatedIds: [b.aposDocId] })).toEqual({ Kept: 'third' })
    expect(await after({ relatedIds: [b.aposDocId], ..._documents })).toEqual({ Kept: 'third' })
    for (const _fields of ['x', [], 5, [{ why: 'x' }]]) {
      expect(await after({ _related: [{ _id: a._id, _fields }] })).toBe('invalid')
    }
    expect(await after({ relatedIds: [a._id], relatedFields: 'x' })).toBe('invalid')
    expect(await after({ title: 'Still' })).toEqual({ Kept: 'third' })
  })

  it('§4.1 operators work on relationships, by full and bare ids, in either name', async () => {
    const [a, b, c] = topics
    const idsAfter = async (patch: object) => (await service.editor.patch(article, patch)).body.topicsIds
    expect(await idsAfter({ $push: { _topics: { _id: `${c}:en:published` } } })).toEqual([a, b, c])
    expect(await idsAfter({ $pullAllById: { _topics: [`${a}:en:published`] } })).toEqual([b, c])
    expect(await idsAfter({ $addToSet: { topicsIds: { $each: [b, a] } } })).toEqual([b, c, a])
    expect(await idsAfter({ $move: { _topics: { $item: a, $before: b } } })).toEqual([a, b, c])
    expect(await idsAfter({ $pullAll: { topicsIds: [`${b}:en:draft`, c] } })).toEqual([a])
    expect(await idsAfter({ $push: { topicsIds: { $each: [c], $before: a } } })).toEqual([c, a])
    expect((await service.editor.patch(article, { $push: { _topics: { _id: 'unknown' } } })).status).toBe(400)
  })

  it('§4.1 $addToSet and $pullAll compare whole values', async () => {
    const tagsAfter = async (patch: object) => (await service.editor.patch(article, patch)).body.tags
    expect(await tagsAfter({ $addToSet: { tags: 'red' } })).toEqual(['red', 'green'])
    expect(await tagsAfter({ $addToSet: { tags: { $each: ['blue', 'red'] } } })).toEqual(['red', 'green', 'blue'])
    expect(await tagsAfter({ $pullAll: { tags: ['red', 'blue', 'pink'] } })).toEqual(['green'])
  })

  it.each([
    'constructor',
    'prototype',
    '__proto__.polluted',
    'address.__proto__',
    'address.__proto__.x',
    'constructor.prototype.x',
    '@l1.__proto__',
    '@l1.__proto__.x',
    'links.0.constructor',
    'links.__proto__',
    'toString.x',
    'links.length',
  ])('§0.4 the path %s is refused', async (path) => {
    const raw = `{"${path}": {"polluted": true}}`
    const answer = await service.editor.patch(article, JSON.parse(raw))
    expect(answer.status).toBe(400)
    expect((await service.editor.patch(article, { $push: JSON.parse(raw) })).status).toBe(400)
    expect((Object.prototype as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('§3 a published patch reaches the draft, and publishes nothing else of it', async () => {
    await service.contributor.patch(`${article}:en:draft`, { subtitle: 'Waiting', '@l1.label': 'Waiting' })
    const answer = await service.editor.patch(article, { title: 'Live', 'links.1.label': 'Live' })
    expect(answer.body).toMatchObject({ title: 'Live', subtitle: '' })
    expect(labels(answer)).toBe('One,Live,Three')
    const { body: after } = await draft()
    expect(after).toMatchObject({ title: 'Live', subtitle: 'Waiting', modified: true })
    expect(labels({ body: after })).toBe('Waiting,Live,Three')
  })

  it('§3 what a published patch names by its index is the same item in the draft', async () => {
    const moved = {
      _patches: [{ $move: { links: { $item: 'l3', $before: 'l1' } } }, { $pullAllById: { links: ['l2'] } }],
    }
    await service.editor.patch(`${article}:en:draft`, moved)
    await service.editor.patch(article, { 'links.0.label': 'First', 'links.1.label': 'Gone from the draft' })
    expect(labels(await draft())).toBe('Three,First')
    expect(labels(await published())).toBe('First,Gone from the draft,Three')
    await service.editor.patch(article, { $pullAllById: { links: ['l1', 'l2'] } })
    expect(labels(await draft())).toBe('Three')
    await service.editor.patch(article, {
      _patches: [{ $push: { links: { $each: [{ _id: 'l4', label: 'Four' }], $before: 'l3' } } }],
    })
    await service.editor.patch(`${article}:en:draft`, { $pullAllById: { links: ['l3'] } })
    await service.editor.patch(article, { $push: { links: { ...each('Last'), $after: 'l3' } } })
    expect(labels(await draft())).toBe('Four,Last')
    await service.editor.patch(article, { $move: { links: { $item: 'l4', $after: 'l3' } } })
    expect(labels(await draft())).toBe('Four,Last')
    expect(labels(await published())).toBe('Three,Four,Last')
  })

  it('§3 what a published patch names by full ids of related documents goes from the draft too', async () => {
    const [a = '', b = '', c = ''] = topics
    await service.contributor.patch(`${article}:en:draft`, { $push: { _topics: c } })
    await service.editor.patch(article, { $pullAllById: { _topics: [`${a}:en:published`] } })
    expect((await published()).body.topicsIds).toEqual([b])
    expect((await draft()).body.topicsIds).toEqual([b, c])
  })

  it('§3 a patch of the draft leaves the published copy alone', async () => {
    const answer = await service.contributor.patch(article, { title: 'Draft' }, 'aposMode=draft')
    expect(answer.body).toMatchObject({ title: 'Draft', modified: true, _id: `${id}:en:draft` })
    expect((await published()).body.title).toBe('Patched')
    expect((await service.contributor.patch(article, { title: 'x' })).status).toBe(403)
  })

  it('§2.10 the query outweighs the locale and mode of the id', async () => {
    await service.editor.patch(`${article}:fr:published`, { title: 'By query' }, 'aposLocale=en&aposMode=draft')
    expect((await draft()).body.title).toBe('By query')
    expect((await service.editor.patch(`${article}:fr:published`, { title: 'x' })).status).toBe(404)
    expect((await service.editor.patch(`topic/${id}`, { title: 'x' })).status).toBe(404)
    expect((await service.editor.patch('article/unknown', { title: 'x' })).status).toBe(404)
  })

  it('§2.11 only what the patch touches must be complete', async () => {
    expect((await service.editor.patch(article, { title: '' })).body.data.errors).toMatchObject([
      { path: 'title', name: 'required' },
    ])
    const { body: answer } = await service.editor.patch(article, { '@l1.label': '', '@l2.n': 'x', count: -1 })
    expect(answer.data.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
      'count',
      'links.l1.label',
      'links.l2.n',
    ])
  })

  it('§0.8 If-Match guards against what others have saved', async () => {
    const read = await published()
    const etag = { 'if-match': read.headers.get('etag') ?? '' }
    const first = await service.editor.patch(article, { subtitle: 'Mine' }, '', etag)
    expect(first.status).toBe(200)
    expect((await published()).headers.get('etag')).toBe(first.headers.get('etag'))
    for (const stale of [
      await service.editor.patch(article, { subtitle: 'x' }, '', etag),
      await service.editor.put(article, { title: 'x' }, '', etag),
      await service.editor.delete(article, '', etag),
    ])
      expect([stale.status, stale.body.name]).toEqual([409, 'conflict'])
    expect((await published()).body).toMatchObject({ title: 'Patched', subtitle: 'Mine' })
    const weak = { 'if-match': `W/${first.headers.get('etag')}` }
    expect((await service.editor.patch(article, {}, '', weak)).status).toBe(200)
    expect((await service.editor.patch(article, {}, '', { 'if-match': 'W/"0"' })).status).toBe(409)
    const fresh = { 'if-match': `"0", ${first.headers.get('etag')}` }
    expect((await service.editor.put(article, { title: 'Put' }, '', fresh)).status).toBe(200)
    expect((await service.editor.delete(article, '', { 'if-match': '*' })).status).toBe(200)
  })

  it('§2.12 slugs are kept, changed when given, made when emptied, refused when taken', async () => {
    const other = (await service.editor.post('article', { title: 'Other' })).body.slug
    const slugAfter = async (patch: object) => (await service.editor.patch(article, patch)).body.slug
    const slug = (await published()).body.slug
    expect(await slugAfter({ title: 'Another title' })).toBe(slug)
    expect(await slugAfter({ slug: `Slug of ${id}` })).toBe(`slug-of-${id}`)
    expect(await slugAfter({ slug: `slug-of-${id}` })).toBe(`slug-of-${id}`)
    const taken = await service.editor.patch(article, { slug: other, subtitle: 'x' })
    expect([taken.status, taken.body.data.errors[0].path]).toEqual([409, 'slug'])
    expect((await published()).body).toMatchObject({ slug: `slug-of-${id}`, subtitle: '' })
    expect(await slugAfter({ title: `Title of ${id}`, slug: '' })).toBe(`title-of-${id}`)
  })

  it('§3 archiving reaches both copies from either mode, and frees the slug', async () => {
    const slug = `freed-${id}`
    await service.editor.patch(article, { slug })
    await service.editor.patch(`${article}:en:draft`, { slug: `draft-${id}` })
    expect((await service.contributor.patch(`${article}:en:draft`, { archived: true })).status).toBe(403)
    expect((await service.contributor.patch(`${article}:en:draft`, { archived: false })).status).toBe(200)
    expect((await service.editor.patch(`${article}:en:draft`, { archived: true })).body.archived).toBe(true)
    expect((await service.contributor.patch(`${article}:en:draft`, { archived: true })).status).toBe(403)
    const other = await service.contributor.patch(`${article}:en:draft`, { title: 'Still edited' })
    expect(other).toMatchObject({ status: 200, body: { title: 'Still edited', archived: true } })
    const read = await service.editor.get(article, 'archived=true')
    expect(read.body.archived).toBe(true)
    expect((await published()).status).toBe(404)
    expect((await service.editor.post('article', { title: 'x', slug })).status).toBe(200)
    expect((await service.editor.patch(article, { archived: false, slug })).status).toBe(409)
    const restored = await service.editor.patch(article, { archived: false })
    expect(restored.body).toMatchObject({ archived: false, slug: `${slug}-2` })
    expect((await draft()).body).toMatchObject({ archived: false, slug: `draft-${id}` })
  })

  it('§0.8 writers at the same time lose nothing', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `P${index}`)
    await Promise.all(names.map((label) => service.editor.patch(article, { $push: { links: { label } } })))
    expect(
      labels(await published())
        .split(',')
        .sort(),
    ).toEqual(['One', 'Two', 'Three', ...names].sort())
    const slugs = await Promise.all(names.map(() => service.editor.post('article', { title: `Race ${id}` })))
    expect(new Set(slugs.map((answer) => answer.body.slug)).size).toBe(8)
    const given = await Promise.all(names.map(() => service.editor.post('article', { title: 'x', slug: `one-${id}` })))
    expect(given.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
  })
})

const guarded = {
  open: { type: 'string' },
  locked: { type: 'string', editPermission: 'editor', def: 'as it was' },
  hidden: { type: 'string', viewPermission: 'editor' },
  hiddenTags: { type: 'checkboxes', choices: ['a', 'b'], viewPermission: 'editor' },
} as const

const site = defineSite({
  types: [
    piece('guarded', {
      fields: {
        add: {
          ...guarded,
          box: { type: 'object', fields: { add: guarded } },
          rows: { type: 'array', fields: { add: guarded } },
          secretRows: { type: 'array', viewPermission: 'editor', fields: { add: { text: { type: 'string' } } } },
          _friends: { type: 'relationship', withType: 'guarded', editPermission: 'editor' },
        },
      },
    }),
  ],
})

describeService('§5.7 permissions of fields', { isLong: true, site }, (service) => {
  let draft: string
  const hidden = { hidden: 'secret', hiddenTags: ['a'] }
  beforeAll(async () => {
    const inner = { open: 'o', ...hidden }
    const values = {
      title: 'G',
      ...inner,
      box: inner,
      rows: [{ _id: 'r1', ...inner }],
      secretRows: [{ _id: 's1', text: 't' }],
    }
    const made = await service.editor.post('guarded', values, 'aposMode=draft')
    draft = `guarded/${made.body._id}`
  })

  const kept = async () => {
    const { body } = await service.editor.get(draft)
    expect(body).toMatchObject({ ...hidden, locked: 'as it was', secretRows: [{ _id: 's1', text: 't' }] })
    expect(body.box).toMatchObject({ ...hidden, locked: 'as it was' })
    expect(body.rows[0]).toMatchObject({ ...hidden, locked: 'as it was' })
    return body
  }

  it('§5.7 what a caller cannot see he does not write, at any depth; it is ignored', async () => {
    const none = { hidden: '', hiddenTags: ['b'] }
    const patch = { ...none, 'box.hidden': 'x', '@r1.hidden': 'x', secretRows: [] }
    expect((await service.contributor.patch(draft, patch)).status).toBe(200)
    await kept()
    const whole = { title: 'G', ...none, box: { open: 'p', ...none }, rows: [{ _id: 'r1', open: 'p', ...none }] }
    const answer = await service.contributor.put(draft, whole)
    expect(answer.status).toBe(200)
    expect(JSON.stringify(answer.body)).not.toMatch(/hidden|secret/)
    expect((await kept()).box.open).toBe('p')
  })

  it('§5.8 he learns nothing of it by operators and paths', async () => {
    const answers = [
      await service.contributor.patch(draft, { '@s1.text': 'x' }),
      await service.contributor.patch(draft, { 'secretRows.7.text': 'x' }),
      await service.contributor.patch(draft, { $pullAllById: { secretRows: ['s1'] } }),
      await service.contributor.patch(draft, { $push: { hiddenTags: 'b' } }),
    ]
    const unknown = await service.contributor.patch(draft, { '@s2.text': 'x' })
    for (const { status } of [...answers, unknown]) expect(status).toBe(400)
    expect(answers[0]?.body.message).toBe(unknown.body.message.replaceAll('s2', 's1'))
    await kept()
  })

  it.each([
    [{ locked: 'x' }, 403],
    [{ 'box.locked': 'x' }, 403],
    [{ '@r1.locked': 'x' }, 403],
    [{ $push: { rows: { locked: 'x' } } }, 403],
    [{ _friends: ['self'] }, 403],
    [{ locked: 'as it was', 'box.locked': ' as it was ', friendsIds: [] }, 200],
  ])('§5.7 %j of what he sees and may not edit is answered %i', async (patch, status) => {
    expect((await service.contributor.patch(draft, patch)).status).toBe(status)
    const body = await kept()
    const { status: whole } = await service.contributor.put(draft, {
      ...body,
      locked: status === 403 ? 'y' : body.locked,
    })
    expect(whole).toBe(status)
  })

  it('§5.7 _copyingId: what he may not edit holds in the copy what it holds in a new document', async () => {
    await service.editor.patch(draft, { locked: 'by an editor', 'box.locked': 'by an editor' })
    const _copyingId = draft.slice('guarded/'.length)
    const copy = await service.contributor.post('guarded', { _copyingId }, 'aposMode=draft')
    expect(copy.body).toMatchObject({ locked: 'as it was', box: { locked: 'as it was' } })
    expect((await service.editor.get(`guarded/${copy.body._id}`)).body).toMatchObject({
      hidden: '',
      box: { hidden: '' },
    })
    const changed = await service.contributor.post('guarded', { _copyingId, locked: 'x' }, 'aposMode=draft')
    expect(changed.status).toBe(403)
    expect((await service.contributor.post('guarded', { title: 'x', locked: 'x' }, 'aposMode=draft')).status).toBe(403)
  })
})
