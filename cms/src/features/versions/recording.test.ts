import { expect, it } from 'vitest'
import { imagePiece } from '../../../test/media.ts'
import { describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, piece } from '../../model/declared/content-type.ts'

const VERSIONS = '@cms/document-versions'
const PAGES = '@cms/page'

interface Item {
  readonly mode: string
  readonly data?: object
}

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr', private: true } },
  types: [
    piece('story', { fields: { add: { text: { type: 'string' } } } }),
    piece('diary', { versions: false }),
    page('text'),
  ],
  features: [
    {
      name: 'words',
      hooks: {
        beforeVersion({ content, data, type, reason, version }) {
          if (type.name !== 'story') return
          data.words = String(content.text).split(' ').length
          data.by = `${version.author}, ${reason}`
          content.text = 'changed by the hook'
        },
      },
    },
    {
      name: 'failing',
      hooks: {
        beforeVersion({ content, data }) {
          data.words = 'lost'
          if (content.text === 'fails here') throw new Error('no')
          delete data.words
          data.words = String(content.text).split(' ').length
        },
      },
    },
    {
      name: 'talkative',
      hooks: {
        beforeVersion({ content, data }) {
          if (content.text === 'too much') data.more = 'x'.repeat(20_000)
        },
      },
    },
  ],
})

describeService('§4.4 what records a version, by every route', { site, isLong: true }, (service) => {
  const listed = async (docId: string, query = ''): Promise<Item[]> =>
    (await service.admin.get(VERSIONS, `docId=${docId}&${query}`)).body.results
  const modes = async (docId: string, query = '') => (await listed(docId, query)).map(({ mode }) => mode)
  const make = async (fields: object = {}) => (await service.editor.post('story', { title: 'Made', ...fields })).body

  it('§2.4 one request records at most one for each timeline: localizing with publication, too', async () => {
    const { _id, aposDocId } = await make()
    await service.editor.post(`story/${_id}/localize`, { toLocale: 'fr', publish: true })
    expect(await modes(aposDocId, 'aposLocale=fr')).toEqual(['published'])
    await service.editor.patch(`story/${_id}`, { text: 'new' })
    await service.editor.post(`story/${_id}/localize`, { toLocale: 'fr', update: true })
    expect(await modes(aposDocId, 'aposLocale=fr')).toEqual(['draft', 'published'])
    await service.editor.patch(`story/${_id}`, { _patches: [{ text: 'one' }, { text: 'two' }, { title: 'Three' }] })
    expect(await modes(aposDocId)).toEqual(['published', 'published', 'published'])
  })

  it('§3.8 `_ai` marks what any request saves: by publishing, localizing and in forms, too', async () => {
    const { _id, aposDocId } = await make({ text: 'a' })
    await service.editor.patch(`story/${_id}`, { text: 'b' }, 'aposMode=draft')
    const newest = async (query = '') => (await listed(aposDocId, query))[0]
    await service.editor.post(`story/${_id}/revert-draft-to-published`, { _ai: true })
    expect(await newest()).toMatchObject({ ai: true, mode: 'draft' })
    await service.editor.post(`story/${_id}/publish`)
    expect(await newest()).toMatchObject({ ai: false, mode: 'published' })
    await service.editor.post('story/publish', { _ids: [_id], _ai: true })
    expect(await newest()).toMatchObject({ ai: true, mode: 'published' })
    await service.editor.post(`story/${_id}/localize`, { toLocale: 'fr', _ai: true })
    expect(await newest('aposLocale=fr')).toMatchObject({ ai: true })
    await service.editor.patch(`story/${_id}`, { text: 'c' })
    const form = { authorization: 'ApiKey key-editor', 'content-type': 'application/x-www-form-urlencoded' }
    const url = `${service.address}/api/v1/story/${_id}?aposMode=draft`
    const sent = await fetch(url, { method: 'PATCH', headers: form, body: 'text=d&_ai=true' })
    expect(sent.status).toBe(200)
    expect(await newest()).toMatchObject({ ai: true, mode: 'draft' })
    expect((await service.editor.patch(`story/${_id}`, { text: 'e', _ai: 'perhaps' })).body.name).toBe('invalid')
    expect((await service.editor.patch(`story/${_id}`, { text: 'e', _autosave: 1 })).body.name).toBe('invalid')
  })

  it('image and file pieces record one published version for each save', async () => {
    const image = await imagePiece(service)
    await service.editor.patch(`@cms/image/${image._id}`, { alt: 'Described' })
    expect(await modes(image._id)).toEqual(['published', 'published'])
  })

  it('users, and types that say so, have none', async () => {
    const user = await service.admin.post('@cms/user', { title: 'Ann', username: 'ann', role: 'guest' })
    const diary = await service.editor.post('diary', { title: 'Secret' })
    for (const { body } of [user, diary]) {
      expect((await service.admin.get(VERSIONS, `docId=${body._id}`)).body.name).toBe('notfound')
      expect(
        await service.app.store.versions.list({ docId: body.aposDocId, locale: body.aposLocale ? 'en' : '' }),
      ).toEqual([])
    }
  })

  it('moves, and what is carried along, record none; archiving neither', async () => {
    const add = async (fields: object) =>
      (await service.editor.post(PAGES, { type: 'text', _targetId: '_home', _position: 'lastChild', ...fields })).body
    const [parent, child] = [await add({ title: 'Parent' }), await add({ title: 'Child' })]
    const below = await add({ title: 'Below', _targetId: child._id })
    await service.editor.patch(`${PAGES}/${child._id}`, { _targetId: parent._id, _position: 'firstChild' })
    await service.editor.patch(`${PAGES}/${child._id}`, { _targetId: '_home', _position: 'firstChild' })
    expect([await modes(child._id), await modes(below._id)]).toEqual([['published'], ['published']])
    await service.editor.patch(`${PAGES}/${parent._id}`, { _targetId: '_archive', _position: 'lastChild' })
    expect(await modes(parent._id)).toEqual(['published'])
  })

  it('§6 beforeVersion adds to the record, and can neither refuse it nor change what is saved', async () => {
    const { _id } = await make({ text: 'three words here' })
    const data = { words: 3, by: 'editor key, inserted' }
    expect(await listed(_id)).toMatchObject([{ data }])
    expect((await service.editor.get(`story/${_id}`)).body.text).toBe('three words here')
    await service.editor.patch(`story/${_id}`, { text: 'two words' }, 'aposMode=draft')
    await service.editor.patch(`story/${_id}`, { text: 'a b c d', _autosave: true }, 'aposMode=draft')
    const [newest, ...others] = await listed(_id)
    expect(newest?.data).toEqual({ words: 4, by: 'editor key, saved' })
    expect(others).toHaveLength(1)
    const before = service.app.hookFailures()
    expect((await service.editor.patch(`story/${_id}`, { text: 'fails here' })).status).toBe(200)
    expect((await listed(_id))[0]?.data).toEqual({ words: 2, by: 'editor key, saved' })
    expect(service.app.hookFailures()).toBe(before + 1)
    expect((await service.editor.patch(`story/${_id}`, { text: 'too much' })).status).toBe(200)
    const [last] = await listed(_id)
    expect(last && 'data' in last).toBe(false)
  })

  it('saves that come at once are recorded one after another, each against the one before it', async () => {
    const { _id } = await make({ text: 'start' })
    const saved = await Promise.all(
      Array.from({ length: 8 }, (_, index) => service.editor.patch(`story/${_id}`, { text: `${index}` })),
    )
    expect(saved.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const { results } = (await service.editor.get(VERSIONS, `docId=${_id}`)).body
    expect(results).toHaveLength(9)
    expect(results.map(({ changeCount }: { changeCount: number }) => changeCount)).toEqual([...Array(8).fill(1), 0])
    const times = results.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(new Set(times).size).toBe(9)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(results[0].live).toBe(true)
  })

  it('private locales have timelines for those who know of them', async () => {
    const { body } = await service.editor.post('story', { title: 'Privé' }, 'aposLocale=fr')
    expect(await modes(body._id)).toEqual(['published'])
    expect((await service.anonymous.get(VERSIONS, `docId=${body._id}`)).body.name).toBe('unauthorized')
  })
})
