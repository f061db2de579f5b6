import { expect, test } from 'vitest'
import { defineSite } from '../src/model/compile/site-options.ts'
import { page, piece } from '../src/model/declared/content-type.ts'
import { openValues } from '../src/model/terms/document.ts'
import { imagePiece } from './media.ts'
import { describeService } from './service.ts'

const relations = {
  _topics: { type: 'relationship', withType: 'topic' },
  _authors: { type: 'relationship', withType: 'author' },
} as const

const site = defineSite({
  locales: {
    en: { label: 'English' },
    fr: { label: 'French', prefix: '/fr' },
    it: { label: 'Italian', prefix: '/it', private: true },
  },
  types: [
    piece('topic', {
      fields: {
        add: {
          code: { type: 'string', unique: true },
          _secrets: { type: 'relationship', withType: 'secret' },
        },
      },
    }),
    piece('secret', { viewRole: 'admin', editRole: 'admin' }),
    piece('author', { editRole: 'admin' }),
    piece('story', {
      fields: {
        add: {
          ...relations,
          price: { type: 'string', editPermission: 'admin' },
          _hidden: { type: 'relationship', withType: 'topic', viewPermission: 'admin' },
          _fixed: { type: 'relationship', withType: 'topic', editPermission: 'admin' },
          body: { type: 'area', widgets: { '@cms/image': {} } },
        },
      },
    }),
    page('leaf', { fields: { add: relations } }),
    page('guarded', { editRole: 'admin' }),
    page('open-page', { publicApiProjection: ['title'] }),
    page('vault', { viewRole: 'admin', editRole: 'admin' }),
    piece('news', { publicApiProjection: ['title'] }),
  ],
})

describeService('§3.4 localize', { isLong: true, site }, (service) => {
  const made = async (type: string, body: object, query = '') => {
    const answer = await service.admin.post(type, body, query)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  /** A story with a published topic, a topic that is a draft, and an author whom only admins edit. */
  const story = async () => {
    const topic = await made('topic', { title: 'Topic' })
    const waiting = await made('topic', { title: 'Waiting' }, 'aposMode=draft')
    const author = await made('author', { title: 'Author' })
    const related = { topicsIds: [topic.aposDocId, waiting.aposDocId], authorsIds: [author.aposDocId] }
    return { topic, waiting, author, story: await made('story', { title: 'Story', ...related }) }
  }
  const localize = (id: string, body: object = {}, who: 'contributor' | 'editor' | 'admin' = 'editor') =>
    service[who].post(`story/${id}/localize`, { toLocale: 'fr', ...body })
  const statusIn = async (type: string, id: string, mode: string) =>
    (await service.admin.get(`${type}/${id}:fr:${mode}`)).status

  test('§5.7 related: true brings along no references to documents that the caller must not learn of', async () => {
    const secret = await made('secret', { title: 'Secret' })
    const topic = await made('topic', { title: 'Topic', secretsIds: [secret.aposDocId] })
    const { aposDocId } = await made('story', { title: 'Story', topicsIds: [topic.aposDocId] })
    const { status, body } = await localize(aposDocId, { related: true })
    expect([status, body.localized]).toEqual([200, [`${topic.aposDocId}:fr:published`]])
    const copy = (locale: string) => service.admin.get(`topic/${topic.aposDocId}:${locale}:published`)
    expect((await copy('en')).body.secretsIds).toEqual([secret.aposDocId])
    expect((await copy('fr')).body.secretsIds).toEqual([])
  })

  test('§3.4 without related, only the images and files come along', async () => {
    const image = await imagePiece(service)
    const topic = await made('topic', { title: 'Stays here' })
    const body = { items: [{ type: '@cms/image', imageIds: [image.aposDocId] }] }
    const { aposDocId } = await made('story', { title: 'Pictures', topicsIds: [topic.aposDocId], body })
    expect((await localize(aposDocId)).body.localized).toEqual([`${image.aposDocId}:fr:published`])
  })

  test('publish: true publishes the copy, for those who may', async () => {
    const { story: one } = await story()
    expect((await localize(one.aposDocId, { publish: true }, 'contributor')).status).toBe(403)
    expect(await statusIn('story', one.aposDocId, 'draft')).toBe(404)
    const { status, body } = await localize(one.aposDocId, { publish: true })
    expect([status, body._id, body.localized]).toEqual([200, `${one.aposDocId}:fr:published`, []])
    expect(await statusIn('story', one.aposDocId, 'published')).toBe(200)
  })

  test('related: true brings along what the document names, in the state it has here, and what the caller may edit', async () => {
    const { story: one, topic, waiting, author } = await story()
    const { status, body } = await localize(one.aposDocId, { related: true })
    expect(status).toBe(200)
    expect(body._id).toBe(`${one.aposDocId}:fr:draft`)
    expect(body.localized).toEqual([`${topic.aposDocId}:fr:published`, `${waiting.aposDocId}:fr:draft`])
    expect(await statusIn('topic', topic.aposDocId, 'draft')).toBe(200)
    expect(await statusIn('topic', waiting.aposDocId, 'published')).toBe(404)
    expect(await statusIn('author', author.aposDocId, 'draft')).toBe(404)
    const again = await localize(one.aposDocId, { related: true, update: true }, 'admin')
    expect(again.body.localized).toEqual([`${author.aposDocId}:fr:published`])
  })

  test('§3.4 related: true brings along archived documents, which are archived there, too', async () => {
    const { story: one, topic, waiting } = await story()
    for (const { aposDocId } of [topic, waiting]) {
      expect((await service.admin.patch(`topic/${aposDocId}:en:draft`, { archived: true })).status).toBe(200)
    }
    const { body } = await localize(one.aposDocId, { related: ['topic'] })
    expect(body.localized).toEqual([`${topic.aposDocId}:fr:published`, `${waiting.aposDocId}:fr:draft`])
    for (const id of body.localized) {
      expect((await service.admin.get(`topic/${id}`)).status).toBe(404)
      expect((await service.admin.get(`topic/${id}`, 'archived=true')).body.archived).toBe(true)
    }
    expect((await service.admin.patch(`topic/${topic.aposDocId}:fr:draft`, { archived: false })).status).toBe(200)
    expect((await service.admin.get(`story/${one.aposDocId}:fr:draft`)).body._topics).toHaveLength(1)
  })

  test('§3.5 a copy names no documents that are deleted', async () => {
    const { story: one, topic, waiting } = await story()
    const withTopic = await made('story', { title: 'Copied along', topicsIds: [topic.aposDocId] })
    await service.admin.delete(`topic/${topic.aposDocId}`)
    for (const { aposDocId, topicsIds } of [
      { ...one, topicsIds: [waiting.aposDocId] },
      { ...withTopic, topicsIds: [] },
    ]) {
      await localize(aposDocId, { publish: true, related: false })
      for (const update of [false, true]) {
        if (update) await localize(aposDocId, { update, related: false })
        const { draft, published } = await service.app.store.documents.copies(aposDocId, 'fr')
        const ids = [draft, published].map((copy) => copy && openValues(copy).topicsIds)
        expect(ids).toEqual([topicsIds, topicsIds])
      }
    }
  })

  test('§5.7 related follows no field that the caller may not write', async () => {
    const [hidden, fixed] = [await made('topic', { title: 'Hidden' }), await made('topic', { title: 'Fixed' })]
    const ids = { hiddenIds: [hidden.aposDocId], fixedIds: [fixed.aposDocId] }
    const one = await made('story', { title: 'Story', ...ids })
    expect((await localize(one.aposDocId, { related: true }, 'contributor')).body.localized).toEqual([])
    const { body } = await localize(one.aposDocId, { related: ['topic'], update: true }, 'admin')
    expect(body.localized).toHaveLength(2)
  })

  test('a conflict of a related document says that it is one', async () => {
    await service.admin.post('topic', { title: 'There', code: 'same' }, 'aposLocale=fr')
    const topic = await made('topic', { title: 'Here', code: 'same' })
    const one = await made('story', { title: 'Story', topicsIds: [topic.aposDocId] })
    const { status, body } = await localize(one.aposDocId, { related: true })
    expect([status, body.data.errors]).toEqual([409, undefined])
    expect(body.message).toMatch(/^A related document cannot be copied along: .* code/)
  })

  test('related by a contributor makes drafts', async () => {
    const { story: one, topic } = await story()
    const { body } = await localize(one.aposDocId, { related: ['topic'] }, 'contributor')
    expect(body.localized).toContain(`${topic.aposDocId}:fr:draft`)
    expect(await statusIn('topic', topic.aposDocId, 'published')).toBe(404)
  })

  test('without related images and files come along, with false nothing', async () => {
    const image = await made('@cms/image-tag', { title: 'Tag' })
    expect(image.aposDocId).toHaveLength(26)
    const { story: one, topic } = await story()
    expect((await localize(one.aposDocId)).body.localized).toEqual([])
    expect((await localize(one.aposDocId, { related: false, update: true })).body.localized).toEqual([])
    expect(await statusIn('topic', topic.aposDocId, 'draft')).toBe(404)
  })

  test.each([[['nothing']], ['some'], [3], [[{}]]])('related: %j is invalid', async (related) => {
    const { story: one } = await story()
    expect(await localize(one.aposDocId, { related })).toMatchObject({ status: 400, body: { name: 'invalid' } })
    expect(await statusIn('story', one.aposDocId, 'draft')).toBe(404)
  })

  test.each(['update', 'publish'])('%s takes true and false, also as texts, and nothing else', async (name) => {
    const { story: one } = await story()
    for (const value of ['yes', 1, {}, [true]]) {
      const answer = await localize(one.aposDocId, { [name]: value })
      expect(answer).toMatchObject({
        status: 400,
        body: { name: 'invalid', message: `${name} must be true or false.` },
      })
    }
    expect((await localize(one.aposDocId, { [name]: 'false' })).status).toBe(200)
  })

  test('a page is published there below a published parent alone, and brings related documents along', async () => {
    const topic = await made('topic', { title: 'Topic' })
    const place = { type: 'leaf', _targetId: '_home', _position: 'lastChild' }
    const parent = await made('@cms/page', { title: 'Parent', ...place })
    const related = { topicsIds: [topic.aposDocId] }
    const child = await made('@cms/page', { title: 'Child', ...place, ...related, _targetId: parent._id })
    const localizePage = (id: string, body: object) =>
      service.editor.post(`@cms/page/${id}/localize`, { toLocale: 'fr', ...body })
    expect((await localizePage(parent.aposDocId, {})).body.localized).toEqual([])
    const refused = await localizePage(child.aposDocId, { publish: true, related: true })
    expect(refused.body.data.unpublishedAncestors).toHaveLength(1)
    expect((await localizePage(parent.aposDocId, { publish: true, update: true })).body.aposMode).toBe('published')
    const { status, body } = await localizePage(child.aposDocId, { publish: true, related: true })
    expect([status, body.aposMode, body.slug]).toEqual([200, 'published', '/parent/child'])
    expect(body.localized).toEqual([`${topic.aposDocId}:fr:published`])
  })

  const child = (parent: string, title: string, type = 'leaf') =>
    made('@cms/page', { title, type, _targetId: parent, _position: 'lastChild' })
  const localizePage = (id: string, body: object, who: 'contributor' | 'admin' = 'admin') =>
    service[who].post(`@cms/page/${id}/localize`, { toLocale: 'fr', subtree: true, ...body })

  test('§3.4 subtree: true copies everything below a page that is not there yet, in its order', async () => {
    const root = await child('_home', 'Root')
    const [one, two] = [await child(root._id, 'One'), await child(root._id, 'Two')]
    const deep = await child(one._id, 'Deep')
    await service.admin.post(`@cms/page/${root.aposDocId}/localize`, { toLocale: 'fr' })
    await service.admin.patch(`@cms/page/${root.aposDocId}:fr:draft`, { title: 'Racine' })
    const { status, body } = await localizePage(root.aposDocId, {})
    expect([status, body._id, body.title]).toEqual([200, `${root.aposDocId}:fr:draft`, 'Racine'])
    expect(body.localized).toEqual([one, two, deep].map((page) => `${page.aposDocId}:fr:draft`))
    const tree = (await service.admin.get(`@cms/page/${root.aposDocId}`, 'aposLocale=fr:draft')).body
    expect(tree._children.map((page: { title: string }) => page.title)).toEqual(['One', 'Two'])
    const again = await localizePage(root.aposDocId, { update: true })
    expect([again.body.title, again.body.localized.length]).toEqual(['Root', 3])
  })

  test('§5.3 subtree: true is refused whole where one page below is not the caller’s to edit', async () => {
    const root = await child('_home', 'Root')
    await child(root._id, 'One')
    await child(root._id, 'Guarded', 'guarded')
    expect((await localizePage(root.aposDocId, {}, 'contributor')).status).toBe(403)
    expect((await service.admin.get(`@cms/page/${root.aposDocId}:fr:draft`)).status).toBe(404)
    expect((await localizePage(root.aposDocId, {})).body.localized).toHaveLength(2)
    // Also where that page is there already, and would be left out.
    expect((await localizePage(root.aposDocId, {}, 'contributor')).status).toBe(403)
  })

  test('§2.12 a copied page follows the slug that the draft of its parent has there', async () => {
    const root = await child('_home', 'Follows')
    const below = await child(root._id, 'Behind')
    await service.admin.post(`@cms/page/${root.aposDocId}/localize`, { toLocale: 'fr', publish: true })
    expect((await service.admin.patch(`@cms/page/${root.aposDocId}:fr:draft`, { slug: '/suit' })).status).toBe(200)
    const { status, body } = await service.admin.post(`@cms/page/${below.aposDocId}/localize`, { toLocale: 'fr' })
    expect([status, body.slug]).toEqual([200, '/suit/behind'])
  })

  test('what is in the archive stays there, and what is copied below an archived page is archived', async () => {
    const one = await made('topic', { title: 'Archived' })
    await service.admin.patch(`topic/${one.aposDocId}`, { archived: true })
    const there = await service.editor.post(`topic/${one.aposDocId}/localize`, { toLocale: 'fr', publish: true })
    expect([there.status, there.body.archived]).toEqual([200, true])
    expect(await statusIn('topic', one.aposDocId, 'published')).toBe(404)
    const root = await child('_home', 'Above')
    const below = await child((await child(root._id, 'Middle'))._id, 'Below')
    await service.editor.post(`@cms/page/${root.aposDocId}/localize`, { toLocale: 'fr', publish: true })
    const place = { _targetId: '_archive', _position: 'lastChild' }
    expect((await service.admin.patch(`@cms/page/${root.aposDocId}:fr:published`, place)).status).toBe(200)
    expect((await localizePage(root.aposDocId, { publish: true })).status).toBe(200)
    for (const mode of ['draft', 'published']) {
      const id = `${below.aposDocId}:fr:${mode}`
      expect((await service.admin.get(`@cms/page/${id}`)).status).toBe(404)
      expect((await service.admin.get(`@cms/page/${id}`, 'archived=any')).body.archived).toBe(true)
    }
  })

  test('§3.4 an archived page is localized into the archive there, with what is below it', async () => {
    const root = await child('_home', 'Put away')
    const below = await child(root._id, 'Put away, too')
    const place = { _targetId: '_archive', _position: 'lastChild' }
    expect((await service.admin.patch(`@cms/page/${root.aposDocId}`, place)).status).toBe(200)
    expect((await localizePage(root.aposDocId, { publish: true })).status).toBe(200)
    for (const { aposDocId } of [root, below]) {
      const id = `@cms/page/${aposDocId}:fr:draft`
      expect((await service.admin.get(id)).status).toBe(404)
      expect((await service.admin.get(id, 'archived=any')).body.archived).toBe(true)
    }
  })

  test('§4.5 :_id/locales tells which translations are missing and which are outdated', async () => {
    const place = { type: 'leaf', _targetId: '_home', _position: 'lastChild' }
    for (const [type, more] of [
      ['topic', {}],
      ['@cms/page', place],
    ] as const) {
      const { aposDocId: id } = await made(type, { title: 'Words', ...more })
      const locales = async (who: 'editor' | 'anonymous' = 'editor', suffix = ':en:draft') => {
        const { status, body } = await service[who].get(`${type}/${id}${suffix}/locales`)
        return { status, ...body }
      }
      expect(await locales()).toMatchObject({ results: [{ _id: `${id}:en:draft` }], missing: ['fr', 'it'] })
      await service.editor.post(`${type}/${id}/localize`, { toLocale: 'fr' })
      const french = { _id: `${id}:fr:draft`, aposLocale: 'fr:draft', title: 'Words', isOutdated: false }
      expect((await locales()).results[1]).toMatchObject(french)
      await service.editor.patch(`${type}/${id}:en:draft`, { title: 'Waiting' })
      expect((await locales()).results[1]).toMatchObject({ isOutdated: false })
      await service.editor.post(`${type}/${id}/publish`)
      expect((await locales()).results).toMatchObject([{ isOutdated: false }, { isOutdated: true }])
      await service.editor.post(`${type}/${id}/localize`, { toLocale: 'it', publish: true })
      // In French there is only a draft.
      for (const [suffix, mode] of Object.entries({ '': 'published', ':en:draft': 'draft' })) {
        expect(await locales('editor', suffix)).toMatchObject({
          results: [{}, { aposLocale: 'fr:draft', aposMode: 'draft' }, { aposLocale: `it:${mode}` }],
          missing: [],
        })
      }
      expect((await locales('anonymous', '')).status).toBe(404)
      expect((await locales('anonymous')).status).toBe(401)
    }
  })

  test('§3.4 a translation stays outdated when it is published, unpublished, reverted, archived or restored', async () => {
    const changes = {
      publish: (id: string) => service.editor.post(`topic/${id}:fr:draft/publish`),
      unpublish: (id: string) => service.editor.post(`topic/${id}:fr:published/unpublish`),
      revert: (id: string) => service.editor.post(`topic/${id}:fr:draft/revert-draft-to-published`),
      archive: (id: string) => service.editor.post('topic/archive', { _ids: [`${id}:fr:draft`] }),
      restore: (id: string) => service.editor.post('topic/restore', { _ids: [`${id}:fr:draft`] }),
      'archive by a change': (id: string) => service.editor.patch(`topic/${id}:fr:draft`, { archived: true }),
      'restore by a change': (id: string) =>
        service.editor.patch(`topic/${id}:fr:draft`, { archived: false }, 'archived=any'),
    }
    for (const [name, change] of Object.entries(changes)) {
      const { aposDocId: id } = await made('topic', { title: `Outdated by ${name}` })
      const ofFrench = async () => {
        const { body } = await service.editor.get(`topic/${id}:fr:draft`, 'compare=en&archived=any')
        const { results } = (await service.editor.get(`topic/${id}:en:draft/locales`)).body
        const listed = results.find((one: { aposLocale: string }) => one.aposLocale === 'fr:draft')
        return [listed.isOutdated, body._compared.rows.length > 0]
      }
      await service.editor.post(`topic/${id}/localize`, { toLocale: 'fr', publish: true })
      if (name === 'revert') await service.editor.patch(`topic/${id}:fr:draft`, { title: 'Pending' })
      if (name.startsWith('restore')) await changes.archive(id)
      await service.editor.patch(`topic/${id}:en:published`, { title: `Newer than ${name}` })
      const answer = await change(id)
      expect([name, answer.status, ...(await ofFrench())]).toEqual([name, 200, true, true])
      if (name !== 'archive') continue
      // What is changed together with it is saved.
      await service.editor.patch(`topic/${id}:fr:draft`, { archived: false, title: 'Saved' }, 'archived=any')
      expect(await ofFrench()).toEqual([false, false])
    }
  })

  test('§4.5 a save that changes nothing confirms a translation that is outdated, and records nothing', async () => {
    const place = { type: 'leaf', _targetId: '_home', _position: 'lastChild' }
    for (const [type, more] of [
      ['topic', {}],
      ['@cms/page', place],
    ] as const) {
      const { aposDocId: id } = await made(type, { title: 'Words', ...more })
      const french = async () => (await service.editor.get(`${type}/${id}:fr:draft`)).body
      const isOutdated = async () => (await service.editor.get(`${type}/${id}/locales`)).body.results[1]?.isOutdated
      const versions = async () =>
        (await service.app.store.versions.list({ docId: id, locale: 'fr' }, { limit: 10 })).length
      const publishEnglish = async (title: string) => {
        await service.editor.patch(`${type}/${id}:en:published`, { title })
        expect(await isOutdated()).toBe(true)
      }
      const save = (body: object, mode = 'draft') => service.editor.patch(`${type}/${id}:fr:${mode}`, body)
      await service.editor.post(`${type}/${id}/localize`, { toLocale: 'fr', publish: true })
      const [one, recorded] = [await french(), await versions()]
      await save({ title: 'Words' })
      expect(await french()).toEqual(one)
      await publishEnglish('New words')
      await save({ title: 'Words', _autosave: true })
      expect(await isOutdated()).toBe(true)
      await save({ title: 'Words' })
      expect([await isOutdated(), await versions()]).toEqual([false, recorded])
      expect((await french()).updatedAt > one.updatedAt).toBe(true)
      await publishEnglish('Newer words')
      await save({}, 'published')
      expect([await isOutdated(), await versions()]).toEqual([false, recorded])
      // Publishing what was saved before is no save.
      await publishEnglish('Newest words')
      await service.editor.post(`${type}/${id}:fr:draft/publish`)
      expect(await isOutdated()).toBe(true)
      await save({})
      expect(await isOutdated()).toBe(false)
    }
  })

  test('§4.5 :_id/locales shows anonymous callers what is published and public, and no private locale', async () => {
    const { aposDocId: id } = await made('news', { title: 'News' })
    for (const toLocale of ['fr', 'it']) await service.editor.post(`news/${id}/localize`, { toLocale, publish: true })
    const { body } = await service.anonymous.get(`news/${id}/locales`)
    expect(body).toEqual({
      results: ['en', 'fr'].map((name) => {
        return { _id: `${id}:${name}:published`, aposLocale: `${name}:published`, aposMode: 'published' }
      }),
      missing: [],
    })
    const { aposDocId: draft } = await made('news', { title: 'News, in French only as a draft' })
    await service.editor.post(`news/${draft}/localize`, { toLocale: 'fr' })
    for (const who of ['anonymous', 'guest'] as const) {
      const { results, missing } = (await service[who].get(`news/${draft}/locales`)).body
      expect([results.length, missing]).toEqual([1, who === 'guest' ? ['fr', 'it'] : ['fr']])
    }
  })

  test('§4.5 :_id/locales of a page answers those whom GET of the page answers', async () => {
    const place = { _targetId: '_home', _position: 'lastChild' }
    const archived = { ...place, _targetId: '_archive' }
    const pages = [
      { type: 'open-page', title: 'Open', ...place },
      { type: 'open-page', title: 'Hidden', visibility: 'loginRequired', ...place },
      { type: 'open-page', title: 'Archived', ...archived },
      { type: 'vault', title: 'Vault', ...place },
    ]
    const ids: string[] = []
    for (const body of pages) ids.push((await made('@cms/page', body)).aposDocId)
    const answers = await Promise.all(
      (['anonymous', 'editor', 'admin'] as const).map(async (who) => {
        const statuses = ids.map(async (id) => {
          const status = async (path: string, query: string) => (await service[who].get(path, query)).status
          const queries = ['archived=false', 'archived=true', 'archived=any']
          const ofPage = queries.map((query) => status(`@cms/page/${id}`, query))
          const ofLocales = queries.map((query) => status(`@cms/page/${id}/locales`, query))
          return { ofPage: (await Promise.all(ofPage)).join(' '), ofLocales: (await Promise.all(ofLocales)).join(' ') }
        })
        return Promise.all(statuses)
      }),
    )
    for (const { ofPage, ofLocales } of answers.flat()) expect(ofLocales).toBe(ofPage)
    expect(answers.map((some) => some.map(({ ofLocales }) => ofLocales))).toEqual([
      ['200 200 200', '404 404 404', '404 404 404', '404 404 404'],
      ['200 404 200', '200 404 200', '404 200 200', '404 404 404'],
      ['200 404 200', '200 404 200', '404 200 200', '200 404 200'],
    ])
  })

  test('§4.5 :_id/locales takes as many statements for many locales as for one', async () => {
    const { aposDocId: id } = await made('topic', { title: 'Counted' })
    await service.quiet()
    const count = async (query: string) => {
      const before = service.statements.length
      expect((await service.editor.get(`topic/${id}/locales`, query)).status).toBe(200)
      return service.statements.length - before
    }
    const alone = await count('a=1')
    for (const toLocale of ['fr', 'it']) {
      await service.editor.post(`topic/${id}/localize`, { toLocale, publish: true })
    }
    await service.quiet()
    expect(await count('a=2')).toBe(alone)
  })

  test('§4.1 localizing many tells of each document and locale what became of it', async () => {
    const { aposDocId: id } = await made('topic', { title: 'Many' })
    await service.editor.post(`topic/${id}/localize`, { toLocale: 'fr' })
    const { body } = await service.editor.post('topic/localize', { _ids: [id], toLocales: ['fr', 'it'] })
    expect(body.results).toMatchObject([
      { _id: id, toLocale: 'fr', ok: false, error: { name: 'conflict' } },
      { _id: `${id}:it:draft`, toLocale: 'it', ok: true },
    ])
  })

  test('§4.1 ids times locales have a limit, before anything is looked up', async () => {
    const _ids = Array.from({ length: 251 }, (_, n) => `none${n}`)
    await service.quiet()
    const before = service.statements.length
    const refused = await service.editor.post('topic/localize', { _ids, toLocales: ['fr', 'it'] })
    expect(refused).toMatchObject({ status: 400, body: { name: 'invalid' } })
    expect(refused.body.message).toContain('At most 500 copies')
    expect(service.statements.slice(before).filter((sql) => sql.includes('documents'))).toEqual([])
    const taken = await service.editor.post('topic/localize', { _ids, toLocales: ['fr', 'fr'] })
    expect(taken.body.results).toHaveLength(251)
  })

  test('§5.7 a field that the caller may not write keeps what it held there, and relationships lead to the other locale', async () => {
    const topic = await made('topic', { title: 'Topic' })
    await made('topic', { title: 'unrelated' })
    await service.editor.post(`topic/${topic.aposDocId}/localize`, { toLocale: 'fr', publish: true })
    await service.editor.patch(`topic/${topic.aposDocId}:fr:published`, { title: 'Sujet' })
    const one = await made('story', { title: 'Story', topicsIds: [topic.aposDocId], price: 'English price' })
    await localize(one.aposDocId, { publish: true })
    await service.admin.patch(`story/${one.aposDocId}:fr:published`, { price: 'French price' })
    const { body } = await localize(one.aposDocId, { update: true, publish: true })
    expect([body.price, body._topics[0].title]).toEqual(['French price', 'Sujet'])
  })
})
