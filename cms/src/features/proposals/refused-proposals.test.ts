import { expect, it } from 'vitest'
import { PROPOSAL, site } from '../../../test/proposing.ts'
import { type Answer, type Caller, describeService } from '../../../test/service.ts'
import { newId } from '../../base/ids.ts'

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
