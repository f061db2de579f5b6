import { expect, it } from 'vitest'
import { rowsOf } from '../../../test/consistency.ts'
import { describeService } from '../../../test/service.ts'

const RECENT = '@cms/recent-changes'

interface Recent {
  readonly _id: string
  readonly docId: string
  readonly title: string
  readonly type: string
  readonly createdAt: string
}

describeService('§4.4 GET recent-changes', {}, (service, databases) => {
  const recent = async (query = '', caller = service.editor) => (await caller.get(RECENT, query)).body
  const make = async (type: string, title: string, caller = service.editor, query = '') =>
    (await caller.post(type, { title, code: title }, query)).body

  it('tells the newest versions of all documents, with the documents they are of', async () => {
    const article = await make('article', 'One')
    const note = await make('note', 'Two')
    await service.contributor.patch(`article/${article.aposDocId}:en:draft`, {
      title: 'Three',
      subtitle: 'New',
      _ai: true,
    })
    const { results } = await recent()
    expect(results.slice(0, 3)).toMatchObject([
      {
        docId: `${article.aposDocId}:en:draft`,
        type: 'article',
        title: 'Three',
        locale: 'en',
        mode: 'draft',
        ai: true,
        author: 'contributor key',
        changeCount: 2,
      },
      { docId: note._id, type: 'note', title: 'Two', locale: null, mode: 'published', changeCount: 0 },
      { docId: article._id, title: 'Three', mode: 'published', ai: false, changeCount: 0 },
    ])
    expect(results.some((one: object) => 'live' in one)).toBe(false)
  })

  it('filters by author, AI, time and type', async () => {
    const { aposDocId } = await make('topic', 'Filtered')
    const [first] = (await recent()).results
    await service.contributor.patch(`topic/${aposDocId}:en:draft`, { title: 'By hand' })
    await service.contributor.patch(`topic/${aposDocId}:en:draft`, { title: 'By AI', _ai: true })
    const [ai, hand] = (await recent()).results
    const found = async (query: string) => (await recent(query)).results.map(({ _id }: Recent) => _id).slice(0, 2)
    expect(await found(`authorId=${ai.authorId}`)).toEqual([ai._id, hand._id])
    expect((await found('ai=1'))[0]).toBe(ai._id)
    expect(await found(`ai=1&authorId=${first.authorId}`)).toEqual([])
    expect(await found(`since=${hand.createdAt}`)).toEqual([ai._id, hand._id])
    expect(await found('type=topic')).toEqual([ai._id, hand._id])
    expect(await found(`type=article&since=${first.createdAt}`)).toEqual([])
  })

  it('a caller who follows `next` sees each of them once', async () => {
    for (let index = 0; index < 25; index += 1) await make('topic', `Topic ${index}`)
    const ids: string[] = []
    let last = 'z'
    for (let next: string | null = ''; next !== null; ) {
      const page: { results: Recent[]; next: string | null } = await recent(next && `before=${next}`)
      for (const { _id, createdAt } of page.results) {
        expect(createdAt <= last).toBe(true)
        last = createdAt
        ids.push(_id)
      }
      next = page.next
    }
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(25)
  })

  it('§5.7 holds only what the caller may edit', async () => {
    const secret = await make('secret', 'Secret', service.admin)
    const note = await make('note', 'Note')
    const french = await make('article', 'Français', service.editor, 'aposLocale=fr')
    const docIds = async (caller = service.editor) =>
      (await recent('', caller)).results.map(({ docId }: Recent) => docId)
    expect((await docIds(service.admin)).slice(0, 3)).toEqual([french._id, note._id, secret._id])
    expect((await docIds()).slice(0, 3)).not.toContain(secret._id)
    const seen = await docIds(service.contributor)
    expect([secret._id, note._id].some((id) => seen.includes(id))).toBe(false)
    expect(seen[0]).toBe(french._id)
    expect((await recent('', service.guest)).name).toBe('notfound')
    expect((await recent('', service.anonymous)).name).toBe('unauthorized')
    expect((await recent('type=secret', service.contributor)).name).toBe('invalid')
    expect((await recent('type=none')).name).toBe('invalid')
    expect((await recent('before=now')).name).toBe('invalid')
  })

  it('leaves out what was deleted', async () => {
    const { _id } = await make('article', 'Gone')
    await service.editor.delete(`article/${_id}`)
    expect((await recent()).results.some(({ docId }: Recent) => docId === _id)).toBe(false)
  })

  it('takes the same number of statements for one document and for many', async () => {
    const counted = async () => {
      await service.quiet()
      const before = service.statements.length
      await recent()
      return service.statements.length - before
    }
    const { aposDocId } = await make('article', 'Often')
    for (let index = 0; index < 12; index += 1)
      await service.editor.patch(`article/${aposDocId}`, { subtitle: `${index}` })
    const one = await counted()
    for (let index = 0; index < 12; index += 1) {
      const { _id } = await make('article', `Many ${index}`)
      await service.editor.patch(`article/${_id}`, { subtitle: 'Changed' })
    }
    expect(await counted()).toBe(one)
  })

  it('§5.7 never walks the versions of types that the caller may not edit', async () => {
    await make('secret', 'Secret', service.admin)
    await make('article', 'Seen')
    const before = service.statements.length
    expect((await recent('', service.contributor)).results[0]).toMatchObject({ type: 'article', title: 'Seen' })
    const statement = service.statements.slice(before).find((one) => one.includes('from versions'))
    if (databases.name !== 'SQLite') return
    const [plan = []] = await rowsOf(service.databaseUrl, [`explain query plan ${statement}`])
    const steps = plan.map(({ detail }) => String(detail)).filter((step) => step.includes('versions_by'))
    expect(steps).toEqual([expect.stringMatching(/^SEARCH v USING .*INDEX versions_by_type \(type=\?\)/)])
  })
})
