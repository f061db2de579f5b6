import { expect, test } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page } from '../../model/declared/content-type.ts'

const LONG = 'x'.repeat(199)

const site = defineSite({ types: [page('leaf')] })

describeService('§2.12 slugs of pages', { site, isLong: true }, (service) => {
  const place = { type: 'leaf', _targetId: '_home', _position: 'lastChild' }
  const make = (body: object) => service.editor.post('@cms/page', { ...place, ...body })
  /** Pages below each other, each with a long part of its own. */
  const line = async (name: string, depth: number): Promise<string[]> => {
    const ids: string[] = []
    for (let level = 0; level < depth; level += 1) {
      const above = ids.at(-1)
      const { status, body } = await make({ title: name + LONG.slice(1), ...(above && { _targetId: above }) })
      expect(status).toBe(200)
      ids.push(body.aposDocId)
    }
    return ids
  }
  const slugsOf = (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await service.editor.get(`@cms/page/${id}`)).body.slug as string))

  test('have 200 characters between two slashes and 1,000 in all; given ones that are longer are invalid', async () => {
    const most = `/${Array.from({ length: 5 }, () => LONG).join('/')}`
    expect(most).toHaveLength(1000)
    const { status, body } = await make({ title: 'Most', slug: most })
    expect([status, body.slug]).toEqual([200, most])
    for (const slug of [`/${LONG}xx`, `${most}x`, `${most}/x`]) {
      expect(await make({ title: 'More', slug })).toMatchObject({
        status: 400,
        body: { data: { errors: [{ path: 'slug' }] } },
      })
      expect(await service.editor.patch(`@cms/page/${body._id}`, { slug })).toMatchObject({ status: 400 })
    }
    const twice = await make({ title: 'Twice', slug: most })
    expect(twice).toMatchObject({ status: 409 })
  })

  test('a slug made from a title is cut; a move that would make a carried one too long is refused', async () => {
    const ids = await line('a', 5)
    const slugs = await slugsOf(ids)
    expect(slugs.map((slug) => slug.length)).toEqual([200, 400, 600, 800, 1000])
    const { body: to } = await make({ title: 'To' })
    const cut = await make({ title: LONG, _targetId: ids[3] })
    expect(cut).toMatchObject({ status: 200 })
    expect(cut.body.slug).toHaveLength(1000)
    const full = await make({ title: 'No room', _targetId: ids[4] })
    expect(full).toMatchObject({ status: 400, body: { data: { errors: [{ path: 'slug', name: 'max' }] } } })
    const top = `@cms/page/${ids[0]}`
    for (const change of [{ _targetId: to._id, _position: 'lastChild' }, { slug: `${slugs[0]}x` }, { slug: '/a/bc' }]) {
      const { status } = await service.editor.patch(top, change)
      const isLonger = !('slug' in change) || change.slug !== '/a/bc'
      expect([change, status]).toEqual([change, isLonger ? 400 : 200])
      if (isLonger) expect(await slugsOf(ids)).toEqual(slugs)
    }
    expect((await slugsOf(ids)).at(-1)).toHaveLength(1000 - 200 + '/a/bc'.length)
  })

  test('long slugs that are taken get numbers, alone and carried', async () => {
    const ids = await line('b', 2)
    const [, below = ''] = await slugsOf(ids)
    const { body: to } = await make({ title: 'Elsewhere', slug: '/elsewhere' })
    const copies = [await make({ title: `b${LONG.slice(1)}`, _targetId: ids[0] })]
    copies.push(await make({ title: `b${LONG.slice(1)}`, _targetId: ids[0] }))
    const taken = copies.map(({ body }) => body.slug as string)
    expect(new Set([below, ...taken]).size).toBe(3)
    expect(taken.map((slug) => slug.slice(-2))).toEqual(['-2', '-3'])
    for (const slug of taken) expect(slug.length).toBeLessThanOrEqual(401)
    const deep = `/elsewhere/${'y'.repeat(150)}/${'z'.repeat(150)}`
    expect(await make({ title: 'Deep', slug: deep, _targetId: to._id })).toMatchObject({ status: 200 })
    const other = await make({ title: 'Other', slug: `/other/${'y'.repeat(150)}` })
    const leaf = await make({
      title: 'z',
      slug: `/other/${'y'.repeat(150)}/${'z'.repeat(150)}`,
      _targetId: other.body._id,
    })
    const moved = await service.editor.patch(`@cms/page/${other.body._id}`, { slug: `/elsewhere/${'y'.repeat(150)}` })
    expect(moved).toMatchObject({ status: 200 })
    expect(await slugsOf([leaf.body.aposDocId])).toEqual([`${deep}-2`])
  })

  test('a long one that is carried passes all numbers that are taken', async () => {
    const [y, z] = ['y'.repeat(150), 'z'.repeat(150)]
    const { body: to } = await make({ title: 'Numbered', slug: '/numbered' })
    for (const slug of [`/numbered/${y}/${z}`, `/numbered/${y}/${z}-2`]) {
      expect(await make({ title: 'Taken', slug, _targetId: to._id })).toMatchObject({ status: 200 })
    }
    const { body: other } = await make({ title: 'From', slug: `/from/${y}` })
    const { body: leaf } = await make({ title: 'z', slug: `/from/${y}/${z}`, _targetId: other._id })
    expect(await service.editor.patch(`@cms/page/${other._id}`, { slug: `/numbered/${y}` })).toMatchObject({
      status: 200,
    })
    expect(await slugsOf([leaf.aposDocId])).toEqual([`/numbered/${y}/${z}-3`])
  })

  test('a new one follows the page above as it is in its mode', async () => {
    const { body: above } = await make({ title: 'Above', slug: '/above' })
    const path = `@cms/page/${above.aposDocId}`
    expect(await service.editor.patch(path, { slug: '/renamed' }, 'aposMode=draft')).toMatchObject({ status: 200 })
    for (const [mode, slug] of [
      ['draft', '/renamed/below'],
      ['published', '/above/below'],
    ]) {
      const body = { ...place, title: 'Below', _targetId: above.aposDocId }
      expect((await service.editor.post('@cms/page', body, `aposMode=${mode}`)).body.slug).toBe(slug)
    }
  })
})
