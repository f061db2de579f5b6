import { defineSite, page, piece } from 'quire-cms'
import { beforeAll, expect, test } from 'vitest'
import { type Answer, describeService } from '../../../test/service.ts'

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [
    piece('note', { slugPrefix: 'note-' }),
    page('leaf'),
    page('vault', { viewRole: 'admin', editRole: 'admin' }),
  ],
})

describeService('§2.12 what a slug would be', { site }, (service) => {
  const done = (answer: Answer): Answer['body'] => {
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const place = (_targetId: string) => ({ type: 'leaf', _targetId, _position: 'lastChild' })
  const made = async (type: string, title: string, more: object = {}): Promise<string> =>
    done(await service.admin.post(type, { title, ...more })).aposDocId
  const ask = async (path: string, body: object, query = '') =>
    done(await service.editor.post(`${path}/slug`, body, query))

  let section: string
  let note: string
  let hidden: string
  beforeAll(async () => {
    section = await made('@cms/page', 'Section', place('_home'))
    const child = await made('@cms/page', 'Child', place(section))
    await made('@cms/page', 'Grandchild', place(child))
    hidden = await made('@cms/page', 'Hidden', { ...place(section), type: 'vault' })
    await made('@cms/page', 'Elsewhere', { ...place(section), slug: '/elsewhere' })
    note = await made('note', 'First')
  })

  test('of a piece, as saving it would make it', async () => {
    const free = { isTaken: false, carried: 0 }
    expect(await ask('note', { title: 'Ünd so' })).toEqual({ ...free, slug: 'note-ünd-so', suggestion: 'note-ünd-so' })
    const taken = { slug: 'note-first', isTaken: true, suggestion: 'note-first-2', carried: 0 }
    expect(await ask('note', { title: 'First' })).toEqual(taken)
    expect(await ask('note', { slug: 'First' })).toEqual(taken)
    expect(await ask('note', { slug: 'first', _id: note })).toMatchObject(free)
    expect(await ask('note', { title: 'First' }, 'aposLocale=fr')).toMatchObject(free)
    expect(done(await service.editor.post('note', { title: 'First' })).slug).toBe(taken.suggestion)
  })

  test('of a new page, below its parent', async () => {
    expect(await ask('@cms/page', { title: 'Child', ...place(section) })).toEqual({
      slug: '/section/child',
      isTaken: true,
      suggestion: '/section/child-2',
      carried: 0,
    })
    expect(await ask('@cms/page', { title: 'API', ...place('_home') })).toMatchObject({ suggestion: '/api-2' })
  })

  test('of a new one, also where _id is null', async () => {
    expect(await ask('note', { _id: null, title: 'First' })).toMatchObject({ slug: 'note-first', isTaken: true })
    const page = { _id: null, title: 'Child', ...place(section) }
    expect(await ask('@cms/page', page)).toMatchObject({ suggestion: '/section/child-2' })
  })

  test('of a page, with how many below would follow', async () => {
    const body = { _id: section, slug: '/part' }
    expect(await ask('@cms/page', body)).toEqual({ slug: '/part', isTaken: false, suggestion: '/part', carried: 2 })
    // One more that editors do not see.
    expect(done(await service.admin.post('@cms/page/slug', body)).carried).toBe(3)
    expect(await ask('@cms/page', { _id: section, slug: '/section' })).toMatchObject({ isTaken: false, carried: 0 })
    expect(done(await service.editor.get(`@cms/page/${section}`)).slug).toBe('/section')
  })

  test('of a page by its title: below the page above, with how many below would follow; in the archive below none', async () => {
    const below = await made('@cms/page', 'Renamed', place(section))
    const deep = await made('@cms/page', 'Deep', place(below))
    const free = { isTaken: false }
    expect(await ask('@cms/page', { _id: below, title: 'Other' })).toEqual({
      ...free,
      slug: '/section/other',
      suggestion: '/section/other',
      carried: 1,
    })
    expect(await ask('@cms/page', { _id: deep, title: 'Other' })).toMatchObject({ slug: '/section/renamed/other' })
    const archived = { ...place('_archive'), title: 'Child' }
    expect(await ask('@cms/page', archived)).toMatchObject({ ...free, slug: '/child' })
    await service.admin.patch(`@cms/page/${below}:en:draft`, { slug: '/section/draft' })
    const waiting = { _id: deep, title: 'Other' }
    expect(await ask('@cms/page', waiting, 'aposMode=draft')).toMatchObject({ slug: '/section/draft/other' })
    expect(await ask('@cms/page', waiting)).toMatchObject({ slug: '/section/renamed/other' })
  })

  test.each([
    ['note', {}, 400],
    ['note', { title: 7 }, 400],
    ['note', { slug: 7 }, 400],
    ['note', { title: 'A', slug: 'b' }, 400],
    ['note', { slug: '!' }, 400],
    ['note', { title: 'A', _id: 'nothing' }, 404],
    ['@cms/page', { title: 'A' }, 400],
    ['@cms/page', { slug: '/api', ...place('_home') }, 400],
    ['@cms/page', { title: 'A', ...place('nothing') }, 404],
  ])('refuses for %s %j', async (path, body, status) => {
    expect(await service.editor.post(`${path}/slug`, body)).toMatchObject({ status })
  })

  test('§5.2 a page that the caller does not see is as one that is not there', async () => {
    expect(await service.editor.post('@cms/page/slug', { _id: hidden, title: 'A' })).toMatchObject({ status: 404 })
    expect(await service.admin.post('@cms/page/slug', { _id: hidden, title: 'A' })).toMatchObject({ status: 200 })
  })

  test('§5.2 refuses callers who may not save', async () => {
    for (const path of ['note/slug', '@cms/page/slug']) {
      expect(await service.anonymous.post(path, { title: 'A' })).toMatchObject({ status: 401 })
      expect(await service.guest.post(path, { title: 'A' })).toMatchObject({ status: 403 })
    }
    expect(await service.contributor.post('note/slug', { title: 'A' })).toMatchObject({ status: 403 })
    expect(await service.contributor.post('note/slug', { title: 'A' }, 'aposMode=draft')).toMatchObject({ status: 200 })
  })
})
