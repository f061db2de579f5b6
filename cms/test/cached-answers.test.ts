import { channel } from 'node:diagnostics_channel'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { newId } from '../src/base/ids.ts'
import { defineSite, html, page, piece } from '../src/index.ts'
import type { App } from '../src/service.ts'
import { type Answer, type Caller, callerOf } from './caller.ts'
import { sampledDatabases, type TestDatabase, testDatabases } from './databases.ts'
import { jpeg, upload } from './media.ts'
import { isWhole, some } from './sample.ts'

const OPEN = ['title', 'slug', 'visibility', 'createdAt', 'updatedAt', '_url'] as const

const topic = piece('topic', {
  publicApiProjection: [...OPEN, '_articles'],
  fields: { add: { _articles: { type: 'relationshipReverse', withType: 'article', reverseOf: '_topics' } } },
})

const article = piece('article', {
  publicApiProjection: [...OPEN, 'color', 'body', '_topics', '_image'],
  fields: {
    add: {
      color: {
        type: 'select',
        choices: [
          { value: 'red', label: 'Red' },
          { value: 'blue', label: 'Blue' },
        ],
      },
      body: { type: 'area', widgets: { '@cms/rich-text': { toolbar: ['link'] } } },
      _topics: { type: 'relationship', withType: 'topic' },
      _image: { type: 'relationship', withType: '@cms/image', max: 1 },
    },
  },
})

const chapter = page('chapter', {
  publicApiProjection: [...OPEN, 'color', '_articles', '_children', '_ancestors'],
  fields: { add: { color: { type: 'string' }, _articles: { type: 'relationship', withType: 'article' } } },
  render: ({ page }) => html`<h1>${page.title} ${page.color}</h1>`,
})

const articles = page('articles', {
  piecesType: 'article',
  piecesFilters: ['color', 'topics'],
  index: {
    render: ({ pieces = [] }) => html`${pieces.map(({ _url, title }) => html`<a href="${_url}">${title}</a>`)}`,
  },
  show: {
    render: ({ piece, previous, next }, scene) =>
      html`<h1>${piece?.title}</h1>${previous?.title} ${next?.title} ${scene.area(piece?.body as never)}`,
  },
})

const site = defineSite({
  name: 'Cached answers',
  types: [topic, article, chapter, articles],
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  pages: { publicApiProjection: [...OPEN, '_children', '_ancestors'] },
  layout: (
    content,
    { page, home, localizations },
  ) => html`<!doctype html><html><head><title>${page?.title}</title></head>
<body>${(home?._children as { _url: string; title: string }[] | undefined)?.map(({ _url, title }) => html`<a href="${_url}">${title}</a>`)}
${localizations.map(({ _url }) => html`<i>${_url ?? ''}</i>`)}${content}</body></html>`,
})

/** A service on a database that others use, too. */
interface Process {
  readonly app: App
  readonly address: string
  readonly admin: Caller
}

async function startProcess(database: TestDatabase, uploads: string, cacheBytes?: number): Promise<Process> {
  const keys = [
    { key: 'key-admin', role: 'admin', name: 'Admin' },
    { key: 'key-editor', role: 'editor', name: 'Editor' },
  ] as const
  const rest = cacheBytes === undefined ? {} : { cacheBytes }
  const app = await createApp(site, { database: database.url, uploads, keys, ...rest })
  onTestFinished(() => app.close())
  const address = await app.listen(0, '127.0.0.1')
  return { app, address, admin: callerOf(address, 'key-admin', null) }
}

/** Two that cache, and one that makes every answer anew. */
async function startProcesses(create: () => Promise<TestDatabase>) {
  const database = await create()
  onTestFinished(() => database.drop())
  const uploads = join(tmpdir(), `quire-uploads-${newId()}`)
  const processes: [Process, Process] = [await startProcess(database, uploads), await startProcess(database, uploads)]
  return { processes, plain: await startProcess(database, uploads, 0) }
}

/** What is read at an address: by an anonymous caller, and of the interface by an editor, too. */
function callersOf(path: string): readonly Record<string, string>[] {
  return path.startsWith('/api/') ? [{}, { authorization: 'ApiKey key-editor' }] : [{}]
}

async function read(address: string, path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(address + path, { headers, redirect: 'manual' })
  const [location, etag] = ['location', 'etag'].map((name) => response.headers.get(name) ?? '')
  return `${response.status} ${location} ${etag} ${withoutChance(await response.text())}`
}

/** What differs from answer to answer of one content. */
function withoutChance(text: string): string {
  return text.replace(/"requestId":"[^"]*"/, '')
}

/** Whose content is what; filled in by the operations. */
type Documents = Record<
  'red' | 'blue' | 'first' | 'second' | 'third' | 'image' | 'index' | 'above' | 'below' | 'added',
  string
>
type Operation = readonly [name: string, run: (admin: Caller, known: Documents) => Promise<Answer>]

const pageAt = (title: string, target: string, more: object = {}) => ({
  type: 'chapter',
  title,
  slug: `/${title.toLowerCase()}`,
  _targetId: target,
  _position: 'lastChild',
  ...more,
})
const linkTo = (id: string) => ({
  items: [
    {
      type: '@cms/rich-text',
      metaType: 'widget',
      content: `<p><a href="#apostrophe-permalink-${id}?updateTitle=1">x</a></p>`,
    },
  ],
  metaType: 'area',
})
const CROP = { top: 0, left: 0, width: 50, height: 50 }

/** Changes of all kinds, one after another. */
const operations: readonly Operation[] = [
  ['a title', (admin, { first }) => admin.patch(`article/${first}`, { title: 'First anew' })],
  ['another title', (admin, { second }) => admin.patch(`article/${second}`, { title: 'Second anew' })],
  ['a draft', (admin, { second }) => admin.patch(`article/${second}:en:draft`, { title: 'Waiting' })],
  ['its publication', (admin, { second }) => admin.post(`article/${second}/publish`)],
  ['a topic of two', (admin, { red }) => admin.patch(`topic/${red}`, { title: 'Scarlet' })],
  ['a slug of a topic', (admin, { red }) => admin.patch(`topic/${red}`, { slug: 'scarlet' })],
  ['a slug', (admin, { first }) => admin.patch(`article/${first}`, { slug: 'first-anew' })],
  [
    'a topic that is given',
    (admin, { third, red, blue }) => admin.patch(`article/${third}`, { topicsIds: [red, blue] }),
  ],
  ['a topic that is taken', (admin, { third }) => admin.patch(`article/${third}`, { topicsIds: [] })],
  ['a color', (admin, { third }) => admin.patch(`article/${third}`, { color: 'blue' })],
  ['a link', (admin, { third, first }) => admin.patch(`article/${third}`, { body: linkTo(first) })],
  ['what is linked', (admin, { first }) => admin.patch(`article/${first}`, { title: 'Linked' })],
  ['a hidden topic', (admin, { red }) => admin.patch(`topic/${red}`, { visibility: 'loginRequired' })],
  ['a shown topic', (admin, { red }) => admin.patch(`topic/${red}`, { visibility: 'public' })],
  ['an archived topic', (admin, { red }) => admin.patch(`topic/${red}`, { archived: true })],
  ['a restored topic', (admin, { red }) => admin.patch(`topic/${red}`, { archived: false })],
  ['what is taken back', (admin, { first }) => admin.post(`article/${first}/unpublish`)],
  ['what is published again', (admin, { first }) => admin.post(`article/${first}/publish`)],
  ['one more', (admin, { red }) => admin.post('article', { title: 'Fourth', color: 'red', topicsIds: [red] })],
  ['an image', (admin, { first, image }) => admin.patch(`article/${first}`, { imageIds: [image] })],
  ['the title of an image', (admin, { image }) => admin.patch(`@cms/image/${image}`, { title: 'A stripe' })],
  [
    'a crop',
    async (admin, { image }) => {
      const { body } = await admin.get(`@cms/image/${image}`)
      return admin.post('@cms/attachment/crop', { _id: body.attachment._id, crop: CROP })
    },
  ],
  ['many at once', (admin, { second, third }) => admin.post('article/archive', { _ids: [second, third] })],
  ['many restored', (admin, { second, third }) => admin.post('article/restore', { _ids: [second, third] })],
  ['a translation', (admin, { first }) => admin.post(`article/${first}/localize`, { toLocale: 'fr', publish: true })],
  [
    'the index page in French',
    (admin, { index }) => admin.post(`@cms/page/${index}/localize`, { toLocale: 'fr', publish: true }),
  ],
  ['the content of a page', (admin, { below }) => admin.patch(`@cms/page/${below}`, { color: 'green' })],
  ['the title of a page', (admin, { above }) => admin.patch(`@cms/page/${above}`, { title: 'Above anew' })],
  ['what a page relates to', (admin, { above, first }) => admin.patch(`@cms/page/${above}`, { articlesIds: [first] })],
  ['the slug of a page', (admin, { above }) => admin.patch(`@cms/page/${above}`, { slug: '/moved' })],
  [
    'a page',
    async (admin, known) => {
      const answer = await admin.post('@cms/page', pageAt('Added', '_home'))
      known.added = answer.body.aposDocId
      return answer
    },
  ],
  [
    'a move',
    (admin, { below, added }) => admin.patch(`@cms/page/${below}`, { _targetId: added, _position: 'lastChild' }),
  ],
  ['the slug of the index page', (admin, { index }) => admin.patch(`@cms/page/${index}`, { slug: '/texts' })],
  ['a hidden page', (admin, { added }) => admin.patch(`@cms/page/${added}`, { visibility: 'loginRequired' })],
  [
    'an archived page',
    (admin, { added }) => admin.patch(`@cms/page/${added}`, { _targetId: '_archive', _position: 'lastChild' }),
  ],
  [
    'the global document',
    async (admin) => {
      const { body } = await admin.get('@cms/global')
      return admin.patch(`@cms/global/${body.results[0].aposDocId}`, { title: 'Everywhere' })
    },
  ],
  [
    'one that is deleted',
    async (admin, { third }) => {
      await admin.patch(`article/${third}`, { archived: true })
      return admin.delete(`article/${third}`)
    },
  ],
]

async function fill({ admin, address }: Process): Promise<Documents> {
  const made = async (path: string, body: object) => {
    const answer = await admin.post(path, body)
    expect(answer).toMatchObject({ status: 200 })
    return String(answer.body.aposDocId)
  }
  const red = await made('topic', { title: 'Red' })
  const blue = await made('topic', { title: 'Blue' })
  const first = await made('article', { title: 'First', color: 'red', topicsIds: [red] })
  const second = await made('article', { title: 'Second', color: 'blue', topicsIds: [red, blue] })
  const third = await made('article', { title: 'Third', color: 'red' })
  const { body: attachment } = await upload({ address }, 'admin', await jpeg())
  const image = await made('@cms/image', { title: 'Stripes', attachment })
  const index = await made('@cms/page', { ...pageAt('Articles', '_home'), type: 'articles' })
  const above = await made('@cms/page', pageAt('Above', '_home'))
  const below = await made('@cms/page', pageAt('Below', above))
  return { red, blue, first, second, third, image, index, above, below, added: '' }
}

/** Addresses of all kinds, of documents that may not be there yet or any more. */
function addresses({ red, blue, first, second, third, image, index, above, below, added }: Documents): string[] {
  const pages = [index, above, below, added].filter((id) => id !== '')
  const queries = [
    '',
    '?perPage=2',
    '?color=red',
    '?color=blue&sort[title]=1',
    '?slug=first-anew',
    '?topics=scarlet',
    '?topics=red',
  ]
  const more = [
    `?_topics=${red}`,
    `?_topics=${blue}`,
    '?choices=color,_topics',
    '?counts=color',
    '?search=anew',
    '?render-areas=true',
    '?aposMode=draft',
    '?aposLocale=fr',
    '?archived=true',
    '?slug=first',
    '?project[title]=1',
    '?project[_topics]=0&perPage=2',
  ]
  return [
    ...[...queries, ...more].map((query) => `/api/v1/article${query}`),
    ...[first, second, third].flatMap((id) => [
      `/api/v1/article/${id}`,
      `/api/v1/article/${id}?render-areas=true`,
      `/api/v1/article/${id}?aposMode=draft`,
      `/api/v1/article/${id}?aposLocale=fr`,
      `/api/v1/article/${id}?project[_topics]=1`,
    ]),
    ...[red, blue].map((id) => `/api/v1/topic/${id}`),
    '/api/v1/topic',
    `/api/v1/@cms/image/${image}`,
    '/api/v1/@cms/page',
    '/api/v1/@cms/page?all=1',
    '/api/v1/@cms/global',
    ...pages.map((id) => `/api/v1/@cms/page/${id}`),
    ...[
      '/',
      '/articles',
      '/articles?page=2',
      '/articles/blue',
      '/articles/first',
      '/articles/first-anew',
      '/texts',
      '/texts/first-anew',
      '/fr/articles',
    ],
    ...['/above', '/above/below', '/below', '/moved', '/moved/below', '/added', '/added/below', '/nothing'],
  ]
}

/** How many addresses are compared after each write; others then, so that answers stand over several writes. */
const COMPARED = isWhole ? Number.POSITIVE_INFINITY : 15

/** Of three answers to one request: whether those from caches are the one that was made anew. */
async function isRight(addresses: readonly string[], path: string): Promise<boolean> {
  const answers = callersOf(path).map(async (caller) => {
    const found = await Promise.all(addresses.map((address) => read(address, path, caller)))
    return new Set(found).size === 1
  })
  return (await Promise.all(answers)).every((isOne) => isOne)
}

/** Some at a time: more would be refused. */
async function eachOf(paths: readonly string[], work: (path: string) => Promise<void>): Promise<void> {
  const left = [...paths]
  const worker = async () => {
    for (let path = left.shift(); path !== undefined; path = left.shift()) await work(path)
  }
  await Promise.all([worker(), worker(), worker(), worker()])
}

describe.each(sampledDatabases('cached answers'))('§0.7 cached answers on $name', { timeout: 300_000 }, (databases) => {
  test('§0.7 are what is read anew, after each write, in any process', async () => {
    const { processes, plain } = await startProcesses(databases.createReady)
    const known = await fill(processes[0])
    const all = [...processes, plain]
    const stale: string[] = []
    await eachOf(addresses(known), async (path) => {
      for (const { address } of processes) for (const caller of callersOf(path)) await read(address, path, caller)
    })
    for (const [index, [operation, run]] of operations.entries()) {
      const answer = await run((processes[index % 2] ?? plain).admin, known)
      expect([operation, answer.status, answer.body]).toEqual([operation, 200, answer.body])
      for (const { app } of all) await app.store.catchUp(answer.headers.get('quire-revision') ?? '')
      // Nothing that this one has made before stands.
      plain.app.store.changes()?.note(null)
      const servers = all.map(({ address }) => address)
      await eachOf(some(addresses(known), COMPARED, index), async (path) => {
        if (!(await isRight(servers, path))) stale.push(`${operation}: ${path}`)
      })
    }
    expect(stale).toEqual([])
  })
})

describe.each(testDatabases)('§0.7 cached answers on $name', ({ name, createReady }) => {
  test('§0.7 stand while other documents are saved', async () => {
    const { processes } = await startProcesses(createReady)
    const [one, other] = processes
    const { first, second, red, below } = await fill(one)
    const paths = [
      `/api/v1/article/${first}`,
      '/api/v1/article?slug=first',
      `/api/v1/topic/${red}`,
      '/above',
      '/below',
      `/api/v1/@cms/page/${below}`,
    ]
    const hits: boolean[] = []
    const note = (message: unknown) => void hits.push((message as { isHit: boolean }).isHit)
    const lookups = channel('quire.answers')
    lookups.subscribe(note)
    onTestFinished(() => void lookups.unsubscribe(note))
    for (const path of paths) await read(other.address, path)
    const answer = await one.admin.patch(`article/${second}`, { color: 'red', topicsIds: [] })
    await one.admin.patch(`article/${second}`, { color: 'blue' })
    await other.app.store.catchUp(answer.headers.get('quire-revision') ?? '')
    hits.length = 0
    for (const path of paths) await read(other.address, path)
    // The topic has lost an article.
    expect([name, hits]).toEqual([name, [true, true, false, true, true, true]])
  })
})
