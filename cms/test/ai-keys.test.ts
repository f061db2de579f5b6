import { beforeAll, expect, test } from 'vitest'
import { createKey } from '../src/engine/access/keys.ts'
import { defineSite } from '../src/model/compile/site-options.ts'
import { page, piece } from '../src/model/declared/content-type.ts'
import { rowsOf } from './consistency.ts'
import { type Answer, type Caller, callerOf, describeService } from './service.ts'

const site = defineSite({
  locales: { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } },
  types: [
    piece('thing', { guestApiAccess: true }),
    piece('note', { autopublish: true }),
    piece('plain', { localized: false }),
    page('leaf'),
  ],
})

const TREE = '@cms/page'
const USER = { username: 'eve', email: 'eve@example.org', password: 'a long enough password', role: 'admin' }

/** What is there before: published, and a draft that never was. */
interface Ids {
  readonly [name: string]: string
}

describeService('§5.5 the key of an AI that is an admin', { isLong: true, site }, (service) => {
  let machine: Caller
  let ids: Ids
  beforeAll(async () => {
    const operator = service.app.context({ kind: 'operator' })
    const { key } = await createKey(operator, { name: 'machine', role: 'admin', ai: true })
    machine = callerOf(service.address, key, null)
    const id = (answer: Answer): string => {
      expect(answer).toMatchObject({ status: 200 })
      return answer.body.aposDocId
    }
    const { admin } = service
    const place = { type: 'leaf', _targetId: '_home', _position: 'lastChild' }
    ids = {
      thing: id(await admin.post('thing', { title: 'Published' })),
      plain: id(await admin.post('plain', { title: 'Without drafts' })),
      note: id(await admin.post('note', { title: 'Note' })),
      user: id(await admin.post('@cms/user', { ...USER, username: 'adam', email: 'adam@example.org' })),
      leaf: id(await admin.post(TREE, { title: 'Published', ...place })),
      draftLeaf: id(await admin.post(TREE, { title: 'Draft', ...place }, 'aposMode=draft')),
    }
  })
  /** All that is stored but drafts and their versions. */
  const publishedState = () =>
    rowsOf(service.databaseUrl, [
      `select doc_id, locale, mode, slug, archived, revision, content from documents where mode = 'published' order by n`,
      'select locale, doc_id, path, rank from places order by locale, doc_id',
    ])

  const FORBIDDEN: { [name: string]: (ids: Ids) => Promise<Answer> } = {
    publish: ({ thing }) => machine.post(`thing/${thing}/publish`),
    'publish of many': ({ thing }) => machine.post('thing/publish', { _ids: [thing] }),
    unpublish: ({ thing }) => machine.post(`thing/${thing}/unpublish`),
    archive: ({ thing }) => machine.post(`thing/${thing}/archive`),
    'archive of many': ({ thing }) => machine.post('thing/archive', { _ids: [thing] }),
    'restore of many': ({ thing }) => machine.post('thing/restore', { _ids: [thing] }),
    'PATCH of archived': ({ thing }) => machine.patch(`thing/${thing}`, { archived: true }),
    'DELETE of what is published': ({ thing }) => machine.delete(`thing/${thing}`),
    'a new document without drafts': () => machine.post('plain', { title: 'New' }),
    'PATCH of a document without drafts': ({ plain }) => machine.patch(`plain/${plain}`, { title: 'Other' }),
    'PUT of a document without drafts': ({ plain }) => machine.put(`plain/${plain}`, { title: 'Other' }),
    'archive of a document without drafts': ({ plain }) => machine.post(`plain/${plain}/archive`),
    'DELETE of a document without drafts': ({ plain }) => machine.delete(`plain/${plain}`),
    'a new user': () => machine.post('@cms/user', USER),
    'a new user as a draft': () => machine.post('@cms/user', USER, 'aposMode=draft'),
    'the password of a user': ({ user }) => machine.patch(`@cms/user/${user}`, { password: 'another long password' }),
    'the list of users': () => machine.get('@cms/user'),
    'one user': ({ user }) => machine.get(`@cms/user/${user}`),
    'DELETE of a user': ({ user }) => machine.delete(`@cms/user/${user}`),
    metrics: () => machine.get('metrics'),
    'the calls of agents': () => machine.get('@cms/agent-calls'),
    'publish of a page': ({ draftLeaf }) => machine.post(`${TREE}/${draftLeaf}/publish`),
    'unpublish of a page': ({ leaf }) => machine.post(`${TREE}/${leaf}/unpublish`),
    'a move': ({ leaf }) => machine.patch(`${TREE}/${leaf}`, { _targetId: '_home', _position: 0 }),
    'a move of a draft': ({ draftLeaf }) => machine.patch(`${TREE}/${draftLeaf}`, { _targetId: '_home', _position: 0 }),
    'archive of a page': ({ leaf }) => machine.patch(`${TREE}/${leaf}`, { _targetId: '_archive', _position: 0 }),
    'archive of a draft page': ({ draftLeaf }) =>
      machine.put(`${TREE}/${draftLeaf}`, { title: 'x', _targetId: '_archive', _position: 0 }),
    'a new page in the archive': () =>
      machine.post(TREE, { type: 'leaf', title: 'x', _targetId: '_archive', _position: 0 }),
    'DELETE of a page that is published': ({ leaf }) => machine.delete(`${TREE}/${leaf}`),
  }
  test.each(Object.keys(FORBIDDEN))('%s is forbidden to it', async (name) => {
    const before = await publishedState()
    expect(await FORBIDDEN[name]?.(ids)).toMatchObject({ status: 403, body: { name: 'forbidden' } })
    expect(await publishedState()).toEqual(before)
  })

  test('it has made nobody who could sign in', async () => {
    expect((await service.anonymous.post('@cms/login/login', USER)).status).toBe(401)
  })

  const ALLOWED: { [name: string]: (ids: Ids) => Promise<Answer> } = {
    'a new document without a mode': () => machine.post('thing', { title: 'New' }),
    'a new document that is published at once': () => machine.post('note', { title: 'New' }),
    'PATCH of what is published': ({ thing }) => machine.patch(`thing/${thing}`, { title: 'Other' }),
    'PATCH of what is published at once': ({ note }) => machine.patch(`note/${note}`, { title: 'Other' }),
    'PUT of what is published': ({ thing }) => machine.put(`thing/${thing}`, { title: 'Third' }),
    revert: ({ thing }) => machine.post(`thing/${thing}/revert-draft-to-published`),
    localize: ({ note }) => machine.post(`note/${note}/localize`, { toLocale: 'fr' }),
    'a new page': () => machine.post(TREE, { type: 'leaf', title: 'New', _targetId: '_home', _position: 'lastChild' }),
    'PATCH of a page': ({ leaf }) => machine.patch(`${TREE}/${leaf}`, { title: 'Other', slug: '/other' }),
    'localize of a page': ({ leaf }) => machine.post(`${TREE}/${leaf}/localize`, { toLocale: 'fr' }),
  }
  test.each(Object.keys(ALLOWED))('%s goes to the draft', async (name) => {
    const before = await rowsOf(service.databaseUrl, [
      `select doc_id, locale, slug, archived, revision, content from documents where mode = 'published' order by n`,
    ])
    const answer = await ALLOWED[name]?.(ids)
    expect(answer).toMatchObject({ status: 200, body: { aposMode: 'draft' } })
    const after = await rowsOf(service.databaseUrl, [
      `select doc_id, locale, slug, archived, revision, content from documents where mode = 'published' order by n`,
    ])
    expect(after).toEqual(before)
    const [version] = await service.app.store.versions.list(
      { docId: answer?.body.aposDocId, locale: answer?.body.aposLocale.slice(0, 2) },
      { limit: 1 },
    )
    expect(version).toMatchObject({ mode: 'draft', ai: true })
  })

  test('it deletes a draft that never was published', async () => {
    const { body } = await machine.post('thing', { title: 'Gone' })
    expect(await machine.delete(`thing/${body._id}`)).toMatchObject({ status: 200 })
  })
})
