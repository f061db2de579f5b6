import { beforeAll, expect, it } from 'vitest'
import { keysOf, PROPOSAL, person, site } from '../../../test/proposing.ts'
import { type Caller, describeService } from '../../../test/service.ts'
import { newId } from '../../base/ids.ts'

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
