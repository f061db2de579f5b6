import { beforeEach, expect, test } from 'vitest'
import { rowsOf } from '../../../test/consistency.ts'
import { describeService } from '../../../test/service.ts'

describeService('§4.1 drafts and published copies with the same words', {}, (service, { name }) => {
  const total = async (word: string, mode: string) =>
    (await service.admin.get('topic', `search=${word}&aposMode=${mode}`)).body.total

  /** How often a word is found in published copies and in drafts: at once, and when the index is read anew. */
  async function found(word: string): Promise<readonly number[]> {
    const totals = async () => [await total(word, 'published'), await total(word, 'draft')]
    const atOnce = await totals()
    await service.quiet()
    service.forget()
    expect(await totals()).toEqual(atOnce)
    expect((await service.anonymous.get('topic', `search=${word}`)).body.total).toBe(atOnce[0])
    return atOnce
  }

  /** How many rows the index has for drafts and published copies of topics. */
  async function rows(): Promise<number> {
    const places = name === 'SQLite' ? 'select distinct place from search_rows' : 'select document from search'
    const documents = name === 'SQLite' ? 'search_rows' : 'search'
    const [found] = await rowsOf(service.databaseUrl, [
      `${places} where document in (select n from documents where type = 'topic' and title like 'Shared%')`,
      `select document from ${documents}`,
    ])
    return found?.length ?? 0
  }
  const expectRows = async (shared: number, apart: number) =>
    expect(await rows()).toBe(name === 'SQLite' ? shared : apart)

  let id = ''
  beforeEach(async () => {
    for (const one of (await service.admin.get('topic', 'perPage=50')).body.results) {
      await service.admin.delete(`topic/${one.aposDocId}`)
    }
    id = (await service.admin.post('topic', { title: 'Shared marmalade', slug: 'one' })).body.aposDocId
    await service.admin.post('topic', { title: 'Shared marmalade too', slug: 'two' })
    expect(await found('marmalade')).toEqual([2, 2])
    await expectRows(2, 4)
  })

  test('each is found by its own words from the moment in which they differ', async () => {
    await service.admin.patch(`topic/${id}`, { title: 'Shared jelly' }, 'aposMode=draft')
    expect(await found('marmalade')).toEqual([2, 1])
    expect(await found('jelly')).toEqual([0, 1])
    await expectRows(3, 4)
    await service.admin.post(`topic/${id}/publish`)
    expect(await found('marmalade')).toEqual([1, 1])
    expect(await found('jelly')).toEqual([1, 1])
    await service.admin.patch(`topic/${id}`, { title: 'Shared honey' })
    expect(await found('jelly')).toEqual([0, 0])
    expect(await found('honey')).toEqual([1, 1])
    await expectRows(2, 4)
  })

  test('the draft is still found when the published copy is gone, and not the other way round', async () => {
    await service.admin.post(`topic/${id}/unpublish`)
    expect(await found('marmalade')).toEqual([1, 2])
    await expectRows(2, 3)
    await service.admin.post(`topic/${id}/publish`)
    expect(await found('marmalade')).toEqual([2, 2])
    await service.admin.delete(`topic/${id}`)
    expect(await found('marmalade')).toEqual([1, 1])
    await expectRows(1, 2)
  })

  test('what is archived is found in neither, and both are found again', async () => {
    await service.admin.post(`topic/${id}/archive`)
    expect(await found('marmalade')).toEqual([1, 1])
    await service.admin.post(`topic/${id}/restore`)
    expect(await found('marmalade')).toEqual([2, 2])
    await service.admin.patch(`topic/${id}`, { visibility: 'loginRequired' })
    expect(await total('marmalade', 'published')).toBe(2)
    service.forget()
    expect((await service.anonymous.get('topic', 'search=marmalade')).body.total).toBe(1)
  })
})
