import { expect, test } from 'vitest'
import { defineSite } from '../src/model/compile/site-options.ts'
import { page, piece } from '../src/model/declared/content-type.ts'
import { rowsOf } from './consistency.ts'
import { type Answer, describeService } from './service.ts'

/** The tag of what was answered, however it was compressed. */
const uncompressed = (etag: string | null) => etag?.replace(/-(br|gzip)"$/, '"') ?? ''

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [piece('thing'), page('leaf')],
})
const TREE = '@cms/page'
const place = { _targetId: '_home', _position: 'lastChild' }
type Headers = Record<string, string>

describeService('§0.8 If-Match', { isLong: true, site }, (service) => {
  /** Every write to one document, by the id of a copy. */
  const WRITES: { [name: string]: (id: string, headers: Headers) => Promise<Answer> } = {
    'PATCH of a piece': (id, headers) => service.editor.patch(`thing/${id}`, { title: 'B' }, '', headers),
    'PUT of a piece': (id, headers) => service.editor.put(`thing/${id}`, { title: 'B' }, '', headers),
    'DELETE of a piece': (id, headers) => service.editor.delete(`thing/${id}`, '', headers),
    'publish of a piece': (id, headers) => service.editor.post(`thing/${id}/publish`, {}, '', headers),
    'unpublish of a piece': (id, headers) => service.editor.post(`thing/${id}/unpublish`, {}, '', headers),
    'revert of a piece': (id, headers) => service.editor.post(`thing/${id}/revert-draft-to-published`, {}, '', headers),
    'archive of a piece': (id, headers) => service.editor.post(`thing/${id}/archive`, {}, '', headers),
    'restore of a piece': (id, headers) => service.editor.post(`thing/${id}/restore`, {}, '', headers),
    'localize of a piece': (id, headers) =>
      service.editor.post(`thing/${id}/localize`, { toLocale: 'fr', update: true }, '', headers),
    'PATCH of a page': (id, headers) => service.editor.patch(`${TREE}/${id}`, { title: 'B' }, '', headers),
    'PUT of a page': (id, headers) => service.editor.put(`${TREE}/${id}`, { title: 'B' }, '', headers),
    'a move': (id, headers) =>
      service.editor.patch(`${TREE}/${id}`, { _targetId: '_home', _position: 'firstChild' }, '', headers),
    'archive of a page': (id, headers) =>
      service.editor.patch(`${TREE}/${id}`, { ...place, _targetId: '_archive' }, '', headers),
    'publish of a page': (id, headers) => service.editor.post(`${TREE}/${id}/publish`, {}, '', headers),
    'unpublish of a page': (id, headers) => service.editor.post(`${TREE}/${id}/unpublish`, {}, '', headers),
    'revert of a page': (id, headers) =>
      service.editor.post(`${TREE}/${id}/revert-draft-to-published`, {}, '', headers),
    'localize of a page': (id, headers) =>
      service.editor.post(`${TREE}/${id}/localize`, { toLocale: 'fr', update: true }, '', headers),
    'DELETE of a page': (id, headers) => service.editor.delete(`${TREE}/${id}`, '', headers),
  }
  const state = () =>
    rowsOf(service.databaseUrl, [
      'select doc_id, locale, mode, slug, archived, revision, content from documents order by doc_id, locale, mode',
      'select locale, doc_id, path, rank from places order by locale, doc_id',
    ])

  test.each(Object.keys(WRITES))('%s is refused when the document was changed, and says by whom', async (name) => {
    const path = name.endsWith('piece') ? 'thing' : TREE
    const write = WRITES[name] ?? expect.fail(name)
    const made = await service.editor.post(
      path,
      path === 'thing' ? { title: 'A' } : { type: 'leaf', title: 'A', ...place },
    )
    expect(made).toMatchObject({ status: 200 })
    const stale = made.headers.get('etag') ?? ''
    const changed = await service.admin.patch(`${path}/${made.body._id}`, { title: 'Meanwhile' })
    const etag = changed.headers.get('etag')
    expect(etag).not.toBe(stale)
    expect((await service.editor.get(`${path}/${made.body._id}`)).headers.get('etag')).toBe(etag)
    const before = await state()
    const refused = await write(made.body._id, { 'if-match': stale })
    const { updatedAt, updatedBy } = changed.body
    expect(refused).toMatchObject({
      status: 409,
      body: { name: 'conflict', data: { etag: uncompressed(etag), updatedAt, updatedBy } },
    })
    expect(updatedBy.title).toBe('admin key')
    expect(await state()).toEqual(before)
    const done = await write(made.body._id, { 'if-match': `"other", W/${etag}` })
    expect(done).toMatchObject({ status: 200 })
    if (!name.startsWith('DELETE')) expect(uncompressed(done.headers.get('etag'))).toMatch(/^"\d+-\w+"$/)
  })

  test('a draft has a tag of its own', async () => {
    const { body } = await service.editor.post('thing', { title: 'A' })
    const draft = `${body.aposDocId}:en:draft`
    const tag = (await service.editor.patch(`thing/${draft}`, { title: 'B' })).headers.get('etag') ?? ''
    await service.admin.patch(`thing/${draft}`, { title: 'C' })
    expect(await service.editor.post(`thing/${draft}/publish`, {}, '', { 'if-match': tag })).toMatchObject({
      status: 409,
    })
    expect((await service.editor.get(`thing/${body._id}`)).body.title).toBe('A')
    const fresh = (await service.editor.get(`thing/${draft}`)).headers.get('etag') ?? ''
    expect(await service.editor.post(`thing/${draft}/publish`, {}, '', { 'if-match': fresh })).toMatchObject({
      status: 200,
    })
  })
  test('what was deleted in a locale and is localized anew has no tag of before', async () => {
    for (const [path, more] of [
      ['thing', {}],
      [TREE, { type: 'leaf', ...place }],
    ] as const) {
      const { body } = await service.editor.post(path, { title: 'A', ...more })
      const copy = `${path}/${body.aposDocId}:fr:draft`
      const localize = () => service.editor.post(`${path}/${body._id}/localize`, { toLocale: 'fr' })
      const stale = (await localize()).headers.get('etag') ?? ''
      await service.editor.delete(copy)
      await service.editor.patch(`${path}/${body._id}`, { title: 'B' })
      expect((await localize()).body.title).toBe('B')
      const answer = await service.editor.patch(copy, { title: 'C' }, '', { 'if-match': stale })
      expect({ path, status: answer.status }).toEqual({ path, status: 409 })
    }
  })
})
