import { beforeAll, describe, expect, test } from 'vitest'
import { describeService, type Service } from '../../cms/test/service.ts'
import { add, at, createClient, isProblem, move, pull, push, QuireError, set } from '../src/index.ts'
import { site } from './site.ts'

const clientOf = ({ address }: Service, key = 'key-editor') => createClient<typeof site>({ url: address, key })

describeService('client: documents', { site }, (service) => {
  let quire: ReturnType<typeof clientOf>
  beforeAll(() => {
    quire = clientOf(service)
  })

  test('editor §14 a document is made, read, replaced, changed, published and deleted', async () => {
    const topics = quire.type('topic')
    const made = await topics.create({ title: 'Rivers', note: 'All of them' }, { mode: 'draft' })
    expect(made).toMatchObject({ document: { title: 'Rivers', aposMode: 'draft' }, etag: expect.any(String) })
    const id = made.document.aposDocId
    const drafts = quire.in({ mode: 'draft' }).type('topic')
    expect((await drafts.patch(id, { note: 'Some' })).document).toMatchObject({ title: 'Rivers', note: 'Some' })
    expect((await drafts.replace(id, { title: 'Lakes' })).document).toMatchObject({ title: 'Lakes', note: '' })
    expect((await topics.publish(id)).document.aposMode).toBe('published')
    expect((await topics.get(id)).document.title).toBe('Lakes')
    await drafts.patch(id, { title: 'Seas' })
    expect((await topics.revert(id)).document.title).toBe('Lakes')
    await topics.unpublish(id)
    await expect(topics.get(id)).rejects.toMatchObject({ name: 'notfound', status: 404 })
    await topics.archive(id)
    expect((await topics.restore(id)).document.archived).toBe(false)
    await drafts.remove(id)
    await expect(drafts.get(id)).rejects.toMatchObject({ name: 'notfound' })
  })

  test('editor §14 operators change lists and the items in them', async () => {
    const articles = quire.type('article')
    const topics = await Promise.all(['Ink', 'Salt'].map((title) => quire.type('topic').create({ title })))
    const [ink = '', salt = ''] = topics.map(({ document }) => document.aposDocId)
    const { document } = await articles.create({
      title: 'Patience',
      body: { items: [{ type: 'quote', words: 'Wait.' }] },
      links: [{ label: 'One' }],
      topicsIds: [ink],
    })
    const [block] = document.body.items
    const edited = await articles.edit(document._id, [
      set('subtitle', 'On waiting'),
      at(block?._id ?? '').set('words', 'Wait more.'),
      push('body.items', { type: 'quote', words: 'First.' }, { before: block?._id ?? '' }),
      push('links', { label: 'Two' }, { at: 0 }),
      add('_topics', { _id: salt }),
      move('_topics', salt, { before: ink }),
      { minutes: 4 },
    ])
    expect(edited.document).toMatchObject({
      subtitle: 'On waiting',
      minutes: 4,
      body: { items: [{ words: 'First.' }, { words: 'Wait more.' }] },
      links: [{ label: 'Two' }, { label: 'One' }],
      topicsIds: [salt, ink],
    })
    expect((await articles.edit(document._id, [pull('_topics', ink)])).document.topicsIds).toEqual([salt])
  })

  describe('lists', () => {
    beforeAll(async () => {
      const memos = quire.type('memo')
      for (let n = 1; n <= 7; n += 1) await memos.create({ title: `Memo ${n}`, words: n > 4 ? 'late' : '' })
    })

    test('editor §14 a list is filtered, sorted and projected; all follows its pages', async () => {
      const memos = quire.type('memo')
      const list = await memos.list({ words: 'late', sort: '-title', perPage: 2, project: { title: 1 } })
      expect(list).toMatchObject({ total: 3, pages: 2, results: [{ title: 'Memo 7' }, { title: 'Memo 6' }] })
      expect(list.results[0]).not.toHaveProperty('words')
      const titles: string[] = []
      for await (const { title } of memos.all({ sort: 'title', perPage: 3 })) titles.push(title)
      expect(titles).toEqual([1, 2, 3, 4, 5, 6, 7].map((n) => `Memo ${n}`))
      expect(await memos.first({ where: { $or: [{ title: 'Memo 3' }, { words: 'never' }] } })).toMatchObject({
        title: 'Memo 3',
      })
      expect(await memos.first({ title: 'No such' })).toBeNull()
    })

    test('editor §14 a long query, and an empty list, travel in a body', async () => {
      const memos = quire.type('memo')
      const titles = Array.from({ length: 99 }, (_, n) => `Memo ${n} ${'x'.repeat(90)}`)
      expect(await memos.list({ title: [...titles, 'Memo 1'] })).toMatchObject({ total: 1 })
      const empty = await memos.list({ title: [] }).catch((error: unknown) => error)
      expect(empty).toMatchObject({ total: 0 })
    })

    test('editor §14 many are archived, and each tells what became of it', async () => {
      const memos = quire.type('memo')
      const { results } = await memos.list({ words: 'late' })
      const told: object[] = []
      const outcomes = await memos.archiveMany([...results.map(({ _id }) => _id), 'nothing'], {
        onProgress: (progress) => told.push(progress),
      })
      expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true, false])
      expect(outcomes[3]?.error).toMatchObject({ name: 'notfound' })
      expect(told).toEqual([{ done: 4, total: 4 }])
    })
  })

  test('editor §14 a stale etag is a conflict, which tells the present one', async () => {
    const topics = quire.type('topic')
    const { document, etag } = await topics.create({ title: 'Moss' })
    await topics.patch(document._id, { note: 'Mine' }, { ifMatch: etag })
    const error = await topics.patch(document._id, { note: 'Theirs' }, { ifMatch: etag }).catch((thrown) => thrown)
    expect(isProblem(error, 'conflict')).toBe(true)
    expect(error).toBeInstanceOf(QuireError)
    expect(error.data).toMatchObject({ etag: expect.any(String), updatedBy: expect.any(Object) })
  })

  test('editor §14 what is wrong with fields is told with their paths', async () => {
    const error = await quire
      .type('article')
      .create({ title: 'Long', subtitle: 'x'.repeat(61), links: [{ label: '' }] })
      .catch((thrown) => thrown)
    expect(error).toMatchObject({ name: 'invalid', status: 400, requestId: expect.any(String), retryAfter: null })
    expect(error.problems.map(({ path }: { path: string }) => path)).toEqual(['subtitle', 'links.0.label'])
  })

  test('editor §14 a document is brought to other locales', async () => {
    const topics = quire.type('topic')
    const { document } = await topics.create({ title: 'Night' })
    const { aposDocId } = document
    expect(await topics.locales(aposDocId)).toMatchObject({ missing: ['fr'] })
    const french = await topics.localize(aposDocId, { toLocale: 'fr' })
    expect(french.document).toMatchObject({ aposLocale: 'fr:draft' })
    expect(await topics.locales(aposDocId)).toMatchObject({ missing: [] })
    const [outcome] = await topics.localizeMany([aposDocId], { toLocales: ['fr'], update: true })
    expect(outcome).toMatchObject({ ok: true, toLocale: 'fr' })
  })
})
