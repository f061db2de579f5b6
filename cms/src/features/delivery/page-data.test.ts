import { beforeAll, expect, it } from 'vitest'
import { sampledDatabases } from '../../../test/databases.ts'
import { describePages } from '../../../test/pages.ts'
import { describeService } from '../../../test/service.ts'
import { FRONT_KEY, type Visitor, visit } from '../../../test/visits.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, piece } from '../../model/declared/content-type.ts'
import type { Feature } from '../feature.ts'

const adds: Feature = {
  name: 'adds',
  hooks: {
    async beforeSend(data, ctx) {
      data.appendHead += `<meta name="by" content="${ctx.actor.kind}">`
      data.global.title = 'Changed'
    },
    '@cms/page:beforeSend'(data) {
      data.aposBodyClasses = 'named'
    },
  },
}

const site = defineSite({
  namespace: '@apostrophecms',
  features: [adds],
  types: [
    page('landing', {
      fields: {
        add: {
          intro: { type: 'string' },
          secret: { type: 'string', viewPermission: 'editor' },
          _notes: { type: 'relationship', withType: 'note' },
          _staff: { type: 'relationship', withType: 'staff' },
        },
      },
    }),
    piece('note', { fields: { add: { text: { type: 'string' }, own: { type: 'string', viewPermission: 'guest' } } } }),
    page('notes', { piecesType: 'subject' }),
    piece('subject', { fields: { add: { _parent: { type: 'relationship', withType: 'subject' } } } }),
    piece('staff', { viewRole: 'editor', fields: { add: { text: { type: 'string' } } } }),
  ],
  global: { fields: { add: { motto: { type: 'string' }, key: { type: 'string', viewPermission: 'admin' } } } },
})

describeService('what page data hold', { site, frontKey: FRONT_KEY, on: sampledDatabases('page data') }, (service) => {
  const front = (path: string, visitor: Visitor = {}) => visit(service, path, { front: true, ...visitor })
  beforeAll(async () => {
    const { admin } = service
    const note = (await admin.post('note', { title: 'Note', text: 'open', own: 'closed' })).body
    const hidden = (await admin.post('note', { title: 'Hidden', visibility: 'loginRequired' })).body
    const staff = (await admin.post('staff', { title: 'Staff', text: 'x' })).body
    const target = { _targetId: '_home', _position: 'lastChild' }
    const related = { _notes: [note, hidden], _staff: [staff] }
    const body = { type: 'landing', title: 'Landing', intro: 'Hello', secret: 'S', ...related, ...target }
    await admin.post('@apostrophecms/page', body)
    await admin.post('@apostrophecms/page', {
      type: 'landing',
      title: 'Inside',
      visibility: 'loginRequired',
      ...target,
    })
    const global = (await admin.get('@apostrophecms/global')).body
    const id = global.results?.[0]?._id ?? global._id
    await admin.patch(`@apostrophecms/global/${id}`, { motto: 'Onward', key: 'K' })
  })

  it('§4.2b visitors see what is public, without projections, and nothing that needs a role', async () => {
    const { data, text } = await front('/landing')
    expect(data.page).toMatchObject({ intro: 'Hello', _notes: [{ title: 'Note', text: 'open' }] })
    expect(data.page._notes).toHaveLength(1)
    expect(data.page.notesIds).toHaveLength(1)
    expect(data.page.staffIds ?? []).toEqual([])
    expect(data.global).toMatchObject({ motto: 'Onward' })
    expect(text).not.toMatch(/closed|Hidden|"Staff"|"secret"|"key"|Inside|updatedBy/)
    expect(data).not.toHaveProperty('user')
    expect(data.aposBodyData.scene).toBe('public')
  })

  it('§4.2b the interface shows no more than before of what visitors see', async () => {
    expect((await service.anonymous.get('note')).status).toBe(404)
    expect((await service.anonymous.get('@apostrophecms/page')).status).toBe(404)
  })

  it('§4.2b who is signed in gets what his role sees, and his name', async () => {
    const guest = await front('/landing', { role: 'guest' })
    expect(guest.data.page._notes).toMatchObject([{ own: 'closed' }, { title: 'Hidden' }])
    expect(guest.data.home._children).toHaveLength(2)
    expect(guest.data.user).toMatchObject({ title: 'guest key', role: 'guest' })
    const editor = await front('/landing', { role: 'editor' })
    expect(editor.data.page).toMatchObject({ secret: 'S', _staff: [{ text: 'x' }], _edit: true })
    expect(editor.data.aposBodyData).toMatchObject({ scene: 'apos', user: { role: 'editor' } })
    expect(editor.text).not.toMatch(/"key"/)
    expect((await front('/landing')).data.page._notes).toHaveLength(1)
  })

  it('§4.2b a piece names its index page, but where a relationship of the site has that name', async () => {
    const { admin } = service
    await admin.post('@apostrophecms/page', {
      type: 'notes',
      title: 'Notes',
      _targetId: '_home',
      _position: 'lastChild',
      orphan: true,
    })
    const above = (await admin.post('subject', { title: 'Above' })).body
    await admin.post('subject', { title: 'Below', _parent: [above] })
    const { data } = await front('/notes/below')
    expect(data.piece).toMatchObject({ _parent: [{ title: 'Above' }], _parentSlug: '/notes' })
    const list = (await front('/notes')).data.pieces
    expect(list).toMatchObject([{ _parent: [{ title: 'Above' }] }, { _parent: [] }])
  })

  it('§6 beforeSend changes what one page is rendered with, under either of its names', async () => {
    for (const _ of [1, 2]) {
      const { data } = await front('/landing')
      expect(data).toMatchObject({
        appendHead: '<meta name="by" content="frontend">',
        aposBodyClasses: 'named',
        global: { title: 'Changed' },
      })
    }
    const { text } = await visit(service, '/landing')
    expect(text).toContain('<meta name="by" content="anonymous">')
    expect(text).toContain('<body class="named">')
    expect((await service.admin.get('@apostrophecms/global')).body.results[0].title).toBe('Global')
  })

  it('§4.2b keys in a query are no part of page data', async () => {
    const { data, text } = await front('/landing?apikey=key-editor&x=1')
    expect(data).toMatchObject({ query: { x: '1' }, url: '/landing?x=1', user: { role: 'editor' } })
    expect(text).not.toContain('key-editor')
  })
})

describePages('what page data cost', { frontKey: FRONT_KEY }, (pages) => {
  beforeAll(async () => {
    const topics = []
    for (const title of ['A', 'B', 'C']) topics.push((await pages.admin.post('topic', { title })).body)
    await pages.made('Few', { _topics: topics.slice(0, 1) })
    const many = await pages.made('Many', { _topics: topics })
    for (let number = 0; number < 12; number += 1) await pages.made(`Below ${number}`, { _targetId: many._id })
    await pages.made('Articles', { type: 'article-page' })
    for (let number = 0; number < 9; number += 1)
      await pages.admin.post('article', { title: `A${number}`, _topics: topics })
  })

  let reads = 0
  /** By an address of its own each time, so that no answer is cached. */
  const read = async (path: string) => {
    reads += 1
    const { status, headers, data } = await visit(pages.service, `${path}?read=${reads}`, { front: true })
    return { status, headers, body: data }
  }
  /** Once what is around the page is known. */
  const cost = async (path: string) => {
    await read(path)
    return pages.cost(() => read(path))
  }

  it('§4.2b a page takes one statement, and one for each type that it relates to, once what is around it is known', async () => {
    expect(await cost('/many/below-1')).toBe(1)
    for (const path of ['/few', '/many']) expect({ path, cost: await cost(path) }).toEqual({ path, cost: 2 })
  })

  it('§4.2b what a page relates to takes as many statements, however much it is, where none of it is known', async () => {
    await cost('/few')
    await pages.service.forget()
    const few = await pages.cost(() => read('/few'))
    await pages.service.forget()
    expect(await pages.cost(() => read('/many'))).toBe(few)
  })

  it('§4.2b navigation holds 250 children of a page at most, and costs no more statements', async () => {
    const wide = await pages.made('Wide')
    await pages.fill(wide.aposDocId, 260, {}, 1)
    const { body } = await read('/wide')
    expect(body.page._children).toHaveLength(250)
    expect(body.page._children[249].title).toBe('Page 249')
    const [home] = body.home._children.filter(({ title }: { title: string }) => title === 'Wide')
    expect(home._children).toHaveLength(250)
    expect(await read('/wide/page-259')).toMatchObject({ status: 200, body: { page: { title: 'Page 259' } } })
    expect(await cost('/wide')).toBe(1)
  })

  it('§4.2b pages of an index and of a piece take as many, however many pieces there are', async () => {
    const before = [await cost('/articles'), await cost('/articles/a1')]
    for (let number = 9; number < 14; number += 1) await pages.admin.post('article', { title: `A${number}` })
    expect([await cost('/articles'), await cost('/articles/a1')]).toEqual(before)
  })
})
