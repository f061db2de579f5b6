import { beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { PROPOSAL, person, site } from '../../../test/proposing.ts'
import { type Caller, describeService } from '../../../test/service.ts'
import { newId } from '../../base/ids.ts'

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

  it('goes after 30 days, also where the clock goes on meanwhile', async () => {
    const clock = vi.spyOn(service.app.store, 'now')
    clock.mockImplementation(() => new Date(Date.now() + 5 * clock.mock.calls.length))
    onTestFinished(() => clock.mockRestore())
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
