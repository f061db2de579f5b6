import { expect, it } from 'vitest'
import { type Caller, describeService } from '../../../test/service.ts'
import { refreshSearch } from '../../engine/lists/search-index.ts'
import { defineSite, page, piece } from '../../index.ts'

const shown = ['title'] as const
const site = defineSite({
  name: 'Talks',
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [
    piece('speaker', { publicApiProjection: shown }),
    piece('minor'),
    piece('untitled', { publicApiProjection: ['slug'] }),
    piece('vault', { viewRole: 'editor' }),
    piece('stamp', { localized: false, publicApiProjection: shown }),
    page('place', { publicApiProjection: shown }),
    piece('talk', {
      publicApiProjection: ['title', '_speakers', '_minors', '_untitled', '_vaults', '_stamps', '_places'],
      searchable: ['_speakers', '_minors', '_untitled', '_vaults', '_stamps', '_places', '_hidden', '_inner'],
      searchWeights: { _speakers: 'high' },
      fields: {
        add: {
          _speakers: { type: 'relationship', withType: 'speaker' },
          _minors: { type: 'relationship', withType: 'minor' },
          _untitled: { type: 'relationship', withType: 'untitled' },
          _vaults: { type: 'relationship', withType: 'vault' },
          _stamps: { type: 'relationship', withType: 'stamp' },
          _places: { type: 'relationship', withType: 'place' },
          _hidden: { type: 'relationship', withType: 'speaker', viewPermission: 'editor' },
          _inner: { type: 'relationship', withType: 'speaker' },
          _silent: { type: 'relationship', withType: 'speaker' },
        },
      },
    }),
  ],
})

describeService('§4.1 titles of related documents', { site }, (service) => {
  /** How many talks a caller finds: directly after what was saved before, and by the index. */
  async function found(search: string, caller: Caller = service.anonymous, query = ''): Promise<number> {
    const total = async () => (await caller.get('talk', `search=${search}&${query}`)).body.total
    const first = await total()
    await refreshSearch(service.app.context({ kind: 'operator' }))
    service.forget()
    expect(await total()).toBe(first)
    return first
  }

  async function talk(field: string, type: string, title: string, body: object = {}) {
    const parent = type === '@cms/page' ? { type: 'place', _targetId: '_home', _position: 'lastChild' } : {}
    const { body: related } = await service.editor.post(type, { title, ...parent, ...body })
    const { body: made } = await service.editor.post('talk', { title: 'Talk', [field]: [related._id] })
    expect(made[field]).toHaveLength(1)
    return { related, made }
  }

  /** Who finds a talk by a title: anonymous, guest, contributor, editor. */
  async function finders(search: string): Promise<number[]> {
    const { anonymous, guest, contributor, editor } = service
    const all: number[] = []
    for (const caller of [anonymous, guest, contributor, editor]) all.push(await found(search, caller))
    return all
  }

  it.each([
    ['_speakers', 'speaker', 'alder', [1, 1, 1, 1]],
    ['_minors', 'minor', 'almond', [1, 1, 1, 1]],
    ['_untitled', 'untitled', 'aspen', [0, 0, 1, 1]],
    ['_vaults', 'vault', 'beech', [0, 0, 0, 1]],
    ['_stamps', 'stamp', 'birch', [1, 1, 1, 1]],
    ['_places', '@cms/page', 'cedar', [1, 1, 1, 1]],
    ['_hidden', 'speaker', 'elm', [0, 0, 0, 1]],
    ['_inner', 'speaker', 'fir', [0, 0, 1, 1]],
    ['_silent', 'speaker', 'hazel', [0, 0, 0, 0]],
  ])('§5.8 %s: found by those who see the title there', async (field, type, title, expected) => {
    await talk(field, type, title)
    expect(await finders(title)).toEqual(expected)
  })

  it('§5.8 not by what needs a login, is archived, or is not published', async () => {
    const { related } = await talk('_speakers', 'speaker', 'juniper', { visibility: 'loginRequired' })
    expect(await finders('juniper')).toEqual([0, 0, 1, 1])
    await service.editor.patch(`speaker/${related._id}`, { visibility: 'public' })
    expect(await finders('juniper')).toEqual([1, 1, 1, 1])
    await service.editor.post(`speaker/${related._id}/archive`)
    expect(await found('juniper', service.editor)).toBe(0)
    await service.editor.post(`speaker/${related._id}/restore`)
    expect(await found('juniper')).toBe(1)
    await service.editor.post(`speaker/${related._id}/unpublish`)
    expect(await found('juniper')).toBe(0)
    expect(await found('juniper', service.editor, 'aposMode=draft')).toBe(1)
    await service.editor.post(`speaker/${related._id}/publish`)
    expect(await found('juniper')).toBe(1)
  })

  it('a new title is found in the next request, the former one no more, in its mode', async () => {
    const { related } = await talk('_speakers', 'speaker', 'larch')
    expect(await found('larch')).toBe(1)
    await service.editor.patch(`speaker/${related.aposDocId}`, { title: 'laurels' }, 'aposMode=draft')
    expect([await found('larch'), await found('laurel')]).toEqual([1, 0])
    expect(await found('laurel', service.editor, 'aposMode=draft')).toBe(1)
    await service.editor.post(`speaker/${related._id}/publish`)
    expect([await found('larch'), await found('laurel')]).toEqual([0, 1])
    await service.editor.delete(`speaker/${related._id}`)
    expect(await found('laurel')).toBe(0)
  })

  it('a page that is archived with its parent, and a type without locales', async () => {
    const { related } = await talk('_places', '@cms/page', 'maple')
    const below = { title: 'myrtle', type: 'place', _targetId: related._id, _position: 'lastChild' }
    const { body: child } = await service.editor.post('@cms/page', below)
    await service.editor.post('talk', { title: 'Below', _places: [child._id] })
    expect(await found('myrtle')).toBe(1)
    const archive = { _targetId: '_archive', _position: 'lastChild' }
    expect((await service.editor.patch(`@cms/page/${related._id}`, archive)).status).toBe(200)
    expect([await found('myrtle'), await found('maple')]).toEqual([0, 0])
    const { related: stamp, made } = await talk('_stamps', 'stamp', 'oak')
    await service.editor.post(`talk/${made._id}/localize`, { toLocale: 'fr', publish: true })
    await service.editor.patch(`stamp/${stamp._id}`, { title: 'olive' })
    for (const query of ['', 'aposLocale=fr']) {
      expect([await found('oak', service.editor, query), await found('olive', service.editor, query)]).toEqual([0, 1])
    }
  })

  it('more documents than are matched one by one, and words of both', async () => {
    const { body: speaker } = await service.editor.post('speaker', { title: 'pine' })
    for (let count = 0; count < 130; count += 1) {
      await service.editor.post('talk', { title: `Walk ${count}`, _speakers: [speaker._id] })
    }
    expect(await found('pine')).toBe(130)
    expect(await found('walk pine 7')).toBe(1)
    await service.editor.patch(`speaker/${speaker._id}`, { title: 'poplar' })
    expect([await found('pine'), await found('poplar')]).toEqual([0, 130])
  })

  it('a title of more weight comes first', async () => {
    const { made } = await talk('_speakers', 'speaker', 'rowan')
    await talk('_stamps', 'stamp', 'rowan')
    const { body } = await service.anonymous.get('talk', 'search=rowan')
    expect(body.results.map(({ _id }: { _id: string }) => _id)[0]).toBe(made._id)
  })
})
