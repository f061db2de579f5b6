import { beforeAll, expect, it } from 'vitest'
import { keysOf, PROPOSAL, person, type Row, site, statesOf } from '../../../test/proposing.ts'
import { type Caller, describeService } from '../../../test/service.ts'
import { newId } from '../../base/ids.ts'

const PAGES = '@cms/page'

describeService('§4.9 proposals', { site }, (service) => {
  let ann: Caller
  let bob: Caller
  let admin: Caller

  beforeAll(async () => {
    ann = await person(service, 'ann', 'editor')
    bob = await person(service, 'bob', 'editor')
    admin = await person(service, 'adele', 'admin')
  })

  const make = async (fields: object = {}, type = 'story') => {
    const { body } = await service.admin.post(
      type,
      { title: 'Story', text: 'One', slug: newId(), ...fields },
      'aposMode=draft',
    )
    return `${body.aposDocId}:en:draft`
  }
  const draftOf = async (id: string, type = 'story') => (await service.admin.get(`${type}/${id}`)).body
  const ask = (docId: string, patch: object, caller = service.ai, more: object = {}) =>
    caller.post(PROPOSAL, { docId, title: 'Shorter', reason: 'It is long.', patch, ...more })
  const proposed = async (docId: string, patch: object, caller = service.ai) => {
    const answer = await ask(docId, patch, caller)
    expect(answer).toMatchObject({ status: 200 })
    return answer.body
  }
  const accept = (id: string, body: object = {}, caller = ann) => caller.post(`${PROPOSAL}/${id}/accept`, body)
  const refuse = (id: string, body: object = {}, caller = ann) => caller.post(`${PROPOSAL}/${id}/refuse`, body)
  const versionsOf = async (docId: string) =>
    (await service.admin.get('@cms/document-versions', `docId=${docId}`)).body.results

  it('holds a PATCH aside: the draft is not touched', async () => {
    const id = await make()
    const before = await draftOf(id)
    const body = await proposed(id, { text: 'Two words', title: 'New' })
    expect(body).toMatchObject({
      docId: id,
      type: 'story',
      locale: 'en',
      documentTitle: 'Story',
      title: 'Shorter',
      reason: 'It is long.',
      state: 'open',
      maker: { kind: 'key', title: 'AI key' },
      ai: true,
      decidedAt: null,
      _warnings: [],
      _accept: false,
      _withdraw: true,
    })
    expect(keysOf(body)).toEqual(['title', 'text'])
    expect(body.rows[1]).toMatchObject({ oldText: 'One', newText: 'Two words', ai: 'changed', state: 'open' })
    expect(await draftOf(id)).toEqual(before)
    expect(await versionsOf(id)).toHaveLength(1)
    expect((await service.ai.get(`${PROPOSAL}/${body._id}`)).body).toEqual(body)
  })

  it('accepts all in one version that names who wrote it and who accepted it', async () => {
    const id = await make()
    const { _id } = await proposed(id, { text: 'Two', title: 'New' })
    const { status, body } = await accept(_id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ state: 'accepted', decidedAt: expect.any(String) })
    expect(statesOf(body)).toEqual({ title: 'accepted', text: 'accepted' })
    expect(await draftOf(id)).toMatchObject({ title: 'New', text: 'Two' })
    const [newest, ...others] = await versionsOf(id)
    expect(others).toHaveLength(1)
    expect(newest).toMatchObject({ ai: true, author: 'ann', proposal: { _id, author: 'AI key' }, mode: 'draft' })
    const changes = (await service.admin.get(`@cms/document-versions/${newest._id}/changes`)).body
    expect(changes.rows.map(({ ai }: { ai: unknown }) => ai)).toEqual(['changed', 'changed'])
  })

  it('accepts rows by their keys; the others stay open, and may be refused with a reason', async () => {
    const id = await make()
    const { _id } = await proposed(id, { text: 'Two', title: 'New', more: 'More' })
    const first = (await accept(_id, { rows: ['text'] })).body
    expect(first.state).toBe('open')
    expect(statesOf(first)).toEqual({ title: 'open', text: 'accepted', more: 'open' })
    const { title, text, slug } = await draftOf(id)
    expect({ title, text }).toEqual({ title: 'Story', text: 'Two' })
    await accept(_id, { rows: ['title'] })
    expect(await draftOf(id)).toMatchObject({ title: 'New', slug })
    const last = (await refuse(_id, { reason: 'Too much.' }, bob)).body
    expect(last).toMatchObject({ state: 'partial' })
    expect(last.rows[2]).toMatchObject({ key: 'more', state: 'refused', refusal: 'Too much.', decidedBy: 'bob' })
    expect((await draftOf(id)).more).toBe('')
    expect(await versionsOf(id)).toHaveLength(3)
    expect((await service.ai.get(`${PROPOSAL}/${_id}`)).body.rows[2].refusal).toBe('Too much.')
  })

  it('accepts as many rows as one PATCH made', async () => {
    const links = Array.from({ length: 2_500 }, (_, n) => ({ to: `/${n}`, by: 'ann' }))
    const id = await make()
    const { _id } = await proposed(id, { links })
    expect(await accept(_id)).toMatchObject({ status: 200, body: { state: 'accepted' } })
    expect((await draftOf(id)).links).toMatchObject(links)
    const { _id: changing } = await proposed(id, {
      links: (await draftOf(id)).links.map((link: object) => ({ ...link, by: 'bob' })),
    })
    expect(await accept(changing)).toMatchObject({ status: 200, body: { state: 'accepted' } })
    expect((await draftOf(id)).links).toMatchObject(links.map((link) => ({ ...link, by: 'bob' })))
  })

  it('is told to the second of two who decide at once', async () => {
    const id = await make()
    const { _id } = await proposed(id, { text: 'Two' })
    const answers = await Promise.all([accept(_id), accept(_id, {}, bob), refuse(_id, {}, admin)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    const [told] = answers.filter(({ status }) => status === 409)
    expect(told?.body).toMatchObject({ name: 'conflict', data: { by: expect.stringMatching(/ann|bob|adele/) } })
    expect((await versionsOf(id)).length).toBeLessThanOrEqual(2)
    expect(await accept(_id, { rows: ['text'] })).toMatchObject({ status: 409 })
  })

  it('marks rows whose place has changed meanwhile, and takes them by their keys only', async () => {
    const id = await make({
      links: [
        { _id: 'l1', to: 'here' },
        { _id: 'l2', to: 'there' },
      ],
    })
    const { _id } = await proposed(id, { text: 'Two', title: 'New', '@l1.to': 'far', '@l2.to': 'away' })
    await ann.patch(`story/${id}`, { text: 'By hand', links: [{ _id: 'l2', to: 'there' }] })
    const { body } = await ann.get(`${PROPOSAL}/${_id}`)
    const changed = body.rows.filter((row: Row) => row.changedMeanwhile)
    expect(keysOf({ rows: changed })).toEqual(['text', 'links.l1.to'])
    expect(changed[0].changedMeanwhile[0]).toMatchObject({ oldText: 'One', newText: 'By hand' })
    const after = (await accept(_id)).body
    expect(statesOf(after)).toEqual({
      title: 'accepted',
      text: 'open',
      'links.l1.to': 'open',
      'links.l2.to': 'accepted',
    })
    expect(await draftOf(id)).toMatchObject({ title: 'New', text: 'By hand', links: [{ _id: 'l2', to: 'away' }] })
    expect((await accept(_id)).body).toMatchObject({ name: 'conflict' })
    expect((await accept(_id, { rows: ['links.l1.to'] })).body).toMatchObject({ name: 'invalid' })
    expect((await accept(_id, { rows: ['text'] })).status).toBe(200)
    expect((await draftOf(id)).text).toBe('Two')
  })

  it('marks values that a person gives while accepting as assisted', async () => {
    const id = await make()
    const { _id } = await proposed(id, { text: 'Two', more: 'More' })
    const { body } = await accept(_id, { values: { text: 'Two and a half' } })
    expect(statesOf(body)).toEqual({ text: 'assisted', more: 'accepted' })
    const [newest] = await versionsOf(id)
    const { rows } = (await service.admin.get(`@cms/document-versions/${newest._id}/changes`)).body
    expect(rows.map(({ ai, newText }: { ai: unknown; newText: string }) => [newText, ai])).toEqual([
      ['Two and a half', 'assisted'],
      ['More', 'changed'],
    ])
    const wrong = await proposed(id, { more: 'Less', links: [{ _id: 'n', to: 'x' }] })
    const refused = await accept(wrong._id, { values: { text: 'No row', 'links.n': {} } })
    expect(refused.body.data.errors.map(({ path }: { path: string }) => path)).toEqual([
      'values.text',
      'values.links.n',
    ])
    expect((await accept(wrong._id, { values: { more: 'x'.repeat(50) } })).body.data.errors[0].path).toBe('more')
    expect((await draftOf(id)).more).toBe('More')
  })

  it('writes rows of items, widgets, objects and relationships one by one', async () => {
    const topics = await Promise.all(
      ['A', 'B', 'C'].map(async (title) => (await service.editor.post('topic', { title })).body.aposDocId as string),
    )
    const [a = '', b = '', c = ''] = topics
    const widget = (_id: string, content: string) => ({ _id, metaType: 'widget', type: '@cms/rich-text', content })
    const area = (...items: object[]) => ({ _id: 'area', metaType: 'area', items })
    const id = await make({
      box: { inner: 'in' },
      links: ['l1', 'l2', 'l3'].map((_id) => ({ _id, to: _id, by: 'me' })),
      body: area(widget('w1', '<p>One</p>'), widget('w2', '<p>Two</p>')),
      topicsIds: [a, b],
      topicsFields: { [a]: { why: 'first' }, [b]: { why: 'second' } },
    })
    const body = await proposed(id, {
      'box.inner': 'inside',
      links: [
        { _id: 'l3', to: 'l3', by: 'me' },
        { _id: 'l1', to: 'changed', by: 'me' },
        { _id: 'l4', to: 'new', by: 'you' },
      ],
      body: area(widget('w2', '<p>Two words</p>'), widget('w3', '<p>Three</p>'), widget('w1', '<p>One</p>')),
      topicsIds: [c, a],
      topicsFields: { [a]: { why: 'other' }, [c]: { why: 'third' } },
    })
    const keys = keysOf(body)
    expect(keys.toSorted()).toEqual(
      ['_topics', `_topics.${a}.why`, 'body#order', 'body.w2.content', 'body.w3', 'box.inner', 'links#order']
        .concat(['links.l1.to', 'links.l2', 'links.l4'])
        .concat(keys.filter((key) => key === `_topics.${b}.why` || key === `_topics.${c}.why`))
        .toSorted(),
    )
    await accept(body._id, { rows: ['links.l4', 'body.w3', '_topics'] })
    const some = await draftOf(id)
    const ids = (items: { _id: string }[]) => items.map(({ _id }) => _id)
    expect(ids(some.links)).toEqual(['l1', 'l4', 'l2', 'l3'])
    expect(ids(some.body.items)).toEqual(['w1', 'w2', 'w3'])
    expect(some.topicsIds).toEqual([c, a])
    expect(some.topicsFields[a].why).toBe('first')
    const { body: all } = await accept(body._id)
    expect(all.rows.filter(({ state }: Row) => state === 'open')).toEqual([])
    const whole = await draftOf(id)
    expect(ids(whole.links)).toEqual(['l3', 'l1', 'l4'])
    expect(whole.links[1].to).toBe('changed')
    expect(whole.body.items.map((one: { content: string }) => one.content)).toEqual([
      '<p>Two words</p>',
      '<p>Three</p>',
      '<p>One</p>',
    ])
    expect(whole).toMatchObject({ box: { inner: 'inside' }, topicsIds: [c, a] })
    expect(whole.topicsFields[a].why).toBe('other')
    expect(all.state).toBe('accepted')
  })

  it('is for pages and the global document, too', async () => {
    const { body: parent } = await service.admin.post(PAGES, {
      type: 'text',
      title: 'Parent',
      _targetId: '_home',
      _position: 'lastChild',
    })
    const ref = `${parent.aposDocId}:en:draft`
    const page = await proposed(ref, { title: 'Renamed', lead: 'Words' })
    expect(keysOf(page)).toEqual(['title', 'lead'])
    expect((await accept(page._id)).body.state).toBe('accepted')
    expect(await draftOf(ref, PAGES)).toMatchObject({ title: 'Renamed', lead: 'Words', slug: '/parent' })
    const moved = await proposed(ref, { slug: '/moved' })
    expect((await accept(moved._id)).status).toBe(200)
    expect((await draftOf(ref, PAGES)).slug).toBe('/moved')
    const { body: home } = await service.admin.get(`${PAGES}/_home`)
    expect((await ask(home.aposDocId, { title: 'Start' })).status).toBe(200)
    const { body: found } = await service.admin.get('@cms/global')
    const globalId = found._id ?? found.results?.[0]?._id
    const global = await proposed(globalId.replace('published', 'draft'), { title: 'All' })
    expect((await accept(global._id)).body.state).toBe('accepted')
  })

  it('is of one locale', async () => {
    const id = await make()
    await service.editor.post(`story/${id}/localize`, { toLocale: 'fr' })
    const french = id.replace(':en:', ':fr:')
    const { _id, locale } = await proposed(french, { text: 'Deux' })
    expect(locale).toBe('fr')
    await accept(_id)
    expect((await service.editor.get(`story/${french}`)).body.text).toBe('Deux')
    expect((await draftOf(id)).text).toBe('One')
  })
})
