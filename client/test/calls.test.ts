import { beforeAll, expect, test } from 'vitest'
import { describeService } from '../../cms/test/service.ts'
import { type ClientOptions, createClient } from '../src/index.ts'
import { site } from './site.ts'

describeService('client: what editors ask', { site }, (service) => {
  const connect = (more: Partial<ClientOptions> = {}) =>
    createClient<typeof site>({ url: service.address, ...more, key: 'key-editor' })
  let quire: ReturnType<typeof connect>
  beforeAll(() => {
    quire = connect()
  })

  test('editor §14 what publishing would do, and what it would change', async () => {
    const drafts = quire.in({ mode: 'draft' })
    const { document: topic } = await drafts.type('topic').create({ title: 'Ink', note: 'Blue' })
    const { document: article } = await drafts.type('article').create({ title: 'A', topicsIds: [topic.aposDocId] })
    expect(await quire.type('article').check(article._id)).toEqual({
      ok: true,
      problems: [],
      unpublishedAncestors: [],
      unpublishedRelated: [{ _id: topic._id, type: 'topic', title: 'Ink' }],
      alsoPublished: [],
      changes: 0,
    })
    expect(await quire.type('article').changes(article._id)).toMatchObject({ rows: [], compared: false })
    await quire.type('topic').publish(topic._id)
    await drafts.type('topic').patch(topic._id, { note: 'Black' })
    expect(await quire.type('topic').changes(topic._id)).toEqual({
      rows: [expect.objectContaining({ kind: 'leaf', oldText: 'Blue', newText: 'Black', ai: false })],
      counts: { added: 0, modified: 1, deleted: 0, ai: 0 },
      versionIds: [expect.any(String)],
      compared: true,
    })
    const list = await quire.documents({ types: ['topic'], state: 'modified', counts: 'type', sort: '-title' })
    expect(list).toMatchObject({ total: 1, results: [{ title: 'Ink', type: 'topic', slug: 'ink' }] })
    const slug = { slug: 'ink', isTaken: true, suggestion: 'ink-2', carried: 0 }
    expect(await quire.type('topic').slug({ title: 'Ink' })).toEqual(slug)
  })

  test('editor §14 pages below a page, some at a time, and slugs of pages', async () => {
    const place = { _targetId: '_home', _position: 'lastChild' } as const
    await quire.pages.insert('landing', { title: 'About', ...place })
    expect(await quire.pages.children('_home')).toMatchObject({
      total: 1,
      results: [{ title: 'About', _childCount: 0 }],
    })
    expect(await quire.pages.slug({ title: 'About', ...place })).toMatchObject({ isTaken: true, carried: 0 })
  })

  test('editor §14 answers name the caller, and a call that expects another is refused', async () => {
    const callers: (string | null)[] = []
    const onAnswer = ({ headers }: Response) => callers.push(headers.get('quire-caller'))
    const { caller } = await connect({ onAnswer }).schema()
    expect({ role: caller.role, callers }).toEqual({ role: 'editor', callers: [caller._id] })
    const other = connect({ expectCaller: 'somebody-else' }).locales()
    await expect(other).rejects.toMatchObject({ name: 'unauthorized', status: 401 })
  })
})
