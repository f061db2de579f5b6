import { beforeAll, describe, expect, it } from 'vitest'
import { makeUser, tokenOf } from '../../../test/people.ts'
import { type Caller, callerOf, describeService, type Service } from '../../../test/service.ts'
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

describeService('§4.8 proposals', { site }, (service) => {
  let ann: Caller
  let bob: Caller
  let admin: Caller
  let carl: Caller

  beforeAll(async () => {
    ann = await person(service, 'ann', 'editor')
    bob = await person(service, 'bob', 'editor')
    admin = await person(service, 'adele', 'admin')
    carl = await person(service, 'carl', 'contributor')
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
})
