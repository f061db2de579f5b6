import { beforeAll, expect, test } from 'vitest'
import { defineSite, page, piece, widget } from '../src/index.ts'
import { rowsOf } from './consistency.ts'
import { sampledDatabases } from './databases.ts'
import { describeService, type Service } from './service.ts'
import { FRONT_KEY, visit } from './visits.ts'

// All readers of values, in one table; a new one gets a row. What only admins see says HIDDEN, what callers of the interface
// need a role for says INSIDE.

const inner = {
  open: { type: 'string' },
  hidden: { type: 'string', label: 'HIDDEN label', viewPermission: 'admin' },
} as const

const fields = {
  ...inner,
  inside: { type: 'string' },
  day: { type: 'date', def: '2026-01-01' },
  grade: { type: 'integer', label: 'HIDDEN grade', viewPermission: 'admin' },
  box: { type: 'object', fields: { add: inner } },
  rows: { type: 'array', fields: { add: inner } },
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
  widgets: [widget('quote', { fields: { add: inner } })],
  types: [
    piece('vault', { label: 'HIDDEN type', viewRole: 'admin', editRole: 'admin' }),
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
  readonly note: string
  readonly leaf: string
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

const READERS: readonly Reader[] = [
  { name: 'a piece', read: get(({ note }) => `note/${note}`) },
  { name: 'a draft', isForEditors: true, read: get(({ note }) => `note/${note}:en:draft`) },
  { name: 'a list', read: get(() => 'note') },
  { name: 'a projection', read: get(() => 'note', 'project[hidden]=1&project[inside]=1&project[_vaults]=1') },
  { name: 'a page', read: get(({ leaf }) => `@cms/page/${leaf}`) },
  { name: 'the home page with what is below', read: get(() => '@cms/page') },
  { name: 'all pages', isForEditors: true, read: get(() => '@cms/page', 'flat=1') },
  { name: 'a filter', read: differing('hidden=HIDDEN+later', 'hidden=other') },
  { name: 'bounds', read: differing('grade[min]=2', 'grade[min]=43') },
  { name: 'a filter by a related slug', read: differing('vaults=hidden-vault', 'vaults=other') },
  { name: 'sorting', read: differing('sort[grade]=1', 'sort[grade]=-1') },
  { name: 'search', read: differing('search=hiddenword', 'search=otherword') },
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

describeService(
  '§5.8 hidden values',
  { site, frontKey: FRONT_KEY, on: sampledDatabases('hidden-values') },
  (service) => {
    const made: { -readonly [Name in keyof Made]: Made[Name] } = { note: '', leaf: '', versions: [] }

    beforeAll(async () => {
      const { admin } = service
      const ok = async (asked: ReturnType<typeof admin.post>) => {
        const answer = await asked
        expect(answer).toMatchObject({ status: 200 })
        return answer.body
      }
      const both = (mark: string) => ({ open: `open ${mark}`, hidden: 'HIDDEN text' })
      const vault = await ok(admin.post('vault', { title: 'HIDDEN vault', slug: 'hidden-vault' }))
      const plan = await ok(admin.post('plan', { title: 'A plan', inside: 'INSIDE a plan', hidden: 'HIDDEN' }))
      const topic = await ok(admin.post('topic', { title: 'INSIDE topic', slug: 'topic', hidden: 'HIDDEN' }))
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
      await service.quiet()
      Object.assign(made, { note: first.aposDocId, leaf: leaf.aposDocId })
      const ids = [made.note, made.leaf].map((docId) =>
        service.app.store.versions.list({ docId, locale: 'en' }, { limit: 1 }),
      )
      made.versions = (await Promise.all(ids)).map(([version]) => version?.id ?? '')
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
  },
)
