import { beforeAll, expect, it } from 'vitest'
import { type Caller, describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece } from '../../model/declared/content-type.ts'

describeService('§4.1 choices and counts', {}, (service) => {
  const id: Record<string, string> = {}

  beforeAll(async () => {
    const { editor } = service
    for (const title of ['Red', 'Green', 'Hidden', 'Unused']) {
      const visibility = title === 'Hidden' ? 'loginRequired' : 'public'
      id[title] = (await editor.post('topic', { title, visibility })).body.aposDocId
    }
    const products = [
      {
        title: 'A',
        sku: 'S1',
        price: 1,
        color: 'red',
        tags: ['a', 'b'],
        active: true,
        qty: 3,
        secretNote: 'one',
        topicsIds: [id.Red],
      },
      {
        title: 'B',
        sku: 'S2',
        price: 2.5,
        color: 'red',
        tags: ['b'],
        qty: 3,
        topicsIds: [id.Red, id.Green, id.Hidden],
      },
      { title: 'C', sku: 'S3', price: 2.5, color: 'blue', tags: [], secretNote: 'two', topicsIds: [id.Hidden] },
      {
        title: 'D',
        sku: 'S4',
        price: 9,
        color: 'blue',
        tags: ['c'],
        visibility: 'loginRequired',
        topicsIds: [id.Unused],
      },
    ]
    for (const product of products) await editor.post('product', product)
    const archived = await editor.post('product', {
      title: 'E',
      sku: 'S5',
      price: 77,
      color: 'red',
      topicsIds: [id.Unused],
    })
    await editor.post(`product/${archived.body._id}/archive`)
    await editor.post('product', { title: 'F', sku: 'S6', price: 78, color: 'red' }, 'aposMode=draft')
    await editor.post('article', {
      title: 'x',
      count: 5,
      featured: true,
      level: 'high',
      eventDate: '2026-01-02',
      eventTime: '10:00',
      at: '2026-01-02T03:04:05Z',
      tone: 'loud',
      rating: 2.5,
      size: 30,
    })
    await editor.post('article', { title: 'y', count: 12, level: 'low', eventDate: '2025-01-02' })
  })

  const counts = async (as: Caller, type: string, query: string) => {
    const { status, body } = await as.get(type, query)
    expect(status).toBe(200)
    const short = (list: { value: unknown; label: string; count?: number }[]) =>
      list.map(({ value, label, count }) => (count === undefined ? [value, label] : [value, label, count]))
    return Object.fromEntries(
      Object.entries(body.choices as Record<string, []>).map(([name, list]) => [name, short(list)]),
    )
  }

  it('§0.1 are described', async () => {
    const { body } = await service.editor.get('product', 'counts=color&choices=tags')
    const { paths } = (await service.editor.get('openapi.json')).body
    const { schema } = paths['/api/v1/product'].get.responses['200'].content['application/json']
    expect(Object.keys(schema.properties).toSorted()).toEqual(Object.keys(body).toSorted())
  })

  it.each([
    [
      'counts=color',
      {
        color: [
          ['blue', 'Blue', 1],
          ['red', 'Red', 2],
        ],
      },
    ],
    [
      'choices=color',
      {
        color: [
          ['blue', 'Blue'],
          ['red', 'Red'],
        ],
      },
    ],
    [
      'choices=color&counts=tags',
      {
        color: [
          ['blue', 'Blue'],
          ['red', 'Red'],
        ],
        tags: [
          ['a', 'A', 1],
          ['b', 'B', 2],
        ],
      },
    ],
    [
      'choices=color,tags',
      {
        color: [
          ['blue', 'Blue'],
          ['red', 'Red'],
        ],
        tags: [
          ['a', 'A'],
          ['b', 'B'],
        ],
      },
    ],
    [
      'counts=price',
      {
        price: [
          [1, '1', 1],
          [2.5, '2.5', 2],
        ],
      },
    ],
    [
      'counts=topics',
      {
        topics: [
          ['green', 'Green', 1],
          ['red', 'Red', 2],
        ],
      },
    ],
    // Pages do not matter, other filters do; a filter's own choices stay.
    [
      'counts=color&perPage=1&page=9',
      {
        color: [
          ['blue', 'Blue', 1],
          ['red', 'Red', 2],
        ],
      },
    ],
    [
      'counts=color&color=red',
      {
        color: [
          ['blue', 'Blue', 1],
          ['red', 'Red', 2],
        ],
      },
    ],
    [
      'counts=color&price[min]=2',
      {
        color: [
          ['blue', 'Blue', 1],
          ['red', 'Red', 1],
        ],
      },
    ],
    ['counts=tags&color=blue', { tags: [] }],
    [
      'counts=color,tags&color=red&tags=a',
      {
        color: [['red', 'Red', 1]],
        tags: [
          ['a', 'A', 1],
          ['b', 'B', 2],
        ],
      },
    ],
    [
      'counts=topics&topics=green',
      {
        topics: [
          ['green', 'Green', 1],
          ['red', 'Red', 2],
        ],
      },
    ],
    ['counts=color&topics=red', { color: [['red', 'Red', 2]] }],
    ['counts=color&search=c', { color: [['blue', 'Blue', 1]] }],
    ['counts=color&autocomplete=b', { color: [['red', 'Red', 1]] }],
    [
      'counts=color&minPrice=2',
      {
        color: [
          ['blue', 'Blue', 1],
          ['red', 'Red', 1],
        ],
      },
    ],
    ['counts=color&sku=none', { color: [] }],
    // What the caller does not see, and what is no filter, is not there.
    ['counts=secretNote', {}],
    ['counts=qty,active', {}],
    ['counts=nonsense,constructor,__proto__,toString', {}],
    ['counts=_id,type,createdAt', {}],
    ['counts=', {}],
    [
      'counts=,,color,',
      {
        color: [
          ['blue', 'Blue', 1],
          ['red', 'Red', 2],
        ],
      },
    ],
  ])('§4.1 anonymous callers: %s', async (query, expected) => {
    expect(await counts(service.anonymous, 'product', query)).toEqual(expected)
  })

  it('§4.1 without them the answer has neither', async () => {
    const { body } = await service.anonymous.get('product')
    expect(Object.keys(body).toSorted()).toEqual(['currentPage', 'pages', 'results', 'total'])
  })

  it('related documents are named by slug or by id, as the filter is', async () => {
    const byId = await counts(service.anonymous, 'product', 'counts=_topics')
    expect(byId).toEqual({
      _topics: [
        [id.Green, 'Green', 1],
        [id.Red, 'Red', 2],
      ],
    })
    expect(await counts(service.editor, 'product', 'counts=topics')).toEqual({
      topics: [
        ['green', 'Green', 1],
        ['hidden', 'Hidden', 2],
        ['red', 'Red', 2],
        ['unused', 'Unused', 1],
      ],
    })
  })

  it('every caller counts what that caller sees', async () => {
    expect(await counts(service.guest, 'product', 'counts=color')).toEqual({
      color: [
        ['blue', 'Blue', 2],
        ['red', 'Red', 2],
      ],
    })
    expect(await counts(service.contributor, 'product', 'counts=qty,secretNote')).toEqual({ qty: [[3, '3', 2]] })
    expect(await counts(service.editor, 'product', 'counts=secretNote')).toEqual({
      secretNote: [
        ['one', 'one', 1],
        ['two', 'two', 1],
      ],
    })
    expect(await counts(service.editor, 'product', 'counts=price&price[min]=50&aposMode=draft')).toEqual({
      price: [
        [1, '1', 1],
        [2.5, '2.5', 2],
        [9, '9', 1],
        [78, '78', 1],
      ],
    })
    expect(await counts(service.editor, 'product', 'counts=color&archived=true')).toEqual({
      color: [['red', 'Red', 1]],
    })
  })

  it('values have the type that they have in documents, and work as filters', async () => {
    const all = 'count,featured,level,eventDate,eventTime,at,tone,rating,size'
    const found = await counts(service.editor, 'article', `counts=${all}`)
    expect(found).toEqual({
      count: [
        [5, '5', 1],
        [12, '12', 1],
      ],
      featured: [
        [false, 'No', 1],
        [true, 'Yes', 1],
      ],
      level: [
        ['high', 'High', 1],
        ['low', 'Low', 1],
      ],
      eventDate: [
        ['2025-01-02', '2025-01-02', 1],
        ['2026-01-02', '2026-01-02', 1],
      ],
      eventTime: [['10:00', '10:00', 1]],
      at: [['2026-01-02T03:04:05.000Z', expect.any(String), 1]],
      tone: [['loud', 'Loud', 1]],
      rating: [[2.5, '2.5', 1]],
      size: [
        [30, '30', 1],
        [50, '50', 1],
      ],
    })
    for (const [name, values] of Object.entries(found)) {
      for (const [value, , count] of values) {
        const { body } = await service.editor.get('article', `${name}=${encodeURIComponent(String(value))}`)
        expect({ name, value, total: body.total }).toEqual({ name, value, total: count })
      }
    }
  })
})

const novel = piece('novel', {
  publicApiProjection: ['title', 'place', 'link'],
  fields: {
    add: {
      place: { type: 'string' },
      link: { type: 'url' },
      agent: { type: 'string' },
      mood: { type: 'string', viewPermission: 'admin' },
    },
  },
})

describeService('§4.1 choices of texts', { site: defineSite({ types: [novel] }) }, (service) => {
  beforeAll(async () => {
    const long = `Über ${'x'.repeat(400)}`
    const novels = [
      { title: 'Hidden', place: 'OSLO', agent: 'ANN', mood: 'GRIM', visibility: 'loginRequired' },
      { title: 'A', place: 'Oslo', link: 'https://Example.org/A', agent: 'Ann', mood: 'Grim' },
      { title: 'B', place: 'oslo', link: 'https://example.org/a' },
      { title: 'C', place: 'Ærø ΟΔΟΣ' },
      { title: 'D', place: long },
      { title: 'E', place: "O'Neill [1] $.place" },
    ]
    for (const each of novels) await service.editor.post('novel', each)
    const gone = await service.editor.post('novel', { title: 'Archived', place: 'BERGEN' })
    await service.editor.post(`novel/${gone.body._id}/archive`)
    await service.editor.post('novel', { title: 'Later', place: 'Bergen' })
  })

  const choices = async (as: Caller, query: string) => (await as.get('novel', query)).body.choices

  it('§4.1 they are as written, by the oldest document that the caller sees, and counted in any case', async () => {
    const { place } = await choices(service.anonymous, 'counts=place')
    expect(place).toEqual([
      { value: 'Ærø ΟΔΟΣ', label: 'Ærø ΟΔΟΣ', count: 1 },
      { value: 'Bergen', label: 'Bergen', count: 1 },
      { value: "O'Neill [1] $.place", label: "O'Neill [1] $.place", count: 1 },
      { value: 'Oslo', label: 'Oslo', count: 2 },
      { value: expect.stringMatching(/^Über x{400}$/), label: expect.stringMatching(/^Über x{400}$/), count: 1 },
    ])
    for (const { value, count } of place) {
      const { body } = await service.anonymous.get('novel', `place=${encodeURIComponent(value)}`)
      expect({ value, total: body.total }).toEqual({ value, total: count })
    }
    expect(await choices(service.anonymous, 'choices=link')).toEqual({
      link: [{ value: 'https://Example.org/A', label: 'https://Example.org/A' }],
    })
  })

  it('§5.8 hidden documents and fields change nothing', async () => {
    expect(await choices(service.anonymous, 'counts=agent,mood')).toEqual({})
    expect(await choices(service.editor, 'counts=agent,mood')).toEqual({
      agent: [{ value: 'ANN', label: 'ANN', count: 2 }],
    })
    const { place } = await choices(service.guest, 'counts=place')
    expect(place).toContainEqual({ value: 'OSLO', label: 'OSLO', count: 3 })
    expect((await choices(service.editor, 'counts=place&archived=true')).place).toEqual([
      { value: 'BERGEN', label: 'BERGEN', count: 1 },
    ])
  })

  it('§4.1 they follow the filters and the mode', async () => {
    expect((await choices(service.anonymous, 'counts=place&title=B')).place).toEqual([
      { value: 'oslo', label: 'oslo', count: 1 },
    ])
    const { body } = await service.editor.get('novel', 'title=B')
    await service.editor.patch(`novel/${body.results[0].aposDocId}:en:draft`, { place: 'OsLo' })
    expect((await choices(service.editor, 'counts=place&title=B&aposMode=draft')).place).toEqual([
      { value: 'OsLo', label: 'OsLo', count: 1 },
    ])
    expect((await choices(service.editor, 'counts=place&title=B')).place).toEqual([
      { value: 'oslo', label: 'oslo', count: 1 },
    ])
  })

  it('§0.5 texts that are too long to be asked for are none, and the others are found', async () => {
    for (const length of [300, 301, 1000, 1001, 30_000]) {
      await service.editor.post('novel', { title: 'Long', agent: `Ä${'z'.repeat(length - 1)}` })
    }
    const { agent } = await choices(service.editor, 'counts=agent&title=Long')
    const values: string[] = agent.map(({ value }: { value: string }) => value)
    expect(values.map(({ length }) => length)).toEqual([300, 301, 1000])
    for (const value of values) {
      expect((await service.editor.get('novel', `agent=${encodeURIComponent(value)}`)).body.total).toBe(1)
    }
  })
})

const answers = [
  { value: true, label: 'Yes' },
  { value: false, label: 'No' },
  { value: 2.5, label: 'Both' },
]
const poll = piece('poll', {
  fields: { add: { answer: { type: 'select', choices: answers }, answers: { type: 'checkboxes', choices: answers } } },
})

describeService('§4.1 choices that are not texts', { site: defineSite({ types: [poll] }) }, (service) => {
  it('§4.1 they are those of the field, and find as many as they count', async () => {
    for (const answer of [true, true, false, 2.5]) {
      await service.editor.post('poll', { title: 'Poll', answer, answers: [answer, false] })
    }
    const { body } = await service.editor.get('poll', 'counts=answer,answers')
    const counts = (...all: readonly number[]) => answers.map((answer, index) => ({ ...answer, count: all[index] }))
    const found = { answer: counts(2, 1, 1), answers: counts(2, 4, 1) }
    for (const [name, choices] of Object.entries(found)) {
      expect(body.choices[name]).toEqual(expect.arrayContaining(choices))
      expect(body.choices[name]).toHaveLength(choices.length)
      for (const { value, count } of choices) {
        const { body } = await service.editor.get('poll', `${name}=${value}`)
        expect({ name, value, total: body.total }).toEqual({ name, value, total: count })
      }
    }
  })
})
