import { expect, it } from 'vitest'
import { sampledDatabases } from '../../../test/databases.ts'
import { describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page } from '../../model/declared/content-type.ts'

const moodOf = (choices: string[]) => ({ type: 'select', choices }) as const
const fieldsOf = (choices: string[], max: number) =>
  ({
    mood: moodOf(choices),
    tags: { type: 'checkboxes', choices },
    words: { type: 'string', max },
    count: { type: 'integer', max },
    links: {
      type: 'array',
      fields: { add: { mood: moodOf(choices), name: { type: 'string', required: max < 100 } } },
    },
    body: {
      type: 'area',
      widgets: {
        '@cms/rich-text': { toolbar: max < 100 ? ['italic'] : ['bold', 'italic'] },
        ...(max < 100 ? {} : { '@cms/html': {} }),
      },
    },
  }) as const
const site = defineSite({
  types: [
    page('wide', { fields: { add: fieldsOf(['calm', 'loud'], 100) } }),
    page('narrow', { fields: { add: fieldsOf(['calm'], 5) } }),
    page('whole', { fields: { add: { summary: { type: 'string', required: true } } } }),
    page('guarded', { editRole: 'admin' }),
    page('vault', { viewRole: 'admin', editRole: 'admin' }),
  ],
})

describeService('§4.2 a page that gets another type', { site, on: sampledDatabases('types of pages') }, (service) => {
  const place = { _targetId: '_home', _position: 'lastChild' }
  const made = async (values: object = {}) =>
    (await service.editor.post('@cms/page', { type: 'wide', title: 'A', ...values, ...place })).body

  const routes = ['patch', 'put'] as const
  for (const mode of ['draft', 'published']) {
    for (const route of routes) {
      it(`${route} of a ${mode} needs the required fields of the new type`, async () => {
        const { aposDocId } = await made()
        const id = `@cms/page/${aposDocId}:en:${mode}`
        const refused = await service.editor[route](id, { type: 'whole', title: 'B' })
        expect(refused).toMatchObject({
          status: 400,
          body: { data: { errors: [{ path: 'summary', name: 'required' }] } },
        })
        expect((await service.editor.get(id)).body).toMatchObject({ type: 'wide', title: 'A' })
        const changed = await service.editor[route](id, { type: 'whole', title: 'B', summary: 'S' })
        expect(changed).toMatchObject({ status: 200, body: { type: 'whole', summary: 'S' } })
      })
    }
  }

  it('takes over no values that the fields of the new type do not accept, by PATCH and by copying', async () => {
    const links = [{ mood: 'loud', name: 'N' }]
    const given = { mood: 'loud', tags: ['calm', 'loud'], words: 'too many', count: 99, links }
    const expected = {
      type: 'narrow',
      mood: null,
      tags: [],
      words: '',
      count: null,
      links: [{ mood: null, name: 'N' }],
    }
    const { _id } = await made(given)
    const copied = await service.editor.post('@cms/page', { type: 'narrow', title: 'C', _copyingId: _id, ...place })
    expect(copied).toMatchObject({ status: 200, body: expected })
    // What is given is refused, also when it is what the page held.
    const refused = await service.editor.put(`@cms/page/${_id}`, { type: 'narrow', title: 'A', mood: 'loud' })
    expect(refused).toMatchObject({ status: 400, body: { data: { errors: [{ path: 'mood', name: 'invalid' }] } } })
    const patched = await service.editor.patch(`@cms/page/${_id}`, { type: 'narrow' })
    expect(patched).toMatchObject({ status: 200, body: expected })
  })

  it('needs the required fields of its items, and keeps of rich text what is allowed', async () => {
    const content = '<p><strong>a</strong> <em>b</em></p>'
    const given = { links: [{ name: 'N' }, { mood: 'calm' }], body: { items: [{ type: '@cms/rich-text', content }] } }
    const page = await made(given)
    const copied = { ...place, type: 'narrow', title: 'C', _copyingId: page._id }
    const refused = { status: 400, body: { data: { errors: [{ path: expect.any(String), name: 'required' }] } } }
    const answers = [
      await service.editor.patch(`@cms/page/${page._id}`, { type: 'narrow' }),
      await service.editor.put(`@cms/page/${page._id}`, { type: 'narrow', title: 'A', links: page.links }),
      await service.editor.post('@cms/page', copied),
      await service.editor.post('@cms/page', copied, 'aposMode=draft'),
    ]
    for (const answer of answers) expect(answer).toMatchObject(refused)
    const items = [{ content: '<p>a <em>b</em></p>' }]
    const copy = await service.editor.post('@cms/page', { ...copied, links: [] })
    expect(copy).toMatchObject({ status: 200, body: { type: 'narrow', body: { items } } })
    const patched = await service.editor.patch(`@cms/page/${page._id}`, { type: 'narrow', 'links.1.name': 'M' })
    expect(patched).toMatchObject({ status: 200, body: { links: [{ name: 'N' }, { name: 'M' }], body: { items } } })
  })

  it('§5.2 is no copy of a page of a type that the caller does not see', async () => {
    const { _id } = (await service.admin.post('@cms/page', { type: 'vault', title: 'Hidden', ...place })).body
    const copied = { type: 'wide', title: 'C', _copyingId: _id, ...place }
    expect((await service.editor.post('@cms/page', copied)).status).toBe(404)
    expect((await service.admin.post('@cms/page', copied)).status).toBe(200)
  })

  it('takes over the widgets that its area allows', async () => {
    const words = { type: '@cms/rich-text', content: '<p>a</p>' }
    const items = [{ type: '@cms/html', code: '<b>x</b>' }, words, { type: '@cms/html', code: '<i>y</i>' }]
    const page = await made({ body: { items } })
    expect(page.body.items).toMatchObject(items)
    const [, kept] = page.body.items
    const copy = await service.editor.post('@cms/page', { ...place, type: 'narrow', title: 'C', _copyingId: page._id })
    expect(copy.body.body.items).toMatchObject([words])
    for (const route of routes) {
      const id = `@cms/page/${(await made({ body: { items } }))._id}`
      const changed = await service.editor[route](id, { type: 'narrow', title: 'A' })
      expect(changed.body.body.items).toMatchObject(route === 'patch' ? [words] : [])
    }
    const patched = await service.editor.patch(`@cms/page/${page._id}`, { type: 'narrow' })
    expect(patched.body.body.items).toEqual([expect.objectContaining({ _id: kept._id, content: '<p>a</p>' })])
  })

  it.each(routes)(
    '%s of the published copy is refused to callers who may not edit the type of the draft',
    async (route) => {
      const { aposDocId } = await made()
      const draft = `@cms/page/${aposDocId}:en:draft`
      expect(await service.admin.patch(draft, { type: 'guarded' })).toMatchObject({ status: 200 })
      const published = `@cms/page/${aposDocId}:en:published`
      expect(await service.editor[route](published, { type: 'wide', title: 'B' })).toMatchObject({ status: 403 })
      expect((await service.admin.get(draft)).body).toMatchObject({ type: 'guarded', title: 'A' })
      expect(await service.admin[route](published, { type: 'wide', title: 'B' })).toMatchObject({ status: 200 })
      expect((await service.admin.get(draft)).body).toMatchObject({ type: 'wide', title: 'B' })
    },
  )

  it.each([
    ['publish', (id: string) => service.editor.post(`${id}/publish`)],
    ['publish, by the published copy', (id: string) => service.editor.post(`${id}:en:published/publish`)],
    ['revert', (id: string) => service.editor.post(`${id}:en:draft/revert-draft-to-published`)],
    ['unpublish', (id: string) => service.editor.post(`${id}:en:published/unpublish`)],
    ['a move into the archive', (id: string) => service.editor.patch(id, { ...place, _targetId: '_archive' })],
    ['a move', (id: string) => service.editor.patch(id, { ...place, _position: 'firstChild' })],
    ['DELETE', (id: string) => service.editor.delete(`${id}:en:draft`)],
  ])('%s is refused to callers who may not edit the type of the draft', async (_, send) => {
    const id = `@cms/page/${(await made()).aposDocId}`
    expect(await service.admin.patch(`${id}:en:draft`, { type: 'guarded' })).toMatchObject({ status: 200 })
    const before = (await service.admin.get(`${id}:en:draft`)).body
    expect(await send(id)).toMatchObject({ status: 403 })
    expect((await service.admin.get(`${id}:en:draft`)).body).toEqual(before)
  })

  it('takes over what they accept', async () => {
    const given = { mood: 'calm', tags: ['calm'], words: 'few', count: 5, links: [{ mood: 'calm', name: 'N' }] }
    const { _id } = await made(given)
    const patched = await service.editor.patch(`@cms/page/${_id}`, { type: 'narrow' })
    expect(patched).toMatchObject({ status: 200, body: { type: 'narrow', ...given } })
  })
})
