import { defineSite, page, piece } from 'quire-cms'
import { beforeAll, expect, it } from 'vitest'
import { setTexts } from '../src/engine/operations/set-texts.ts'
import { write } from '../src/engine/write.ts'
import { describeService } from './service.ts'

const note = piece('note', { slugPrefix: 'note-', fields: { add: { text: { type: 'string' } } } })
const live = piece('live', { autopublish: true, publicApiProjection: ['slug'], fields: { add: {} } })
const leaf = page('leaf')
const locales = { en: { label: 'English' }, de: { label: 'Deutsch', prefix: '/de' } }
const site = defineSite({ locales, types: [note, live, leaf] })

/** A kind of document: its route, what its slugs begin with, and what a body of one has. */
const KINDS = [
  ['note', 'note-', {}],
  ['@cms/page', '/', { type: 'leaf', _targetId: '_home', _position: 'lastChild' }],
] as const

describeService('§2.12 the slug of a draft', { site }, (service) => {
  beforeAll(async () => {
    for (const [route, , body] of KINDS) await service.editor.post(route, { ...body, title: 'Taken' })
  })

  it.each(KINDS)('%s: follows the title until it is first published', async (route, start, body) => {
    const made = await service.editor.post(route, { ...body, title: 'First one' }, 'aposMode=draft')
    const id = made.body.aposDocId
    const draft = `${route}/${id}:en:draft`
    const slugs = [made.body.slug]
    const retitled = async (change: object, method: 'patch' | 'put' = 'patch') => {
      slugs.push((await service.editor[method](draft, change)).body.slug)
    }
    await retitled({ title: 'Second one' })
    await retitled({ title: 'Taken' })
    await retitled({ title: 'TAKEN!' })
    await retitled({ title: 'Third' }, 'put')
    await retitled({ title: 'Fourth', _autosave: true })
    await service.editor.post(`${route}/${id}/publish`, {})
    await retitled({ title: 'Fifth' })
    await service.editor.post(`${route}/${id}/unpublish`, {})
    await retitled({ title: 'Sixth' })
    const expected = ['first-one', 'second-one', 'taken-2', 'taken-2', 'third', 'fourth', 'fourth', 'fourth']
    expect(slugs).toEqual(expected.map((slug) => start + slug))
  })

  it.each(KINDS)('%s: stays where somebody wrote it, now or before', async (route, start, body) => {
    const made = await service.editor.post(
      route,
      {
        ...body,
        title: 'By hand',
        slug: `${start}mine`,
      },
      'aposMode=draft',
    )
    const draft = `${route}/${made.body.aposDocId}:en:draft`
    const slugs = [made.body.slug, (await service.editor.patch(draft, { title: 'Other' })).body.slug]
    const sent = { title: 'Another', slug: `${start}other` }
    slugs.push((await service.editor.patch(draft, sent)).body.slug)
    slugs.push((await service.editor.patch(draft, { title: 'Last', slug: `${start}other` })).body.slug)
    expect(slugs).toEqual(['mine', 'mine', 'other', 'other'].map((slug) => start + slug))
  })

  it.each(KINDS)('%s: follows in each locale by itself, also what a translator sends', async (route, start, body) => {
    const id = (await service.editor.post(route, { ...body, title: 'The moon' })).body.aposDocId
    await service.editor.post(`${route}/${id}/localize`, { toLocale: 'de' })
    const slugIn = async (locale: string) =>
      (await service.editor.get(`${route}/${id}:${locale}:draft`)).body.slug as string
    expect(await slugIn('de')).toBe(`${start}the-moon`)
    await service.editor.patch(`${route}/${id}:de:draft`, { title: 'Der Mond' })
    expect([await slugIn('en'), await slugIn('de')]).toEqual([`${start}the-moon`, `${start}der-mond`])
    const type = service.app.site.types.get(route === 'note' ? 'note' : 'leaf')
    if (type === undefined) throw new Error('There is no such type.')
    const title = { path: 'title', text: 'Mond', html: 'Mond', hasTags: false }
    const operator = service.app.context({ kind: 'operator' })
    expect(await write(operator, (tx) => setTexts(tx, { type, docId: id, locale: 'de' }, [title]))).toBe(true)
    expect([await slugIn('en'), await slugIn('de')]).toEqual([`${start}the-moon`, `${start}mond`])
  })

  it('pages below a page follow with it, but for those whose slug was written', async () => {
    const make = async (title: string, _targetId: string, more: object = {}) => {
      const body = { type: 'leaf', title, _targetId, _position: 'lastChild', ...more }
      return (await service.editor.post('@cms/page', body, 'aposMode=draft')).body.aposDocId as string
    }
    const top = await make('Top', '_home')
    const below = await make('Below', top)
    const aside = await make('Aside', top, { slug: '/aside' })
    await service.editor.patch(`@cms/page/${top}:en:draft`, { title: 'Summit' })
    await service.editor.patch(`@cms/page/${below}:en:draft`, { title: 'Foot' })
    await service.editor.patch(`@cms/page/${aside}:en:draft`, { title: 'Elsewhere' })
    const slugs = [top, below, aside].map(
      async (id) => (await service.editor.get(`@cms/page/${id}:en:draft`)).body.slug,
    )
    expect(await Promise.all(slugs)).toEqual(['/summit', '/summit/foot', '/aside'])
  })

  it('a move and a title in one request, and what an editor of drafts publishes by a save', async () => {
    const place = { type: 'leaf', _targetId: '_home', _position: 'lastChild' }
    const { body: parent } = await service.editor.post('@cms/page', { ...place, title: 'Parent' }, 'aposMode=draft')
    const { body: child } = await service.editor.post('@cms/page', { ...place, title: 'Child' }, 'aposMode=draft')
    const move = { title: 'Grown up', _targetId: parent.aposDocId, _position: 'firstChild' }
    const moved = await service.editor.patch(`@cms/page/${child.aposDocId}:en:draft`, move)
    expect(moved.body.slug).toBe('/parent/grown-up')
    const { body: waiting } = await service.contributor.post('live', { title: 'Waiting' }, 'aposMode=draft')
    await service.editor.patch(`live/${waiting.aposDocId}:en:draft`, { title: 'Seen' })
    expect((await service.anonymous.get(`live/${waiting.aposDocId}`)).body).toMatchObject({ slug: 'seen' })
  })
})
