import { expect, test } from 'vitest'
import { describePages } from '../../../test/pages.ts'
import { describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page } from '../../model/declared/content-type.ts'

describePages('§4.2 moves of several pages', { isLong: true }, (pages) => {
  const move = (_ids: readonly string[], _targetId: string, _position: string | number, more: object = {}) =>
    pages.admin.post('@cms/page/move', { _ids, _targetId, _position, ...more })

  /** A page with children of these names, and their ids. */
  const family = async (title: string, names: readonly string[]) => {
    const parent = await pages.made(title)
    const ids: Record<string, string> = {}
    for (const name of names) ids[name] = (await pages.made(name, { _targetId: parent._id })).aposDocId
    return { parent, ids, of: (...some: string[]) => some.map((name) => ids[name] ?? '') }
  }
  const childrenOf = async (id: string): Promise<string> => {
    const { body } = await pages.admin.get(`@cms/page/${id}/children`)
    return body.results.map(({ title }: { title: string }) => title).join('')
  }

  test.each([
    ['lastChild', 'parent', 'abdec'],
    ['firstChild', 'parent', 'ecabd'],
    ['before', 'b', 'aecbd'],
    ['after', 'b', 'abecd'],
    [0, 'parent', 'ecabd'],
    [1, 'parent', 'aecbd'],
    [2, 'parent', 'abecd'],
    [9, 'parent', 'abdec'],
  ])('§4.2 at %s of %s they stand side by side, in the order of the request', async (position, target, expected) => {
    const { parent, ids, of } = await family(`At ${position} of ${target}`, ['a', 'b', 'c', 'd', 'e'])
    const { status, body } = await move(of('e', 'c'), ids[target] ?? parent._id, position)
    expect(status).toBe(200)
    expect(await childrenOf(parent.aposDocId)).toBe(expected)
    expect(body.results.map(({ rank }: { rank: number }) => rank)).toEqual([
      expected.indexOf('e'),
      expected.indexOf('c'),
    ])
    expect(body.slugs).toBe(0)
  })

  test('§4.2 an index counts the pages that stay', async () => {
    const { parent, of } = await family('Counts those that stay', ['a', 'b', 'c', 'd', 'e'])
    await move(of('b', 'a'), parent._id, 1)
    expect(await childrenOf(parent.aposDocId)).toBe('cbade')
    await move(of('a', 'e', 'c'), parent._id, 1)
    expect(await childrenOf(parent.aposDocId)).toBe('baecd')
    await move(of('d', 'e', 'a', 'b'), parent._id, 0)
    expect(await childrenOf(parent.aposDocId)).toBe('deabc')
    const other = await family('Counts them in whatever order they are named', ['a', 'b', 'c', 'd', 'e', 'f'])
    await move(other.of('f', 'c', 'b', 'a'), other.parent._id, 1)
    expect(await childrenOf(other.parent.aposDocId)).toBe('dfcbae')
  })

  test('§4.2 check answers what the move would do, and writes nothing', async () => {
    const { ids, of } = await family('From here', ['one', 'two', 'three'])
    const below = await pages.made('below', { _targetId: ids.one })
    const own = await pages.made('own', { _targetId: ids.one, slug: '/an-own-address' })
    const to = await pages.made('To there')
    await pages.made('taken', { _targetId: to._id, slug: '/to-there/two' })
    const before = await pages.tree()
    const checked = await move(of('two', 'one', 'two'), to._id, 'firstChild', { check: true })
    expect(await pages.tree()).toEqual(before)
    const moved = await move(of('two', 'one', 'two'), to._id, 'firstChild')
    expect(moved).toMatchObject({
      status: 200,
      body: {
        results: [
          { _id: `${ids.two}:en:published`, slug: '/to-there/two-2', rank: 0, level: 2 },
          { _id: `${ids.one}:en:published`, slug: '/to-there/one', rank: 1, level: 2 },
        ],
        slugs: 3,
      },
    })
    expect(Object.keys(moved.body.results[0]).toSorted()).toEqual(['_id', 'level', 'path', 'rank', 'slug'])
    expect(checked.body).toEqual(moved.body)
    for (const mode of ['draft', 'published']) {
      expect(await pages.slug(below, mode)).toBe('/to-there/one/below')
      expect(await pages.slug(own, mode)).toBe('/an-own-address')
    }
    expect((await pages.read(below)).body.historicUrls).toEqual(['/from-here/one/below'])
  })

  test('§4.2 pages are archived and restored together', async () => {
    const { of } = await family('Of the archive', ['left', 'right'])
    const archived = await move(of('left', 'right'), '_archive', 'lastChild')
    expect(archived.body).toMatchObject({ results: [{ level: 2 }, { level: 2 }], slugs: 0 })
    for (const aposDocId of of('left', 'right')) {
      expect((await pages.admin.get(`@cms/page/${aposDocId}`)).status).toBe(404)
    }
    const restored = await move(of('right', 'left'), '_home', 'lastChild')
    expect(restored.body).toMatchObject({ results: [{ slug: '/right' }, { slug: '/left' }], slugs: 2 })
  })

  interface Move {
    readonly a: string
    readonly b: string
    readonly childOfB: string
    readonly to: string
    readonly draft: string
  }
  interface Refused {
    readonly move: string
    readonly body: (asked: Move) => object
    /** The page that is refused, where it is one of several. */
    readonly page?: 'a' | 'b'
    readonly status?: number
  }
  const refused: readonly Refused[] = [
    { move: 'below a page that moves along', body: ({ a, b }) => ({ _ids: [a, b], _targetId: b }) },
    {
      move: 'below what is below one',
      body: ({ a, b, childOfB }) => ({ _ids: [a, b], _targetId: childOfB }),
      page: 'b',
    },
    { move: 'of the home page', body: ({ a, to }) => ({ _ids: [a, '_home'], _targetId: to }) },
    { move: 'of an unknown page', body: ({ a, to }) => ({ _ids: [a, 'nosuch'], _targetId: to }), status: 404 },
    { move: 'to an unknown page', body: ({ a }) => ({ _ids: [a], _targetId: 'nosuch' }), page: 'a', status: 404 },
    { move: 'below a draft', body: ({ b, a, draft }) => ({ _ids: [b, a], _targetId: draft }), page: 'b' },
    { move: 'to an unknown position', body: ({ a, to }) => ({ _ids: [a], _targetId: to, _position: 'near' }) },
    { move: 'without a target', body: ({ a }) => ({ _ids: [a] }) },
    { move: 'of no pages', body: ({ to }) => ({ _ids: [], _targetId: to }) },
    { move: 'of a text', body: ({ a, to }) => ({ _ids: a, _targetId: to }) },
    { move: 'in two locales', body: ({ a, b, to }) => ({ _ids: [a, `${b}:fr:draft`], _targetId: to }) },
  ]

  test.each(refused)('§4.2 a move $move is refused whole, and a check of it alike', async (row) => {
    const { of, ids } = await family(`Refused ${row.move}`, ['a', 'b'])
    const [a = '', b = ''] = of('a', 'b')
    const body = row.body({
      a,
      b,
      childOfB: (await pages.made('Child', { _targetId: ids.b })).aposDocId,
      to: (await pages.made('A target'))._id,
      draft: (await pages.made('A draft', {}, 'aposMode=draft'))._id,
    })
    const before = await pages.tree()
    for (const check of [true, false]) {
      const answer = await pages.admin.post('@cms/page/move', { _position: 'lastChild', ...body, check })
      const { status = 400 } = row
      expect(answer).toMatchObject({ status, body: { name: status === 400 ? 'invalid' : 'notfound' } })
      if (row.page) expect(answer.body.data._id).toBe(`${ids[row.page]}:en:published`)
    }
    expect(await pages.tree()).toEqual(before)
  })

  test.each([
    ['lastChild', 'parent'],
    ['firstChild', 'parent'],
    ['before', 'a'],
    ['after', 'd'],
    [0, 'parent'],
    [1, 'parent'],
    [9, 'parent'],
    ['lastChild', 'other'],
    ['before', 'x'],
    [0, 'other'],
    ['lastChild', '_archive'],
  ])('§4.2 of one page, too, check answers what the move would do: %s of %s', async (position, name) => {
    const { parent, ids, of } = await family(`One at ${position} of ${name}`, ['a', 'b', 'c', 'd'])
    const other = await family(`Other at ${position} of ${name}`, ['x', 'b'])
    await pages.made('below', { _targetId: ids.b })
    const named: Record<string, string> = { ...ids, ...other.ids, parent: parent._id, other: other.parent._id }
    for (const target of [named[name] ?? name, other.parent._id]) {
      const before = await pages.tree()
      const checked = await move(of('b'), target, position, { check: true })
      expect(await pages.tree()).toEqual(before)
      const moved = await move(of('b'), target, position)
      expect([checked.status, checked.body]).toEqual([moved.status, moved.body])
    }
  })

  test('§4.2 a check that is neither true nor false is refused', async () => {
    const one = await pages.made('Perhaps')
    const answer = await move([one._id], '_home', 'lastChild', { check: 'perhaps' })
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('check') } })
  })
})

const site = defineSite({ types: [page('leaf'), page('vault', { viewRole: 'admin', editRole: 'admin' })] })

describeService('§5 who moves several pages', { site, isLong: true }, (service) => {
  const make = async (body: object, query = '') => {
    const place = { type: 'leaf', _targetId: '_home', _position: 'lastChild' }
    const answer = await service.admin.post('@cms/page', { ...place, ...body }, query)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  type Who = 'anonymous' | 'guest' | 'contributor' | 'editor' | 'admin'
  const move = (who: Who, body: object) => service[who].post('@cms/page/move', { _position: 'lastChild', ...body })

  test('§4.2 a check of one page waits for nobody who writes', async () => {
    const [to, one] = [await make({ title: 'Waits' }), await make({ title: 'For nobody' })]
    await service.app.store.transaction(async (tx) => {
      await tx.tree.lock(['en'])
      expect(await move('editor', { _ids: [one._id], _targetId: to._id, check: true })).toMatchObject({
        status: 200,
        body: { results: [{ slug: '/waits/for-nobody', level: 2 }], slugs: 1 },
      })
    })
  })

  test.each([true, false])('§5.2 it needs what moving each needs, with check: %s', async (check) => {
    const to = await make({ title: 'To' })
    const draft = await make({ title: 'Draft' }, 'aposMode=draft')
    const published = await make({ title: 'Published' })
    const draftOfIt = `${published.aposDocId}:en:draft`
    const by = (who: Who, ..._ids: string[]) => move(who, { _ids, _targetId: to.aposDocId, check })
    expect((await by('anonymous', draft._id)).status).toBe(401)
    expect((await by('guest', draft._id)).status).toBe(403)
    expect(await by('contributor', draft._id, draftOfIt)).toMatchObject({
      status: 403,
      body: { data: { _id: draftOfIt } },
    })
    expect((await by('contributor', draft._id)).status).toBe(200)
    expect((await by('editor', draft._id, published._id)).status).toBe(200)
  })

  test('§5.7 pages that the caller does not see are not there, and do not move along', async () => {
    const to = await make({ title: 'Target' })
    const hidden = await make({ title: 'Hidden', type: 'vault' })
    const top = await make({ title: 'Top' })
    const body = { _ids: [top._id], _targetId: to._id, check: true }
    const missing = await move('editor', { ...body, _ids: ['nosuch'] })
    for (const names of [{ _ids: [hidden.aposDocId] }, { _targetId: hidden.aposDocId }]) {
      const { status, body: refused } = await move('editor', { ...body, ...names })
      expect([status, refused.name]).toEqual([404, missing.body.name])
    }
    expect((await move('editor', body)).body).toMatchObject({ results: [{ slug: '/target/top' }], slugs: 1 })
    await make({ title: 'Below', type: 'vault', _targetId: top._id })
    expect((await move('editor', body)).status).toBe(403)
    expect((await move('admin', body)).body.slugs).toBe(2)
  })
})
