import { beforeAll, expect, it } from 'vitest'
import { makeUser, tokenOf } from '../../../test/people.ts'
import { type Answer, type Caller, callerOf, describeService, type Service } from '../../../test/service.ts'
import { newId } from '../../base/ids.ts'
import { defineSite } from '../../model/compile/site-options.ts'
import { page, piece } from '../../model/declared/content-type.ts'

const PROPOSAL = '@cms/proposal'
const PAGES = '@cms/page'

const site = defineSite({
  types: [
    piece('topic', { fields: { add: { note: { type: 'string' } } } }),
    piece('story', {
      fields: {
        add: {
          text: { type: 'string', required: true },
          more: { type: 'string', max: 20 },
          approved: { type: 'string', editPermission: 'admin' },
          secret: { type: 'string', viewPermission: 'admin' },
          box: { type: 'object', fields: { add: { inner: { type: 'string' } } } },
          links: { type: 'array', fields: { add: { to: { type: 'string' }, by: { type: 'string' } } } },
          body: { type: 'area', widgets: { '@cms/rich-text': {}, '@cms/html': {} } },
          _topics: { type: 'relationship', withType: 'topic', fields: { add: { why: { type: 'string' } } } },
        },
      },
    }),
    piece('board', { editRole: 'admin' }),
    piece('vault', { viewRole: 'admin' }),
    piece('diary', { versions: false }),
    piece('plain', { localized: false }),
    page('text', { fields: { add: { lead: { type: 'string' } } } }),
  ],
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
})

interface Row {
  readonly key: string
  readonly state: string
  readonly changedMeanwhile?: readonly { readonly newText: string }[]
}

const keysOf = (body: { readonly rows: readonly Row[] }) => body.rows.map(({ key }) => key)
const statesOf = (body: { readonly rows: readonly Row[] }) =>
  Object.fromEntries(body.rows.map(({ key, state }) => [key, state]))

/** Calls as somebody who has signed in. */
async function person(service: Service, username: string, role: string): Promise<Caller> {
  await makeUser(service.app, username, { role, title: username, firstName: username })
  return callerOf(service.address, null, null, { authorization: `Bearer ${await tokenOf(service.address, username)}` })
}

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

describeService('§4.9 what cannot be proposed', { site, isLong: true }, (service) => {
  const make = async (fields: object = {}) => {
    const { body } = await service.admin.post(
      'story',
      { title: 'Story', text: 'One', slug: newId(), ...fields },
      'aposMode=draft',
    )
    return `${body.aposDocId}:en:draft`
  }
  const ask = (docId: string, patch: unknown, caller: Caller = service.ai, more: object = {}) =>
    caller.post(PROPOSAL, { docId, title: 'Shorter', patch, ...more })
  const pathsOf = (answer: Answer) => answer.body.data?.errors?.map(({ path }: { path: string }) => path)

  it('is what a PATCH would refuse, with the same problems', async () => {
    const id = await make()
    const refused = await ask(id, { text: '', more: 'x'.repeat(30) })
    const patched = await service.ai.patch(`story/${id}`, { text: '', more: 'x'.repeat(30) })
    expect(refused.body.data).toEqual(patched.body.data)
    expect(pathsOf(refused)).toEqual(['more', 'text'])
    expect(await ask(id, { $what: { text: 'x' } })).toMatchObject({ status: 400 })
    expect(await ask(id, { '@nobody.text': 'x' })).toMatchObject({ status: 400 })
    expect(await ask(id, { approved: 'yes' })).toMatchObject({ status: 403 })
  })

  it('names the fields that there are', async () => {
    const { body } = await ask(await make(), { texd: 'Two' })
    expect(body.data.errors).toEqual([
      { path: 'texd', name: 'unknown', message: expect.stringContaining('text, more') },
    ])
    expect(body.data.errors[0].message).not.toContain('secret')
  })

  it('is state, nothing, or more than it takes', async () => {
    const id = await make()
    expect(pathsOf(await ask(id, { archived: true, visibility: 'loginRequired' }))).toEqual(['archived', 'visibility'])
    expect(await ask(id, { text: 'One' })).toMatchObject({ status: 400 })
    expect(pathsOf(await ask(id, {}))).toEqual(['patch'])
    expect(pathsOf(await ask(id, 'text'))).toEqual(['patch'])
    expect(pathsOf(await ask(id, { text: 'Two' }, service.ai, { title: ' ', reason: 7 }))).toEqual(['title', 'reason'])
    expect((await ask(id, { _restoreVersion: 'x' })).status).toBe(400)
  })

  it('is of documents that are gone, archived, without drafts, or hidden', async () => {
    expect((await ask('nobody', { text: 'x' })).status).toBe(404)
    expect((await ask('not an id', { text: 'x' })).status).toBe(404)
    expect((await ask(`${await make()}x`, { text: 'x' })).status).toBe(404)
    const id = await make()
    await service.admin.patch(`story/${id}`, { archived: true })
    expect((await ask(id, { text: 'x' })).body.message).toContain('archived')
    const { body: plain } = await service.admin.post('plain', { title: 'Plain' })
    expect((await ask(plain._id, { title: 'x' }, service.editor)).body.message).toContain('no draft')
    const { body: vault } = await service.admin.post('vault', { title: 'Vault' }, 'aposMode=draft')
    expect((await ask(vault._id, { title: 'x' }, service.editor)).status).toBe(404)
    const { body: board } = await service.admin.post('board', { title: 'Board' }, 'aposMode=draft')
    expect((await ask(board._id, { title: 'x' }, service.editor)).status).toBe(403)
  })

  it('is more than 200 open ones of a key', async () => {
    const id = await make()
    const { _id, expiresAt } = (await ask(id, { text: 'Text' }, service.contributor)).body
    const made = await service.app.store.proposals.get(_id, '')
    if (made === null) throw new Error('It is not stored.')
    const contents = { base: { text: 'One' }, proposed: { text: 'Text' } }
    await service.app.store.transaction(async ({ proposals }) => {
      for (let index = 1; index < 200; index += 1) await proposals.add({ ...made, id: newId(), expiresAt }, contents)
    })
    expect((await ask(id, { text: 'One more' }, service.contributor)).body).toMatchObject({ name: 'toomany' })
    expect((await ask(id, { text: 'One more' }, service.editor)).status).toBe(200)
    const first = (await service.contributor.get(PROPOSAL, 'makerId=key-contributor')).body
    expect(first.total).toBe(0)
    const page = (await service.contributor.get(PROPOSAL, `docId=${id}&state=open`)).body
    expect(page).toMatchObject({ total: 201, next: expect.any(String) })
    expect(page.results).toHaveLength(50)
    const next = (await service.contributor.get(PROPOSAL, `docId=${id}&before=${page.next}`)).body
    expect(next.results[0].createdAt <= page.results[49].createdAt).toBe(true)
    const one = page.results.find(({ maker }: { maker: { title: string } }) => maker.title === 'contributor key')
    expect((await service.contributor.delete(`${PROPOSAL}/${one._id}`)).status).toBe(200)
    expect((await ask(id, { text: 'One more' }, service.contributor)).status).toBe(200)
  })
})

describeService('§4.9 who sees and decides proposals', { site, isLong: true }, (service) => {
  let ann: Caller
  let carl: Caller
  let admin: Caller

  beforeAll(async () => {
    ann = await person(service, 'ann', 'editor')
    carl = await person(service, 'carl', 'contributor')
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
  const proposed = async (docId: string, patch: object, caller: Caller = service.ai): Promise<string> =>
    (await caller.post(PROPOSAL, { docId, title: 'Shorter', patch })).body._id

  it('anonymous callers are refused everything', async () => {
    const id = await proposed(await make(), { text: 'Two' })
    const { anonymous } = service
    const answers = [
      await anonymous.get(PROPOSAL),
      await anonymous.post(PROPOSAL, {}),
      await anonymous.get(`${PROPOSAL}/${id}`),
      await anonymous.post(`${PROPOSAL}/${id}/accept`),
      await anonymous.post(`${PROPOSAL}/${id}/refuse`),
      await anonymous.delete(`${PROPOSAL}/${id}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401])
  })

  it('callers who may not read the draft find none', async () => {
    const id = await proposed(await make(), { text: 'Two' })
    const hidden = await proposed(await make({}, 'vault'), { title: 'Two' }, service.admin)
    expect((await service.guest.get(PROPOSAL)).status).toBe(404)
    for (const [caller, one] of [
      [service.guest, id],
      [service.editor, hidden],
      [ann, hidden],
    ] as const) {
      expect((await caller.get(`${PROPOSAL}/${one}`)).status).toBe(404)
      expect((await caller.post(`${PROPOSAL}/${one}/accept`)).status).toBe(404)
      expect((await caller.post(`${PROPOSAL}/${one}/refuse`)).status).toBe(404)
      expect((await caller.delete(`${PROPOSAL}/${one}`)).status).toBe(404)
    }
    const listed = (await service.editor.get(PROPOSAL)).body.results.map(({ _id }: { _id: string }) => _id)
    expect(listed).toContain(id)
    expect(listed).not.toContain(hidden)
  })

  it('no key accepts or refuses, whatever its role; nor does a lower role than the maker had', async () => {
    const id = await proposed(await make(), { text: 'Two' })
    for (const key of [service.ai, service.contributor, service.editor, service.admin]) {
      expect((await key.post(`${PROPOSAL}/${id}/accept`)).status).toBe(403)
      expect((await key.post(`${PROPOSAL}/${id}/refuse`)).status).toBe(403)
    }
    expect((await carl.get(`${PROPOSAL}/${id}`)).body._accept).toBe(false)
    expect((await carl.post(`${PROPOSAL}/${id}/accept`)).status).toBe(403)
    expect((await ann.get(`${PROPOSAL}/${id}`)).body._accept).toBe(true)
    expect((await ann.post(`${PROPOSAL}/${id}/accept`)).status).toBe(200)
    const own = await proposed(await make(), { text: 'Two' }, service.contributor)
    expect((await carl.post(`${PROPOSAL}/${own}/accept`)).status).toBe(200)
  })

  it('withdraws for its maker, and for admins', async () => {
    const id = await proposed(await make(), { text: 'Two' })
    expect((await ann.delete(`${PROPOSAL}/${id}`)).status).toBe(403)
    expect((await service.ai.delete(`${PROPOSAL}/${id}`)).body).toEqual({})
    expect((await service.ai.get(`${PROPOSAL}/${id}`)).status).toBe(404)
    const other = await proposed(await make(), { text: 'Two' })
    expect((await admin.delete(`${PROPOSAL}/${other}`)).status).toBe(200)
  })

  it('rows of fields that the caller may not see are neither shown nor counted', async () => {
    const docId = await make({ secret: 'hush' })
    const id = await proposed(
      docId,
      { text: 'Two', secret: 'other https://evil.example', approved: 'yes' },
      service.admin,
    )
    const seen = (await ann.get(`${PROPOSAL}/${id}`)).body
    expect(keysOf(seen)).toEqual(['text', 'approved'])
    expect(seen).toMatchObject({ counts: { modified: 1, added: 1 }, _warnings: [] })
    expect(JSON.stringify(seen)).not.toMatch(/hush|evil|secret/)
    expect((await ann.post(`${PROPOSAL}/${id}/accept`, { rows: ['secret'] })).status).toBe(403)
    expect((await admin.get(`${PROPOSAL}/${id}`)).body._warnings).toMatchObject([{ name: 'newLink', key: 'secret' }])
    expect((await ann.post(`${PROPOSAL}/${id}/refuse`, { rows: ['secret'] })).body).toMatchObject({ name: 'invalid' })
    expect((await ann.post(`${PROPOSAL}/${id}/refuse`, {})).body).toMatchObject({ state: 'open' })
    expect((await admin.post(`${PROPOSAL}/${id}/accept`, {})).body.state).toBe('partial')
    expect((await service.admin.get(`story/${docId}`)).body).toMatchObject({
      text: 'One',
      secret: 'other https://evil.example',
    })
  })
})

describeService('§4.9 what has happened since, and warnings', { site, isLong: true }, (service) => {
  let ann: Caller

  beforeAll(async () => {
    ann = await person(service, 'ann', 'editor')
  })

  const make = async (fields: object = {}) => {
    const { body } = await service.admin.post(
      'story',
      { title: 'Story', text: 'One', slug: newId(), ...fields },
      'aposMode=draft',
    )
    return `${body.aposDocId}:en:draft`
  }
  const proposed = async (docId: string, patch: object) =>
    (await service.ai.post(PROPOSAL, { docId, title: 'Shorter', patch })).body

  it('tells that the document was archived or deleted', async () => {
    const id = await make()
    const { _id } = await proposed(id, { text: 'Two' })
    await service.admin.patch(`story/${id}`, { archived: true })
    expect((await ann.get(`${PROPOSAL}/${_id}`)).body).toMatchObject({
      obstacle: expect.stringContaining('archived'),
      _accept: false,
    })
    expect((await ann.post(`${PROPOSAL}/${_id}/accept`)).body.message).toContain('archived')
    await service.admin.delete(`story/${id}`)
    expect((await ann.get(`${PROPOSAL}/${_id}`)).body).toMatchObject({
      obstacle: expect.stringContaining('deleted'),
      documentTitle: '',
      rows: [{ key: 'text' }],
    })
    expect((await ann.post(`${PROPOSAL}/${_id}/accept`)).body.message).toContain('deleted')
    expect((await ann.get(PROPOSAL)).body.results.map((one: { _id: string }) => one._id)).toContain(_id)
    expect((await ann.post(`${PROPOSAL}/${_id}/refuse`)).body.state).toBe('refused')
  })

  it('warns of links to new hosts, HTML, and characters that nobody sees', async () => {
    const area = (...items: object[]) => ({ metaType: 'area', items })
    const id = await make({ more: 'https://known.org' })
    const rich = (content: string) => ({ _id: 'w1', metaType: 'widget', type: '@cms/rich-text', content })
    const html = { _id: 'w2', metaType: 'widget', type: '@cms/html', code: '<script src="//evil.example/x"></script>' }
    const { _warnings } = await proposed(id, {
      text: 'One\u200b two',
      body: area(rich('<p><a href="https://known.org/a">a</a> <a href="https://new.example/?q=1">b</a></p>'), html),
    })
    const found = _warnings.map(({ name, key }: { name: string; key: string }) => `${name} ${key}`)
    expect(found.toSorted()).toEqual(['html body.w2', 'invisible text', 'newLink body.w1', 'newLink body.w2'])
    expect((await proposed(await make(), { text: 'Plain words 👨‍👩‍👧 ❤️' }))._warnings).toEqual([])
  })

  it('goes after 30 days', async () => {
    const { _id, createdAt, expiresAt } = await proposed(await make(), { text: 'Two' })
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000)
    await service.app.store.transaction(({ proposals }) => proposals.removeExpired(expiresAt))
    expect((await ann.get(`${PROPOSAL}/${_id}`)).status).toBe(404)
  })

  it('no key of an AI publishes, in whatever way', async () => {
    const { body } = await service.ai.post('story', { title: 'By AI', text: 'One', slug: newId() })
    expect(body.aposMode).toBe('draft')
    const path = `story/${body.aposDocId}`
    const tried = [
      await service.ai.post(`${path}/publish`),
      await service.ai.post('story/publish', { _ids: [body._id] }),
      await service.ai.post(`${path}/revert-published-to-previous`),
      await service.ai.post(`${path}/unpublish`),
      await service.ai.post('@cms/global/publish', { alsoPublish: [body._id] }),
    ]
    expect(tried.filter(({ status }) => status < 400)).toEqual([])
    const autopublished = await service.ai.patch(`${path}:en:published`, { text: 'Two' })
    expect(autopublished.body.aposMode ?? 'draft').toBe('draft')
    expect((await service.admin.get(path)).status).toBe(404)
    await service.admin.post(`${path}/publish`)
    await service.ai.patch(path, { text: 'Three' })
    await service.ai.put(path, { title: 'Four', text: 'Four' })
    expect((await service.admin.get(path)).body).toMatchObject({ title: 'By AI', text: 'Two' })
  })
})
