import { expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { invalid } from '../../base/errors.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, piece } from '../../model/declared/content-type.ts'

const MOST = 3

const site = defineSite({
  limits: { ids: MOST },
  locales: { en: { label: 'English' }, fr: { label: 'Français', prefix: '/fr' } },
  types: [
    piece('topic'),
    // Its hook lets these be saved one by one.
    piece('chapter', {
      fields: { add: { _next: { type: 'relationship', withType: 'chapter' } } },
      hooks: {
        beforeSave: ({ title }, { reason }) => {
          if (reason === 'localized' && title === 'Refused') throw invalid('Not this one.')
        },
      },
    }),
    piece('story', { fields: { add: { _topics: { type: 'relationship', withType: 'topic' } } } }),
    page('leaf'),
    page('other'),
    page('guarded', { editRole: 'admin' }),
  ],
})

describeService('§3.4 what is localized together', { site, isLong: true }, (service) => {
  const made = async (type: string, body: object, query = '') => {
    const answer = await service.admin.post(type, body, query)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const localize = (type: string, id: string, body: object = {}) =>
    service.admin.post(`${type}/${id}/localize`, { toLocale: 'fr', ...body })
  const subtree = (id: string, body: object = {}) => localize('@cms/page', id, { subtree: true, ...body })
  const child = (parent: string, title: string, more: object = {}, query = '') =>
    made('@cms/page', { type: 'leaf', title, _targetId: parent, _position: 'lastChild', ...more }, query)
  const inFrench = async (type: string, id: string) => (await service.admin.get(`${type}/${id}:fr:draft`)).status
  const french = async (id: string) => (await service.admin.get(`@cms/page/${id}:fr:draft`)).body

  it('brings along as many related documents as a request takes ids, and is refused whole with more', async () => {
    const topics: string[] = []
    for (let n = 0; n <= MOST; n += 1) topics.push((await made('topic', { title: `Topic ${n}` })).aposDocId)
    const many = (await made('story', { title: 'Many', topicsIds: topics })).aposDocId
    expect(await localize('story', many, { related: true })).toMatchObject({ status: 400, body: { name: 'invalid' } })
    expect(await inFrench('story', many)).toBe(404)
    const few = (await made('story', { title: 'Few', topicsIds: topics.slice(1) })).aposDocId
    expect((await localize('story', few, { related: true })).body.localized).toHaveLength(MOST)
    expect((await localize('story', many, { related: false })).status).toBe(200)
  })

  it('copies as many pages of a subtree as a request takes ids, and none where there are more', async () => {
    const root = (await child('_home', 'Root')).aposDocId
    const ids: string[] = []
    for (let n = 1; n < MOST; n += 1) ids.push((await child(root, `Page ${n}`)).aposDocId)
    await child(root, 'In the archive, and left out', { _targetId: '_archive' })
    const last = (await child(root, 'One more')).aposDocId
    const refused = await subtree(root)
    expect(refused).toMatchObject({ status: 400, body: { name: 'invalid' } })
    expect(await inFrench('@cms/page', root)).toBe(404)
    await service.admin.delete(`@cms/page/${last}`)
    expect((await subtree(root)).body.localized).toEqual(ids.map((id) => `${id}:fr:draft`))
  })

  it('is refused in the locale where it is, a subtree too', async () => {
    const { aposDocId: id } = await child('_home', 'Stays here')
    for (const body of [{ toLocale: 'en' }, { toLocale: 'en', update: true }]) {
      expect(await subtree(id, body)).toMatchObject({ status: 400, body: { name: 'invalid' } })
      expect(await localize('@cms/page', id, body)).toMatchObject({ status: 400, body: { name: 'invalid' } })
    }
  })

  it('§2.12 follows the slug of a parent that is nowhere published', async () => {
    const root = (await child('_home', 'Draft', {}, 'aposMode=draft')).aposDocId
    const below = (await child(root, 'Below', {}, 'aposMode=draft')).aposDocId
    const own = (await child(root, 'Own', { slug: '/its-own' }, 'aposMode=draft')).aposDocId
    await localize('@cms/page', root)
    expect((await service.admin.patch(`@cms/page/${root}:fr:draft`, { slug: '/brouillon' })).status).toBe(200)
    expect((await localize('@cms/page', below)).body.slug).toBe('/brouillon/below')
    expect((await localize('@cms/page', own)).body.slug).toBe('/its-own')
  })

  it('puts new pages after those that are there, and leaves the others where they are', async () => {
    const root = (await child('_home', 'Ordered')).aposDocId
    await localize('@cms/page', root, { publish: true })
    await made(
      '@cms/page',
      { type: 'leaf', title: 'French', _targetId: root, _position: 'lastChild' },
      'aposLocale=fr:draft',
    )
    const first = (await child(root, 'One')).aposDocId
    await child(root, 'Two')
    expect((await subtree(root)).status).toBe(200)
    const titles = async () => (await french(root))._children.map(({ title }: { title: string }) => title)
    expect(await titles()).toEqual(['French', 'One', 'Two'])
    const place = { _targetId: root, _position: 'firstChild' }
    expect((await service.admin.patch(`@cms/page/${first}:fr:draft`, place)).status).toBe(200)
    expect((await localize('@cms/page', first, { update: true })).body.rank).toBe(0)
    expect(await titles()).toEqual(['One', 'French', 'Two'])
  })

  it('§4.2 a page that became of another type here does so there', async () => {
    const { aposDocId: id } = await child('_home', 'Turns')
    await localize('@cms/page', id, { publish: true })
    expect((await service.admin.patch(`@cms/page/${id}:en:draft`, { type: 'other' })).status).toBe(200)
    expect((await localize('@cms/page', id, { update: true })).body).toMatchObject({ type: 'other', modified: true })
    expect((await service.admin.get(`@cms/page/${id}:fr:published`)).body.type).toBe('leaf')
  })

  it('§4.1 what is asked for is localized itself, as a draft, and not brought along by what relates to it', async () => {
    const last = (await made('chapter', { title: 'Last' })).aposDocId
    const first = (await made('chapter', { title: 'First', nextIds: [last] })).aposDocId
    const body = { _ids: [first, last], toLocales: ['fr'], related: true }
    expect((await service.admin.post('chapter/localize', body)).body.results).toEqual(
      [first, last].map((id) => ({ _id: `${id}:fr:draft`, toLocale: 'fr', ok: true })),
    )
    expect((await service.admin.get(`chapter/${last}:fr:published`)).status).toBe(404)
  })

  it('is a document of the type that the request names', async () => {
    const { aposDocId: id } = await made('topic', { title: 'A topic' })
    expect((await localize('story', id)).status).toBe(404)
    expect(await inFrench('topic', id)).toBe(404)
  })

  it('is refused as a related document would be, with the name of what refuses it', async () => {
    const refused = (await made('chapter', { title: 'Refused' })).aposDocId
    const { aposDocId: id } = await made('chapter', { title: 'Names it', nextIds: [refused] })
    const answer = await localize('chapter', id, { related: true })
    expect(answer).toMatchObject({ status: 400, body: { name: 'invalid', message: 'Not this one.' } })
    expect(await inFrench('chapter', id)).toBe(404)
  })

  it('§5.2 does not take the place of a draft whose type the caller may not edit', async () => {
    const { aposDocId: id } = await child('_home', 'Guarded there')
    await localize('@cms/page', id)
    const there = `@cms/page/${id}:fr:draft`
    expect((await service.admin.patch(there, { type: 'guarded' })).status).toBe(200)
    const body = { toLocale: 'fr', update: true }
    expect((await service.editor.post(`@cms/page/${id}/localize`, body)).status).toBe(403)
    expect((await service.admin.get(there)).body.type).toBe('guarded')
    expect((await service.admin.post(`@cms/page/${id}/localize`, body)).body.type).toBe('leaf')
  })

  it('§0.8 is refused with its subtree when the page was changed', async () => {
    const { aposDocId: id } = await child('_home', 'Matched')
    const tag = (await service.admin.get(`@cms/page/${id}`)).headers.get('etag') ?? ''
    await service.admin.patch(`@cms/page/${id}`, { title: 'Changed' })
    const send = (given: string) => {
      const body = { toLocale: 'fr', subtree: true }
      return service.admin.post(`@cms/page/${id}/localize`, body, '', { 'if-match': given })
    }
    expect(await send(tag)).toMatchObject({ status: 409, body: { name: 'conflict' } })
    expect(await inFrench('@cms/page', id)).toBe(404)
    const current = (await service.admin.get(`@cms/page/${id}`)).headers.get('etag') ?? ''
    expect((await send(current)).status).toBe(200)
  })
})
