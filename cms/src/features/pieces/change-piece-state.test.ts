import { describe, expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'

describeService('§4.1 publish and the other changes of state', { isLong: true }, (service) => {
  const make = async (title: string, query = '') => (await service.editor.post('article', { title }, query)).body
  const get = async (id: string, query = '') => (await service.editor.get(`article/${id}`, query)).body
  const post = (id: string, verb: string, body: object = {}, query = '') =>
    service.editor.post(`article/${id}/${verb}`, body, query)

  it('§3 publish answers the published document, whichever id it is called with', async () => {
    const { aposDocId } = await make('Draft', 'aposMode=draft')
    for (const [index, id] of [`${aposDocId}:en:draft`, `${aposDocId}:en:published`, aposDocId].entries()) {
      await service.editor.patch(`article/${aposDocId}:en:draft`, { title: `Title ${index}` })
      const { status, body } = await post(id, 'publish', { title: 'ignored', _ids: 7 })
      expect([status, body._id, body.title]).toEqual([200, `${aposDocId}:en:published`, `Title ${index}`])
    }
    const draft = await get(`${aposDocId}:en:draft`)
    expect(draft.modified).toBe(false)
    expect(draft.lastPublishedAt).toBe((await get(aposDocId)).lastPublishedAt)
    expect((await post(aposDocId, 'publish')).status).toBe(200)
  })

  it('§3 publish refuses a slug that is taken, and what is not there', async () => {
    const { slug } = await make('Taken slug')
    const { aposDocId } = await make('Another', 'aposMode=draft')
    const other = await service.editor.post('article', { title: 'x', slug: `${slug}-2` })
    await service.editor.patch(`article/${other.body.aposDocId}:en:draft`, { slug: 'moved-away' })
    await service.editor.patch(`article/${aposDocId}:en:draft`, { slug: `${slug}-2` })
    const refused = await post(aposDocId, 'publish')
    expect([refused.status, refused.body.data.errors[0].path]).toEqual([409, 'slug'])
    expect((await post('unknown', 'publish')).status).toBe(404)
    expect((await service.editor.post(`topic/${aposDocId}/publish`)).status).toBe(404)
    expect((await post(aposDocId, 'publish', {}, 'aposLocale=fr')).status).toBe(404)
  })

  it('§3 unpublish takes the published copy away, and the draft stays', async () => {
    const { aposDocId } = await make('Unpublish me')
    const { status, body } = await post(aposDocId, 'unpublish')
    expect([status, body._id, body.lastPublishedAt, body.modified]).toEqual([200, `${aposDocId}:en:draft`, null, true])
    expect((await get(aposDocId)).name).toBe('notfound')
    expect((await post(aposDocId, 'unpublish')).body.name).toBe('invalid')
    expect((await post(aposDocId, 'publish')).status).toBe(200)
  })

  it('§3 revert-draft-to-published gives up what waits in the draft', async () => {
    const { aposDocId } = await make('As published')
    await service.contributor.patch(`article/${aposDocId}:en:draft`, { title: 'Waiting', slug: 'waiting' })
    const answer = await service.contributor.post(`article/${aposDocId}/revert-draft-to-published`)
    expect(answer.body).toMatchObject({ _id: `${aposDocId}:en:draft`, title: 'As published', modified: false })
    const fresh = await make('Never published', 'aposMode=draft')
    expect((await post(fresh._id, 'revert-draft-to-published')).body.name).toBe('invalid')
  })

  it.each(['draft', 'published'])('§3 archive and restore by the %s id reach both copies', async (mode) => {
    const { aposDocId, slug } = await make('Archive me')
    const archived = await post(`${aposDocId}:en:${mode}`, 'archive')
    expect(archived.body).toMatchObject({ _id: `${aposDocId}:en:${mode}`, archived: true })
    expect((await get(`${aposDocId}:en:draft`, 'archived=true')).modified).toBe(false)
    expect((await get(aposDocId, 'archived=true')).archived).toBe(true)
    await make('Archive me')
    const restored = await post(`${aposDocId}:en:${mode}`, 'restore')
    expect(restored.body).toMatchObject({ archived: false, slug: `${slug}-2` })
    expect((await get(`${aposDocId}:en:draft`)).slug).toBe(`${slug}-2`)
    expect((await post(aposDocId, 'restore')).status).toBe(200)
  })

  it('§3 a piece that is only a draft is archived by its bare id', async () => {
    const { aposDocId } = await make('Draft to archive', 'aposMode=draft')
    expect((await post(aposDocId, 'archive')).body).toMatchObject({ aposMode: 'draft', archived: true })
  })

  it('§3 localize copies the draft to the draft of another locale', async () => {
    const { aposDocId } = await make('To translate')
    await service.editor.patch(`article/${aposDocId}:en:draft`, { title: 'Draft to translate' })
    const { body } = await service.contributor.post(`article/${aposDocId}/localize`, { toLocale: 'fr' })
    expect(body).toMatchObject({ _id: `${aposDocId}:fr:draft`, title: 'Draft to translate', modified: true })
    expect((await get(`${aposDocId}:fr:published`)).name).toBe('notfound')
    const again = await post(aposDocId, 'localize', { toLocale: 'fr' })
    expect([again.status, again.body.name]).toEqual([409, 'conflict'])
    await service.editor.patch(`article/${aposDocId}:en:draft`, { title: 'Better' })
    expect((await post(aposDocId, 'localize', { toLocale: 'fr', update: true })).body.title).toBe('Better')
    expect((await post(`${aposDocId}:fr:draft`, 'localize', { toLocale: 'de' })).body.aposLocale).toBe('de:draft')
  })

  it.each([[{}], [{ toLocale: 'xx' }], [{ toLocale: 'en' }], [{ toLocale: ['fr'] }], [{ toLocale: 7 }]])(
    '§4.2 localize refuses %j',
    async (body) => {
      const { _id } = await make('Not localized')
      expect((await post(_id, 'localize', body)).body.name).toBe('invalid')
    },
  )

  it('§2.12 a slug that is taken in the other locale gets a number, there only', async () => {
    const { slug } = (await service.editor.post('article', { title: 'Slug là', slug: 'slug-la' }, 'aposLocale=es')).body
    const { aposDocId } = (await service.editor.post('article', { title: 'x', slug })).body
    expect((await post(aposDocId, 'localize', { toLocale: 'es' })).body.slug).toBe(`${slug}-2`)
    expect((await post(aposDocId, 'localize', { toLocale: 'es', update: true })).body.slug).toBe(`${slug}-2`)
    expect((await get(aposDocId)).slug).toBe(slug)
  })

  it('§2.17 types without modes and locales refuse all of it', async () => {
    const { _id } = (await service.editor.post('note', { title: 'N' })).body
    for (const verb of ['publish', 'unpublish', 'revert-draft-to-published']) {
      expect((await service.editor.post(`note/${_id}/${verb}`)).body.name).toBe('invalid')
    }
    expect((await service.editor.post(`note/${_id}/localize`, { toLocale: 'fr' })).body.name).toBe('invalid')
    expect((await service.editor.post(`note/${_id}/archive`)).body.archived).toBe(true)
  })

  it('§2.17 an autopublish type publishes what an editor saves, and leaves what a contributor saves', async () => {
    const { aposDocId } = (await service.editor.post('draftless', { title: 'Auto' })).body
    const titleAfter = async (role: 'editor' | 'contributor', title: string) => {
      expect((await service[role].patch(`draftless/${aposDocId}:en:draft`, { title })).status).toBe(200)
      return (await service.editor.get(`draftless/${aposDocId}`)).body.title
    }
    expect(await titleAfter('contributor', 'Proposed')).toBe('Auto')
    expect(await titleAfter('editor', 'Decided')).toBe('Decided')
    const localized = await service.editor.post(`draftless/${aposDocId}/localize`, { toLocale: 'fr' })
    expect(localized.body.modified).toBe(false)
    expect((await service.editor.get(`draftless/${aposDocId}:fr:published`)).status).toBe(200)
  })

  it.each([
    ['anonymous', 401, 401],
    ['guest', 403, 403],
    ['contributor', 403, 200],
  ] as const)('§5.2 %s gets %i for what publishes, %i for what drafts', async (role, publishing, drafting) => {
    const { _id } = await make(`State by ${role}`)
    const statusOf = async (verb: string, body = {}) =>
      (await service[role].post(`article/${_id}/${verb}`, body)).status
    for (const verb of ['publish', 'unpublish', 'archive', 'restore']) expect(await statusOf(verb)).toBe(publishing)
    expect(await statusOf('revert-draft-to-published')).toBe(drafting)
    expect(await statusOf('localize', { toLocale: 'it' })).toBe(drafting)
    expect((await service[role].post('article/publish', { _ids: [_id] })).status).toBe(publishing)
    expect((await service[role].post('article/unknown/publish')).status).toBe(publishing)
  })

  it('§3.8 a key of an AI changes drafts and publishes nothing', async () => {
    const { aposDocId } = await make('For a machine')
    const machine = service.ai
    const article = `article/${aposDocId}`
    expect((await machine.patch(article, { title: 'Machine' })).body.aposMode).toBe('draft')
    expect((await machine.put(`${article}:en:published`, { title: 'Machine' })).body.aposMode).toBe('draft')
    expect((await get(aposDocId)).title).toBe('For a machine')
    for (const verb of ['publish', 'unpublish', 'archive']) {
      expect((await machine.post(`${article}/${verb}`)).status).toBe(403)
    }
    expect((await machine.delete(article)).status).toBe(403)
  })

  describe('§4.1 many at once', () => {
    const many = (verb: string, body: object, query = '') => service.editor.post(`article/${verb}`, body, query)

    it('are changed one by one, so that one failure leaves the others', async () => {
      const good = await make('Good', 'aposMode=draft')
      const topic = (await service.editor.post('topic', { title: 'T' })).body
      const _ids = [good._id, 'unknown', topic._id, good._id, 'a:b']
      const { body } = await many('publish', { _ids })
      expect(body.results).toMatchObject([
        { _id: `${good.aposDocId}:en:published`, ok: true },
        { _id: 'unknown', ok: false, error: { name: 'notfound' } },
        { _id: topic._id, ok: false, error: { name: 'notfound' } },
        { _id: 'a:b', ok: false, error: { name: 'notfound' } },
      ])
      expect((await many('archive', { _ids: [good._id] })).body.results).toMatchObject([{ ok: true }])
      expect((await get(good.aposDocId, 'archived=true')).archived).toBe(true)
      expect((await many('restore', { _ids: [good.aposDocId] })).body.results).toMatchObject([{ ok: true }])
      expect((await get(good.aposDocId)).archived).toBe(false)
    })

    it('are localized to each of the locales', async () => {
      const { _id, aposDocId } = await make('Many locales')
      await many('localize', { _ids: [_id], toLocale: 'fr' })
      const { body } = await many('localize', { _ids: [_id], toLocales: ['de', 'fr', 'es'] })
      expect(body.results).toMatchObject([
        { _id: `${aposDocId}:de:draft`, ok: true },
        { _id, ok: false, error: { name: 'conflict' } },
        { _id: `${aposDocId}:es:draft`, ok: true },
      ])
      const twice = await many('localize', { _ids: [_id], toLocales: ['de', 'de'], update: true })
      expect(twice.body.results).toMatchObject([{ ok: true }])
      expect(twice.body.results).toHaveLength(1)
    })

    it('toLocales is ignored by the other operations', async () => {
      const { _id } = await make('Only once')
      for (const toLocales of [[], ['de', 'fr'], 'xx']) {
        for (const verb of ['publish', 'archive', 'restore']) {
          const { status, body } = await many(verb, { _ids: [_id], toLocales })
          expect([status, body.results]).toEqual([200, [{ _id: expect.any(String), ok: true }]])
        }
      }
    })

    it.each([
      [{}],
      [{ _ids: 'x' }],
      [{ _ids: [7] }],
      [{ _ids: Array.from({ length: 501 }, (_, index) => `id${index}`) }],
      [{ _ids: [], toLocales: 'fr' }],
      [{ _ids: [], toLocales: ['xx'] }],
      [{ _ids: [] }],
    ])('refuses %j', async (body) => {
      expect((await many('localize', body)).body.name).toBe('invalid')
    })
  })
})
