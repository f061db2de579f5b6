import { expect, it } from 'vitest'
import { describePages } from '../../../test/pages.ts'
import { FRONT_KEY, type Visitor, visit } from '../../../test/visits.ts'

describePages('§4.2b former URLs', { frontKey: FRONT_KEY }, (pages) => {
  /** Returns the status of a path, or where it leads. */
  const answers = async (path: string, visitor: Visitor = {}) => {
    const { status, headers } = await visit(pages.service, path, visitor)
    return headers.get('location') ?? status
  }
  const ofDraft = (path: string) => answers(`${path}?aposMode=draft`, { role: 'contributor' })
  const patch = async (page: { aposDocId: string }, body: object, query?: string) =>
    expect(await pages.admin.patch(`@cms/page/${page.aposDocId}`, body, query)).toMatchObject({ status: 200 })
  const act = async (page: { aposDocId: string }, verb: string) =>
    expect(await pages.admin.post(`@cms/page/${page.aposDocId}/${verb}`)).toMatchObject({ status: 200 })
  const historicUrls = async (page: { _id: string; aposDocId: string }) => {
    const copies = await Promise.all(['draft', 'published'].map((mode) => pages.read(page, `aposMode=${mode}`)))
    return copies.map(({ body }) => body.historicUrls)
  }

  it('§4.2b the slugs of a draft leave none: until it is published nothing changes for visitors', async () => {
    const page = await pages.made('First')
    const below = await pages.made('Below', { _targetId: page._id })
    await patch(page, { slug: '/second' }, 'aposMode=draft')
    await patch(page, { slug: '/third' }, 'aposMode=draft')
    expect(await historicUrls(page)).toEqual([[], []])
    for (const path of ['/first', '/first/below']) expect([path, await answers(path)]).toEqual([path, 200])
    for (const path of ['/second', '/third', '/third/below']) expect([path, await answers(path)]).toEqual([path, 404])
    await act(page, 'publish')
    // Both copies show those of the published page.
    expect(await historicUrls(page)).toEqual([['/first'], ['/first']])
    expect(await historicUrls(below)).toEqual([['/first/below'], ['/first/below']])
    expect(await answers('/first')).toBe('/third')
    expect(await answers('/first/below')).toBe('/third/below')
    expect(await answers('/second')).toBe(404)
    await patch(page, { slug: '/fourth' }, 'aposMode=draft')
    await act(page, 'revert-draft-to-published')
    expect(await historicUrls(page)).toEqual([['/first'], ['/first']])
    expect(await answers('/fourth')).toBe(404)
  })

  it('§4.2b with aposMode=draft they lead nowhere', async () => {
    const page = await pages.made('Draft here')
    const index = await pages.made('Draft articles', { type: 'article-page' })
    await pages.admin.post('article', { title: 'In both' })
    await patch(page, { slug: '/draft-there' })
    await patch(index, { slug: '/draft-stories' })
    expect(await answers('/draft-here')).toBe('/draft-there')
    expect(await answers('/draft-articles/in-both')).toBe('/draft-stories/in-both')
    expect(await answers('/draft-here', { role: 'contributor' })).toBe('/draft-there')
    for (const path of ['/draft-here', '/draft-articles', '/draft-articles/in-both']) {
      expect([path, await ofDraft(path)]).toEqual([path, 404])
      const front = await visit(pages.service, `${path}?aposMode=draft`, { role: 'contributor', front: true })
      expect(front.data).toMatchObject({ page: null })
      expect(front.data).not.toHaveProperty('redirect')
    }
    for (const path of ['/draft-there', '/draft-stories/in-both'])
      expect([path, await ofDraft(path)]).toEqual([path, 200])
  })

  it('§4.2b a draft takes none from another page before it is published', async () => {
    const page = await pages.made('Contact')
    await patch(page, { slug: '/kept' })
    const draft = await pages.made('Contact', {}, 'aposMode=draft')
    expect(draft.slug).toBe('/contact')
    const other = await pages.made('Other')
    await patch(other, { slug: '/contact-us' }, 'aposMode=draft')
    expect(await answers('/contact')).toBe('/kept')
    expect(await historicUrls(page)).toEqual([['/contact'], ['/contact']])
    expect(await ofDraft('/contact')).toBe(200)
    await act(draft, 'publish')
    expect(await answers('/contact')).toBe(200)
    expect(await historicUrls(page)).toEqual([[], []])
  })

  it('§4.2b those of a page lead to it only while it is published, and it may get one back', async () => {
    const page = await pages.made('Before')
    await patch(page, { slug: '/after' })
    await act(page, 'unpublish')
    expect((await pages.read(page, 'aposMode=draft')).body.historicUrls).toEqual(['/before'])
    for (const path of ['/before', '/after']) {
      expect([path, await answers(path), await answers(path, { role: 'admin' })]).toEqual([path, 404, 404])
    }
    await act(page, 'publish')
    expect([await answers('/before'), await answers('/after')]).toEqual(['/after', 200])
    // A URL that was given up while nobody could visit it is no former one.
    await act(page, 'unpublish')
    await patch(page, { slug: '/later' }, 'aposMode=draft')
    await act(page, 'publish')
    expect(await historicUrls(page)).toEqual([['/before'], ['/before']])
    expect([await answers('/before'), await answers('/after')]).toEqual(['/later', 404])
    await patch(page, { slug: '/before' }, 'aposMode=draft')
    expect(await answers('/before')).toBe('/later')
    await act(page, 'publish')
    expect([await answers('/before'), await answers('/later')]).toEqual([200, '/before'])
    expect(await historicUrls(page)).toEqual([['/later'], ['/later']])
  })

  it('§4.2b undoing a publish takes the URL back, too', async () => {
    const page = await pages.made('Stays')
    await patch(page, { slug: '/goes' }, 'aposMode=draft')
    await act(page, 'publish')
    await act(page, 'revert-published-to-previous')
    expect([await answers('/stays'), await answers('/goes')]).toEqual([200, '/stays'])
    expect(await historicUrls(page)).toEqual([['/goes'], ['/goes']])
  })

  it('§4.2b pieces have none, as draft or published', async () => {
    await pages.made('Reports', { type: 'article-page' })
    const { body } = await pages.admin.post('article', { title: 'Slug one' })
    await pages.admin.patch(`article/${body.aposDocId}`, { slug: 'slug-two' })
    expect([await answers('/reports/slug-one'), await answers('/reports/slug-two')]).toEqual([404, 200])
    await pages.admin.patch(`article/${body.aposDocId}:en:draft`, { slug: 'slug-three' })
    expect([await answers('/reports/slug-two'), await answers('/reports/slug-three')]).toEqual([200, 404])
    expect([await ofDraft('/reports/slug-two'), await ofDraft('/reports/slug-three')]).toEqual([404, 200])
    expect((await pages.admin.get(`article/${body._id}`)).body).not.toHaveProperty('historicUrls')
  })

  it('§4.2b what lies in the archive has no URL: its slugs make none and take none', async () => {
    const [page, other] = [await pages.made('Shelf'), await pages.made('Window')]
    const below = await pages.made('Below', { _targetId: other._id })
    await patch(page, { slug: '/table' })
    await patch(other, { _targetId: '_archive', _position: 'lastChild' })
    const placed = { _targetId: '_archive', _position: 'lastChild', slug: '/shelf' }
    expect(await pages.made('New in the archive', placed)).toMatchObject({ archived: true, slug: '/shelf' })
    await patch(other, { slug: '/shelf' }, 'archived=any')
    expect(await answers('/shelf')).toBe('/table')
    const archived = async (one: { _id: string; aposDocId: string }) => (await pages.read(one, 'archived=any')).body
    expect(await archived(other)).toMatchObject({ archived: true, slug: '/shelf', historicUrls: [] })
    expect(await archived(below)).toMatchObject({ archived: true, slug: '/shelf/below', historicUrls: [] })
    // A page that others may visit has the URL of an archived one, and leaves it.
    await patch(page, { slug: '/shelf' })
    await patch(page, { slug: '/table' })
    expect(await historicUrls(page)).toEqual([['/shelf'], ['/shelf']])
    await patch(other, { _targetId: '_home', _position: 'lastChild' })
    expect([await answers('/shelf'), await answers('/shelf/below')]).toEqual([200, 200])
    expect(await historicUrls(page)).toEqual([[], []])
  })

  it('§4.2b pages that come out of the archive lead from the URLs they had, to the one that came last', async () => {
    const [one, two] = [await pages.made('Fair'), await pages.made('Fair of today', { slug: '/fair-today' })]
    const archive = { _targetId: '_archive', _position: 'lastChild' }
    await patch(one, archive)
    await patch(two, { slug: '/fair' })
    await patch(two, archive)
    const restore = { _targetId: '_home', _position: 'lastChild' }
    await patch(one, { ...restore, slug: '/fair-one' })
    expect([await answers('/fair'), await historicUrls(one)]).toEqual(['/fair-one', [['/fair'], ['/fair']]])
    await patch(two, { ...restore, slug: '/fair-two' })
    expect([await answers('/fair'), await historicUrls(one)]).toEqual(['/fair-two', [[], []]])
    // A number that it would have got is no URL that anybody has seen.
    await patch(one, archive)
    await pages.made('Fair one', { slug: '/fair-one' })
    await patch(one, { ...restore, slug: '/fair-three' })
    expect(await historicUrls(one)).toEqual([[], []])
    expect(await answers('/fair-one-2')).toBe(404)
  })

  it('§4.2b each locale has its own', async () => {
    const page = await pages.made('Here')
    const french = await pages.admin.post(`@cms/page/${page.aposDocId}/localize`, { toLocale: 'fr', publish: true })
    expect(french).toMatchObject({ status: 200 })
    await patch(page, { slug: '/there' })
    expect([await answers('/here'), await answers('/fr/here')]).toEqual(['/there', 200])
    const inFrench = () => pages.read(page, 'aposLocale=fr')
    expect((await inFrench()).body.historicUrls).toEqual([])
    await patch(page, { slug: '/ici' }, 'aposLocale=fr')
    expect([await answers('/here'), await answers('/fr/here')]).toEqual(['/there', '/fr/ici'])
    expect([await answers('/fr/there'), await answers('/ici')]).toEqual([404, 404])
    await patch(page, { slug: '/elsewhere' })
    expect([await answers('/there'), await answers('/fr/there')]).toEqual(['/elsewhere', 404])
    expect(await historicUrls(page)).toEqual([
      ['/here', '/there'],
      ['/here', '/there'],
    ])
    // Who takes a URL in one locale takes none in others.
    await pages.made('Here')
    expect([await answers('/here'), await answers('/fr/here')]).toEqual([200, '/fr/ici'])
    expect((await inFrench()).body.historicUrls).toEqual(['/fr/here'])
  })
})
