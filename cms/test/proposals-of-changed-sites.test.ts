import { defineSite, piece } from 'quire-cms'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { quietLog } from '../src/cli/command/json-log.ts'
import type { SiteDeclaration } from '../src/model/compile/site-options.ts'
import type { App } from '../src/service.ts'
import { agentOf, type CallTool } from './agent-caller.ts'
import { type Caller, callerOf } from './caller.ts'
import { sampledDatabases, type TestDatabases } from './databases.ts'
import { makeUser, tokenOf } from './people.ts'

const PROPOSAL = '@cms/proposal'
const DRAFT = 'aposMode=draft'
const text = { type: 'string' } as const
const LOCALES = { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } }
const KEYS = [
  { key: 'key-ai', role: 'contributor', name: 'Agent', ai: true },
  { key: 'key-other', role: 'contributor', name: 'Other', ai: true },
] as const

const before = defineSite({
  locales: LOCALES,
  types: [piece('story', { fields: { add: { text, more: text } } }), piece('gone')],
})
const after = {
  type: defineSite({ locales: LOCALES, types: [piece('story', { fields: { add: { text, more: text } } })] }),
  fields: defineSite({ locales: LOCALES, types: [piece('story', { fields: { add: { text } } }), piece('gone')] }),
  locale: defineSite({
    locales: { en: LOCALES.en },
    types: [piece('story', { fields: { add: { text, more: text } } }), piece('gone')],
  }),
}

interface People {
  readonly app: App
  readonly ann: Caller
  readonly ai: Caller
  readonly agent: CallTool
  readonly other: CallTool
}

/** A database that is used by one site after the other; Ann is an admin. */
async function openDatabase(databases: TestDatabases) {
  const { url, drop } = await databases.createReady()
  onTestFinished(drop)
  return async (site: SiteDeclaration, work: (people: People) => Promise<void>) => {
    const app = await createApp(site, { database: url, keys: KEYS, log: quietLog })
    try {
      const address = await app.listen(0, '127.0.0.1')
      const agent = (key: string) => agentOf(() => address, key)
      if (site === before) await makeUser(app, 'ann', { role: 'admin' })
      const authorization = `Bearer ${await tokenOf(address, 'ann')}`
      const ann = callerOf(address, null, null, { authorization })
      await work({
        app,
        ann,
        ai: callerOf(address, 'key-ai', null),
        agent: agent('key-ai'),
        other: agent('key-other'),
      })
    } finally {
      await app.close()
    }
  }
}

describe.each(sampledDatabases('proposals of changed sites'))(
  '§4.9 proposals of a site that changes, on $name',
  (on) => {
    test('of a type that is gone are refused or withdrawn, and seen by their maker and admins alone', async () => {
      const serve = await openDatabase(on)
      let ids: string[] = []
      await serve(before, async ({ ann, ai }) => {
        const { aposDocId } = (await ann.post('gone', { title: 'One' }, DRAFT)).body
        const ask = async (title: string) =>
          (await ai.post(PROPOSAL, { docId: `${aposDocId}:en:draft`, title: 'New', patch: { title } })).body._id
        ids = [await ask('Two'), await ask('Three')]
      })
      await serve(after.type, async ({ ann, agent, other, ai }) => {
        const [first = '', second = ''] = ids
        expect((await ann.get(`${PROPOSAL}/${first}`)).body).toMatchObject({
          obstacle: 'The site no longer has the type gone.',
          rows: [],
          _accept: false,
          state: 'open',
        })
        expect((await agent('proposal_state', { proposal: first })).text).toContain('no longer has the type')
        expect((await other('proposal_state', { proposal: first })).data.name).toBe('notfound')
        const accepted = await ann.post(`${PROPOSAL}/${first}/accept`)
        expect(accepted.body).toMatchObject({ name: 'invalid', message: 'The site no longer has the type gone.' })
        expect((await ann.post(`${PROPOSAL}/${first}/refuse`, { reason: 'It is gone.' })).body.state).toBe('refused')
        expect((await ai.delete(`${PROPOSAL}/${second}`)).status).toBe(200)
        expect((await agent('propose', { id: 'x', title: 'x', patch: { title: 'x' } })).data.name).toBe('notfound')
      })
    })

    test('whose fields are gone keep the others, and can be refused where none is left', async () => {
      const serve = await openDatabase(on)
      let [both, only, docId] = ['', '', '']
      await serve(before, async ({ ann, ai }) => {
        const made = (await ann.post('story', { title: 'One', text: 'One', more: 'One' }, DRAFT)).body
        docId = `${made.aposDocId}:en:draft`
        const ask = async (patch: object) => (await ai.post(PROPOSAL, { docId, title: 'New', patch })).body._id
        both = await ask({ text: 'Two', more: 'Two' })
        only = await ask({ more: 'Three' })
      })
      await serve(after.fields, async ({ ann, agent }) => {
        const shown = (await ann.get(`${PROPOSAL}/${both}`)).body
        expect(shown.rows.map(({ key }: { key: string }) => key)).toEqual(['text', 'more'])
        expect(shown.rows[1].changedMeanwhile).toMatchObject([{ type: 'deleted' }])
        const named = await ann.post(`${PROPOSAL}/${both}/accept`, { rows: ['more'] })
        expect([named.status, named.body.name]).toEqual([400, 'invalid'])
        expect((await ann.post(`${PROPOSAL}/${both}/accept`)).body.state).toBe('open')
        expect((await ann.get(`story/${docId}`)).body).toMatchObject({ text: 'Two' })
        expect((await ann.post(`${PROPOSAL}/${both}/refuse`)).body.state).toBe('partial')
        expect((await ann.post(`${PROPOSAL}/${only}/accept`)).body.name).toBe('conflict')
        expect((await ann.post(`${PROPOSAL}/${only}/refuse`)).body.state).toBe('refused')
        const { data } = await agent('propose', { id: docId, title: 'New', patch: { more: 'Four' } })
        expect(data.errors).toMatchObject([{ path: 'more', name: 'unknown' }])
      })
    })

    test('of a locale that is gone cannot be accepted', async () => {
      const serve = await openDatabase(on)
      let [id, docId] = ['', '']
      await serve(before, async ({ ann, ai }) => {
        docId = (await ann.post('story', { title: 'Un', text: 'Un' }, `${DRAFT}&aposLocale=fr`)).body.aposDocId
        const wish = { docId: `${docId}:fr:draft`, title: 'New', patch: { text: 'Deux' } }
        id = (await ai.post(PROPOSAL, wish)).body._id
        expect(id).toHaveLength(26)
      })
      await serve(after.locale, async ({ ann, agent, other }) => {
        expect((await ann.get(`${PROPOSAL}/${id}`)).body).toMatchObject({
          obstacle: 'The site no longer has the locale fr.',
          _accept: false,
        })
        expect((await ann.post(`${PROPOSAL}/${id}/accept`)).body.message).toContain('locale fr')
        expect((await agent('proposal_state', { proposal: id })).text).toContain('no longer has the locale')
        expect((await other('proposal_state', { proposal: id })).data.name).toBe('notfound')
        const again = await agent('propose', { id: docId, locale: 'fr', title: 'New', patch: { text: 'x' } })
        expect(again.isError).toBe(true)
        expect((await ann.post(`${PROPOSAL}/${id}/refuse`)).body.state).toBe('refused')
      })
    })
  },
)
