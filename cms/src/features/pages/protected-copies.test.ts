import { describe, expect, it } from 'vitest'
import { sampledDatabases } from '../../../test/databases.ts'
import { type Caller, describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, piece } from '../../model/declared/content-type.ts'

const PAGES = '@cms/page'
const fields = { add: { text: { type: 'string' } } } as const
const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [
    piece('secret', { viewRole: 'admin' }),
    page('leaf', { fields }),
    page('leaf-at-once', { fields, autopublish: true }),
    page('vault', { fields, viewRole: 'admin', editRole: 'admin', publishRole: 'admin' }),
    page('gated', { fields, publishRole: 'admin' }),
    page('locked', { fields, editRole: 'admin', publishRole: 'admin' }),
  ],
})
const FIRST = { _targetId: '_home', _position: 'firstChild' }

/** One copy of a page is of a type that editors may not change, the other is not. */
describeService('§5.3 a page', { site, on: sampledDatabases('protected copies') }, (service) => {
  describe.each(['vault', 'locked'])('with one copy of the type %s', (type) => {
    const added = async (of: string, draftOf: string) => {
      const place = { _targetId: '_home', _position: 'lastChild' }
      const { body } = await service.admin.post(PAGES, { type: of, title: 'Page', text: 'kept', ...place })
      const id: string = body.aposDocId
      await service.admin.patch(`${PAGES}/${id}:en:draft`, { type: draftOf })
      return id
    }
    const copy = async (id: string, mode: string) => {
      const { type, text, rank } = (await service.admin.get(`${PAGES}/${id}:en:${mode}`)).body
      return { type, text, rank }
    }

    it('is not deleted by those who may not delete both', async () => {
      const id = await added('leaf', type)
      const before = await copy(id, 'draft')
      expect(await service.editor.delete(`${PAGES}/${id}`)).toMatchObject({ status: 403 })
      expect(await copy(id, 'draft')).toEqual(before)
      expect(await service.admin.delete(`${PAGES}/${id}`)).toMatchObject({ status: 200 })
    })

    it('is not moved among its siblings by those who may not move both', async () => {
      const drafted = await added('leaf', type)
      const published = await added(type, 'leaf')
      const before = [await copy(drafted, 'draft'), await copy(published, 'published')]
      expect(await service.editor.patch(`${PAGES}/${drafted}`, FIRST)).toMatchObject({ status: 403 })
      expect(await service.editor.patch(`${PAGES}/${published}:en:draft`, FIRST)).toMatchObject({ status: 403 })
      expect([await copy(drafted, 'draft'), await copy(published, 'published')]).toEqual(before)
      expect(await service.admin.patch(`${PAGES}/${published}`, FIRST)).toMatchObject({ status: 200 })
    })

    it('is not overwritten by a draft that gets a type which is published at once', async () => {
      const id = await added(type, 'leaf')
      const before = await copy(id, 'published')
      const retyped = { type: 'leaf-at-once', title: 'Taken' }
      expect(await service.editor.patch(`${PAGES}/${id}:en:draft`, retyped)).toMatchObject({ status: 403 })
      expect(await service.editor.put(`${PAGES}/${id}:en:draft`, retyped)).toMatchObject({ status: 403 })
      expect(await copy(id, 'published')).toEqual(before)
      expect(await service.admin.patch(`${PAGES}/${id}:en:draft`, retyped)).toMatchObject({ status: 200 })
      expect(await copy(id, 'published')).toMatchObject({ type: 'leaf-at-once', text: 'kept' })
    })
  })

  it.each(['leaf', 'leaf-at-once'])(
    '§3.4 is not published over one that the caller may not publish, by localizing a %s',
    async (type) => {
      const place = { _targetId: '_home', _position: 'lastChild' }
      const { body } = await service.admin.post(PAGES, { type, title: 'Page', text: 'new', ...place })
      const id: string = body.aposDocId
      await service.admin.post(`${PAGES}/${id}/localize`, { toLocale: 'fr', publish: true })
      await service.admin.patch(`${PAGES}/${id}:fr:published`, { type: 'gated', text: 'kept' })
      const localized = (caller: Caller) =>
        caller.post(`${PAGES}/${id}/localize`, {
          toLocale: 'fr',
          update: true,
          ...(type === 'leaf' && { publish: true }),
        })
      expect(await localized(service.editor)).toMatchObject({ status: 403 })
      expect((await service.admin.get(`${PAGES}/${id}:fr:published`)).body).toMatchObject({
        type: 'gated',
        text: 'kept',
      })
      expect(await localized(service.admin)).toMatchObject({ status: 200 })
      expect((await service.admin.get(`${PAGES}/${id}:fr:published`)).body).toMatchObject({ type, text: 'new' })
    },
  )

  it('§5.8 is not copied from a document that is hidden from the caller, as from none', async () => {
    const { body } = await service.admin.post('secret', { title: 'Hush' })
    const copied = (_copyingId: string) => service.editor.post(PAGES, { _copyingId, ...FIRST })
    const { status, body: refusal } = await copied(body.aposDocId)
    expect({ status, refusal }).toEqual({ status: 404, refusal: (await copied('0'.repeat(26))).body })
  })

  it('that the caller may not see is no target, and no ancestor that a message names', async () => {
    const added = async (type: string, title: string, _targetId: string, query = '') => {
      const place = { _targetId, _position: 'lastChild' }
      const { body } = await service.admin.post(PAGES, { type, title, ...place }, query)
      return body.aposDocId as string
    }
    const shown = await added('leaf', 'Shown', '_home')
    const hidden = await added('vault', 'Hidden', shown)
    const own = await added('leaf', 'Own', '_home')
    const unknown = { _targetId: 'abcdefghijklmnopqrstuvwxyz', _position: 'before' }
    const refusal = (await service.editor.patch(`${PAGES}/${own}`, unknown)).body
    expect(refusal).toMatchObject({ name: 'notfound' })
    for (const _position of ['before', 'after', 'firstChild', 0]) {
      const beside = { _targetId: hidden, _position }
      expect((await service.editor.patch(`${PAGES}/${own}`, beside)).body).toEqual(refusal)
      expect((await service.editor.post(PAGES, { type: 'leaf', title: 'New', ...beside })).body).toEqual(refusal)
      expect(await service.admin.patch(`${PAGES}/${own}`, beside)).toMatchObject({ status: 200 })
      await service.admin.patch(`${PAGES}/${own}`, FIRST)
    }
    const draft = 'aposMode=draft'
    const seen = await added('leaf', 'Seen', await added('vault', 'Unseen', shown, draft), draft)
    const below = await added('leaf', 'Below', seen, draft)
    const named = async (caller: Caller) => {
      const answer = await caller.post(`${PAGES}/${below}:en:draft/publish`, {})
      expect(answer).toMatchObject({ status: 400 })
      return answer.body.data.unpublishedAncestors.map(({ title }: { title: string }) => title)
    }
    expect(await named(service.admin)).toEqual(['Unseen', 'Seen'])
    expect(await named(service.editor)).toEqual(['Seen'])
  })
})
