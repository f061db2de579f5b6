import { expect, test } from 'vitest'
import { page, piece } from '../src/model/content-type.ts'
import { defineSite } from '../src/model/site-options.ts'
import { describeService } from './service.ts'

const relations = {
  _topics: { type: 'relationship', withType: 'topic' },
  _authors: { type: 'relationship', withType: 'author' },
} as const

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [
    piece('topic'),
    piece('author', { editRole: 'admin' }),
    piece('story', {
      fields: { add: { ...relations, body: { type: 'area', widgets: { '@cms/image': {} } } } },
    }),
    page('leaf', { fields: { add: relations } }),
  ],
})

describeService('§3.4 localize', { site }, (service) => {
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

  test('publish: true publishes the copy, for who may', async () => {
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
})
