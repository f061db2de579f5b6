import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { referenceSite } from '../../conformance/site.ts'
import { describeService } from './service.ts'
import { send } from './wire.ts'

const EVIL = 'evil.example'
/** Nothing that a request says may become part of a statement's text: a word that no statement has by itself. */
const MARK = 'zqxmark'
const INJECTIONS = [
  `${MARK}' or '1'='1`,
  `${MARK}" or 1=1 --`,
  `${MARK}'); drop table documents; --`,
  `${MARK}') union select hash from api_keys --`,
  `${MARK}\\' or 1=1 #`,
  `$.${MARK}[*]`,
  `title') ${MARK} --`,
  `price->>${MARK}`,
]

const site = referenceSite({ QUIRE_ARTICLE_PUBLIC: '1', QUIRE_PAGE_PUBLIC: '1' })

describeService('§0.10 hostile requests', { isLong: true, site }, (service) => {
  let articleId = ''
  let pageId = ''

  beforeAll(async () => {
    const body = { title: 'Target', code: 'c', links: [{ label: 'one' }] }
    articleId = (await service.editor.post('article', body)).body.aposDocId
    const page = { title: 'Page', type: 'default-page', _targetId: '_home', _position: 'lastChild' }
    pageId = (await service.editor.post('@cms/page', page)).body.aposDocId
  })
  afterAll(() => expect(service.logged.filter(({ level }) => level === 'error')).toEqual([]))

  describe.each(INJECTIONS)('a statement in %s', (text) => {
    const escaped = encodeURIComponent(text)

    it('is a value that matches nothing, or a name that is unknown', async () => {
      const all = (await service.editor.get('article')).body.total
      expect(all).toBeGreaterThan(0)
      // The number of documents, where it is not refused.
      const totals: readonly (readonly [string, number | null])[] = [
        [`title=${escaped}`, 0],
        [`title[]=${escaped}&title[]=${escaped}`, 0],
        [`code=${escaped}`, null],
        [`subtitle=${escaped}`, 0],
        [`tags[]=${escaped}`, 0],
        [`topics=${escaped}`, 0],
        [`_topicsAnd[]=${escaped}`, 0],
        [`_ids[]=${escaped}`, 0],
        [`slug=${escaped}`, 0],
        [`${escaped}=1`, all],
        [`${escaped}[min]=1`, all],
        [`title[${escaped}]=1`, null],
        [`choices=${escaped}`, all],
        [`counts=${escaped}`, all],
        [`project[${escaped}]=1`, all],
        [`search=${escaped}`, 0],
        [`autocomplete=${escaped}`, 0],
        [`sort[${escaped}]=1`, null],
        [`sort=-${escaped}`, null],
        [`count[min]=${escaped}`, null],
        [`createdAt[max]=${escaped}`, null],
        [`page=${escaped}`, null],
        [`aposLocale=${escaped}`, null],
      ]
      for (const caller of [service.anonymous, service.editor]) {
        for (const [query, total] of totals) {
          const { status, body } = await caller.get('article', query)
          expect({ query, status }).toEqual({ query, status: body.name === 'invalid' ? 400 : 200 })
          if (status === 200) expect({ query, total: body.total }).toEqual({ query, total: total ?? body.total })
        }
        expect((await caller.get(`article/${escaped}`)).status).toBe(404)
        expect((await caller.get(`@cms/page/${escaped}`)).status).toBe(404)
      }
      expect(service.statements.filter((sql) => sql.includes(MARK))).toEqual([])
    })

    it('is data or refused in paths, operators, keys and places', async () => {
      const patches = [
        { [text]: 1 },
        { [`links.${text}`]: 1 },
        { [`@${text}.label`]: 'x' },
        { $push: { [text]: 1 } },
        { $pullAll: { [`links.${text}`]: [1] } },
        { $move: { links: { $item: text, $before: text } } },
        { slug: text },
        { topicsIds: [text] },
        { title: text, code: text },
        { _topics: [{ _id: text }] },
      ]
      for (const body of patches) {
        const { status } = await service.editor.patch(`article/${articleId}`, body)
        expect([200, 400, 404]).toContain(status)
      }
      const { body } = await service.editor.get(`article/${articleId}`)
      expect([body.title, body.code]).toEqual([text, text])
      await service.editor.patch(`article/${articleId}`, { title: 'Target', code: 'c', slug: 'target' })
      const moved = { _targetId: text, _position: 'lastChild' }
      expect((await service.editor.patch(`@cms/page/${pageId}`, moved)).status).toBe(404)
      expect((await service.editor.post('article/publish', { _ids: [text] })).body.results).toMatchObject([
        { ok: false },
      ])
      expect(service.statements.filter((sql) => sql.includes(MARK))).toEqual([])
    })
  })

  describe('what only the service writes', () => {
    const OWN = {
      _id: 'chosen:en:published',
      aposDocId: 'chosen',
      aposLocale: 'fr:draft',
      aposMode: 'draft',
      type: 'topic',
      metaType: 'chosen',
      createdAt: '2001-01-01T00:00:00.000Z',
      updatedAt: '2001-01-01T00:00:00.000Z',
      lastPublishedAt: '2001-01-01T00:00:00.000Z',
      updatedBy: { _id: 'chosen', username: 'chosen' },
      modified: true,
      revision: 1000,
      highSearchText: 'chosen',
      _edit: false,
      _publish: false,
      _delete: false,
      _url: `https://${EVIL}/`,
    }
    const PLACE = { path: 'chosen', level: 7, rank: 900, orphan: true, parkedId: 'home', parked: ['title'] }
    const PAGE = { ...OWN, ...PLACE, type: 'default-page', historicUrls: ['/chosen'], _ancestors: [], _children: [] }

    /** What callers did not say themselves; times are those of the save. */
    function kept(body: Record<string, unknown>): object {
      const { title: _title, updatedAt: _updatedAt, lastPublishedAt: _published, ...rest } = body
      return rest
    }

    it.each(['article', '@cms/page'])('%s takes none of it from a body', async (type) => {
      const isPage = type === '@cms/page'
      const place = isPage ? { _targetId: '_home', _position: 'lastChild' } : {}
      const own = isPage ? PAGE : OWN
      const plain = { title: 'Mine', slug: isPage ? '/mine' : 'mine', ...(isPage ? { type: 'default-page' } : {}) }
      const made = (await service.editor.post(type, { ...own, ...plain, ...place })).body
      expect(JSON.stringify(made)).not.toMatch(/chosen|2001-|evil/)
      expect(made._id).toMatch(/:en:published$/)
      const before = kept((await service.editor.get(`${type}/${made._id}`)).body)
      const patches = [
        { title: 'Mine', ...own },
        ...Object.entries(own).map(([name, value]) => ({ [`${name}.x`]: value })),
        ...Object.entries(own).map(([name, value]) => ({ $push: { [name]: value } })),
        { _patches: [{ ...own }] },
      ]
      for (const body of patches) {
        const { status } = await service.editor.patch(`${type}/${made._id}`, body)
        expect([200, 400]).toContain(status)
        expect(kept((await service.editor.get(`${type}/${made._id}`)).body)).toEqual(before)
      }
      const put = await service.editor.put(`${type}/${made._id}`, { ...own, ...plain })
      expect([put.status, kept(put.body)]).toEqual([200, before])
      expect((await service.editor.get(`${type}/chosen`)).status).toBe(404)
    })
  })

  it('a Host header, forwarded or not, is in no answer, and in none that is kept', async () => {
    const paths = ['article', `article/${articleId}`, '@cms/page', `@cms/page/${pageId}`, 'openapi.json', 'nothing']
    for (const path of paths) {
      const path1 = `/api/v1/${path}`
      const before = await send(service.address, { method: 'GET', path: path1 })
      for (const headers of [
        { host: EVIL },
        { host: EVIL, 'x-forwarded-host': EVIL, 'x-forwarded-proto': 'https', forwarded: `host=${EVIL}` },
        { 'x-forwarded-host': EVIL, 'x-original-url': `//${EVIL}`, 'x-rewrite-url': `//${EVIL}` },
      ]) {
        for (const key of [{}, { authorization: 'ApiKey key-editor' }]) {
          const answer = await send(service.address, { method: 'GET', path: path1, headers: { ...headers, ...key } })
          expect(JSON.stringify([answer.headers, answer.text])).not.toContain(EVIL)
        }
      }
      const after = await send(service.address, { method: 'GET', path: path1 })
      expect([after.status, after.text]).toEqual([before.status, before.text])
    }
  })

  it.each([
    `//${EVIL}`,
    `/%2f${EVIL}`,
    `/%5c${EVIL}`,
    `/\\${EVIL}`,
    `//${EVIL}/%2e%2e`,
    `/.${EVIL}`,
    `/@${EVIL}`,
    `http://${EVIL}/api/v1/none`,
    `/fr//${EVIL}`,
    `/%09//${EVIL}`,
    `/%0d%0aLocation:%20//${EVIL}`,
    `/api/v1/article/?next=//${EVIL}`,
    `/api/v1/@cms/login/context?redirect=https://${EVIL}`,
  ])('%s leads nobody to another site', async (path) => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      const headers = method === 'POST' ? { 'content-type': 'application/json' } : {}
      const answer = await send(service.address, {
        method,
        path,
        headers,
        ...(method === 'POST' ? { body: '{}' } : {}),
      })
      const { location = '', refresh } = answer.headers
      expect(refresh).toBe(undefined)
      // A redirect names a path of this site, as every client reads it.
      if (location !== '') expect(new URL(location, service.address).origin).toBe(service.address)
    }
  })
})
