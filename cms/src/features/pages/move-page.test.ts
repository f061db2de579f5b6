import { expect, test } from 'vitest'
import { inconsistencies, versionCount } from '../../../test/consistency.ts'
import { describePages } from '../../../test/pages.ts'
import { isWhole } from '../../../test/sample.ts'
import type { Answer } from '../../../test/service.ts'
import { homeId } from '../../engine/pages/parked.ts'

describePages('§4.2 moves', { isLong: true }, (pages) => {
  const move = (id: string, _targetId: string, _position: string | number = 'lastChild', more: object = {}) =>
    pages.admin.patch(`@cms/page/${id}`, { _targetId, _position, ...more })

  test('a page moves with everything below it, draft and published, by either id, and slugs follow', async () => {
    const [from, to] = [await pages.made('From'), await pages.made('To')]
    const page = await pages.made('Page', { _targetId: from._id })
    const below = await pages.made('Below', { _targetId: page._id })
    const own = await pages.made('Own', { _targetId: page._id, slug: '/elsewhere' })
    const moved = await move(`${page.aposDocId}:en:draft`, to._id)
    expect(moved.body).toMatchObject({
      slug: '/to/page',
      path: `${homeId}/${to.aposDocId}/${page.aposDocId}`,
      level: 2,
    })
    for (const mode of ['draft', 'published']) {
      expect(await pages.slug(below, mode)).toBe('/to/page/below')
      expect(await pages.slug(own, mode)).toBe('/elsewhere')
    }
    const { historicUrls } = (await pages.read(below)).body
    expect(historicUrls).toEqual(['/from/page/below'])
    expect((await pages.read(from)).body._children).toEqual([])
  })

  test('§4.2 slugs that are carried get their numbers level by level, in the order of the tree', async () => {
    const top = await pages.made('Numbered', { _targetId: '_archive' })
    const [one, two] = [
      await pages.made('Numbered one', { _targetId: top._id }),
      await pages.made('Numbered two', { _targetId: top._id }),
    ]
    const inOrder = []
    for (const { _id: _targetId } of [one, one, two])
      inOrder.push(await pages.made('N', { _targetId, slug: '/numbered-n' }))
    await pages.made('Taken', { slug: '/numbered-n' })
    expect((await move(top._id, '_home')).status).toBe(200)
    const slugs = await Promise.all(inOrder.map((page) => pages.slug(page)))
    expect(slugs).toEqual(['/numbered-n-2', '/numbered-n-3', '/numbered-n-4'])
  })

  test('§4.2 a former URL that several restored pages had leads to one of them', async () => {
    const top = await pages.made('Restored', { _targetId: '_archive' })
    const again = []
    for (let count = 0; count < 3; count += 1)
      again.push(await pages.made('Again', { _targetId: top._id, slug: '/again' }))
    await pages.made('Taken by a draft', { slug: '/again' }, 'aposMode=draft')
    expect((await move(top._id, '_home')).status).toBe(200)
    const restored = await Promise.all(again.map((page) => pages.read(page)))
    expect(restored.map(({ body }) => body.slug)).toEqual(['/again-2', '/again-3', '/again-4'])
    expect(restored.flatMap(({ body }) => body.historicUrls)).toEqual(['/again'])
  })

  test('§4.2 a number is the index the page then has', async () => {
    const parent = await pages.made('Numbers')
    const ids: string[] = []
    for (const title of ['a', 'b', 'c', 'd']) ids.push((await pages.made(title, { _targetId: parent._id })).aposDocId)
    const [a = '', , , d = ''] = ids
    for (const index of [0, 1, 2, 3]) {
      expect((await move(a, parent._id, index)).body.rank).toBe(index)
      expect((await move(d, parent._id, String(index))).body.rank).toBe(index)
    }
    expect((await move(a, d, 'before')).body.rank).toBe(2)
    expect((await move(a, d, 'after')).body.rank).toBe(3)
    for (const index of [99, '99', '999999999']) {
      await move(d, parent._id, 0)
      expect((await move(d, parent._id, index)).body.rank).toBe(3)
    }
    for (const index of ['9999999999', '-1', '1.5', '1x', ''])
      expect((await move(d, parent._id, index)).status).toBe(400)
  })

  test.each([
    ['below itself', (page: string) => ({ _targetId: page, _position: 'lastChild' })],
    ['next to itself', (page: string) => ({ _targetId: page, _position: 'after' })],
    ['below its child', (_: string, child: string) => ({ _targetId: child, _position: 0 })],
    ['next to its child', (_: string, child: string) => ({ _targetId: child, _position: 'before' })],
    ['next to home', () => ({ _targetId: '_home', _position: 'after' })],
    ['next to the archive', () => ({ _targetId: '_archive', _position: 'before' })],
    ['a target alone', () => ({ _targetId: '_home' })],
    ['a position alone', () => ({ _position: 'lastChild' })],
    ['an unknown position', () => ({ _targetId: '_home', _position: 'somewhere' })],
    ['an unknown target', () => ({ _targetId: 'nosuch', _position: 'lastChild' }), 404],
  ])(
    '§4.2 a move %s is refused, the tree untouched',
    async (name, bodyOf: (page: string, child: string) => object, status = 400) => {
      const page = await pages.made(`Stays ${name}`)
      const child = await pages.made('Child', { _targetId: page._id })
      const before = await pages.tree()
      const body = bodyOf(page._id, child._id)
      for (const more of [{}, { title: 'Changed' }]) {
        const answer = await pages.admin.patch(`@cms/page/${page._id}`, { ...body, ...more })
        expect(answer).toMatchObject({ status, body: { name: status === 400 ? 'invalid' : 'notfound' } })
      }
      const put = await pages.admin.put(`@cms/page/${page._id}`, { title: 'Put', ...body })
      expect(put.status).toBe(status)
      expect(await pages.tree()).toEqual(before)
    },
  )

  test.each(['_home', '_archive'])('§4.2 %s cannot be moved, archived or deleted', async (id) => {
    const to = await pages.made(`For ${id}`)
    const before = await pages.tree()
    for (const target of [to._id, '_archive']) {
      expect((await move(id, target)).body).toMatchObject({ name: 'invalid', data: {} })
    }
    const removed = await pages.admin.delete(`@cms/page/${id}`)
    expect(removed).toMatchObject({ status: 400, body: { name: 'invalid', data: {} } })
    expect((await pages.admin.post(`@cms/page/${id}/unpublish`)).body.name).toBe('invalid')
    for (const body of [{ slug: '/moved' }, { type: 'default-page' }]) {
      expect((await pages.admin.patch(`@cms/page/${id}`, body)).body.name).toBe('invalid')
      expect((await pages.admin.put(`@cms/page/${id}`, { title: 'Home', ...body })).body.name).toBe('invalid')
    }
    expect(await pages.tree()).toEqual(before)
    // The archive is archived as it is.
    expect((await pages.admin.patch(`@cms/page/${id}`, { archived: true })).status).toBe(id === '_home' ? 400 : 200)
    expect(await pages.tree()).toEqual(before)
  })

  test('a published page cannot move below a draft-only one by PATCH, by PUT, or from the archive', async () => {
    const draft = await pages.made('Unpublished', {}, 'aposMode=draft')
    const page = await pages.made('Shown')
    const before = await pages.tree()
    const place = { _targetId: draft._id, _position: 'lastChild' }
    for (const answer of [
      await pages.admin.patch(`@cms/page/${page._id}`, place),
      await pages.admin.patch(`@cms/page/${page.aposDocId}:en:draft`, place),
      await pages.admin.put(`@cms/page/${page._id}`, { title: 'Shown', ...place }),
    ]) {
      expect(answer.body).toMatchObject({
        name: 'invalid',
        message: 'Publish the parent page first.',
        data: { unpublishedAncestors: [{ _id: draft._id, title: 'Unpublished', type: 'default-page' }] },
      })
    }
    expect(await pages.tree()).toEqual(before)
  })

  test('an explicit slug sent with a move is followed by the pages below', async () => {
    const to = await pages.made('Destination')
    const page = await pages.made('Explicit')
    const below = await pages.made('Below', { _targetId: page._id })
    expect((await move(page._id, to._id, 0, { slug: '/given', title: 'New' })).body).toMatchObject({
      slug: '/given',
      title: 'New',
      level: 2,
      historicUrls: ['/explicit'],
    })
    expect(await pages.slug(below)).toBe('/given/below')
    expect((await pages.read(below)).body.historicUrls).toEqual(['/explicit/below'])
  })

  test('§4.2 an explicit slug sent with a move is the only one that the pages below follow', async () => {
    const to = await pages.made('Way')
    const page = await pages.made('Off')
    const own = await pages.made('Own', { _targetId: page._id, slug: '/way/off/own' })
    const below = await pages.made('Below', { _targetId: page._id })
    await move(page._id, to._id, 0, { slug: '/given-way' })
    expect([await pages.slug(own), await pages.slug(below)]).toEqual(['/way/off/own', '/given-way/below'])
  })

  test('an explicit slug sent with a move of the draft leaves the published copy to follow the parent', async () => {
    const to = await pages.made('Target')
    const page = await pages.made('Two ways')
    const answer = await move(`${page.aposDocId}:en:draft`, to._id, 0, { slug: '/draft-way' })
    expect(answer.body).toMatchObject({ slug: '/draft-way', modified: true })
    expect(await pages.slug(page)).toBe('/target/two-ways')
  })

  test('§4.1 one of _patches moves a page as the body itself does, and is refused alike', async () => {
    const to = await pages.made('Patched target')
    const page = await pages.made('Patched')
    const below = await pages.made('Below', { _targetId: page._id })
    const patches = (..._patches: object[]) => pages.admin.patch(`@cms/page/${page._id}`, { _patches })
    const there = { _targetId: to._id, _position: 0 }
    expect((await patches({ title: 'Moved' }, there)).body).toMatchObject({ title: 'Moved', level: 2, rank: 0 })
    expect(await pages.slug(below)).toBe('/patched-target/patched/below')
    const answer = await patches(there, { slug: '/own' }, { _targetId: '_home', _position: 'firstChild' })
    expect(answer.body).toMatchObject({ slug: '/own', level: 1, rank: 0 })
    expect(await pages.slug(below)).toBe('/own/below')
    const before = await pages.tree()
    for (const [refused, name] of [
      [{ _targetId: page._id, _position: 0 }, 'invalid'],
      [{ _targetId: to._id }, 'invalid'],
      [{ _targetId: to._id, _position: -1 }, 'invalid'],
      [{ _targetId: 'abcdefghijklmnopqrstuvwxyz', _position: 0 }, 'notfound'],
      [{ type: 'article' }, 'invalid'],
    ] as const) {
      expect((await patches({ title: 'Lost' }, refused)).body.name).toBe(name)
    }
    const { body: refused } = await pages.service.contributor.patch(`@cms/page/${page._id}`, { _patches: [there] })
    expect(refused.name).toBe('forbidden')
    expect(await pages.tree()).toEqual(before)
    expect((await patches({ type: 'article-page' })).body.type).toBe('article-page')
  })

  test('what a move and a save of one request change is compared with the published copy', async () => {
    const [from, to] = [await pages.made('Compared from'), await pages.made('Compared to')]
    for (const [changes, isModified] of [
      [{ intro: 'new' }, true],
      [{ intro: '' }, false],
    ] as const) {
      const page = await pages.made('Compared', { _targetId: from._id })
      const draft = `${page.aposDocId}:en:draft`
      await pages.admin.patch(`@cms/page/${draft}`, { slug: '/compared-to/compared' })
      const answer = await move(draft, to._id, 'lastChild', changes)
      expect(answer.body).toMatchObject({ slug: '/compared-to/compared', modified: isModified })
      expect((await pages.read(page, 'aposMode=draft')).body.modified).toBe(isModified)
      await move(page._id, '_archive')
    }
  })

  test('a draft that differs in its visibility alone is modified after a move, too', async () => {
    const [from, to] = [await pages.made('Seen from'), await pages.made('Seen to')]
    const page = await pages.made('Seen', { _targetId: from._id })
    const draft = `${page.aposDocId}:en:draft`
    await pages.admin.patch(`@cms/page/${draft}`, { slug: '/seen-to/seen', visibility: 'loginRequired' })
    await move(page._id, to._id)
    const { body } = await pages.read(page, 'aposMode=draft')
    expect(body).toMatchObject({ slug: '/seen-to/seen', visibility: 'loginRequired', modified: true })
    expect((await pages.read(page)).body).toMatchObject({ slug: '/seen-to/seen', visibility: 'public' })
  })

  test('a move with a save leaves no content behind that neither a copy nor a version has', async () => {
    const [from, to] = [await pages.made('Left from'), await pages.made('Left to')]
    const page = await pages.made('Left', { _targetId: from._id })
    const draft = `${page.aposDocId}:en:draft`
    await pages.admin.patch(`@cms/page/${draft}`, { intro: 'one' })
    // What this leaves in the draft is in no version.
    await pages.admin.patch(`@cms/page/${page._id}`, { needed: 'x' })
    const answer = await move(draft, to._id, 'lastChild', { intro: 'two' })
    expect(answer.body).toMatchObject({ slug: '/left-to/left', intro: 'two' })
    expect(await inconsistencies(pages.service.databaseUrl, pages.service.app.site)).toEqual([])
  })

  test('a carried slug that is taken gets a number, which the pages below follow', async () => {
    const [one, two] = [await pages.made('One'), await pages.made('Two')]
    await pages.made('Same', { _targetId: two._id }, 'aposMode=draft')
    const page = await pages.made('Same', { _targetId: one._id })
    const below = await pages.made('Below', { _targetId: page._id })
    await move(page._id, two._id)
    for (const mode of ['draft', 'published']) {
      expect(await pages.slug(page, mode)).toBe('/two/same-2')
      expect(await pages.slug(below, mode)).toBe('/two/same-2/below')
    }
    expect((await pages.read(page, 'aposMode=draft')).body.modified).toBe(false)
  })

  test('a parent whose slug begins with the page’s own is not carried twice', async () => {
    const page = await pages.made('Prefix')
    const below = await pages.made('Below', { _targetId: page._id })
    const to = await pages.made('Other', { slug: '/prefix/other' })
    await move(page._id, to._id, 0, { title: 'Prefix moved' })
    expect(await pages.slug(page)).toBe('/prefix/other/prefix')
    expect(await pages.slug(below)).toBe('/prefix/other/prefix/below')
  })

  test('a slug that is taken by a page which is carried itself is free', async () => {
    const page = await pages.made('Carried')
    const below = await pages.made('Below', { _targetId: page._id, slug: '/carried/over/carried' })
    const to = await pages.made('Over', { slug: '/carried/over' })
    await move(page._id, to._id)
    for (const mode of ['draft', 'published']) {
      expect(await pages.slug(page, mode)).toBe('/carried/over/carried')
      expect(await pages.slug(below, mode)).toBe('/carried/over/carried/over/carried')
    }
  })

  test('§4.2 former URLs are what was published: a draft with another slug, or alone, leaves none', async () => {
    const [from, to] = [await pages.made('Former'), await pages.made('Present')]
    const page = await pages.made('Both', { _targetId: from._id })
    const draft = await pages.made('Alone', { _targetId: from._id }, 'aposMode=draft')
    await pages.admin.patch(`@cms/page/${page.aposDocId}:en:draft`, { slug: '/former/waiting' })
    await move(from._id, to._id)
    expect(await pages.slug(page, 'draft')).toBe('/present/former/waiting')
    expect(await pages.slug(draft, 'draft')).toBe('/present/former/alone')
    for (const mode of ['draft', 'published']) {
      expect((await pages.read(page, `aposMode=${mode}`)).body.historicUrls).toEqual(['/former/both'])
    }
    expect((await pages.read(draft, 'aposMode=draft')).body.historicUrls).toEqual([])
  })

  test('§5.3 contributors move draft-only pages only', async () => {
    const parent = await pages.made('Open')
    const draft = await pages.made('Draft page', {}, 'aposMode=draft')
    const published = await pages.made('Published page')
    const place = { _targetId: parent._id, _position: 'lastChild' }
    const patch = (id: string, body: object) => pages.service.contributor.patch(`@cms/page/${id}`, body)
    expect((await patch(draft._id, place)).body).toMatchObject({ level: 2, slug: '/open/draft-page' })
    expect((await patch(`${published.aposDocId}:en:draft`, place)).status).toBe(403)
    expect((await patch(published._id, place)).status).toBe(403)
    expect((await patch(draft._id, { _targetId: '_archive', _position: 0 })).status).toBe(403)
    for (const id of [draft._id, 'abcdefghijklmnopqrstuvwxyz']) {
      expect((await pages.service.guest.patch(`@cms/page/${id}`, place)).status).toBe(403)
      expect((await pages.service.anonymous.patch(`@cms/page/${id}`, place)).status).toBe(401)
    }
  })

  test('moves record no version, autosaves join the previous one, and PUT keeps position, slug and type', async () => {
    const page = await pages.made('Versions', { intro: 'x' })
    const to = await pages.made('Version target')
    const count = () => versionCount(pages.service.databaseUrl, page.aposDocId)
    await move(page._id, to._id)
    expect(await count()).toBe(1)
    for (const intro of ['a', 'b']) {
      await pages.admin.patch(`@cms/page/${page.aposDocId}:en:draft`, { intro, _autosave: true })
    }
    expect(await count()).toBe(2)
    const put = await pages.admin.put(`@cms/page/${page._id}`, { title: 'Versions again' })
    expect(put.body).toMatchObject({ type: 'default-page', slug: '/version-target/versions', level: 2, intro: '' })
    expect(await count()).toBe(3)
  })

  test('§0.8 If-Match counts moves too, and nothing is written by a stale one', async () => {
    const page = await pages.made('Matched')
    const to = await pages.made('Matched target')
    const read = await pages.read(page)
    const tag = read.headers.get('etag') ?? ''
    const place = { _targetId: to._id, _position: 'lastChild' }
    expect((await pages.admin.patch(`@cms/page/${page._id}`, place, '', { 'if-match': tag })).status).toBe(200)
    const before = await pages.tree()
    const back = { _targetId: '_home', _position: 0, title: 'Stale' }
    for (const answer of [
      await pages.admin.patch(`@cms/page/${page._id}`, back, '', { 'if-match': tag }),
      await pages.admin.put(`@cms/page/${page._id}`, back, '', { 'if-match': tag }),
      await pages.admin.delete(`@cms/page/${page._id}`, '', { 'if-match': tag }),
    ]) {
      expect(answer).toMatchObject({ status: 409, body: { name: 'conflict' } })
    }
    expect(await pages.tree()).toEqual(before)
  })

  test('§0.8 every move makes both copies another revision, and answers the tag that each then has', async () => {
    const [to, page] = [await pages.made('Tag target'), await pages.made('Tagged')]
    const ids = ['draft', 'published'].map((mode) => `@cms/page/${page.aposDocId}:en:${mode}`)
    const tagOf = (answer: Answer) => answer.headers.get('etag') ?? ''
    for (const id of ids) {
      for (const place of [
        { _targetId: '_home', _position: 'firstChild' },
        { _targetId: to._id, _position: 'firstChild' },
        { _targetId: '_archive', _position: 'firstChild' },
        { _targetId: '_home', _position: 'firstChild' },
        { _targetId: to._id, _position: 'firstChild', slug: `/own-${id.slice(-5)}` },
      ]) {
        const before = await Promise.all(ids.map((one) => pages.admin.get(one, 'archived=any')))
        const moved = await pages.admin.patch(id, place)
        expect(moved).toMatchObject({ status: 200 })
        for (const [index, one] of ids.entries()) {
          const stale = { 'if-match': tagOf(before[index] ?? moved) }
          expect(await pages.admin.patch(one, { title: 'Stale' }, '', stale)).toMatchObject({ status: 409 })
        }
        const current = { 'if-match': tagOf(moved) }
        expect(await pages.admin.patch(id, { title: 'Current' }, '', current)).toMatchObject({ status: 200 })
      }
    }
  })

  test('§4.2 PATCH reads what it changes once: few statements for a title, and for a move with one', async () => {
    const page = await pages.made('Counted')
    const to = await pages.made('Counted target')
    await pages.made('Below', { _targetId: page._id })
    const patch = (body: object) => pages.cost(() => pages.admin.patch(`@cms/page/${page._id}`, body))
    expect(await patch({ title: 'Counted again' })).toBeLessThanOrEqual(8)
    expect(await patch({ title: 'Moved', _targetId: to._id, _position: 'lastChild' })).toBeLessThanOrEqual(14)
    expect(await patch({ _targetId: '_archive', _position: 'lastChild' })).toBeLessThanOrEqual(14)
  })

  test('a move takes the same number of statements with few and with many pages below', async () => {
    const to = await pages.made('Landing')
    const costs: number[][] = []
    for (const size of [10, isWhole ? 300 : 100]) {
      const page = await pages.made(`Many ${size}`)
      await pages.fill(page._id, size)
      costs.push([
        await pages.cost(() => move(page._id, to._id)),
        await pages.cost(() => pages.admin.patch(`@cms/page/${page._id}`, { slug: `/renamed-${size}` })),
        await pages.cost(() => move(page._id, '_archive')),
        await pages.cost(() => move(page._id, '_home')),
      ])
    }
    expect(costs[1]).toEqual(costs[0])
    expect(Math.max(...(costs[0] ?? []))).toBeLessThanOrEqual(14)
  })
})
