import { beforeAll, expect, test } from 'vitest'
import { describeService } from '../../cms/test/service.ts'
import { createClient } from '../src/index.ts'
import { site } from './site.ts'

describeService('client: pages', { site }, (service) => {
  const connect = () => createClient<typeof site>({ url: service.address, key: 'key-editor' })
  let quire: ReturnType<typeof connect>
  beforeAll(() => {
    quire = connect()
  })
  const below = (_targetId: string) => ({ _targetId, _position: 'lastChild' as const })

  test('editor §14 pages are made, moved, archived and deleted', async () => {
    const { pages } = quire
    const about = await pages.insert('landing', { title: 'About', lead: 'Who we are', ...below('_home') })
    const team = await pages.insert('landing', { title: 'Team', ...below('_home') })
    const teamId = team.document.aposDocId
    expect((await pages.move(teamId, below(about.document.aposDocId))).document.slug).toBe('/about/team')
    const home = await pages.home({ all: true })
    expect(home._children[0]).toMatchObject({ title: 'About', _children: [{ title: 'Team' }] })
    expect((await pages.patch<'landing'>(teamId, { lead: 'All' })).document.lead).toBe('All')
    const { document } = await pages.get<'landing'>(teamId)
    expect(document).toMatchObject({ lead: 'All', level: 2 })
    expect((await pages.archive(teamId)).document.archived).toBe(true)
    expect((await pages.restore(teamId)).document).toMatchObject({ archived: false, level: 1 })
    await pages.unpublish(teamId)
    await pages.remove(teamId, { mode: 'draft' })
    await expect(pages.get(teamId, {}, { mode: 'draft' })).rejects.toMatchObject({ name: 'notfound' })
  })

  test('editor §14 a page is replaced, published and brought to another locale', async () => {
    const { pages } = quire.in({ mode: 'draft' })
    const { document } = await pages.insert('landing', { title: 'News', lead: 'Old', ...below('_home') })
    const id = document.aposDocId
    expect((await pages.replace('landing', id, { title: 'News' })).document.lead).toBe('')
    expect((await pages.publish(id)).document.aposMode).toBe('published')
    expect((await pages.localize(id, { toLocale: 'fr', subtree: true })).document.aposLocale).toBe('fr:draft')
    expect((await pages.locales(id)).missing).toEqual([])
  })

  test('editor §14 without a credential, pages have what is public', async () => {
    const anonymous = createClient<typeof site>({ url: service.address })
    expect(await anonymous.pages.home()).toMatchObject({ title: 'Home', slug: '/' })
  })
})
