import { beforeAll, expect, it, test } from 'vitest'
import { OPERATORS } from '../src/engine/lists/operators.ts'
import { defineSite, page, piece, widget } from '../src/index.ts'
import { rowsOf } from './consistency.ts'
import { sampledDatabases } from './databases.ts'
import { type Answer, describeService, type Service } from './service.ts'
import { FRONT_KEY, visit } from './visits.ts'

// All readers of values, in one table; a new one gets a row. What only admins see says HIDDEN, what callers of the interface
// need a role for says INSIDE.

const inner = {
  open: { type: 'string' },
  hidden: { type: 'string', label: 'HIDDEN label', viewPermission: 'admin' },
} as const

/** As those inside of objects, arrays and widgets, by which lists can be filtered. */
const filtered = { open: inner.open, hidden: { ...inner.hidden, filterable: true } } as const

const fields = {
  ...inner,
  inside: { type: 'string' },
  day: { type: 'date', def: '2026-01-01' },
  grade: { type: 'integer', label: 'HIDDEN grade', viewPermission: 'admin' },
  box: { type: 'object', fields: { add: filtered } },
  rows: { type: 'array', fields: { add: filtered } },
  body: { type: 'area', widgets: { quote: {}, '@cms/rich-text': {} } },
  _vaults: { type: 'relationship', withType: 'vault', fields: { add: inner } },
  _plans: { type: 'relationship', withType: 'plan', fields: { add: inner } },
  _topics: { type: 'relationship', withType: 'topic' },
} as const

const site = defineSite({
  baseUrl: 'https://example.org',
  static: true,
  sitemap: true,
  llms: true,
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  widgets: [widget('quote', { fields: { add: filtered } })],
  types: [
    piece('vault', {
      label: 'HIDDEN type',
      viewRole: 'admin',
      editRole: 'admin',
      fields: { add: { _topics: { type: 'relationship', withType: 'topic' } } },
    }),
    // Anonymous callers see its title and slug where something leads to it.
    piece('plan', { fields: { add: { inside: inner.open, hidden: inner.hidden } } }),
    piece('topic', { publicApiProjection: ['slug'], fields: { add: { hidden: inner.hidden } } }),
    piece('note', {
      publicApiProjection: [
        'title',
        'slug',
        '_url',
        'open',
        'hidden',
        'grade',
        'box',
        'rows',
        'body',
        '_vaults',
        '_plans',
        '_topics',
      ],
      fields: { add: fields },
    }),
    // Its draft lacks what only admins see.
    piece('claim', {
      fields: {
        add: {
          open: inner.open,
          hidden: { ...inner.hidden, required: true },
          rows: { type: 'array', fields: { add: { ...inner, hidden: { ...inner.hidden, required: true } } } },
          _vaults: { type: 'relationship', withType: 'vault', min: 2 },
          _any: { type: 'relationship', withType: ['vault', 'plan'] },
        },
      },
    }),
    page('leaf', {
      publicApiProjection: ['title', 'open', 'hidden', 'box', 'rows', 'body', '_vaults', '_plans', '_topics'],
      fields: { add: fields },
    }),
    page('notes', {
      piecesType: 'note',
      piecesFilters: ['open', '_plans', '_topics'],
      feed: { items: 10, date: 'day', summary: 'body' },
    }),
  ],
  pages: {
    publicApiProjection: ['title'],
    parked: [{ parkedId: 'notes', type: 'notes', title: 'Notes', slug: '/notes' }],
  },
  webhooks: {
    allowPrivate: true,
    receivers: [
      { name: 'all', url: 'http://127.0.0.1:9/', secret: 'a secret of the site', events: ['document.published'] },
    ],
  },
})

interface Made {
  vault: string
  readonly topic: string
  readonly note: string
  readonly leaf: string
  readonly claim: string
  /** The newest versions of both. */
  readonly versions: readonly string[]
}

type Who = 'anonymous' | 'guest' | 'contributor' | 'editor' | 'admin'

interface Reader {
  readonly name: string
  /** Read only by those who may edit. */
  readonly isForEditors?: true
  /** It reads no values that an admin sees and others do not. */
  readonly isSameForAll?: true
  /** Visitors of pages see what the interface shows nobody without a role. */
  readonly isPage?: true
  read(service: Service, who: Who, made: Made): Promise<string>
}

/** The text of an answer to a caller of the interface. */
const get = (path: (made: Made) => string, query?: string) => async (service: Service, who: Who, made: Made) =>
  JSON.stringify((await service[who].get(path(made), query)).body)

/** Says so where the answers to two questions differ, which they can by hidden values only. */
const differing = (one: string, other: string) => async (service: Service, who: Who) => {
  const [first, second] = await Promise.all([one, other].map((query) => service[who].get('note', query)))
  return JSON.stringify([first?.status, first?.body]) === JSON.stringify([second?.status, second?.body]) ? '' : 'HIDDEN'
}

const visitorOf = (who: Who) => (who === 'anonymous' ? {} : { role: who })

/** The data of a page for the external front end. */
const dataOf = (path: string) => async (service: Service, who: Who) => {
  const { status, text } = await visit(service, path, { ...visitorOf(who), front: true })
  expect(status).toBe(200)
  return text
}

const fileOf = (path: string, front: boolean) => async (service: Service) => {
  const { status, text } = await visit(service, path, { front })
  expect(status).toBe(200)
  return text
}

const versions = '@cms/document-versions'

/** Hidden texts by the names that lists are asked for them. */
const TEXTS: { readonly [name: string]: string } = {
  hidden: 'HIDDEN later',
  'box.hidden': 'HIDDEN inner',
  'rows.hidden': 'HIDDEN text',
  'body.quote.hidden': 'HIDDEN text',
  '_plans.hidden': 'HIDDEN',
  '_topics.hidden': 'HIDDEN',
  '_vaults.title': 'HIDDEN vault',
}

/** Asks by an operator for what it finds and for what it does not. */
const operatorReaders = [...new Set(Object.values(OPERATORS).flat())].flatMap((operator): Reader[] => {
  const suffix = operator === '$between' ? '[]=2&NAME[$between][]' : ''
  const readers = (name: string, [one, other]: readonly [string, string]) =>
    [name, `where[${name}]`].map((asked): Reader => {
      const query = (value: string) => `${asked}[${operator}]${suffix.replace('NAME', asked)}=${value}`
      return { name: query('…'), read: differing(query(one), query(other)) }
    })
  if (OPERATORS.any.includes(operator) && operator !== '$exists')
    return Object.entries(TEXTS).flatMap(([name, text]) => readers(name, [text, 'zzz']))
  if (operator === '$exists') return readers('grade', ['true', 'false'])
  if (OPERATORS.text.includes(operator)) {
    const part = operator === '$contains' ? 'IDDE' : 'HIDD'
    return Object.keys(TEXTS).flatMap((name) => readers(name, [part, 'zzz']))
  }
  return readers('grade', ['2', '43'])
})

const READERS: readonly Reader[] = [
  ...operatorReaders,
  { name: 'a piece', read: get(({ note }) => `note/${note}`) },
  { name: 'a draft', isForEditors: true, read: get(({ note }) => `note/${note}:en:draft`) },
  { name: 'a list', read: get(() => 'note') },
  { name: 'a projection', read: get(() => 'note', 'project[hidden]=1&project[inside]=1&project[_vaults]=1') },
  ...[
    'project[box.hidden]=1',
    'project[rows.open]=0',
    'project[body.quote.hidden]=1',
    'project[_plans.hidden]=1',
  ].flatMap((query): Reader[] => [
    { name: `pieces with ${query}`, read: get(() => 'note', `${query}&project[hidden]=1`) },
    { name: `a page with ${query}`, read: get(({ leaf }) => `@cms/page/${leaf}`, `${query}&project[hidden]=1`) },
  ]),
  {
    name: 'relationships that are filled in',
    read: get(() => 'note', 'withRelationships=_vaults,_plans,_topics&project[_plans._fields.open]=0&project[title]=0'),
  },
  {
    name: 'relationships that do not exist for the caller',
    isSameForAll: true,
    read: async (service, who) => {
      const paths = ['_vaults._x', '_plans.hidden', '_topics._x', 'hidden._x']
      const answers = await Promise.all(paths.map((path) => service[who].get('note', `withRelationships=${path}`)))
      const said = answers.map(({ body }, index) => String(body.message).replace(paths[index] ?? '', ''))
      const messages = said.map((message) => message.replace(/; did you mean .*/, '.'))
      return new Set(messages).size === 1 ? '' : `HIDDEN: ${messages.join()}`
    },
  },
  { name: 'a page', read: get(({ leaf }) => `@cms/page/${leaf}`) },
  { name: 'the home page with what is below', read: get(() => '@cms/page') },
  { name: 'all pages', isForEditors: true, read: get(() => '@cms/page', 'flat=1') },
  { name: 'a filter', read: differing('hidden=HIDDEN+later', 'hidden=other') },
  { name: 'bounds', read: differing('grade[min]=2', 'grade[min]=43') },
  { name: 'a filter by a related slug', read: differing('vaults=hidden-vault', 'vaults=other') },
  { name: 'sorting', read: differing('sort[grade]=1', 'sort[grade]=-1') },
  { name: 'search', read: differing('search=hiddenword', 'search=otherword') },
  { name: 'a mistyped search', read: differing('search=hiddenwrod', 'search=otherwrod') },
  { name: 'highlights', read: get(() => 'note', 'search=hiddenword&highlight=true') },
  { name: 'autocomplete', read: differing('autocomplete=hiddenw', 'autocomplete=otherw') },
  { name: 'choices', read: get(() => 'note', 'choices=hidden,_vaults,_plans,_topics') },
  { name: 'counts', read: get(() => 'note', 'counts=hidden,_vaults,_plans,_topics') },
  { name: 'the locales of a piece', isSameForAll: true, read: get(({ note }) => `note/${note}/locales`) },
  { name: 'a compared locale', isForEditors: true, read: get(({ note }) => `note/${note}:en:draft`, 'compare=fr') },
  {
    name: 'the versions of a document',
    isForEditors: true,
    isSameForAll: true,
    read: (service, who, made) => get(() => versions, `docId=${made.note}`)(service, who, made),
  },
  ...[0, 1].flatMap((index): Reader[] => [
    {
      name: `a version of a ${index === 0 ? 'piece' : 'page'}`,
      isForEditors: true,
      read: get((made) => `${versions}/${made.versions[index]}`),
    },
    {
      name: `an annotated version of a ${index === 0 ? 'piece' : 'page'}`,
      isForEditors: true,
      read: get((made) => `${versions}/${made.versions[index]}`, 'annotate=1'),
    },
    {
      name: `the changes of a version of a ${index === 0 ? 'piece' : 'page'}`,
      isForEditors: true,
      read: get((made) => `${versions}/${made.versions[index]}/changes`),
    },
  ]),
  {
    name: 'the problems of a draft',
    isForEditors: true,
    read: get(({ claim }) => `claim/${claim}:en:draft`, 'problems=true'),
  },
  {
    name: 'the problems that a save leaves',
    isForEditors: true,
    read: async (service, who, { claim }) => {
      const { body } = await service[who].patch(`claim/${claim}:en:draft`, { open: 'again', _autosave: true })
      expect(body).toHaveProperty('_problems')
      return JSON.stringify(body)
    },
  },
  {
    name: 'what a check before publishing finds',
    isForEditors: true,
    read: async (service, who, { claim }) => {
      const { body } = await service[who].post(`claim/${claim}/publish`, { check: true })
      expect(body).toHaveProperty('ok')
      return JSON.stringify(body)
    },
  },
  { name: 'documents of all types', isForEditors: true, read: get(() => '@cms/documents', 'counts=type,state') },
  {
    name: 'a search in documents of all types',
    isForEditors: true,
    read: async (service, who) => {
      const queries = ['search=hiddenword', 'autocomplete=hiddenw', 'types[]=vault', 'types[]=nothing']
      const answers = queries.map((query) => service[who].get('@cms/documents', query))
      const said = (await Promise.all(answers)).map(({ body }) => body.total ?? body.message.replace(/: .*/, ''))
      const [one, other, hidden, missing] = said
      return one === 0 && other === 0 && hidden === missing ? '' : 'HIDDEN'
    },
  },
  {
    name: 'the documents that use one',
    isForEditors: true,
    read: async (service, who, { topic }) => {
      const { status, body } = await service[who].get(`topic/${topic}/used-by`)
      expect(status).toBe(200)
      return `${JSON.stringify(body)} ${body.total === 3 ? '' : 'HIDDEN'}`
    },
  },
  {
    name: 'the children of a page',
    isForEditors: true,
    read: get(() => '@cms/page/_home/children', 'project[hidden]=1&project[rows]=1&project[_vaults]=1'),
  },
  {
    name: 'what a slug would be',
    isForEditors: true,
    isSameForAll: true,
    read: async (service, who, { note, leaf }) => {
      const asked = [
        service[who].post('note/slug', { _id: `${note}:en:draft`, title: 'First' }),
        service[who].post('@cms/page/slug', { _id: `${leaf}:en:draft`, slug: '/hidden-vault' }),
      ]
      const answers = (await Promise.all(asked)).map(({ body }) => body)
      for (const body of answers) expect(body).toHaveProperty('suggestion')
      return JSON.stringify(answers)
    },
  },
  {
    name: 'what a move would do',
    isForEditors: true,
    isSameForAll: true,
    read: async (service, who, { leaf }) => {
      const move = { _ids: [leaf], _targetId: '_home', _position: 'firstChild', check: true }
      const { status, body } = await service[who].post('@cms/page/move', move)
      expect(status).toBe(who === 'contributor' ? 403 : 200)
      return JSON.stringify(body)
    },
  },
  { name: 'the changes of a draft', isForEditors: true, read: get(({ claim }) => `claim/${claim}/changes`) },
  { name: 'recent changes', isForEditors: true, read: get(() => '@cms/recent-changes') },
  { name: 'the OpenAPI document', read: get(() => 'openapi.json') },
  {
    name: 'the index of the service',
    read: async (service, who) => (await visit(service, '/api/v1', visitorOf(who))).text,
  },
  { name: 'the data of a page', isPage: true, read: dataOf('/leaf') },
  { name: 'the data of an index page', isPage: true, read: dataOf('/notes') },
  { name: 'the data of the page of a piece', isPage: true, read: dataOf('/notes/first') },
  { name: 'filters of an index page', isPage: true, read: dataOf('/notes?open=open+first') },
  {
    name: 'HTML',
    isPage: true,
    isSameForAll: true,
    read: async (service, who) => {
      const pages = ['/leaf', '/notes', '/notes/first'].map((path) => visit(service, path, visitorOf(who)))
      return (await Promise.all(pages)).map(({ text }) => text).join()
    },
  },
  {
    name: 'a preview',
    isForEditors: true,
    isPage: true,
    isSameForAll: true,
    read: async (service, who, { note, leaf }) => {
      const made = await Promise.all(
        [`note/${note}`, `@cms/page/${leaf}`].map((path) => service[who].post(`${path}/preview`)),
      )
      const paths = made.map(({ body }) => String(body.url).replace(/^https?:\/\/[^/]+/, ''))
      const shown = await Promise.all(paths.map((path) => visit(service, path, { front: true })))
      return shown.map(({ text }) => text).join()
    },
  },
  { name: 'feeds', isPage: true, isSameForAll: true, read: fileOf('/notes/rss.xml', false) },
  { name: 'the sitemap', isSameForAll: true, read: fileOf('/sitemap.xml', false) },
  { name: 'llms.txt', isSameForAll: true, read: fileOf('/llms.txt', false) },
  { name: 'URL metadata', isSameForAll: true, read: fileOf('/api/v1/@cms/url', true) },
  {
    name: 'webhooks',
    isSameForAll: true,
    read: async ({ databaseUrl }) => {
      const bodies = JSON.stringify(await rowsOf(databaseUrl, ['select body from webhook_deliveries']))
      expect(bodies).toContain('document.published')
      return bodies
    },
  },
  {
    name: 'content in process',
    isForEditors: true,
    read: async ({ app }, who, { note }) => {
      if (who === 'anonymous') return ''
      const content = app.context({ kind: 'anonymous' }).as({ role: who, name: 'A test' })
      const found = [content.find('note', {}), content.findOne('note', note)]
      return JSON.stringify(await Promise.all(found))
    },
  },
]

const audiences: readonly Who[] = ['anonymous', 'guest', 'contributor', 'editor']

async function ok(answering: ReturnType<Service['admin']['post']>): Promise<Answer['body']> {
  const answer = await answering
  expect(answer).toMatchObject({ status: 200 })
  return answer.body
}

describeService(
  '§5.8 hidden values',
  { site, frontKey: FRONT_KEY, on: sampledDatabases('hidden-values') },
  (service) => {
    const made: { -readonly [Name in keyof Made]: Made[Name] } = {
      vault: '',
      topic: '',
      note: '',
      leaf: '',
      claim: '',
      versions: [],
    }

    beforeAll(async () => {
      const { admin } = service
      const both = (mark: string) => ({ open: `open ${mark}`, hidden: 'HIDDEN text' })
      const plan = await ok(admin.post('plan', { title: 'A plan', inside: 'INSIDE a plan', hidden: 'HIDDEN' }))
      const topic = await ok(admin.post('topic', { title: 'INSIDE topic', slug: 'topic', hidden: 'HIDDEN' }))
      const secret = { title: 'HIDDEN vault', slug: 'hidden-vault', _topics: [topic] }
      const vault = await ok(admin.post('vault', secret))
      const values = (mark: string, grade: number) => ({
        ...both(mark),
        inside: 'INSIDE text',
        grade,
        box: both(mark),
        rows: [both(mark)],
        body: {
          items: [
            { type: 'quote', ...both(mark) },
            { type: '@cms/rich-text', content: `<p>Text</p>` },
          ],
        },
        _vaults: [{ _id: vault._id, _fields: both(mark) }],
        _plans: [{ _id: plan._id, _fields: both(mark) }],
        _topics: [topic._id],
      })
      const first = await ok(admin.post('note', { title: 'First', slug: 'first', ...values('first', 1) }))
      await ok(admin.post('note', { title: 'Second', ...values('second', 42), hidden: 'HIDDEN hiddenword' }))
      const place = { _targetId: '_home', _position: 'lastChild' }
      const leaf = await ok(
        admin.post('@cms/page', { type: 'leaf', title: 'Leaf', slug: '/leaf', ...values('leaf', 1), ...place }),
      )
      await ok(admin.post(`note/${first.aposDocId}/localize`, { toLocale: 'fr' }))
      for (const path of [`note/${first.aposDocId}`, `@cms/page/${leaf.aposDocId}`]) {
        await ok(admin.patch(path, { hidden: 'HIDDEN later', open: 'open later', 'box.hidden': 'HIDDEN inner' }))
      }
      await ok(admin.patch(`note/${first.aposDocId}:fr:draft`, { hidden: 'HIDDEN in French' }))
      const other = await ok(admin.post('vault', { title: 'HIDDEN other' }))
      const claim = await ok(
        admin.post('claim', { title: 'Claim', ...both('claim'), rows: [both('claim')], _vaults: [vault, other] }),
      )
      const draft = await ok(admin.post('vault', { title: 'HIDDEN draft' }, 'aposMode=draft'))
      const change = { hidden: '', rows: [{ open: 'x' }], _vaults: [draft], _any: [draft], _incomplete: true }
      await ok(admin.patch(`claim/${claim.aposDocId}:en:draft`, change))
      await service.quiet()
      const ids = {
        vault: vault.aposDocId,
        topic: topic.aposDocId,
        note: first.aposDocId,
        leaf: leaf.aposDocId,
        claim: claim.aposDocId,
      }
      Object.assign(made, ids)
      const newest = [made.note, made.leaf].map((docId) =>
        service.app.store.versions.list({ docId, locale: 'en' }, { limit: 1 }),
      )
      made.versions = (await Promise.all(newest)).map(([version]) => version?.id ?? '')
    })

    test.each(READERS)('§5.8 $name: nobody is told what they may not see', async (reader) => {
      for (const who of audiences) {
        if (reader.isForEditors && (who === 'anonymous' || who === 'guest')) continue
        const text = await reader.read(service, who, made)
        expect({ who, text }).toEqual({ who, text: expect.not.stringContaining('HIDDEN') })
        const seesInside = who === 'contributor' || who === 'editor' || reader.isPage
        if (!seesInside) expect({ who, text }).toEqual({ who, text: expect.not.stringContaining('INSIDE') })
      }
      const text = await reader.read(service, 'admin', made)
      if (!reader.isSameForAll) expect(text).toContain('HIDDEN')
    })

    it('§4.2b there is no preview of a type that visitors do not see', async () => {
      const { admin } = service
      expect(await admin.post(`vault/${made.vault}/preview`)).toMatchObject({
        status: 400,
        body: {
          name: 'invalid',
          message: 'Visitors see no HIDDEN type, published or not, so there is nothing to preview.',
        },
      })
    })

    test.each([{ front: true }, { front: false }])(
      '§4.2b a preview is the published answer byte for byte where the contents are equal: $front',
      async ({ front }) => {
        const { admin } = service
        const { note, leaf } = made
        const { results } = await ok(admin.get('@cms/page', 'all=0&flat=1'))
        const notes = results.find(({ slug }: { slug: string }) => slug === '/notes').aposDocId
        const paths = [`note/${note}`, ...[leaf, notes, '_home'].map((page) => `@cms/page/${page}`)]
        for (const path of paths) {
          const { url } = await ok(admin.post(`${path}/preview`))
          const { pathname, search } = new URL(url)
          const [preview, published] = [
            await visit(service, pathname + search, { front }),
            await visit(service, pathname, { front }),
          ]
          expect(published.status).toBe(200)
          expect(preview.text).toBe(published.text)
          expect(preview.headers.get('x-quire-preview')).toBe('true')
        }
      },
    )
  },
)
