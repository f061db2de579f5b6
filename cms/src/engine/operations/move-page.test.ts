import { beforeEach, expect, it } from 'vitest'
import { describeService } from '../../../test/service.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page } from '../../model/declared/content-type.ts'
import type { ContentChange } from '../events.ts'

let heard: ContentChange[] = []

const listener = {
  name: 'listener',
  hooks: { onChange: (changes: readonly ContentChange[]) => void heard.push(...changes) },
}
const site = defineSite({ types: [page('leaf')], features: [listener] })

describeService('§6.7 a page that is moved', { site, isLong: true }, (service) => {
  beforeEach(() => {
    heard = []
  })
  const made = async (title: string, _targetId = '_home', query = '') => {
    const body = { type: 'leaf', title, _targetId, _position: 'lastChild' }
    return (await service.editor.post('@cms/page', body, query)).body.aposDocId as string
  }
  const moved = async (id: string, _targetId: string, _position: string) => {
    heard = []
    expect((await service.editor.patch(`@cms/page/${id}:en:draft`, { _targetId, _position })).status).toBe(200)
    return heard.map(({ event, docId, modes }) => [event, docId, modes])
  }

  it('reaches webhooks with the copies that it has, and what is below it where their place changes', async () => {
    const [to, live] = [await made('To'), await made('Live')]
    const below = await made('Below', live)
    const draft = await made('Draft', '_home', 'aposMode=draft')
    const both = ['draft', 'published']
    expect(await moved(live, '_home', 'firstChild')).toEqual([['document.moved', live, both]])
    expect(await moved(draft, '_home', 'firstChild')).toEqual([['document.moved', draft, ['draft']]])
    expect(await moved(live, to, 'firstChild')).toEqual([
      ['document.moved', live, both],
      ['document.moved', below, both],
    ])
    expect(await moved(draft, to, 'firstChild')).toEqual([['document.moved', draft, ['draft']]])
  })

  it('§0.8 is answered with its present tag, also when a page below gets another slug than it had in the archive', async () => {
    const root = await made('Root')
    const below = await made('Child', root)
    expect(await moved(root, '_archive', 'lastChild')).toHaveLength(2)
    const taken = { type: 'leaf', title: 'Taken', slug: '/root/child', _targetId: '_home', _position: 'lastChild' }
    expect((await service.editor.post('@cms/page', taken)).status).toBe(200)
    const place = { _targetId: '_home', _position: 'lastChild' }
    const restored = await service.editor.patch(`@cms/page/${root}`, place)
    expect(restored.body).toMatchObject({ slug: '/root', archived: false })
    expect((await service.editor.get(`@cms/page/${below}`)).body.slug).toBe('/root/child-2')
    const current = { 'if-match': restored.headers.get('etag') ?? '' }
    expect((await service.editor.patch(`@cms/page/${root}`, { title: 'Current' }, '', current)).status).toBe(200)
  })
})
