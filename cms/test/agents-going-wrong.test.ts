import { defineSite, page, piece } from 'quire-cms'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { quietLog } from '../src/cli/command/json-log.ts'
import { createKey, revokeKey } from '../src/engine/access/keys.ts'
import { agentOf, type CallTool, mcp } from './agent-caller.ts'
import { person } from './proposing.ts'
import { type Caller, describeService } from './service.ts'

const site = defineSite({
  types: [
    piece('story', {
      fields: {
        add: { text: { type: 'string' }, links: { type: 'array', fields: { add: { to: { type: 'string' } } } } },
      },
    }),
    page('text'),
  ],
  mcp: { limits: { calls: 1000, characters: 2_000_000 } },
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
})
/** As many changes as a PATCH takes (§4.1). */
const MOST = 500
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

describeService('§4.10 what goes wrong with agents', { site }, (service) => {
  let other: App
  let otherAddress: string
  let ann: Caller
  beforeAll(async () => {
    other = await createApp(site, { database: service.databaseUrl, uploads: service.uploads, log: quietLog })
    otherAddress = await other.listen(0, '127.0.0.1')
    ann = await person(service, 'ann', 'editor')
  })
  afterAll(() => other.close())
  const operator = () => service.app.context({ kind: 'operator' })
  const newKey = () => createKey(operator(), { name: 'Agent', role: 'contributor', ai: true })
  const newAgent = async () => agentOf(() => service.address, (await newKey()).key)
  const made = async (call: CallTool, values: object = {}): Promise<string> =>
    (await call('write_draft', { type: 'story', values: { title: 'Story', ...values } })).data._id
  const draftOf = async (id: string) => (await ann.get(`story/${id}:en:draft`)).body

  it('a patch of a thousand operations is refused, one of as many as a PATCH takes is taken whole, or not at all', async () => {
    const call = await newAgent()
    const links = Array.from({ length: 2 * MOST }, (_, n) => ({ to: `One ${n}` }))
    const id = await made(call, { links })
    const stored = (await draftOf(id)).links
    const operations = stored.map(({ _id }: { _id: string }, n: number) => [`@${_id}.to`, `Two ${n}`])
    for (const tool of ['write_draft', 'propose']) {
      const given = { id, patch: Object.fromEntries(operations), ...(tool === 'propose' && { title: 'All' }) }
      const { data } = await call(tool, given)
      expect([tool, data.name, data.message]).toEqual([tool, 'invalid', expect.stringContaining(String(MOST))])
    }
    const patch = Object.fromEntries(operations.slice(0, MOST))
    const last = Object.fromEntries([...operations.slice(1, MOST), [`@${'0'.repeat(26)}.to`, 'x']])
    expect((await call('write_draft', { id, patch: last })).data.name).toBe('invalid')
    expect((await call('write_draft', { id, patch, dryRun: true })).isError).toBe(false)
    expect((await draftOf(id)).links).toEqual(stored)
    const { data } = await call('propose', { id, title: 'All', patch })
    let rows = ''
    for (let cursor: string | undefined, calls = 0; calls === 0 || cursor; calls += 1) {
      const part = await call('proposal_state', { proposal: data.proposal, ...(cursor && { cursor }) })
      rows += part.text
      cursor = part.data.cursor
      expect(calls).toBeLessThan(30)
    }
    expect(rows.match(/\[\+Two\+\]/g)).toHaveLength(MOST)
    expect((await ann.post(`@cms/proposal/${data.proposal}/accept`)).body.state).toBe('accepted')
    const wanted = links.map(({ to }, n) => (n < MOST ? `Two ${n}` : to))
    expect((await draftOf(id)).links.map(({ to }: { to: string }) => to)).toEqual(wanted)
  })

  it('a document that is deleted or archived between reading and writing', async () => {
    const call = await newAgent()
    const [deleted, archived] = [await made(call), await made(call)]
    const revisions = [await call('read', { id: deleted }), await call('read', { id: archived })]
    await ann.delete(`story/${deleted}:en:draft`)
    await ann.post(`story/${archived}/archive`)
    const patch = { title: 'Late' }
    for (const more of [{}, { revision: revisions[0]?.data.revision }, { dryRun: true }, { idempotencyKey: 'late' }]) {
      const { data } = await call('write_draft', { id: deleted, patch, ...more })
      expect([more, data.name]).toEqual([more, 'notfound'])
    }
    for (const [tool, given] of [
      ['propose', { id: deleted, title: 'Late', patch }],
      ['read', { id: deleted }],
      ['history', { id: deleted }],
      ['changes', { id: deleted }],
      ['translate_missing', { id: deleted, toLocale: 'fr' }],
      ['write_draft', { id: deleted, locale: 'fr', copyFrom: 'en', patch }],
    ] as const) {
      expect([tool, (await call(tool, given)).data.name]).toEqual([tool, 'notfound'])
    }
    expect((await ann.get('story', 'aposMode=draft&title=Late&archived=any')).body.total).toBe(0)
    const late = await call('propose', { id: archived, title: 'Late', patch })
    expect(late.data.message).toContain('archived')
  })

  it('of two agents on one document none loses what the other has written', async () => {
    const [one, another] = [await newAgent(), await newAgent()]
    const id = await made(one, { text: 'One' })
    const [{ data: seen }, { data: same }] = [await one('read', { id }), await another('read', { id })]
    expect(seen.revision).toBe(same.revision)
    expect((await one('write_draft', { id, revision: seen.revision, patch: { text: 'Mine' } })).isError).toBe(false)
    const stale = await another('write_draft', { id, revision: seen.revision, patch: { text: 'Yours' } })
    expect(stale.data).toMatchObject({ name: 'conflict', next: expect.stringContaining('read it again') })
    const fields = await Promise.all([
      one('write_draft', { id, patch: { title: 'By one' } }),
      another('write_draft', { id, patch: { text: 'By another' } }),
    ])
    expect(fields.map(({ isError }) => isError)).toEqual([false, false])
    expect(await draftOf(id)).toMatchObject({ title: 'By one', text: 'By another' })
    const proposals = await Promise.all(
      [one, another].map((call, n) => call('propose', { id, title: 'Both', patch: { text: `Proposal ${n}` } })),
    )
    const [first, second] = proposals.map(({ data }) => data.proposal)
    expect((await ann.post(`@cms/proposal/${first}/accept`)).body.state).toBe('accepted')
    expect((await ann.post(`@cms/proposal/${second}/accept`)).body).toMatchObject({ name: 'conflict' })
    expect((await draftOf(id)).text).toBe('Proposal 0')
    expect((await another('proposal_state', { proposal: second })).data.state).toBe('open')
    expect((await one('proposal_state', { proposal: second })).isError).toBe(false)
  })

  it('a cursor is of one key, one tool and its arguments, in each tool that has one', async () => {
    const [call, stranger] = [await newAgent(), await newAgent()]
    const links = Array.from({ length: 700 }, (_, n) => ({ to: `${n} ${'word '.repeat(8)}` }))
    const id = await made(call, { links })
    for (let n = 0; n < 51; n += 1) await ann.post('story', { title: `Story ${n}` }, 'aposMode=draft')
    for (let n = 0; n < 250; n += 1) {
      const place = {
        type: 'text',
        title: `Page ${n} ${'long '.repeat(12)}`,
        _targetId: '_home',
        _position: 'lastChild',
      }
      await ann.post('@cms/page', place, 'aposMode=draft')
    }
    await call('propose', { id, title: 'All', patch: { links: [] } })
    for (let n = 0; n < 51; n += 1) await call('propose', { id, title: `No. ${n}`, patch: { text: `Text ${n}` } })
    const calls: readonly (readonly [string, object])[] = [
      ['find', { types: ['story'], perPage: 10 }],
      ['read', { id }],
      ['read_tree', {}],
      ['translate_missing', { id, toLocale: 'fr' }],
      ['translate_missing', { type: 'story', toLocale: 'fr' }],
      ['proposal_state', {}],
    ]
    for (const [tool, given] of calls) {
      const { cursor } = (await call(tool, given)).data
      expect([tool, typeof cursor]).toEqual([tool, 'string'])
      for (const wrong of [cursor.replace(/^./, '9'), `${cursor}x`, cursor.split('.')[0], '']) {
        expect([tool, (await call(tool, { ...given, cursor: wrong })).data.name]).toEqual([tool, 'invalid'])
      }
      const theirs = await stranger(tool, { ...given, cursor })
      expect([tool, theirs.data.errors]).toMatchObject([tool, [{ path: 'cursor' }]])
      expect([tool, (await call(tool, { ...given, cursor })).isError]).toEqual([tool, false])
    }
    const { cursor } = (await call('read', { id })).data
    expect((await call('find', { types: ['story'], perPage: 10, cursor })).data.errors).toMatchObject([
      { path: 'cursor' },
    ])
  })

  it('a key that is revoked in the middle of a conversation ends at once, in every process', async () => {
    const { key, stored } = await newKey()
    const [here, there] = [service.address, otherAddress].map((address) => agentOf(() => address, key))
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const begin = { jsonrpc: '2.0', id: 1, method: 'initialize', params: hello }
    expect((await mcp(otherAddress, key, begin)).status).toBe(200)
    const given = { type: 'story', values: { title: 'Mine' }, idempotencyKey: 'once' }
    const first = await here?.('write_draft', given)
    expect((await there?.('read', { id: first?.data._id }))?.isError).toBe(false)
    const proposed = await there?.('propose', { id: first?.data._id, title: 'New', patch: { title: 'Ours' } })
    const { url } = (await here?.('upload', { name: 'note.txt' }))?.data ?? {}
    await revokeKey(operator(), stored.id)
    for (const address of [service.address, otherAddress]) {
      for (const message of [LIST, begin, { jsonrpc: '2.0', method: 'notifications/initialized' }]) {
        const { status, headers } = await mcp(address, key, message)
        expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
      }
      const again = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'write_draft', arguments: given } }
      expect((await mcp(address, key, again)).status).toBe(401)
    }
    expect((await fetch(url, { method: 'PUT', body: 'A note' })).status).toBe(404)
    // What it has written stays, for people to decide.
    expect((await draftOf(first?.data._id)).title).toBe('Mine')
    const decided = await ann.post(`@cms/proposal/${proposed?.data.proposal}/accept`)
    expect(decided.body.state).toBe('accepted')
  })
})
