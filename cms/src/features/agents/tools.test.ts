import { expect, it } from 'vitest'
import { agentOf, mcp } from '../../../test/agent-caller.ts'
import { makeUser, tokenOf } from '../../../test/people.ts'
import { callerOf, describeService } from '../../../test/service.ts'

describeService('§4.10 tools of agents', {}, (service) => {
  const ai = agentOf(() => service.address)
  const contributor = agentOf(() => service.address, 'key-contributor')
  const guest = agentOf(() => service.address, 'key-guest')
  const admin = agentOf(() => service.address, 'key-admin')
  const article = async (values: object = {}) => {
    const { data } = await contributor('write_draft', { type: 'article', values: { title: 'A walk', ...values } })
    return data._id as string
  }

  it('§4.10 describes the site and its types as the caller sees them', async () => {
    const { text } = await contributor('describe_site')
    expect(text).toContain('- article: Article (piece); you may read, create and edit')
    expect(text).toContain('it (Italian)')
    expect((await guest('describe_site')).text).not.toContain('article')
    const { text: fields } = await contributor('describe_type', { type: 'article' })
    expect(fields).toContain('- subtitle "Subtitle": string, max 80')
    expect(fields).toContain('widgets @cms/rich-text')
    expect((await contributor('describe_type', { type: 'promo' })).text).toContain('Fields:')
    for (const type of ['nothing', '__proto__', 'constructor']) {
      expect((await contributor('describe_type', { type })).data.name).toBe('notfound')
    }
    expect((await guest('describe_type', { type: 'article' })).data.name).toBe('notfound')
  })

  it('§4.10 whatever the key, drafts are written, and marked', async () => {
    for (const call of [ai, contributor, admin]) {
      const { data } = await call('write_draft', { type: 'article', values: { title: 'By a machine' } })
      expect((await service.admin.get(`article/${data._id}`)).status).toBe(404)
      const versions = await service.admin.get('@cms/document-versions', `docId=${data._id}`)
      expect(versions.body.results).toMatchObject([{ ai: true, mode: 'draft' }])
    }
    const { _id } = (await service.admin.post('article', { title: 'Published' })).body
    const docId = _id.split(':')[0]
    const changed = await admin('write_draft', { id: docId, patch: { title: 'Changed' } })
    expect(changed.text).toContain('Title')
    expect((await service.admin.get(`article/${docId}`)).body.title).toBe('Published')
    expect((await service.admin.get(`article/${docId}:en:draft`)).body.title).toBe('Changed')
    expect((await admin('write_draft', { type: 'note', values: { title: 'x' } })).data.name).toBe('forbidden')
  })

  it('§4.10 a type that publishes each save is written as a draft, too', async () => {
    const { data } = await admin('write_draft', { type: 'draftless', values: { title: 'Not yet' } })
    expect(data.name === 'forbidden' || (await service.anonymous.get(`draftless/${data._id}`)).status === 404).toBe(
      true,
    )
    expect((await service.admin.get(`draftless/${data._id}`)).status).toBe(404)
  })

  it('§4.10 reads a document as text with the ids of its parts', async () => {
    const body = { items: [{ type: '@cms/rich-text', content: '<p>One two</p>' }] }
    const id = await article({ links: [{ label: 'Home', href: 'https://example.org' }], body })
    const { text, data } = await contributor('read', { id })
    const stored = (await service.contributor.get(`article/${id}:en:draft`)).body
    expect(text).toContain(`@${stored.links[0]._id}`)
    expect(text).toContain(`@${stored.body.items[0]._id} @cms/rich-text`)
    expect(text).toContain('content: <p>One two</p>')
    const step = await contributor('write_draft', {
      id,
      revision: data.revision,
      patch: { [`@${stored.links[0]._id}.label`]: 'Away' },
    })
    expect(step.text).toContain('[-Home-]')
    const again = await contributor('write_draft', { id, revision: data.revision, patch: { title: 'Other' } })
    expect(again.data).toMatchObject({ name: 'conflict', next: expect.stringContaining('read it again') })
    expect((await guest('read', { id })).data.name).toBe('notfound')
    const resource = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: `quire://article/${id}` } }
    expect((await mcp(service.address, 'key-contributor', resource)).body.result.contents[0].text).toContain('Away')
    const wrong = { ...resource, params: { uri: `quire://topic/${id}` } }
    expect((await mcp(service.address, 'key-contributor', wrong)).body.error.code).toBeLessThan(0)
  })

  it('§4.10 a dry run tells problems and changes, and writes nothing', async () => {
    const id = await article({ subtitle: 'Before' })
    const { text, data } = await contributor('write_draft', { id, patch: { subtitle: 'After' }, dryRun: true })
    expect([text.includes('[-Before-]'), data.dryRun]).toEqual([true, true])
    expect((await service.contributor.get(`article/${id}:en:draft`)).body.subtitle).toBe('Before')
    const made = await contributor('write_draft', { type: 'article', values: { title: 'Only tried' }, dryRun: true })
    expect((await contributor('read', { id: made.data._id })).data.name).toBe('notfound')
    const wrong = await contributor('write_draft', {
      id,
      patch: { subtitle: 'x'.repeat(81), count: 'many' },
      dryRun: true,
    })
    expect(wrong.data.errors).toMatchObject([{ path: 'subtitle', name: 'max' }, { path: 'count' }])
  })

  it('§4.10 unknown fields are refused with those that there are, and so is all that is no field', async () => {
    const id = await article()
    const { data } = await contributor('write_draft', { id, patch: { subtitel: 'x' } })
    expect(data.errors[0]).toMatchObject({
      path: 'subtitel',
      name: 'unknown',
      message: expect.stringContaining('subtitle'),
    })
    const nested = await contributor('write_draft', {
      type: 'article',
      values: { title: 'x', links: [{ lable: 'y' }] },
    })
    expect(nested.data.errors[0]).toMatchObject({ path: 'links.0.lable', message: expect.stringContaining('label') })
    const state = [
      'archived',
      '_publish',
      '_targetId',
      '_patches',
      '_restoreVersion',
      '_copyingId',
      '_ai',
      'type',
      'publishAt',
    ]
    for (const name of state) {
      expect([name, (await admin('write_draft', { id, patch: { [name]: true } })).data.name]).toEqual([name, 'invalid'])
      const inOperator = await admin('write_draft', { id, patch: { $push: { [name]: 'x' } } })
      expect([name, inOperator.data.name]).toEqual([name, 'invalid'])
    }
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`links.${n}.label`, 'x']))
    expect((await contributor('write_draft', { id, patch: many })).data.name).toBe('invalid')
  })

  it('§4.10 wrong arguments are errors with their paths', async () => {
    for (const [name, given] of [
      ['read', {}],
      ['read', { id: 7 }],
      ['find', { perPage: 1000 }],
      ['find', { nothing: 1 }],
      ['write_draft', { id: 'x', patch: [] }],
      ['write_draft', {}],
      ['translate_missing', {}],
      ['find', { where: { a: 1 } }],
      ['find', { sort: 'nothing' }],
      ['read_tree', { below: 'nothing' }],
    ] as const) {
      const { data, isError } = await contributor(name, given)
      expect([name, isError, ['invalid', 'notfound'].includes(data.name)]).toEqual([name, true, true])
    }
  })

  it('§4.10 the same call with a key of its own is carried out once', async () => {
    const given = { type: 'topic', values: { title: 'Once only' }, idempotencyKey: 'a1' }
    const [first, second] = await Promise.all([contributor('write_draft', given), contributor('write_draft', given)])
    expect(second.data).toEqual(first.data)
    expect((await service.contributor.get('topic', 'aposMode=draft&title=Once only')).body.total).toBe(1)
    const other = await contributor('write_draft', { ...given, values: { title: 'Something else' } })
    expect(other.data.name).toBe('conflict')
    const wrong = { type: 'topic', values: { nope: 1 }, idempotencyKey: 'a2' }
    expect((await contributor('write_draft', wrong)).data).toEqual((await contributor('write_draft', wrong)).data)
  })

  it('§4.10 lists have no bodies, and go on by cursors of the same key and call', async () => {
    for (const title of ['Plum one', 'Plum two', 'Plum three']) await article({ title, subtitle: 'unseen words' })
    const first = await contributor('find', { types: ['article'], search: 'plum', perPage: 2 })
    expect([first.data.total, first.text.includes('unseen')]).toEqual([3, false])
    const { cursor } = first.data
    const second = await contributor('find', { types: ['article'], search: 'plum', perPage: 2, cursor })
    expect([second.data.cursor, second.text.match(/Plum/g)?.length]).toEqual([undefined, 1])
    for (const [call, given] of [
      [admin, { types: ['article'], search: 'plum', perPage: 2, cursor }],
      [contributor, { types: ['article'], search: 'pear', perPage: 2, cursor }],
      [contributor, { types: ['article'], search: 'plum', perPage: 2, cursor: '5.x' }],
    ] as const) {
      expect((await call('find', given)).data.errors).toMatchObject([{ path: 'cursor' }])
    }
    const filtered = await contributor('find', { types: ['article'], where: { title: 'Plum two' } })
    expect([filtered.data.total, filtered.text.includes('Plum two')]).toEqual([1, true])
  })

  it('§4.10 a long document comes in parts that fit', async () => {
    const paragraphs = Array.from({ length: 400 }, (_, n) => `<p>${n} ${'word '.repeat(20)}</p>`)
    const items = paragraphs.map((content) => ({ type: '@cms/rich-text', content }))
    const id = await article({ body: { items } })
    let parts = ''
    for (let cursor: string | undefined, calls = 0; calls === 0 || cursor; calls += 1) {
      const { text, data } = await contributor('read', { id, ...(cursor && { cursor }) })
      parts += text
      cursor = data.cursor
      expect(calls).toBeLessThan(20)
    }
    for (let n = 0; n < 400; n += 1) expect(parts).toContain(`<p>${n} word`)
    const { data } = await contributor('read', { id })
    await contributor('write_draft', { id, patch: { title: 'Changed meanwhile' } })
    expect((await contributor('read', { id, cursor: data.cursor })).data.errors).toMatchObject([{ path: 'cursor' }])
  })

  it('§4.10 tells versions and changes between any two of them', async () => {
    const id = await article({ subtitle: 'First' })
    await contributor('write_draft', { id, patch: { subtitle: 'Second' } })
    await service.editor.post(`article/${id}/publish`)
    await service.editor.patch(`article/${id}:en:draft`, { subtitle: 'Third' })
    const { text, data } = await contributor('history', { id })
    expect(data.total).toBeGreaterThan(1)
    expect(text).toContain('with AI')
    const versions = [...text.matchAll(/^- ([0-9a-z]{26}) /gm)].map(([, version]) => version)
    const changed = await contributor('changes', { id })
    expect(changed.text).toContain('[-Second-]')
    const [newest, oldest] = [versions[0], versions.at(-1)]
    const between = await contributor('changes', { id, version: newest, against: oldest })
    expect(between.text).toContain('Third')
    const link = { label: 'Home', href: 'https://example.org' }
    await contributor('write_draft', { id, patch: { links: [link] } })
    const gone = await contributor('write_draft', { id, patch: { links: [] } })
    for (const [name, value] of Object.entries(link)) expect(gone.text).toContain(`"${name}":"${value}"`)
    expect((await guest('history', { id })).data.name).toBe('notfound')
  })

  it('§4.10 begins a translation, and tells what it lacks', async () => {
    const id = await article({ subtitle: 'In English' })
    const before = await contributor('translate_missing', { id, toLocale: 'fr' })
    expect(before.text).toContain('- title (missing): "A walk"')
    const listed = await contributor('translate_missing', { type: 'article', toLocale: 'fr' })
    expect(listed.text).toContain(`${id} article "A walk": not in fr`)
    expect((await contributor('write_draft', { id, locale: 'fr', patch: { title: 'x' } })).data.name).toBe('notfound')
    const made = await contributor('write_draft', {
      id,
      locale: 'fr',
      copyFrom: 'en',
      patch: { title: 'Une promenade' },
    })
    expect(made.isError).toBe(false)
    const after = await contributor('translate_missing', { id, toLocale: 'fr' })
    expect([after.text.includes('- title ('), after.text.includes('subtitle (not translated)')]).toEqual([false, true])
    await contributor('write_draft', { id, locale: 'fr', patch: { subtitle: 'En français' } })
    await contributor('write_draft', { id, patch: { subtitle: 'In other words' } })
    expect((await contributor('translate_missing', { id, toLocale: 'fr' })).text).toContain('subtitle (behind)')
    expect((await contributor('translate_missing', { id, toLocale: 'xx' })).isError).toBe(true)
  })

  it('§4.10 makes pages where it is told, and shows the tree', async () => {
    const given = { type: 'default-page', values: { title: 'Contact' } }
    expect((await contributor('write_draft', given)).data.message).toContain('position')
    const made = await contributor('write_draft', { ...given, position: { target: '_home', at: 'lastChild' } })
    expect(made.isError).toBe(false)
    const { text } = await contributor('read_tree')
    expect(text).toContain(`  - ${made.data._id} default-page "Contact" /contact`)
    const changed = await contributor('write_draft', { id: made.data._id, patch: { title: 'Write to us' } })
    expect(changed.isError).toBe(false)
    const home = /- (\S+) @cms\/home-page/.exec(text)?.[1]
    expect((await contributor('read_tree', { below: home })).text).toContain('Write to us')
    expect((await contributor('read', { id: made.data._id })).text).toContain('title: Write to us')
  })

  it('§4.10 takes small files', async () => {
    const data = Buffer.from('hello').toString('base64')
    const stored = await contributor('upload', { name: 'note.txt', data })
    const attachment = { _id: stored.data._id }
    const id = await article({ download: attachment })
    expect((await service.contributor.get(`article/${id}:en:draft`)).body.download._id).toBe(stored.data._id)
    expect((await contributor('upload', { name: 'note.txt', data: 'no base64!' })).data.errors).toMatchObject([
      { path: 'data' },
    ])
    expect((await contributor('upload', { name: 'note.exe', data })).data.name).toBe('invalid')
    expect((await guest('upload', { name: 'note.txt', data })).data.name).toBe('forbidden')
  })

  it('§4.10 a proposal leaves the draft alone, and tells what became of it', async () => {
    const id = await article({ subtitle: 'As it is' })
    const given = {
      id,
      title: 'Better words',
      reason: 'They are short.',
      patch: { subtitle: 'See https://new.example' },
    }
    const made = await contributor('propose', { ...given, idempotencyKey: 'p1' })
    expect(made.data.state).toBe('open')
    expect(made.text).toContain('new.example')
    expect((await contributor('propose', { ...given, idempotencyKey: 'p1' })).data).toEqual(made.data)
    expect((await service.contributor.get(`article/${id}:en:draft`)).body.subtitle).toBe('As it is')
    const { proposal } = made.data
    expect((await service.contributor.post(`@cms/proposal/${proposal}/accept`, {})).status).toBe(403)
    await makeUser(service.app, 'ada', { role: 'editor', firstName: 'Ada', lastName: 'Young' })
    const ada = callerOf(service.address, null, null, {
      authorization: `Bearer ${await tokenOf(service.address, 'ada')}`,
    })
    const refused = await ada.post(`@cms/proposal/${proposal}/refuse`, { reason: 'Keep it.' })
    expect(refused.status).toBe(200)
    const { text, data } = await contributor('proposal_state', { proposal })
    expect([data.state, text.includes('Keep it.')]).toEqual(['refused', true])
    expect((await contributor('proposal_state')).text).toContain(proposal)
    expect((await admin('proposal_state')).text).not.toContain(proposal)
    expect((await guest('proposal_state', { proposal })).isError).toBe(true)
    expect((await contributor('propose', { ...given, patch: { nothing: 1 } })).data.errors[0].name).toBe('unknown')
    expect((await contributor('propose', { ...given, id: 'nothing' })).data.name).toBe('notfound')
  })

  it('§4.10 two agents on one document, and one that is deleted meanwhile', async () => {
    const id = await article()
    const { data } = await contributor('read', { id })
    const both = await Promise.all(
      ['One', 'Two'].map((title) => contributor('write_draft', { id, revision: data.revision, patch: { title } })),
    )
    expect(both.map(({ isError }) => isError).toSorted()).toEqual([false, true])
    await service.admin.delete(`article/${id}:en:draft`)
    expect((await contributor('write_draft', { id, patch: { title: 'x' } })).data.name).toBe('notfound')
  })
})
