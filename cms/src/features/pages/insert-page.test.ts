import { afterEach, expect, test } from 'vitest'
import { referenceSite } from '../../../../conformance/site.ts'
import { inconsistencies } from '../../../test/consistency.ts'
import { type Answer, describeService } from '../../../test/service.ts'
import { readTrees, unsound } from '../../../test/trees.ts'
import { archiveId, homeId } from '../../engine/pages/parked.ts'

describeService('§4.2 POST', { isLong: true, site: referenceSite({ QUIRE_PAGE_PUBLIC: '1' }) }, (service) => {
  afterEach(async () => {
    for (const tree of (await readTrees(service.databaseUrl)).values()) expect(unsound(tree, archiveId)).toEqual([])
    expect((await inconsistencies(service.databaseUrl, service.app.site)).slice(0, 3)).toEqual([])
    expect(service.logged.filter(({ level }) => level === 'error')).toEqual([])
  })

  const post = (body: object, query?: string) =>
    service.admin.post(
      '@cms/page',
      { type: 'default-page', _targetId: '_home', _position: 'lastChild', ...body },
      query,
    )
  const made = async (body: object, query?: string): Promise<Answer['body']> => {
    const answer = await post(body, query)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const childTitles = async (id: string, query = 'aposMode=draft') =>
    (await service.admin.get(`@cms/page/${id}`, query)).body._children.map(({ title }: { title: string }) => title)
  const everything = () => readTrees(service.databaseUrl)

  test('§2.2 a new page has its place, the slug of its title below its parent’s, ancestors and children', async () => {
    const parent = await made({ title: 'Parent', intro: 'Hi' })
    const child = await made({ title: 'A Child', _targetId: parent._id })
    expect(parent).toMatchObject({ slug: '/parent', level: 1, orphan: false, archived: false, _children: [] })
    expect(child).toMatchObject({
      slug: '/parent/a-child',
      _url: '/parent/a-child',
      level: 2,
      rank: 0,
      path: `${homeId}/${parent.aposDocId}/${child.aposDocId}`,
      historicUrls: [],
      aposMode: 'published',
    })
    expect(child._ancestors.map(({ slug }: { slug: string }) => slug)).toEqual(['/', '/parent'])
    const read = await service.admin.get(`@cms/page/${parent.aposDocId}`, 'aposMode=draft')
    expect(read.body._children).toMatchObject([{ _id: `${child.aposDocId}:en:draft`, title: 'A Child' }])
  })

  test('every form of _position and of ids is accepted, past the end appends, and the archive stays last', async () => {
    const { _id, aposDocId } = await made({ title: 'Positions' })
    const at = (title: string, _position: string | number, _targetId = _id) => made({ title, _targetId, _position })
    const b = await at('b', 'lastChild', `${aposDocId}:fr:draft`)
    await at('d', 99, aposDocId)
    await at('a', 'firstChild')
    await at('c', 'after', b._id)
    await at('a2', 'before', b.aposDocId)
    await at('a1', 1)
    await at('e', '6')
    expect(await childTitles(_id)).toEqual(['a', 'a1', 'a2', 'b', 'c', 'd', 'e'])
    expect(await childTitles(_id, '')).toEqual(['a', 'a1', 'a2', 'b', 'c', 'd', 'e'])
    const far = await made({ title: 'Far', _targetId: '_home', _position: 500 })
    const archive = await service.admin.get('@cms/page/_archive', 'archived=any')
    expect(archive.body.rank).toBe(far.rank + 1)
  })

  test.each([
    ['no target', { _targetId: undefined }],
    ['no position', { _position: undefined }],
    ['neither', { _targetId: undefined, _position: undefined }],
    ['a negative position', { _position: -1 }],
    ['a fraction', { _position: 1.5 }],
    ['an unknown position', { _position: 'inside' }],
    ['a list', { _position: ['lastChild'] }],
    ['a target that is no text', { _targetId: { _id: '_home' } }],
    ['before home', { _position: 'before' }],
    ['after home', { _position: 'after' }],
    ['before the archive', { _targetId: '_archive', _position: 'before' }],
    ['after the archive', { _targetId: '_archive', _position: 'after' }],
    ['no type', { type: undefined }],
    ['a piece type', { type: 'article' }],
    ['an unknown type', { type: 'nosuch' }],
    ['a second home', { type: '@cms/home-page' }],
    ['a second archive', { type: '@cms/archive-page' }],
    ['no title', { title: undefined }],
    ['an unknown target', { _targetId: 'nosuch' }, 404],
    ['a target nobody made', { _targetId: 'abcdefghijklmnopqrstuvwxyz' }, 404],
  ])('§4.2 %s is refused, the tree untouched', async (_, wrong, status = 400) => {
    const before = await everything()
    const answer = await post({ title: 'Refused', ...wrong })
    expect(answer).toMatchObject({ status, body: { name: status === 400 ? 'invalid' : 'notfound' } })
    expect(await everything()).toEqual(before)
  })

  test('a generated slug that is taken gets a number, a given one is a conflict', async () => {
    await made({ title: 'Twice' })
    expect((await made({ title: 'Twice' })).slug).toBe('/twice-2')
    const taken = await post({ title: 'Other', slug: '/twice' })
    expect(taken).toMatchObject({ status: 409, body: { data: { errors: [{ path: 'slug', name: 'unique' }] } } })
    expect((await made({ title: 'Own', slug: 'no-leading/Slash x' })).slug).toBe('/no-leading/slash-x')
  })

  test('a published page below a draft-only one is refused, naming the unpublished ancestors', async () => {
    const draft = await made({ title: 'Draft only' }, 'aposMode=draft')
    const below = await made({ title: 'Deeper', _targetId: draft._id }, 'aposMode=draft')
    const answer = await post({ title: 'Published', _targetId: below._id })
    expect(answer.body).toMatchObject({
      name: 'invalid',
      message: 'Publish the parent page first.',
      data: { unpublishedAncestors: [{ aposDocId: draft.aposDocId }, { aposDocId: below.aposDocId, title: 'Deeper' }] },
    })
  })

  test('_copyingId fills in what the body leaves out', async () => {
    const original = await made({ title: 'Original', intro: 'Kept', main: '<p>Text</p>' })
    const copy = await made({ title: 'Copy', _copyingId: original._id })
    expect(copy).toMatchObject({ slug: '/copy', intro: 'Kept', copyOfId: original._id })
    expect(copy.main.items[0].content).toBe('<p>Text</p>')
    expect(copy.main._id).not.toBe(original.main._id)
  })

  test('_copyingId also gives the type where the body does not', async () => {
    const place = { _targetId: '_home', _position: 'lastChild' }
    const original = await made({ title: 'Typed', intro: 'Kept' })
    const copy = await service.editor.post('@cms/page', { ...place, _copyingId: original.aposDocId })
    expect(copy.body).toMatchObject({ type: 'default-page', title: 'Typed', slug: '/typed-2', intro: 'Kept' })
    expect(copy.body.copyOfId).toBe(original.aposDocId)
    for (const _copyingId of ['nosuch', 'a:b', '0'.repeat(26)]) {
      expect((await service.editor.post('@cms/page', { ...place, _copyingId })).status).toBe(404)
    }
    for (const _copyingId of ['_home', undefined, null, '', 7]) {
      expect((await service.editor.post('@cms/page', { ...place, _copyingId })).body.name).toBe('invalid')
    }
    const topic = (await service.editor.post('topic', { title: 'No page' })).body
    expect((await service.editor.post('@cms/page', { ...place, _copyingId: topic._id })).body.name).toBe('invalid')
    expect((await post({ title: 'No page', _copyingId: topic._id })).status).toBe(404)
  })

  test('a page of another type, the home page too, is copied as far as both types share fields', async () => {
    const original = await made({ title: 'Two sorts', intro: 'Of one', visibility: 'loginRequired' })
    const other = await made({ type: 'article-page', _copyingId: original._id })
    expect(other).toMatchObject({ type: 'article-page', title: 'Two sorts', visibility: 'loginRequired' })
    expect(other).not.toHaveProperty('intro')
    await service.editor.patch('@cms/page/_home', { main: '<p>Welcome</p>' })
    const home = await made({ _copyingId: '_home' })
    expect(home).toMatchObject({ title: 'Home', slug: '/home', copyOfId: `${homeId}:en:published`, level: 1 })
    expect(home.main.items[0].content).toBe('<p>Welcome</p>')
  })

  test('POST into _archive creates an archived page, which occupies no slug', async () => {
    const archived = await made({ title: 'Old news', _targetId: '_archive' })
    expect(archived).toMatchObject({ archived: true, level: 2 })
    expect((await made({ title: 'Old news' })).slug).toBe('/old-news')
    expect((await service.admin.get(`@cms/page/${archived._id}`)).status).toBe(404)
    expect((await service.admin.get(`@cms/page/${archived._id}`, 'archived=true')).status).toBe(200)
  })

  test('§5.3 who may insert', async () => {
    const body = { type: 'default-page', title: 'By role', _targetId: '_home', _position: 'lastChild' }
    for (const wrong of [body, { ...body, type: 'nosuch' }]) {
      expect((await service.anonymous.post('@cms/page', wrong)).status).toBe(401)
      expect((await service.guest.post('@cms/page', wrong, 'aposMode=draft')).status).toBe(403)
      expect((await service.contributor.post('@cms/page', wrong)).status).toBe(403)
    }
    expect((await service.contributor.post('@cms/page', body, 'aposMode=draft')).status).toBe(200)
    const archived = { ...body, _targetId: '_archive' }
    expect((await service.contributor.post('@cms/page', archived, 'aposMode=draft')).status).toBe(403)
    expect((await service.editor.post('@cms/page', body)).status).toBe(200)
  })

  test('answers to anonymous callers are fresh after each write', async () => {
    const titles = async () =>
      (await service.anonymous.get('@cms/page')).body._children.map(({ title }: { title: string }) => title)
    await titles()
    const { _id } = await made({ title: 'Fresh' })
    expect(await titles()).toContain('Fresh')
    await service.admin.patch(`@cms/page/${_id}`, { _targetId: '_home', _position: 0 })
    expect((await titles())[0]).toBe('Fresh')
    await service.admin.patch(`@cms/page/${_id}`, { _targetId: '_archive', _position: 'lastChild' })
    expect(await titles()).not.toContain('Fresh')
  })
})
