import { defineSite, page, piece } from 'quire-cms'
import { beforeAll, expect, it } from 'vitest'
import { createKey } from '../src/engine/access/keys.ts'
import type { Context } from '../src/engine/context.ts'
import { carryOutDue } from '../src/features/scheduling/feature.ts'
import { agentOf } from './agent-caller.ts'
import { person } from './proposing.ts'
import { type Caller, callerOf, describeService } from './service.ts'

const HOUR = 3_600_000
const DRAFT = 'aposMode=draft'
const PAGE = '@cms/page'

const site = defineSite({
  types: [
    piece('story', { scheduling: true, fields: { add: { text: { type: 'string' } } } }),
    piece('diary', { versions: false }),
    piece('note', { autopublish: true }),
    page('text'),
  ],
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
})

describeService('§5.5 what AI wrote is published by people', { site }, (service) => {
  let machine: Caller
  let machineKey: string
  let ann: Caller
  beforeAll(async () => {
    const operator = service.app.context({ kind: 'operator' })
    const made = await createKey(operator, { name: 'Publisher', role: 'admin', ai: true, mayPublish: true })
    machineKey = made.key
    machine = callerOf(service.address, machineKey, null)
    ann = await person(service, 'ann', 'editor')
  })
  const agent = () => agentOf(() => service.address, machineKey)
  const byAgent = async (title: string): Promise<string> => {
    const { data } = await agent()('write_draft', { type: 'story', values: { title, text: 'One' } })
    return data._id
  }
  const isPublished = async (path: string, id: string, query = '') =>
    (await service.admin.get(`${path}/${id}`, query)).status === 200
  const pass = (ms: number) => {
    const ctx: Context = { ...service.app.context({ kind: 'operator' }), now: () => new Date(Date.now() + ms) }
    return carryOutDue(ctx, new AbortController().signal)
  }
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()

  it('an AI key that may publish does not publish it, in whatever way', async () => {
    const id = await byAgent('Eels')
    const own = (await service.editor.post('story', { title: 'By hand', text: 'x' }, DRAFT)).body.aposDocId
    const parent = { type: 'text', title: 'Leaf', _targetId: '_home', _position: 'lastChild' }
    const leaf = (await service.ai.post(PAGE, parent, DRAFT)).body.aposDocId
    const ways: [string, () => Promise<{ status: number; body: { results?: { ok: boolean }[]; name?: string } }>][] = [
      ['publish', () => machine.post(`story/${id}/publish`)],
      ['publish by its draft', () => machine.post(`story/${id}:en:draft/publish`)],
      ['publish of a page', () => machine.post(`${PAGE}/${leaf}/publish`)],
      ['publish along', () => machine.post(`story/${own}/publish`, { alsoPublish: [id] })],
      ['localize and publish', () => machine.post(`story/${id}/localize`, { toLocale: 'fr', publish: true }, DRAFT)],
      ['localize a page', () => machine.post(`${PAGE}/${leaf}/localize`, { toLocale: 'fr', publish: true }, DRAFT)],
    ]
    for (const [way, send] of ways) {
      const { status, body } = await send()
      expect([way, status, body.name]).toEqual([way, 403, 'forbidden'])
    }
    const many = (await machine.post('story/publish', { _ids: [id, own] })).body.results
    expect(many).toMatchObject([{ ok: false, error: { name: 'forbidden' } }, { ok: true }])
    const localized = (await machine.post('story/localize', { _ids: [id], toLocales: ['fr'], publish: true })).body
    expect(localized.results).toMatchObject([{ ok: false, error: { name: 'forbidden' } }])
    expect([await isPublished('story', id), await isPublished(PAGE, leaf)]).toEqual([false, false])
    expect(await isPublished('story', id, 'aposLocale=fr')).toBe(false)
  })

  it('in another locale, it publishes there what people wrote here', async () => {
    const id = (await ann.post('story', { title: 'Reeds', text: 'x' }, DRAFT)).body.aposDocId
    expect((await ann.post(`story/${id}/localize`, { toLocale: 'fr' }, DRAFT)).status).toBe(200)
    expect((await service.ai.patch(`story/${id}:fr:draft`, { text: 'Par une machine' })).status).toBe(200)
    expect((await machine.post(`story/${id}:fr:draft/publish`)).status).toBe(403)
    expect((await machine.post(`story/${id}:en:draft/publish`)).status).toBe(200)
  })

  it('a person does, and after that the key publishes what people changed', async () => {
    const id = await byAgent('Wells')
    expect((await machine.post(`story/${id}/publish`)).body.message).toContain('a person publishes it')
    expect((await ann.post(`story/${id}/publish`)).status).toBe(200)
    await ann.patch(`story/${id}:en:draft`, { text: 'By a person' })
    expect((await machine.post(`story/${id}/publish`)).status).toBe(200)
    await service.ai.patch(`story/${id}:en:draft`, { text: 'By a machine' })
    await ann.patch(`story/${id}:en:draft`, { title: 'Wells again' })
    expect((await machine.post(`story/${id}/publish`)).status).toBe(403)
    expect((await service.admin.get(`story/${id}`)).body).toMatchObject({ title: 'Wells', text: 'By a person' })
  })

  it('what a person accepted of a proposal is published by a person, too', async () => {
    const id = (await ann.post('story', { title: 'Roads', text: 'One' }, DRAFT)).body.aposDocId
    const patch = { docId: `${id}:en:draft`, title: 'Shorter', patch: { text: 'Two' } }
    const proposal = (await service.ai.post('@cms/proposal', patch)).body._id
    expect((await ann.post(`@cms/proposal/${proposal}/accept`)).status).toBe(200)
    expect((await machine.post(`story/${id}/publish`)).status).toBe(403)
    expect((await ann.post(`story/${id}/publish`)).status).toBe(200)
  })

  it('drafts of types without versions, which have no marks, are published by people', async () => {
    const id = (await service.ai.post('diary', { title: 'Monday' }, DRAFT)).body.aposDocId
    expect((await machine.post(`diary/${id}/publish`)).status).toBe(403)
    expect((await ann.post(`diary/${id}/publish`)).status).toBe(200)
  })

  it('its own saves go where they are sent, and an agent with such a key still writes drafts', async () => {
    expect((await machine.post('story', { title: 'Own', text: 'x' })).body.aposMode).toBe('published')
    const { data } = await agent()('write_draft', { type: 'note', values: { title: 'A note' } })
    expect(await isPublished('note', data._id)).toBe(false)
    expect((await machine.post('note/localize', { _ids: [data._id], toLocales: ['fr'] })).body.results).toMatchObject([
      { ok: false, error: { name: 'forbidden' } },
    ])
    expect(await isPublished('note', data._id, 'aposLocale=fr')).toBe(false)
  })

  it('keys that are not marked as AI publish what their role may', async () => {
    const id = await byAgent('Bridges')
    expect((await service.editor.post(`story/${id}/publish`)).status).toBe(200)
  })

  it('§3.9 a schedule of an AI key is refused when it is due', async () => {
    const id = await byAgent('Trees')
    expect((await machine.patch(`story/${id}:en:draft`, { publishAt: at(HOUR) })).status).toBe(200)
    await pass(HOUR + 1000)
    expect(await isPublished('story', id)).toBe(false)
    const { scheduleError, publishAt } = (await ann.get(`story/${id}:en:draft`)).body
    expect([publishAt, scheduleError.message]).toEqual([null, expect.stringContaining('a person publishes it')])
  })

  it('§3.9 what an agent writes after a person has set the time waits for a person', async () => {
    const make = async (title: string) =>
      (await ann.post('story', { title, text: 'One', publishAt: at(HOUR) }, DRAFT)).body.aposDocId
    const [changed, same, assisted] = [await make('Hills'), await make('Dales'), await make('Moors')]
    await service.ai.patch(`story/${changed}:en:draft`, { text: 'By a machine' })
    await ann.patch(`story/${assisted}:en:draft`, { text: 'With help', _ai: true })
    await pass(HOUR + 1000)
    expect(await isPublished('story', changed)).toBe(false)
    const { scheduleError } = (await ann.get(`story/${changed}:en:draft`)).body
    expect(scheduleError.message).toContain('An agent has changed the draft')
    expect([await isPublished('story', same), await isPublished('story', assisted)]).toEqual([true, true])
    await ann.patch(`story/${changed}:en:draft`, { publishAt: at(2 * HOUR) })
    await pass(2 * HOUR + 1000)
    expect((await service.admin.get(`story/${changed}`)).body.text).toBe('By a machine')
  })
})
