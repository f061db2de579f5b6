import { expect, it } from 'vitest'
import { removeLocale, renameLocale } from '../src/cli/locales/locale-content.ts'
import type { Context } from '../src/engine/context.ts'
import { reindex } from '../src/engine/lists/reindex.ts'
import { ANYTHING, Tags } from '../src/engine/tags.ts'
import { mergedNames } from '../src/features/purging/purge-requests.ts'
import { carryOutDue } from '../src/features/scheduling/feature.ts'
import { defineSite } from '../src/index.ts'
import { site } from './edge-site.ts'
import { imagePiece, uploadedImage } from './media.ts'
import { describeService, type Service } from './service.ts'

/** Nothing is sent: the test takes what commits have recorded. */
const NEVER_MS = 2 ** 30
const HOUR_MS = 3_600_000
const LATER = defineSite({ locales: { en: { label: 'English' }, it: { label: 'French', prefix: '/it' } } })

/** The answer at an address, and what it was made of; null where a cache keeps none. */
interface PublicAnswer {
  readonly bytes: string
  readonly tags: readonly string[] | null
}

/** What the writes of the table are about, by name. */
type Ids = Record<'article' | 'topic' | 'page' | 'below' | 'image' | 'news' | 'global' | 'styles', string>

/** A kind of write: what it is, and how it is done. */
type Write = readonly [what: string, run: (service: Service, ids: Ids) => Promise<unknown>]

const change = (path: (ids: Ids) => string, body: object, query = '') => {
  return (service: Service, ids: Ids) => service.admin.patch(path(ids), body, query)
}
const act = (path: (ids: Ids) => string, body: object = {}) => {
  return (service: Service, ids: Ids) => service.admin.post(path(ids), body)
}
const article = ({ article }: Ids) => `article/${article}`
const page = ({ page }: Ids) => `@cms/page/${page}`

/** All kinds of writes that change what the public sees, in this order. */
const WRITES: readonly Write[] = [
  ['a document is made', async (service) => service.admin.post('article', { title: 'Second', slug: 'second' })],
  ['a document is saved', change(article, { title: 'Renamed' })],
  ['its slug is changed', change(article, { slug: 'another-slug' })],
  ['it is replaced', (service, { article }) => service.admin.put(`article/${article}`, { title: 'Put', slug: 'put' })],
  ['its topic is set', (service, ids) => service.admin.patch(article(ids), { _topics: [{ _id: ids.topic }] })],
  ['a related document is saved', change(({ topic }) => `topic/${topic}`, { title: 'Topic renamed' })],
  ['its image is set', (service, ids) => service.admin.patch(article(ids), { _image: [{ _id: ids.image }] })],
  ['the image is described', change(({ image }) => `@cms/image/${image}`, { alt: 'Described' })],
  [
    'the image gets another file',
    async (service, { image }) =>
      service.admin.patch(`@cms/image/${image}`, { attachment: await uploadedImage(service, 300, 100) }),
  ],
  [
    'the image is cropped',
    (service, ids) => {
      const _fields = { top: 0, left: 0, width: 50, height: 50, x: null, y: null }
      return service.admin.patch(article(ids), { _image: [{ _id: ids.image, _fields }] })
    },
  ],
  [
    'a draft is published',
    async (service, ids) => {
      await service.admin.patch(article(ids), { title: 'Drafted' }, 'aposMode=draft')
      return service.admin.post(`${article(ids)}/publish`)
    },
  ],
  ['the publication before comes back', act((ids) => `${article(ids)}:en:published/revert-published-to-previous`)],
  ['it is unpublished', act((ids) => `${article(ids)}/unpublish`)],
  ['it is published', act((ids) => `${article(ids)}:en:draft/publish`)],
  ['it is hidden from the public', change(article, { visibility: 'loginRequired' })],
  ['it is shown to the public', change(article, { visibility: 'public' })],
  ['it is archived', act((ids) => `${article(ids)}/archive`)],
  ['it is restored', act((ids) => `${article(ids)}/restore`)],
  ['it is localized', act((ids) => `${article(ids)}/localize`, { toLocale: 'fr', publish: true })],
  [
    'many are archived',
    (service, { article }) => service.admin.post('article/archive', { _ids: [`${article}:en:draft`] }),
  ],
  [
    'many are restored',
    (service, { article }) => service.admin.post('article/restore', { _ids: [`${article}:en:draft`] }),
  ],
  [
    'a document is published at its time',
    async (service, { news }) => {
      const publishAt = new Date(Date.now() + HOUR_MS).toISOString()
      await service.admin.patch(`news/${news}:en:draft`, { title: 'In time', publishAt })
      const now = () => new Date(Date.now() + 2 * HOUR_MS)
      const ctx: Context = { ...service.app.context({ kind: 'operator' }), now }
      return carryOutDue(ctx, new AbortController().signal)
    },
  ],
  ['a page is saved', change(page, { intro: 'Introduced', title: 'Page renamed' })],
  ['a page is moved', (service, ids) => service.admin.patch(page(ids), { _targetId: '_home', _position: 'lastChild' })],
  ['a page is renamed, and what lies below it', change(page, { slug: '/elsewhere' })],
  ['another page takes the former address', change(({ below }) => `@cms/page/${below}`, { slug: '/page' })],
  ['a page is localized', act((ids) => `${page(ids)}/localize`, { toLocale: 'fr', publish: true })],
  [
    'a page is made',
    (service) =>
      service.admin.post('@cms/page', {
        type: 'default-page',
        title: 'New',
        _targetId: '_home',
        _position: 'lastChild',
      }),
  ],
  [
    'a page goes into the archive',
    (service, ids) => service.admin.patch(page(ids), { _targetId: '_archive', _position: 'lastChild' }),
  ],
  [
    'a page comes out of it',
    (service, ids) => service.admin.patch(page(ids), { _targetId: '_home', _position: 'lastChild' }),
  ],
  ['the global document is saved', change(({ global }) => `@cms/global/${global}`, { footer: 'Another footer' })],
  ['the styles are saved', change(({ styles }) => `@cms/styles/${styles}`, { bodyColor: '#00ff00' })],
  [
    'a document is deleted',
    async (service, ids) => {
      await service.admin.post(`${article(ids)}:en:published/unpublish`)
      return service.admin.delete(`${article(ids)}:en:draft`)
    },
  ],
  [
    'a locale gets another name',
    (service) => renameLocale(contentOf(service), { from: 'fr', to: 'it' }, { force: true, onProgress: () => {} }),
  ],
]

function contentOf({ databaseUrl }: Service) {
  return { declaration: LATER, env: { QUIRE_DATABASE: databaseUrl } }
}

describeService(
  '§6.8 purges',
  { site, isLong: true, timeouts: { background: NEVER_MS }, timeout: 120_000 },
  (service) => {
    const made = async (path: string, body: object) => String((await service.admin.post(path, body)).body.aposDocId)
    const firstOf = async (type: string) =>
      String(
        (await service.admin.get(type)).body.results?.[0]?.aposDocId ?? (await service.admin.get(type)).body.aposDocId,
      )

    async function content(): Promise<Ids> {
      const at = { type: 'default-page', _targetId: '_home', _position: 'lastChild' }
      const pageId = await made('@cms/page', { ...at, title: 'Page', slug: '/page' })
      await made('@cms/page', { ...at, type: 'article-page', title: 'Articles', slug: '/articles' })
      return {
        topic: await made('topic', { title: 'Topic' }),
        article: await made('article', { title: 'First', slug: 'first' }),
        news: await made('news', { title: 'News' }),
        image: (await imagePiece(service)).aposDocId,
        page: pageId,
        below: await made('@cms/page', { ...at, _targetId: pageId, title: 'Below', slug: '/page/below' }),
        global: await firstOf('@cms/global'),
        styles: await firstOf('@cms/styles'),
      }
    }

    /** The addresses of all public answers that the writes are about. */
    const addresses = ({ article, topic, page, news }: Ids) => [
      ...['/', '/page', '/page/below', '/elsewhere', '/elsewhere/below', '/articles', '/new', '/no-such-page'],
      ...['/articles/first', '/articles/second', '/articles/another-slug', '/articles/put', '/articles?topics=topic'],
      ...['/fr', '/fr/page', '/fr/articles', '/fr/articles/put', '/robots.txt', '/sitemap.xml', '/llms.txt'],
      ...[
        'article',
        'article?sort=title&counts=topics',
        'article?search=put',
        `article/${article}`,
        'topic',
        'news',
      ].map(api),
      ...[`topic/${topic}`, `news/${news}`, `@cms/page/${page}`, '@cms/page', '@cms/page?all=1'].map(api),
      ...['article?aposLocale=fr', `article/${article}:fr:published`, '@cms/styles/stylesheet'].map(api),
      ...['article?withRelationships=_topics', '@cms/i18n/locales', '@cms/url/literal-routes'].map(api),
    ]
    const api = (path: string) => `/api/v1/${path}`

    async function crawl(ids: Ids): Promise<ReadonlyMap<string, PublicAnswer>> {
      const answers = await Promise.all(addresses(ids).map(async (path) => [path, await answerOf(path)] as const))
      return new Map(answers)
    }

    async function answerOf(path: string): Promise<PublicAnswer> {
      const response = await fetch(service.address + path, { redirect: 'manual' })
      const tags = response.headers.get('cache-tag')?.split(',') ?? null
      expect(response.headers.get('cache-control')?.includes('s-maxage=') ?? false, path).toBe(tags !== null)
      return { bytes: `${response.status} ${response.headers.get('location')} ${await response.text()}`, tags }
    }

    /** The tags that commits have purged since the last call. */
    async function purged(): Promise<ReadonlySet<string>> {
      const { store } = service.app
      const purges = await store.purges.listDue(Date.now() + HOUR_MS, 10_000)
      await store.transaction((tx) => tx.purges.remove(purges))
      const names = mergedNames(purges)
      const all = [...before.values()].flatMap(({ tags }) => tags ?? [])
      return new Set(names === null ? all : [ANYTHING, ...new Tags(await store.secret()).of(names)])
    }

    let ids: Ids
    let before: ReadonlyMap<string, PublicAnswer> = new Map()

    it('name nothing where nothing has changed', async () => {
      ids = await content()
      await reindex(service.app.context({ kind: 'operator' }), () => {})
      before = await crawl(ids)
      await purged()
      expect(await crawl(ids)).toEqual(before)
      expect(await purged()).toEqual(new Set([ANYTHING]))
      expect(before.get('/')?.tags).toContain('everything')
      expect([...before.values()].filter(({ tags }) => tags !== null).length).toBeGreaterThan(20)
    })

    it.each(WRITES)('name all answers that are others when %s', async (_what, run) => {
      before = await crawl(ids)
      await purged()
      const answer = await run(service, ids)
      expect(answer, JSON.stringify(answer)).toMatchObject(
        answer !== null && typeof answer === 'object' && 'status' in answer ? { status: 200 } : {},
      )
      const names = await purged()
      const after = await crawl(ids)
      const different = [...before].filter(([path, { bytes }]) => after.get(path)?.bytes !== bytes)
      expect(different.map(([path]) => path)).not.toEqual([])
      const stale = different.filter(([, { tags }]) => tags !== null && !tags.some((tag) => names.has(tag)))
      expect(stale.map(([path]) => path)).toEqual([])
    })

    it('name all answers that are others when a locale is removed', async () => {
      await removeLocale(contentOf(service), 'de', { force: true, onProgress: () => {} })
      expect((await purged()).size).toBeGreaterThan(1)
    })
  },
)
