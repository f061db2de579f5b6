import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { testDatabases } from '../../../test/databases.ts'
import { describeService, startService } from '../../../test/service.ts'
import { isObject } from '../../base/json.ts'
import { update } from '../../engine/operations/update.ts'
import { write } from '../../engine/write.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { piece } from '../../model/declared/content-type.ts'
import { openValues } from '../../model/terms/document.ts'

const DAY = 24 * 60 * 60 * 1000

describeService('§4.4 what records a version', { isLong: true }, (service) => {
  const make = async (fields: object = {}, query = '', type = 'article') =>
    (await service.editor.post(type, { title: 'Versioned', ...fields }, query)).body.aposDocId as string
  const versions = (id: string, locale = 'en') =>
    service.app.store.versions.list({ docId: id, locale: locale }, { limit: 50 })
  const modes = async (id: string, locale = 'en') => (await versions(id, locale)).map(({ mode }) => mode)
  const newest = async (id: string, locale = 'en') => {
    const [version] = await versions(id, locale)
    const found = version && (await service.app.store.versions.get(version.id))
    if (!found) throw new Error('There is no version.')
    return found
  }

  it('every save records one, of the named copy, newest first', async () => {
    const id = await make()
    expect(await modes(id)).toEqual(['published'])
    await service.editor.patch(`article/${id}`, { title: 'P' })
    await service.editor.patch(`article/${id}:en:draft`, { title: 'D' })
    await service.editor.put(`article/${id}:en:draft`, { title: 'D2' })
    await service.editor.post(`article/${id}/publish`)
    await service.editor.put(`article/${id}`, { title: 'Both' })
    expect(await modes(id)).toEqual(['published', 'published', 'draft', 'draft', 'published', 'published'])
    const { version, content } = await newest(id)
    expect(content).toMatchObject({ title: 'Both', count: 7 })
    expect(version).toMatchObject({ docId: id, locale: 'en', type: 'article', author: 'editor key', ai: false })
    expect(version.authorId).toMatch(/^key-/)
    expect([version.restoredFrom, version.updatedAt]).toEqual([null, null])
    expect(await modes(await make({}, 'aposMode=draft'))).toEqual(['draft'])
  })

  it('a save that changes nothing, archiving and visibility record nothing; publishing always does', async () => {
    const id = await make()
    const article = `article/${id}`
    await service.editor.patch(article, { title: 'Versioned' })
    await service.editor.put(article, (await service.editor.get(article)).body)
    await service.editor.patch(article, { visibility: 'loginRequired' })
    await service.editor.patch(article, { archived: true })
    await service.editor.post(`${article}/restore`)
    await service.editor.post(`${article}/revert-draft-to-published`)
    expect(await modes(id)).toEqual(['published'])
    await service.editor.post(`${article}/publish`)
    await service.editor.post(`${article}/publish`)
    expect(await modes(id)).toEqual(['published', 'published', 'published'])
    await service.editor.patch(article, { archived: true, title: 'Changed too' })
    expect(await modes(id)).toHaveLength(4)
  })

  it.each([
    ['archived: false', (id: string) => service.editor.patch(`article/${id}`, { archived: false })],
    ['restore', (id: string) => service.editor.post(`article/${id}/restore`)],
    ['restore of several', (id: string) => service.editor.post('article/restore', { _ids: [`${id}:en:draft`] })],
  ])('§3.5 %s records nothing either where the slug is taken meanwhile', async (how, restore) => {
    const title = `Taken by ${how}`
    const id = await make({ title })
    await service.editor.patch(`article/${id}`, { archived: true })
    await make({ title })
    const { updatedAt } = (await service.editor.get(`article/${id}`, 'archived=any')).body
    await restore(id)
    const { body } = await service.editor.get(`article/${id}`)
    expect(body).toMatchObject({ slug: expect.stringMatching(/-2$/), updatedAt })
    expect(await modes(id)).toEqual(['published'])
    await service.editor.patch(`article/${id}`, { archived: true })
    await service.editor.patch(`article/${id}`, { archived: false, slug: `given-${id}` })
    expect(await modes(id)).toEqual(['published', 'published'])
  })

  it('§2.4 a clock that is set back leaves the newest version the newest', async () => {
    const id = await make()
    await service.editor.patch(`article/${id}`, { title: 'Before' })
    const { body: before } = await service.editor.get(`article/${id}`)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - DAY })
    onTestFinished(() => void vi.useRealTimers())
    for (const title of ['After', 'Last']) await service.editor.patch(`article/${id}`, { title })
    expect((await newest(id)).content).toMatchObject({ title: 'Last' })
    const times = (await versions(id)).map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(new Set(times).size).toBe(4)
    expect((await service.editor.get(`article/${id}`)).body.updatedAt > before.updatedAt).toBe(true)
  })

  it('§2.4 so it does when the published copy is gone', async () => {
    const id = await make()
    await service.editor.patch(`article/${id}:en:draft`, { title: 'Waiting' })
    await service.editor.post(`article/${id}/publish`)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - DAY })
    onTestFinished(() => void vi.useRealTimers())
    expect((await service.editor.post(`article/${id}/unpublish`)).status).toBe(200)
    for (const title of ['After', 'Last']) await service.editor.patch(`article/${id}:en:draft`, { title })
    await service.editor.post(`article/${id}/publish`)
    const times = (await versions(id)).map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(await modes(id)).toEqual(['published', 'draft', 'draft', 'published', 'draft', 'published'])
  })

  it('a refused save records nothing', async () => {
    const id = await make()
    await service.editor.patch(`article/${id}`, { title: 'x', count: -1 })
    await service.editor.patch(`article/${id}`, { title: 'x' }, '', { 'if-match': '"99"' })
    await service.guest.patch(`article/${id}`, { title: 'x' })
    expect(await modes(id)).toHaveLength(1)
  })

  it('a published patch that only changes the draft is recorded as a version of the draft', async () => {
    const id = await make()
    await service.editor.patch(`article/${id}:en:draft`, { title: 'Waiting' })
    await service.editor.patch(`article/${id}`, { title: 'Versioned' })
    expect(await modes(id)).toEqual(['draft', 'draft', 'published'])
    expect((await newest(id)).content).toMatchObject({ title: 'Versioned' })
  })

  it('revert and localize record one, where they change something', async () => {
    const id = await make()
    await service.editor.patch(`article/${id}:en:draft`, { title: 'D' })
    await service.editor.post(`article/${id}/revert-draft-to-published`)
    expect((await newest(id)).content).toMatchObject({ title: 'Versioned' })
    expect(await modes(id)).toEqual(['draft', 'draft', 'published'])
    await service.editor.post(`article/${id}/localize`, { toLocale: 'fr' })
    await service.editor.post(`article/${id}/localize`, { toLocale: 'fr', update: true })
    expect(await modes(id, 'fr')).toEqual(['draft'])
    expect(await modes(id)).toHaveLength(3)
  })

  it('a save is marked as AI-written when its body or key says so', async () => {
    const id = await make({ _ai: true })
    expect((await newest(id)).version.ai).toBe(true)
    await service.editor.patch(`article/${id}`, { title: 'By hand', _ai: false })
    expect((await newest(id)).version.ai).toBe(false)
    await service.ai.patch(`article/${id}`, { title: 'By key' })
    expect((await newest(id)).version).toMatchObject({ ai: true, author: 'AI key', mode: 'draft' })
    await service.editor.put(`article/${id}:en:draft`, { title: 'Put', _ai: true })
    expect((await newest(id)).version.ai).toBe(true)
  })

  describe('autosaves', () => {
    const autosave = (id: string, title: string, more: object = {}) =>
      service.editor.patch(`article/${id}:en:draft`, { title, _autosave: true, ...more })

    it('update the newest version by the same author', async () => {
      const id = await make({}, 'aposMode=draft')
      await autosave(id, 'A')
      await autosave(id, 'B')
      const { version, content } = await newest(id)
      expect([await modes(id), content]).toMatchObject([['draft'], { title: 'B' }])
      expect(version.updatedAt).not.toBe(null)
      await autosave(id, 'C', { _explicitSave: true })
      expect(await modes(id)).toHaveLength(2)
    })

    it('start a new one after another author, an AI mark, a publication or a restore', async () => {
      const id = await make()
      await autosave(id, 'after a publication')
      expect(await modes(id)).toEqual(['draft', 'published'])
      await autosave(id, 'AI', { _ai: true })
      expect(await modes(id)).toHaveLength(3)
      await autosave(id, 'by hand')
      expect(await modes(id)).toHaveLength(4)
      await service.contributor.patch(`article/${id}:en:draft`, { title: 'other', _autosave: true })
      expect(await modes(id)).toHaveLength(5)
      const _restoreVersion = (await versions(id))[2]?.id
      await service.contributor.put(`article/${id}:en:draft`, { title: 'x', _restoreVersion })
      await service.contributor.patch(`article/${id}:en:draft`, { title: 'after a restore', _autosave: true })
      expect(await modes(id)).toHaveLength(7)
      await service.editor.patch(`article/${id}`, { title: 'published', _autosave: true })
      await service.editor.patch(`article/${id}`, { title: 'again', _autosave: true })
      expect(await modes(id)).toHaveLength(9)
    })

    it('start a new one after a day', async () => {
      const id = await make({}, 'aposMode=draft')
      const { app } = service
      const [version] = await versions(id)
      if (!version) throw new Error('There is no version.')
      await app.store.transaction(async (tx) => {
        await tx.versions.removeOf(id, 'en')
        await tx.versions.add(
          { ...version, createdAt: new Date(Date.now() - DAY - 1000).toISOString() },
          { title: 'old' },
        )
      })
      await autosave(id, 'today')
      await autosave(id, 'today again')
      expect(await modes(id)).toHaveLength(2)
    })
  })

  describe('§4.4 _restoreVersion', () => {
    it('brings back the content, not visibility and archived, and records where it came from', async () => {
      const topic = await make({}, '', 'topic')
      const gone = await make({}, '', 'topic')
      const id = await make({ subtitle: 'First', slug: 'restore-me', topicsIds: [topic, gone], visibility: 'public' })
      const read = (await service.editor.get(`article/${id}`)).body
      const _restoreVersion = (await newest(id)).version.id
      await service.editor.put(`article/${id}`, { title: 'Second', slug: 'second-slug', visibility: 'loginRequired' })
      await service.editor.delete(`topic/${gone}`)
      const answer = await service.contributor.put(`article/${id}:en:draft`, { ...read, _restoreVersion })
      const restored = { title: 'Versioned', subtitle: 'First', slug: 'restore-me', topicsIds: [topic] }
      expect(answer.body).toMatchObject({ ...restored, visibility: 'loginRequired', archived: false, modified: true })
      expect('_restoreVersion' in answer.body).toBe(false)
      expect((await newest(id)).version).toMatchObject({ restoredFrom: _restoreVersion, mode: 'draft' })
      expect((await service.editor.get(`article/${id}`)).body.title).toBe('Second')
      await service.editor.put(`article/${id}:en:draft`, { _restoreVersion })
      expect((await service.editor.get(`article/${id}:en:draft`)).body).toMatchObject(restored)
      expect(await modes(id)).toEqual(['draft', 'draft', 'published', 'published'])
    })

    it('adds a number to a slug that has been taken since', async () => {
      const id = await make({ slug: 'given-up' })
      const _restoreVersion = (await newest(id)).version.id
      await service.editor.patch(`article/${id}`, { slug: 'another-one' })
      await make({ slug: 'given-up' })
      const { body } = await service.editor.put(`article/${id}:en:draft`, { _restoreVersion })
      expect(body.slug).toBe('given-up-2')
    })

    it('refuses other documents, other locales, other modes and nonsense', async () => {
      const id = await make()
      const own = (await newest(id)).version.id
      const other = (await newest(await make())).version.id
      await service.editor.post(`article/${id}/localize`, { toLocale: 'fr' })
      const restore = async (_restoreVersion: unknown, place = 'en:draft') =>
        (await service.editor.put(`article/${id}:${place}`, { title: 'x', _restoreVersion })).body.name
      expect(await restore(other)).toBe('invalid')
      expect(await restore('unknown')).toBe('invalid')
      expect(await restore(7)).toBe('invalid')
      expect(await restore(null)).toBe('invalid')
      expect(await restore(own, 'fr:draft')).toBe('invalid')
      expect(await restore(own, 'en:published')).toBe('invalid')
      expect(await restore(own)).toBeUndefined()
    })

    it('publishes what it restores on autopublish types', async () => {
      const id = await make({ code: 'AB1' }, '', 'draftless')
      const _restoreVersion = (await newest(id)).version.id
      await service.editor.patch(`draftless/${id}`, { code: 'CD2' })
      await service.editor.put(`draftless/${id}:en:draft`, { _restoreVersion })
      expect((await newest(id)).version).toMatchObject({ mode: 'published', restoredFrom: _restoreVersion })
      expect((await service.editor.get(`draftless/${id}`)).body.code).toBe('AB1')
    })
  })

  it('types without locales have one timeline, which can be restored too', async () => {
    const id = await make({}, '', 'note')
    const _restoreVersion = (await newest(id, '')).version.id
    await service.editor.patch(`note/${id}`, { title: 'Changed' })
    expect(await modes(id, '')).toEqual(['published', 'published'])
    expect((await service.editor.put(`note/${id}`, { _restoreVersion })).body.title).toBe('Versioned')
  })

  it('autopublish types record one published version for each save', async () => {
    const id = await make({}, 'aposMode=draft', 'draftless')
    await service.editor.patch(`draftless/${id}:en:draft`, { title: 'Next' })
    await service.contributor.patch(`draftless/${id}:en:draft`, { title: 'Proposed' })
    expect(await modes(id)).toEqual(['draft', 'published', 'published'])
  })

  it('§3 deleting forgets the history in this locale', async () => {
    const id = await make()
    await service.editor.post(`article/${id}/localize`, { toLocale: 'fr' })
    await service.editor.delete(`article/${id}`)
    expect([await modes(id), await modes(id, 'fr')]).toEqual([[], ['draft']])
  })
})

const site = defineSite({
  types: [
    piece('account', {
      fields: {
        add: {
          login: { type: 'string' },
          password: { type: 'password' },
          more: { type: 'object', fields: { add: { pin: { type: 'password', min: 4 } } } },
        },
      },
    }),
    piece('diary', { versions: false }),
  ],
})

describeService('§4.4 secrets in versions', { site, isLong: true }, (service) => {
  it('§2.16 a password is stored as a hash, never sent, never in a version', async () => {
    const account = { title: 'A', login: 'a', password: 'correct horse', more: { pin: '1234' } }
    const { body } = await service.editor.post('account', account)
    const id = body.aposDocId
    const stored = async () => {
      const document = await service.app.store.documents.get({ docId: id, locale: 'en', mode: 'published' })
      const { password, more } = document === null ? {} : openValues(document)
      return { password, pin: isObject(more) ? more.pin : undefined }
    }
    const first = await stored()
    expect(first).toEqual({
      password: expect.stringMatching(/^\$argon2id\$/),
      pin: expect.stringMatching(/^\$argon2id\$/),
    })
    const answers = [
      body,
      (await service.editor.get(`account/${id}`)).body,
      (await service.editor.patch(`account/${id}`, { login: 'b', 'more.pin': '' })).body,
      (await service.editor.put(`account/${id}`, { ...account, password: '', more: {} })).body,
      (await service.editor.post(`account/${id}/publish`)).body,
    ]
    expect(await stored()).toEqual(first)
    const versions = await service.app.store.versions.list({ docId: id, locale: 'en' }, { limit: 9 })
    const contents = await Promise.all(versions.map((version) => service.app.store.versions.get(version.id)))
    expect(contents).toHaveLength(4)
    expect(JSON.stringify([answers, contents])).not.toMatch(/argon2id|correct horse|"pin"|"password"/)
    await service.editor.patch(`account/${id}`, { password: 'another secret' })
    const { password, pin } = await stored()
    expect([password === first.password, pin === first.pin]).toEqual([false, true])
    const _restoreVersion = versions.at(-1)?.id
    await service.editor.put(`account/${id}:en:draft`, { _restoreVersion })
    await service.editor.post(`account/${id}/publish`)
    expect(await stored()).toEqual({ password, pin })
    expect((await service.editor.get(`account/${id}:en:draft`)).body.modified).toBe(false)
    for (const wrong of ['short', first.password, 7]) {
      expect((await service.editor.patch(`account/${id}`, { password: wrong })).status).toBe(400)
    }
  })

  it('a type may record none', async () => {
    const { body } = await service.editor.post('diary', { title: 'D' })
    await service.editor.patch(`diary/${body._id}`, { title: 'E' })
    expect(await service.app.store.versions.list({ docId: body.aposDocId, locale: 'en' }, { limit: 9 })).toEqual([])
  })
})

describe.each(testDatabases)('§4.4 the draftInterval of the site, on $name', (databases) => {
  const HOUR = DAY / 24

  it.each([
    ['a day', {}, 1 + 2],
    ['an hour', { draftInterval: HOUR }, 1 + 3],
    ['no time', { draftInterval: 0 }, 1 + 4],
  ])('autosaves go into one version for %s', async (_time, options, expected) => {
    const service = await startService(databases, { site: defineSite({ ...options, types: [piece('diary', {})] }) })
    onTestFinished(() => service.stop())
    const type = service.app.site.types.get('diary')
    if (type === undefined) throw new Error('There is no diary.')
    const { aposDocId: docId } = (await service.editor.post('diary', { title: 'D' }, 'aposMode=draft')).body
    const id = { docId, locale: 'en', mode: 'draft' } as const
    const start = Date.now()
    for (const hour of [0, 0.5, 2, 25]) {
      const now = () => new Date(start + hour * HOUR)
      const ctx = { ...service.app.context({ kind: 'operator' }), now }
      await write(ctx, (tx) => update(tx, { type, id, ifMatch: null }, { title: `${hour} h`, _autosave: true }))
    }
    expect(await service.app.store.versions.list({ docId: docId, locale: 'en' }, { limit: 9 })).toHaveLength(expected)
  })
})
