import { beforeAll, expect, it } from 'vitest'
import { agentOf, mcp } from '../../../test/agent-caller.ts'
import { makeUser } from '../../../test/people.ts'
import { PROPOSAL, person, site } from '../../../test/proposing.ts'
import { type Caller, callerOf, describeService } from '../../../test/service.ts'
import { namedActor } from '../../engine/access/authenticate.ts'
import { createKey, type NewKey } from '../../engine/access/keys.ts'
import { acceptProposal } from '../../engine/proposals/decide-proposal.ts'

describeService('§4.9 no key decides about proposals', { site }, (service) => {
  const keys = new Map<string, string>()
  let ann: Caller
  let docId: string

  beforeAll(async () => {
    const operator = service.app.context({ kind: 'operator' })
    const userId = await makeUser(service.app, 'owner', { role: 'admin' })
    const wanted: readonly NewKey[] = [
      { name: 'AI', role: 'editor', ai: true },
      { name: 'AI that may publish', role: 'admin', ai: true, mayPublish: true },
      { name: 'plain', role: 'admin' },
      { name: 'of a user', role: 'admin', userId },
    ]
    for (const one of wanted) keys.set(one.name, (await createKey(operator, one)).key)
    ann = await person(service, 'ann', 'admin')
    const body = { title: 'Story', text: 'One', more: 'More' }
    docId = (await ann.post('story', body, 'aposMode=draft')).body.aposDocId
  })

  const patch = { text: 'Two', more: 'Less' }
  const wish = () => ({ docId: `${docId}:en:draft`, title: 'Shorter', patch })
  const callerWith = (key: string) => callerOf(service.address, key, null)

  /** All ways to decide, each as a request of its own. */
  const WAYS: readonly (readonly [string, (id: string) => [path: string, body: object, query?: string]])[] = [
    ['all', (id) => [`${PROPOSAL}/${id}/accept`, {}]],
    ['a row', (id) => [`${PROPOSAL}/${id}/accept`, { rows: ['text'] }]],
    ['all rows by their paths', (id) => [`${PROPOSAL}/${id}/accept`, { rows: ['text', 'more'] }]],
    ['another value', (id) => [`${PROPOSAL}/${id}/accept`, { rows: ['text'], values: { text: 'Three' } }]],
    ['values alone', (id) => [`${PROPOSAL}/${id}/accept`, { values: { text: 'Three' } }]],
    ['no row', (id) => [`${PROPOSAL}/${id}/accept`, { rows: [] }]],
    ['a row that there is not', (id) => [`${PROPOSAL}/${id}/accept`, { rows: ['nothing'] }]],
    ['an unmarked body', (id) => [`${PROPOSAL}/${id}/accept`, { _ai: false }]],
    ['in a locale', (id) => [`${PROPOSAL}/${id}/accept`, {}, 'aposLocale=en']],
    ['refusing all', (id) => [`${PROPOSAL}/${id}/refuse`, {}]],
    ['refusing a row', (id) => [`${PROPOSAL}/${id}/refuse`, { rows: ['text'], reason: 'No' }]],
  ]

  it.each(['AI', 'AI that may publish', 'plain', 'of a user'])('the key %s, of its own and of others', async (name) => {
    const key = keys.get(name) ?? ''
    const caller = callerWith(key)
    const own = (await caller.post(PROPOSAL, wish())).body._id
    const other = (await service.editor.post(PROPOSAL, wish())).body._id
    for (const id of [own, other]) {
      expect((await caller.get(`${PROPOSAL}/${id}`)).body._accept).toBe(false)
      for (const [index, [way, of]] of WAYS.entries()) {
        const [path, body, query] = of(id)
        expect([way, (await caller.post(path, body, query)).body.name]).toEqual([way, 'forbidden'])
        const inUrl = await service.anonymous.post(path, body, `${query ?? ''}&apikey=${key}`)
        expect([way, inUrl.body.name]).toEqual([way, 'forbidden'])
        const once = callerOf(service.address, key, null, { 'idempotency-key': `${id}-${index}` })
        expect([way, (await once.post(path, body, query)).body.name]).toEqual([way, 'forbidden'])
      }
      expect((await ann.get(`${PROPOSAL}/${id}`)).body).toMatchObject({ state: 'open', decidedAt: null })
    }
    expect((await ann.get(`story/${docId}:en:draft`)).body).toMatchObject({ text: 'One', more: 'More' })
  })

  it('agents have no tool for it', async () => {
    const call = agentOf(() => service.address, keys.get('plain'))
    const { data } = await call('propose', { id: docId, title: 'Shorter', patch })
    for (const name of ['accept', 'accept_proposal', 'proposal.accept', 'decide']) {
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: { id: data.proposal } },
      }
      expect((await mcp(service.address, keys.get('plain') ?? '', message)).body.error.code).toBe(-32602)
    }
    const asArgument = await call('propose', { id: docId, title: 'Shorter', patch: { ...patch, _accept: true } })
    expect(asArgument.data.name).toBe('invalid')
    expect((await call('proposal_state', { proposal: data.proposal, accept: true })).data.name).toBe('invalid')
    expect((await ann.get(`${PROPOSAL}/${data.proposal}`)).body.state).toBe('open')
    expect((await ann.post(`${PROPOSAL}/${data.proposal}/accept`)).body.state).toBe('accepted')
  })

  it('nor does code of the site that acts for a role', async () => {
    const again = { ...wish(), patch: { text: 'Nine' } }
    const id = (await service.ai.post(PROPOSAL, again)).body._id
    for (const actor of [{ kind: 'operator' } as const, namedActor({ role: 'admin', name: 'Code' })]) {
      const chosen = { rows: null, values: new Map(), reason: '' }
      const accepted = acceptProposal(service.app.context(actor), id, chosen)
      await expect(accepted).rejects.toMatchObject({ name: 'forbidden' })
    }
  })
})
