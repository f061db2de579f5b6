import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineSite, piece, query } from '../src/index.ts'
import { sampledDatabases } from './databases.ts'
import { sample } from './sample.ts'
import { callerOf, describeService } from './service.ts'

/**
 * What a caller cannot read he cannot learn (§5.8). Every question is asked twice, and between the two only what
 * is hidden from the caller changes: the answers must be the same, byte for byte, ETags included.
 *
 * What is known all the same: when a document was saved last. Lists that have no order of their own are sorted by it,
 * and known callers read it. So hidden fields change here by saving the documents again in the order in which they were
 * saved before.
 */
const site = defineSite({
  name: 'Oracle',
  locales: { en: { label: 'English' }, it: { label: 'Italian', prefix: '/it', private: true } },
  types: [
    piece('topic', {
      publicApiProjection: ['title', 'slug', '_products', '_reviews'],
      fields: {
        add: {
          motto: { type: 'string' },
          _products: { type: 'relationshipReverse', withType: 'product', reverseOf: '_topics' },
          _reviews: { type: 'relationshipReverse', withType: 'product', reverseOf: '_secretTopics' },
        },
      },
    }),
    piece('plan', { fields: { add: { budget: { type: 'integer' } } } }),
    piece('vault', { viewRole: 'editor' }),
    piece('product', {
      sort: { qty: -1 },
      searchable: ['_topics', '_secretTopics', '_plans', '_vaults'],
      searchWeights: { secretNote: 'high', _secretTopics: 'high', details: 'low' },
      publicApiProjection: ['title', 'slug', 'price', 'body', 'details', '_topics', '_plans', '_vaults'],
      fields: {
        add: {
          price: { type: 'float' },
          qty: { type: 'integer' },
          secretNote: { type: 'string', viewPermission: 'editor' },
          secretNumber: { type: 'integer', viewPermission: 'editor' },
          secretDate: { type: 'date', viewPermission: 'editor' },
          secretFlag: { type: 'boolean', viewPermission: 'editor' },
          secretLevel: { type: 'select', choices: ['low', 'high'], viewPermission: 'editor' },
          secretTags: { type: 'checkboxes', choices: ['a', 'b'], viewPermission: 'editor' },
          details: {
            type: 'object',
            fields: { add: { shown: { type: 'string' }, inner: { type: 'string', viewPermission: 'editor' } } },
          },
          body: { type: 'area', widgets: { '@cms/rich-text': {} } },
          _topics: { type: 'relationship', withType: 'topic' },
          _secretTopics: { type: 'relationship', withType: 'topic', viewPermission: 'editor' },
          _plans: { type: 'relationship', withType: 'plan' },
          _vaults: { type: 'relationship', withType: 'vault' },
        },
      },
      queries: {
        atLeast: query({
          input: z.coerce.number(),
          description: 'Price at least.',
          where: (least) => ({ price: { min: least } }),
        }),
      },
    }),
  ],
})

const HIDDEN = ['secretNote', 'secretNumber', 'secretDate', 'secretFlag', 'secretLevel', 'secretTags'] as const
const GUESSES: Readonly<Record<(typeof HIDDEN)[number], readonly string[]>> = {
  secretNote: ['merger', 'nothing'],
  secretNumber: ['7', '1'],
  secretDate: ['2026-01-01', '2026-12-31'],
  secretFlag: ['true', 'false'],
  secretLevel: ['low', 'high'],
  secretTags: ['a', 'b'],
}

/** Two states of what is hidden in one product. */
const FIRST = {
  secretNote: 'merger merger',
  secretNumber: 7,
  secretDate: '2026-01-01',
  secretFlag: true,
  secretLevel: 'low',
  secretTags: ['a'],
}
const SECOND = {
  secretNote: `nothing ${'padding '.repeat(300)}`,
  secretNumber: 1,
  secretDate: '2026-12-31',
  secretFlag: false,
  secretLevel: 'high',
  secretTags: ['b'],
}

/** Every way to ask by one field. */
function byField(name: string, guesses: readonly string[]): string[] {
  return [
    ...guesses.flatMap((guess) => [`${name}=${guess}`, `${name}[min]=${guess}`]),
    `${name}[]=${guesses[0]}&${name}[]=zzz`,
    `${name}[a]=${guesses[0]}`,
    `sort=${name}`,
    `sort=-${name}`,
    `sort[price]=1&sort[${name}]=-1`,
    `counts=${name}`,
    `choices=price,${name}&counts=${name}`,
    `project[${name}]=1`,
  ]
}

const COMMON = [
  '',
  'perPage=2',
  'page=2&perPage=3',
  'sort=title',
  'sort=-price',
  'sort[price]=1&sort[title]=-1',
  'counts=price',
  'counts=topics,_topics,plans,vaults',
  'choices=price&perPage=1',
  'price[min]=0',
  'atLeast=2',
  'topics=none',
  'plans=none',
  'vaults=none',
  'topics=seen',
  'topics[]=seen&topics[]=unseen',
  'topicsAnd[]=seen&topicsAnd[]=unseen',
  'topics=unseen',
  'plans=unseen',
  'vaults=vault',
  'archived=any',
  'archived=true',
  'secretTopics=seen',
  'secretTopics=none',
  '_secretTopics=none',
  'secretTopicsAnd[]=seen',
  ...['merger', 'padding', 'product', 'word', 'product merger', 'product word', 'hush', 'unseen', 'vault'].flatMap(
    (word) => [
      `search=${word}`,
      `autocomplete=${word}`,
      `autocomplete=${word.slice(0, 3)}`,
      `search=${word}&sort=title`,
      `search=${word}&counts=price`,
      `search=${word}&highlight=true`,
      `search=${word}s`,
      `search=${word.slice(0, -1)}&highlight=true`,
    ],
  ),
]

const SAMPLED = sample(COMMON, 6)
const QUESTIONS = [
  ...SAMPLED,
  ...sample([...HIDDEN.flatMap((name) => byField(name, GUESSES[name])), ...byField('qty', ['1', '9'])], 8),
]

const slugs = (kind: string) => [1, 2, 3, 4, 5, 6].map((index) => `${kind}-${index}`)

describeService('§5 what is hidden cannot be learned', { site, on: sampledDatabases('oracle') }, (service) => {
  const ids: Record<string, string> = {}

  beforeAll(async () => {
    const { editor } = service
    const make = async (type: string, slug: string, body: object = {}, as = '') => {
      const answer = await editor.post(type, { title: `${type} ${slug}`, slug, ...body }, as)
      expect(answer.body.name).toBe(undefined)
      ids[slug] = answer.body.aposDocId
    }
    await make('topic', 'seen')
    await make('topic', 'unseen', { visibility: 'loginRequired' })
    await make('plan', 'plan')
    await make('plan', 'unseen-plan', { visibility: 'loginRequired' })
    await make('vault', 'vault')
    for (const [index, slug] of slugs('p').entries()) {
      await make('product', slug, {
        title: `Product word ${'word '.repeat(index % 3)}`,
        price: index,
        qty: index,
        ...SECOND,
        details: { shown: 'inside', inner: 'x' },
        body: {
          items: [
            {
              type: '@cms/rich-text',
              content: `<p>${'word '.repeat(5 - index)} product ${'filler '.repeat(index * 3)}</p>`,
            },
          ],
        },
        _topics: [{ _id: ids.seen }],
        _plans: [{ _id: ids.plan }],
      })
    }
  })

  type Role = 'anonymous' | 'guest' | 'contributor'
  /** Without the check against the OpenAPI document, which other tests make. */
  const callerFor = (role: Role) => callerOf(service.address, role === 'anonymous' ? null : `key-${role}`, null)

  /** Everything that a caller can see of an answer. The ETag of the known counts saves. */
  const asked = async (role: Role, path: string, question: string) => {
    const { status, headers, body } = await callerFor(role).get(path, question)
    return { status, etag: role === 'anonymous' ? headers.get('etag') : null, body: strip(body) }
  }

  const answersOf = async (role: Role, questions: readonly string[] = QUESTIONS) => {
    const asks: (readonly [string, string])[] = [
      ...questions.map((question) => ['product', question] as const),
      ...['', 'search=topic', 'counts=title', 'sort=title'].map((question) => ['topic', question] as const),
      [`topic/${ids.seen}`, ''],
      [`product/${ids['p-1']}`, ''],
    ]
    const answers = asks.map(async ([path, question]) => [`${path}?${question}`, await asked(role, path, question)])
    return Object.fromEntries(await Promise.all(answers))
  }

  /** Saves all products in their order, so that nothing changes but what is given for one of them. */
  const resave = async (change: object) => {
    for (const [index, slug] of slugs('p').entries()) {
      const body = index === 2 ? change : { secretNumber: 100 + saves }
      expect((await service.editor.patch(`product/${ids[slug]}`, body)).status).toBe(200)
    }
    saves += 1
  }
  let saves = 0

  describe.each(['anonymous', 'guest', 'contributor'] as const)('%s', (role) => {
    it.each([
      ['fields with a permission', FIRST, SECOND],
      [
        'a field inside an object',
        { details: { shown: 'inside', inner: 'hush' } },
        { details: { shown: 'inside', inner: 'other words' } },
      ],
    ])('§5.8 %s: the values of fields that a role does not see', async (_, first, second) => {
      await resave(first)
      const before = await answersOf(role)
      await resave(second)
      expect(await answersOf(role)).toEqual(before)
    })

    it('§5.8 relationships that a role does not see, from both sides', async () => {
      await resave({ _secretTopics: [{ _id: ids.seen }] })
      const before = await answersOf(role)
      await resave({ _secretTopics: [] })
      expect(await answersOf(role)).toEqual(before)
    })

    it('§5.8 a name that is hidden is ignored exactly as one that is unknown', async () => {
      for (const name of sample(HIDDEN, 1)) {
        for (const question of byField(name, GUESSES[name])) {
          const unknown = question.replaceAll(name, 'unknownName')
          const swap = (answer: object) => JSON.parse(JSON.stringify(answer).replaceAll(name, 'unknownName'))
          expect(swap(await asked(role, 'product', question))).toEqual(await asked(role, 'product', unknown))
        }
      }
    })
  })

  describe.each(['anonymous', 'guest'] as const)('%s', (role) => {
    it('§5.8 fields outside of the projection', async () => {
      // qty is what the list is sorted by for those who see it.
      await resave({ qty: 900 })
      const before = await answersOf(role)
      await resave({ qty: -900 })
      expect(await answersOf(role)).toEqual(before)
    })
  })

  describe.each([
    ['anonymous', 'a document for guests', { visibility: 'loginRequired' }, ''],
    ['anonymous', 'a draft', {}, 'aposMode=draft'],
    ['guest', 'a draft', {}, 'aposMode=draft'],
    ['contributor', 'a draft', {}, 'aposMode=draft'],
    ['anonymous', 'an archived document', { archived: true }, ''],
    ['guest', 'an archived document', { archived: true }, ''],
    ['anonymous', 'a document of a private locale', {}, 'aposLocale=it'],
  ] as const)('%s', (role, what, extra, index) => {
    it(`§5.8 ${what}`, async () => {
      const questions = role === 'contributor' ? SAMPLED.filter((one) => !one.startsWith('archived')) : SAMPLED
      const before = await answersOf(role, questions)
      const { body } = await service.editor.post(
        'product',
        {
          title: 'Product hush word merger',
          slug: 'newcomer',
          price: 3,
          qty: 9,
          ...FIRST,
          ...extra,
          _topics: [{ _id: ids.seen }],
          _plans: [{ _id: ids.plan }],
        },
        index,
      )
      expect(body.name).toBe(undefined)
      if ('archived' in extra && body.archived !== true) await service.editor.post(`product/${body._id}/archive`)
      expect(await answersOf(role, questions)).toEqual(before)
      expect((await service.editor.delete(`product/${body._id}`)).status).toBe(200)
      expect(await answersOf(role, questions)).toEqual(before)
    })
  })

  it('§5.8 that a document points to one of a type that contributors do not see', async () => {
    const questions = ['vaults=none', 'vaults=vault', `_vaults=${ids.vault}`, 'choices=vaults,_vaults', ...SAMPLED]
    const before = await answersOf('contributor', questions)
    await resave({ _vaults: [{ _id: ids.vault }] })
    expect(await answersOf('contributor', questions)).toEqual(before)
    await resave({ _vaults: [] })
  })

  it('§5.8 that a document points to one that is hidden', async () => {
    for (const hidden of [
      { _topics: [{ _id: ids.seen }, { _id: ids.unseen }] },
      { _plans: [{ _id: ids['unseen-plan'] }, { _id: ids.plan }] },
      { _vaults: [{ _id: ids.vault }] },
    ]) {
      const [name = ''] = Object.keys(hidden)
      const before = await answersOf('anonymous', SAMPLED)
      const stem = name.slice(1)
      const old = { _topics: [{ _id: ids.seen }], _plans: [{ _id: ids.plan }], _vaults: [] }[name]
      await resave(hidden)
      expect({ stem, answers: await answersOf('anonymous', SAMPLED) }).toEqual({ stem, answers: before })
      await resave({ [name]: old })
    }
  })

  it('§5.8 a document that is related to, while it is hidden', async () => {
    const questions = ['topics=seen', ...SAMPLED]
    await resave({ _topics: [{ _id: ids.seen }, { _id: ids.unseen }] })
    const before = await answersOf('anonymous', questions)
    await service.editor.patch(`topic/${ids.unseen}`, { title: 'Renamed', slug: 'seen-too' })
    expect(await answersOf('anonymous', questions)).toEqual(before)
    await service.editor.patch(`topic/${ids.unseen}`, { title: 'topic unseen', slug: 'unseen' })
    await service.editor.patch(`topic/${ids.seen}`, { motto: 'hush merger' })
    const after = await answersOf('anonymous', questions)
    expect(after['product?topics=seen']).toEqual(before['product?topics=seen'])
    await resave({ _topics: [{ _id: ids.seen }] })
  })
})

/** Known callers see when documents were saved, which is no secret. */
function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !['updatedAt', 'lastPublishedAt', 'requestId'].includes(name))
  return Object.fromEntries(kept.map(([name, one]) => [name, strip(one)]))
}
