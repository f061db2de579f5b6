import { defineSite, page, piece, widget } from 'quire-cms'
import { beforeAll, expect, test } from 'vitest'
import { jpeg, upload } from '../../../test/media.ts'
import { type Answer, type Caller, describeService } from '../../../test/service.ts'

const toTopics = { type: 'relationship', withType: 'topic' } as const
const text = { type: 'richText', toolbar: ['link', 'image'] } as const
const secret = { viewPermission: 'admin' } as const

const site = defineSite({
  locales: {
    en: { label: 'English' },
    fr: { label: 'French', prefix: '/fr' },
    de: { label: 'German', prefix: '/de', fallback: 'en' },
  },
  widgets: [
    widget('card', { label: 'Card', fields: { add: { _topics: toTopics, text, kept: { ...text, ...secret } } } }),
  ],
  types: [
    piece('topic', { publicApiProjection: ['title'] }),
    piece('stamp', { localized: false }),
    piece('vault', { viewRole: 'admin', editRole: 'admin', fields: { add: { _topics: toTopics } } }),
    piece('note', {
      fields: {
        add: {
          _topics: toTopics,
          _stamps: { type: 'relationship', withType: 'stamp' },
          _pages: { type: 'relationship', withType: '@cms/any-page' },
          rows: { type: 'array', label: 'Rows', fields: { add: { _topics: toTopics } } },
          box: { type: 'object', label: 'Box', fields: { add: { _topics: toTopics } } },
          body: { type: 'area', label: 'Body', widgets: { card: {}, '@cms/rich-text': { toolbar: ['image'] } } },
          text,
          file: { type: 'attachment' },
          _hidden: { ...toTopics, ...secret },
          store: {
            type: 'object',
            ...secret,
            fields: { add: { _topics: toTopics, text, file: { type: 'attachment' } } },
          },
        },
      },
    }),
    page('leaf', { fields: { add: { text } } }),
  ],
})

interface User {
  readonly title: string
  readonly uses: readonly { path: string; label: string; kind: string; modes: string[] }[]
  readonly [name: string]: unknown
}

const link = (id: string) => `<p><a href="#apostrophe-permalink-${id}">x</a></p>`

describeService('§4.1 used-by', { site }, (service) => {
  const done = (answer: Answer): Answer['body'] => {
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const make = async (type: string, title: string, more: object = {}, query = ''): Promise<string> =>
    done(await service.admin.post(type, { title, ...more }, query)).aposDocId
  const usedBy = async (path: string, query = '', caller: Caller = service.contributor) =>
    done(await caller.get(`${path}/used-by`, query)) as { results: User[]; total: number; pages: number }
  const titles = async (path: string, query?: string, caller?: Caller) =>
    (await usedBy(path, query, caller)).results.map(({ title }) => title)

  let topic: string
  beforeAll(async () => {
    topic = await make('topic', 'Topic')
  })

  test('tells of every place, the newest document first, with labels', async () => {
    const id = await make('topic', 'Everywhere')
    const [one] = [{ _topics: [id] }]
    const card = { type: 'card', ...one, text: link(id) }
    await make('note', 'Inside', { rows: [one], box: one, body: { items: [card] } })
    await make('note', 'Top', { _topics: [id] })
    await make('note', 'Other', { _topics: [topic] })
    const { results, total, pages } = await usedBy(`topic/${id}`)
    expect([total, pages]).toEqual([2, 1])
    expect(results[0]).toMatchObject({ title: 'Top', type: 'note', state: 'published', _edit: true })
    expect(results[0]?.uses).toEqual([
      { path: '_topics', label: 'Topics', kind: 'relationship', modes: ['draft', 'published'] },
    ])
    const inside = results[1]?.uses.map(({ path, label, kind }) => [
      path.replaceAll(/\.[0-9a-z]{20,}/g, '.*'),
      label,
      kind,
    ])
    expect(inside).toEqual([
      ['rows.*._topics', 'Rows › Topics', 'relationship'],
      ['box._topics', 'Box › Topics', 'relationship'],
      ['body.*._topics', 'Body › Card › Topics', 'relationship'],
      ['body.*.text', 'Body › Card › Text', 'link'],
    ])
    expect(await titles(`topic/${id}`, 'perPage=1&page=2')).toEqual(['Inside'])
    expect(await titles(`topic/${id}`, 'page=9')).toEqual([])
  })

  test('tells which copies use it, each document once', async () => {
    const id = await make('topic', 'Copies')
    const note = await make('note', 'Changed', { _topics: [id] })
    const modes = async () =>
      (await usedBy(`topic/${id}`)).results.map(({ _id, state, uses }) => [_id, state, uses[0]?.modes])
    done(await service.editor.patch(`note/${note}:en:draft`, { _topics: [] }))
    expect(await modes()).toEqual([[`${note}:en:draft`, 'modified', ['published']]])
    done(await service.editor.post(`note/${note}/publish`))
    expect(await modes()).toEqual([])
    done(await service.editor.patch(`note/${note}:en:draft`, { _topics: [id] }))
    expect(await modes()).toEqual([[`${note}:en:draft`, 'modified', ['draft']]])
    done(await service.editor.post(`note/${note}/archive`))
    expect(await modes()).toEqual([[`${note}:en:draft`, 'archived', ['draft']]])
    done(await service.editor.delete(`note/${note}`))
    expect(await modes()).toEqual([])
  })

  test('of an upload: by relationships, images in texts, and the file itself', async () => {
    const attachment = (await upload(service, 'admin', await jpeg())).body
    const image = await make('@cms/image', 'Picture', { attachment })
    const shown = `<figure><img src="/api/v1/@cms/image/${image}/src" alt=""></figure>`
    await make('note', 'Shown', { body: { items: [{ type: '@cms/rich-text', content: shown }] } })
    await make('note', 'Taken', { file: attachment, store: { file: attachment } })
    const { results, total } = await usedBy(`@cms/image/${image}`)
    expect(total).toBe(2)
    expect(results.map(({ title, uses }) => [title, uses.map(({ label, kind }) => [label, kind])])).toEqual([
      ['Taken', [['File', 'file']]],
      ['Shown', [['Body › Rich text › Content', 'image']]],
    ])
  })

  test('pages are used, and use; _home stands for an id, and a page that leads to itself is not named', async () => {
    const place = { type: 'leaf', _targetId: '_home', _position: 'lastChild' }
    const leaf = await make('@cms/page', 'Leaf', { ...place, text: link(topic) })
    done(await service.editor.patch(`@cms/page/${leaf}`, { text: link(leaf) + link(topic) }))
    await make('note', 'To a page', { _pages: [leaf], text: link(leaf) })
    const { results } = await usedBy(`@cms/page/${leaf}`)
    expect(results.map(({ title, uses }) => [title, uses.map(({ kind }) => kind)])).toEqual([
      ['To a page', ['relationship', 'link']],
    ])
    const [byPage] = (await usedBy(`topic/${topic}`)).results
    expect(byPage).toMatchObject({ title: 'Leaf', _path: [{ title: 'Home' }], uses: [{ kind: 'link' }] })
    expect(await titles('@cms/page/_home')).toEqual([])
  })

  test('§5.8 tells nothing of types and fields that the caller does not see', async () => {
    const id = await make('topic', 'Secret')
    await make('vault', 'Vault', { _topics: [id] })
    await make('note', 'Top', { _hidden: [id] })
    await make('note', 'In an object', { store: { _topics: [id] } })
    await make('note', 'In a text', { store: { text: link(id) } })
    await make('note', 'In a widget', { body: { items: [{ type: 'card', kept: link(id) }] } })
    await make('note', 'Both', { _hidden: [id], _topics: [id] })
    const seen = await usedBy(`topic/${id}`, '', service.editor)
    expect(seen).toMatchObject({ total: 1, pages: 1, results: [{ title: 'Both', uses: [{ path: '_topics' }] }] })
    expect(seen.results[0]?.uses).toHaveLength(1)
    const all = ['Both', 'In a widget', 'In a text', 'In an object', 'Top', 'Vault']
    expect(await titles(`topic/${id}`, '', service.admin)).toEqual(all)
  })

  test('§5.8 a file in a hidden field is none', async () => {
    const attachment = (await upload(service, 'admin', await jpeg())).body
    const image = await make('@cms/image', 'Hidden picture', { attachment })
    await make('note', 'Hidden', { store: { file: attachment } })
    expect(await usedBy(`@cms/image/${image}`)).toMatchObject({ total: 0, results: [] })
    expect(await titles(`@cms/image/${image}`, '', service.admin)).toEqual(['Hidden'])
  })

  test('§4.5 counts documents of its locale, and of those that fall back to it; without locales, of all', async () => {
    const id = await make('topic', 'English')
    const stamp = await make('stamp', 'Stamp')
    for (const locale of ['en', 'fr', 'de']) {
      await make('note', locale, { _topics: [id], _stamps: [stamp] }, `aposLocale=${locale}`)
    }
    expect(await titles(`topic/${id}`)).toEqual(['de', 'en'])
    expect(await titles(`stamp/${stamp}`)).toEqual(['de', 'fr', 'en'])
    done(await service.editor.post(`topic/${id}/localize`, { toLocale: 'de' }))
    expect(await titles(`topic/${id}`)).toEqual(['en'])
    expect(await titles(`topic/${id}:de:draft`)).toEqual(['de'])
    expect(await service.editor.get(`topic/${id}:fr:draft/used-by`)).toMatchObject({ status: 404 })
  })

  test('is for callers who may read drafts, of what there is for them', async () => {
    const vault = await make('vault', 'Vault')
    const { anonymous, guest, editor, admin } = service
    for (const path of [`topic/${topic}`, '@cms/page/_home']) {
      expect(await anonymous.get(`${path}/used-by`)).toMatchObject({ status: 401 })
      expect(await guest.get(`${path}/used-by`)).toMatchObject({ status: 403 })
    }
    expect((await editor.get(`vault/${vault}/used-by`)).status).toBe((await editor.get(`vault/nothing/used-by`)).status)
    expect(await admin.get(`vault/${vault}/used-by`)).toMatchObject({ status: 200 })
    expect(await editor.get(`note/${topic}/used-by`)).toMatchObject({ status: 404 })
    expect(await editor.get(`@cms/page/${topic}/used-by`)).toMatchObject({ status: 404 })
    for (const query of ['page=0', 'perPage=51', 'perPage=x', 'page[]=1']) {
      expect(await editor.get(`topic/${topic}/used-by`, query)).toMatchObject({ status: 400 })
    }
  })

  test('takes as many statements for thirty documents as for three', async () => {
    const statementsFor = async (count: number) => {
      const id = await make('topic', `Of ${count}`)
      for (let n = 0; n < count; n += 1) await make('note', `Note ${n}`, { _topics: [id], text: link(id) })
      await service.quiet()
      const before = service.statements.length
      expect(await usedBy(`topic/${id}`, 'perPage=50')).toMatchObject({ total: count })
      return service.statements.length - before
    }
    expect(await statementsFor(30)).toBe(await statementsFor(3))
  })
})
