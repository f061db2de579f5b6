import { expect, test } from 'vitest'
import { describePages } from '../../../test/pages.ts'

describePages('§3 and §4.2: states of pages', { isLong: true }, (pages) => {
  const act = (page: { aposDocId: string }, verb: string, body: object = {}, query?: string) =>
    pages.admin.post(`@cms/page/${page.aposDocId}/${verb}`, body, query)
  const patch = (page: { aposDocId: string }, body: object, query?: string) =>
    pages.admin.patch(`@cms/page/${page.aposDocId}`, body, query)
  const archive = (page: { aposDocId: string }) => patch(page, { _targetId: '_archive', _position: 'lastChild' })

  test('publishing answers the published page, and requires a published parent', async () => {
    const parent = await pages.made('Waits', {}, 'aposMode=draft')
    const child = await pages.made('Below', { _targetId: parent._id }, 'aposMode=draft')
    expect((await act(child, 'publish')).body).toMatchObject({
      name: 'invalid',
      data: { unpublishedAncestors: [{ _id: parent._id, aposLocale: 'en:draft', title: 'Waits' }] },
    })
    expect((await act(parent, 'publish')).body).toMatchObject({ aposMode: 'published', rank: parent.rank })
    expect((await pages.admin.post(`@cms/page/${child._id}/publish`)).body).toMatchObject({ aposMode: 'published' })
    expect((await act(child, 'publish')).status).toBe(200)
    expect((await act(parent, 'unpublish')).body.name).toBe('invalid')
    expect((await act(child, 'unpublish')).body).toMatchObject({ aposMode: 'draft' })
    expect((await act(parent, 'unpublish')).status).toBe(200)
    expect((await act(parent, 'unpublish')).body.name).toBe('invalid')
    expect((await pages.admin.post('@cms/page/nosuch/publish')).status).toBe(404)
  })

  test('§4.2 archived: true in a body is refused for the home page, and for others where it is not what their position says', async () => {
    const page = await pages.made('Stays')
    const home = (await pages.admin.get('@cms/page/_home')).body
    const refused = {
      status: 400,
      body: {
        name: 'invalid',
        data: { errors: [{ path: 'archived', name: 'invalid', message: expect.stringContaining('home page') }] },
      },
    }
    const { _children, ...whole } = home
    for (const given of [true, 'true', ' 1', 1]) {
      expect(await pages.admin.patch('@cms/page/_home', { archived: given })).toMatchObject(refused)
      expect(await pages.admin.put(`@cms/page/${home._id}`, { ...whole, archived: given })).toMatchObject(refused)
    }
    const patches = { _patches: [{ title: 'Gone' }, { archived: true }] }
    expect(await pages.admin.patch(`@cms/page/${home.aposDocId}:en:draft`, patches)).toMatchObject(refused)
    expect((await pages.admin.get('@cms/page/_home')).body).toMatchObject({ title: home.title, archived: false })
    expect(await pages.admin.patch('@cms/page/_home', { archived: false })).toMatchObject({ status: 200 })
    const archive = (await pages.admin.get('@cms/page/_archive', 'archived=true')).body
    expect(await pages.admin.patch('@cms/page/_archive', { archived: archive.archived })).toMatchObject({ status: 200 })
    const elsewhere = (message: string) => ({
      status: 400,
      body: { name: 'invalid', data: { errors: [{ path: 'archived', message: expect.stringContaining(message) }] } },
    })
    const place = { type: 'default-page', _targetId: '_home', _position: 'lastChild' }
    for (const answer of [
      await patch(page, { archived: true }),
      await patch(page, { archived: true, title: 'Gone' }),
      await pages.admin.put(`@cms/page/${page._id}`, { title: 'Gone', archived: true }),
      await patch(page, { archived: true, _targetId: '_home', _position: 'lastChild' }),
      await pages.admin.post('@cms/page', { title: 'New', archived: true, ...place }),
    ]) {
      expect(answer).toMatchObject(elsewhere('_archive'))
    }
    expect((await pages.read(page)).body).toMatchObject({ title: 'Stays', archived: false, path: page.path })
    expect((await patch(page, { archived: false, title: 'Stays, too' })).body).toMatchObject({ archived: false })
    const archived = { archived: true, _targetId: '_archive', _position: 'lastChild' }
    expect((await patch(page, archived)).body).toMatchObject({ archived: true, level: 2 })
    expect(await patch(page, { archived: false })).toMatchObject(elsewhere('_home'))
  })

  test('a draft’s slug change reaches the published tree when it is published', async () => {
    const page = await pages.made('Before')
    const below = await pages.made('Below', { _targetId: page._id })
    await patch(page, { slug: '/after' }, 'aposMode=draft')
    expect(await pages.slug(below, 'draft')).toBe('/after/below')
    expect(await pages.slug(below)).toBe('/before/below')
    expect((await pages.read(below, 'aposMode=draft')).body.modified).toBe(true)
    const published = await act(page, 'publish')
    expect(published.body).toMatchObject({ slug: '/after', historicUrls: ['/before'] })
    expect(await pages.slug(below)).toBe('/after/below')
    expect((await pages.read(below)).body.historicUrls).toEqual(['/before/below'])
    expect((await pages.read(below, 'aposMode=draft')).body.modified).toBe(false)
  })

  test('a reverted draft gets its former slugs back', async () => {
    const page = await pages.made('Kept')
    const below = await pages.made('Below', { _targetId: page._id })
    await patch(page, { slug: '/given-up' }, 'aposMode=draft')
    expect((await act(page, 'revert-draft-to-published')).body).toMatchObject({ slug: '/kept', modified: false })
    expect(await pages.slug(below, 'draft')).toBe('/kept/below')
    expect((await pages.read(below, 'aposMode=draft')).body.modified).toBe(false)
  })

  test('a former URL is lost when another page claims it', async () => {
    const page = await pages.made('Claimed')
    await patch(page, { slug: '/moved-on' })
    await patch(page, { slug: '/moved-further' })
    expect((await pages.read(page)).body.historicUrls).toEqual(['/claimed', '/moved-on'])
    await pages.made('Claimed')
    expect((await pages.read(page)).body.historicUrls).toEqual(['/moved-on'])
    await patch(page, { slug: '/moved-on' })
    expect((await pages.read(page)).body.historicUrls).toEqual(['/moved-further'])
    const draft = await pages.made('Moved further', {}, 'aposMode=draft')
    expect((await pages.read(page)).body.historicUrls).toEqual(['/moved-further'])
    await act(draft, 'publish')
    expect((await pages.read(page)).body.historicUrls).toEqual([])
  })

  test('archiving frees the slugs of a subtree, and restored pages whose slugs are taken get others', async () => {
    const page = await pages.made('Seasonal')
    const below = await pages.made('Below', { _targetId: page._id })
    const own = await pages.made('Own', { _targetId: page._id, slug: '/own-way' })
    expect((await archive(page)).body).toMatchObject({ archived: true, level: 2 })
    for (const each of [page, below, own]) {
      expect((await pages.read(each)).status).toBe(404)
      expect((await pages.read(each, 'archived=true')).body.archived).toBe(true)
      expect((await pages.read(each, 'archived=any&aposMode=draft')).body.archived).toBe(true)
    }
    await pages.made('Seasonal')
    await pages.made('Elsewhere', { slug: '/own-way' })
    await patch(page, { _targetId: '_home', _position: 0 })
    for (const mode of ['draft', 'published']) {
      expect(await pages.slug(page, mode)).toBe('/seasonal-2')
      expect(await pages.slug(below, mode)).toBe('/seasonal-2/below')
      expect(await pages.slug(own, mode)).toBe('/own-way-2')
    }
    expect((await pages.read(page)).body).toMatchObject({ archived: false, historicUrls: [], rank: 0 })
  })

  test('a restored page gets the slug that the request gives it', async () => {
    const page = await pages.made('Given back')
    const below = await pages.made('Below', { _targetId: page._id })
    await archive(page)
    const answer = await patch(page, { _targetId: '_home', _position: 'lastChild', slug: '/chosen' })
    expect(answer.body).toMatchObject({ slug: '/chosen', historicUrls: ['/given-back'] })
    expect(await pages.slug(below)).toBe('/chosen/below')
  })

  test('pages are placed before and after others in the archive, PUT archives too, and pages with one slug are restored together', async () => {
    const [one, two] = [await pages.made('Pair'), await pages.made('Pair two')]
    await archive(one)
    const put = await pages.admin.put(`@cms/page/${two._id}`, {
      title: 'Pair',
      slug: '/pair',
      _targetId: one._id,
      _position: 'before',
    })
    expect(put.body).toMatchObject({ archived: true, slug: '/pair' })
    const [first, second] = [await pages.read(two, 'archived=true'), await pages.read(one, 'archived=true')]
    expect(second.body.rank - first.body.rank).toBe(1)
    await patch(two, { _targetId: one.aposDocId, _position: 'firstChild' })
    await patch(one, { _targetId: '_home', _position: 'lastChild' })
    expect([await pages.slug(one), await pages.slug(two)]).toEqual(['/pair', '/pair-2'])
  })

  test('archived in one of several patches is refused, too: the position decides', async () => {
    const page = await pages.made('Place says')
    const refused = await patch(page, { _patches: [{ archived: true, title: 'Changed' }] })
    expect(refused).toMatchObject({ status: 400, body: { data: { errors: [{ path: 'archived' }] } } })
    expect((await pages.read(page)).body.title).toBe('Place says')
  })

  test('§4.2 DELETE refuses a draft that is published, and a page with children, as §7.1 has it', async () => {
    const page = await pages.made('Removed')
    const child = await pages.made('Child', { _targetId: page._id }, 'aposMode=draft')
    const after = await pages.made('Next')
    const before = await pages.tree()
    for (const id of [page._id, `${page.aposDocId}:en:draft`]) {
      const answer = await pages.admin.delete(`@cms/page/${id}`)
      expect(answer).toMatchObject({ status: 400, body: { name: 'invalid', data: {} } })
      expect(answer.body.message).toContain('children')
    }
    expect(await pages.tree()).toEqual(before)
    expect((await pages.service.contributor.delete(`@cms/page/${child._id}`)).body).toEqual({})
    const draft = await pages.admin.delete(`@cms/page/${page.aposDocId}:en:draft`)
    expect(draft).toMatchObject({ status: 400, body: { name: 'invalid', data: {} } })
    expect((await pages.service.contributor.delete(`@cms/page/${page._id}`)).status).toBe(403)
    expect((await pages.admin.delete(`@cms/page/${page._id}`)).body).toEqual({})
    expect((await pages.read(page, 'aposMode=draft')).status).toBe(404)
    expect((await pages.read(after)).body.rank).toBe(after.rank - 1)
    expect((await pages.service.anonymous.delete('@cms/page/nosuch')).status).toBe(401)
  })

  test('a page changes its type, and the draft may do so before the published copy', async () => {
    const page = await pages.made('Turning', { intro: 'Hi' })
    expect((await patch(page, { type: 'article-page' }, 'aposMode=draft')).body).toMatchObject({
      type: 'article-page',
      modified: true,
    })
    expect((await pages.read(page)).body).toMatchObject({ type: 'default-page', intro: 'Hi' })
    expect((await patch(page, { title: 'Both' })).body.name).toBe('invalid')
    expect((await patch(page, { _targetId: '_home', _position: 0 })).body).toMatchObject({
      type: 'default-page',
      rank: 0,
    })
    expect((await act(page, 'revert-draft-to-published')).body).toMatchObject({ type: 'default-page', modified: false })
    await patch(page, { type: 'article-page' }, 'aposMode=draft')
    expect((await act(page, 'publish')).body).toMatchObject({ type: 'article-page', title: 'Turning' })
    const put = await pages.admin.put(`@cms/page/${page._id}`, { title: 'Back', type: 'default-page', intro: 'Anew' })
    expect(put.body).toMatchObject({ type: 'default-page', intro: 'Anew', rank: 0 })
    for (const type of ['article', 'nosuch', '@cms/home-page', '@cms/archive-page', 7]) {
      expect((await patch(page, { type })).body.name).toBe('invalid')
    }
  })

  test('localizing puts a page below its parent there, whose slug it follows, and requires the parent first', async () => {
    const parent = await pages.made('About')
    const page = await pages.made('Team', { _targetId: parent._id, intro: 'Hi' })
    const below = await pages.made('Leads', { _targetId: page._id })
    const localize = (one: { aposDocId: string }, body: object) => act(one, 'localize', body)
    expect((await localize(page, { toLocale: 'fr' })).body).toMatchObject({
      name: 'invalid',
      message: expect.stringContaining('About'),
    })
    for (const body of [{ toLocale: 'xx' }, {}, { toLocale: 'en' }, { toLocale: ['fr'] }]) {
      expect((await localize(parent, body)).body.name).toBe('invalid')
    }
    expect((await localize(parent, { toLocale: 'fr' })).body).toMatchObject({
      _id: `${parent.aposDocId}:fr:draft`,
      slug: '/about',
      _url: '/fr/about',
      level: 1,
    })
    expect((await localize(parent, { toLocale: 'fr' })).status).toBe(409)
    await patch(parent, { slug: '/a-propos' }, 'aposMode=draft&aposLocale=fr')
    expect((await localize(page, { toLocale: 'fr' })).body).toMatchObject({
      slug: '/a-propos/team',
      intro: 'Hi',
      level: 2,
    })
    expect((await localize(below, { toLocale: 'fr' })).body.slug).toBe('/a-propos/team/leads')
    await patch(page, { slug: '/a-propos/equipe', intro: 'Salut' }, 'aposMode=draft&aposLocale=fr')
    expect(await pages.slug(below, 'draft', 'fr')).toBe('/a-propos/equipe/leads')
    expect((await localize(page, { toLocale: 'fr', update: true })).body).toMatchObject({
      slug: '/a-propos/team',
      intro: 'Hi',
    })
    expect(await pages.slug(below, 'draft', 'fr')).toBe('/a-propos/team/leads')
    expect((await localize({ aposDocId: '_home' }, { toLocale: 'fr', update: true })).body).toMatchObject({ slug: '/' })
    expect((await act(parent, 'publish', {}, 'aposLocale=fr')).body).toMatchObject({ aposLocale: 'fr:published' })
    expect((await pages.read(page, 'aposLocale=fr')).status).toBe(404)
  })

  test('writers of two locales that localize into each other both finish', async () => {
    const ids = await Promise.all(['Criss', 'Cross', 'Crass'].map((title) => pages.made(title)))
    await Promise.all(ids.map((page) => act(page, 'localize', { toLocale: 'fr' })))
    const answers = await Promise.all(
      ids.flatMap((page) => [
        act(page, 'localize', { toLocale: 'fr', update: true }, 'aposLocale=en'),
        act(page, 'localize', { toLocale: 'en', update: true }, 'aposLocale=fr'),
      ]),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  })
})
