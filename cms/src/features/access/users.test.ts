import { readFile } from 'node:fs/promises'
import { beforeAll, expect, it } from 'vitest'
import { cookieOf, makeUser, PASSWORD, tokenOf } from '../../../test/people.ts'
import { describeService } from '../../../test/service.ts'
import { createApp } from '../../app.ts'
import { changeUser } from '../../cli/accounts/users.ts'
import { countAdmins, findAccountByName } from '../../engine/access/accounts.ts'
import { createKey } from '../../engine/access/keys.ts'
import { defineSite, piece } from '../../index.ts'
import { openValues } from '../../model/terms/document.ts'

const USERS = '@cms/user'
const person = (username: string, more: object = {}) => ({ username, password: PASSWORD, ...more })

describeService('§2.18 users', { isLong: true }, (service, databases) => {
  let rootId: string

  beforeAll(async () => {
    rootId = await makeUser(service.app, 'root', { role: 'admin' })
  })

  const made = async (body: object) => (await service.admin.post(USERS, body)).body

  it('§5 only admins see and change users; others cannot tell whether there are any', async () => {
    const { _id } = await made(person('seen', { email: 'seen@example.org' }))
    const callers = [
      [service.anonymous, 401],
      [service.wrong, 401],
      [service.guest, 403],
      [service.contributor, 403],
      [service.editor, 403],
      [service.admin, 200],
    ] as const
    for (const [caller, status] of callers) {
      expect((await caller.get(USERS)).status).toBe(status)
      expect((await caller.get(USERS, 'username=seen&choices=email')).status).toBe(status)
      expect((await caller.get(`${USERS}/${_id}`)).status).toBe(status)
      expect((await caller.get(`${USERS}/no-such-user`)).status).toBe(status === 200 ? 404 : status)
      expect((await caller.patch(`${USERS}/${_id}`, { firstName: 'Changed' })).status).toBe(status)
      expect((await caller.put(`${USERS}/${_id}`, person('seen'))).status).toBe(status)
      const fresh = await caller.post(USERS, person(`by-${callers.findIndex(([one]) => one === caller)}`))
      expect(fresh.status).toBe(status)
      expect((await caller.delete(`${USERS}/${fresh.body._id ?? _id}`)).status).toBe(status)
    }
  })

  it('§2 the title is made of the names until one is given', async () => {
    const { _id, title, slug, role } = await made(person('names', { firstName: 'Ada', lastName: 'Byron' }))
    expect([title, slug, role]).toEqual(['Ada Byron', 'user-ada-byron', 'guest'])
    const patched = async (body: object) => (await service.admin.patch(`${USERS}/${_id}`, body)).body.title
    expect(await patched({ lastName: 'Lovelace' })).toBe('Ada Lovelace')
    expect(await patched({ firstName: '', lastName: '' })).toBe('names')
    expect(await patched({ title: 'The Countess' })).toBe('The Countess')
    expect(await patched({ firstName: 'Ada' })).toBe('The Countess')
    expect(await patched({ title: '' })).toBe('Ada')
  })

  it('§2 a taken name and address are a conflict that names the fields, whatever their case', async () => {
    const { _id } = await made(person('Double', { email: 'double@example.org' }))
    const both = await service.admin.post(USERS, person('dOUBLE', { email: 'DOUBLE@example.org' }))
    expect([both.status, both.body.name]).toEqual([409, 'conflict'])
    expect(both.body.data.errors).toMatchObject([
      { path: 'username', name: 'unique' },
      { path: 'email', name: 'unique' },
    ])
    const { _id: other } = await made(person('single'))
    const patch = await service.admin.patch(`${USERS}/${other}`, { username: 'double' })
    expect([patch.status, patch.body.data.errors[0].path]).toEqual([409, 'username'])
    expect((await service.admin.get(`${USERS}/${other}`)).body.username).toBe('single')
    expect((await service.admin.patch(`${USERS}/${_id}`, { username: 'DOUBLE' })).status).toBe(200)
    // Users without an address are not in one another's way.
    expect((await service.admin.post(USERS, person('third', { email: '' }))).status).toBe(200)
  })

  it('§2 archived users keep their names, deleted ones give them up', async () => {
    const { _id } = await made(person('leaving', { email: 'leaving@example.org' }))
    await service.admin.patch(`${USERS}/${_id}`, { archived: true })
    expect((await service.admin.post(USERS, person('leaving'))).status).toBe(409)
    expect((await service.admin.delete(`${USERS}/${_id}`)).status).toBe(200)
    expect((await service.admin.post(USERS, person('leaving', { email: 'leaving@example.org' }))).status).toBe(200)
  })

  it('§2 of twenty concurrent requests one gets the name', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => service.admin.post(USERS, person('wanted'))))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(all.filter(({ status }) => status === 409)).toHaveLength(19)
    const crossed = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        service.admin.post(USERS, person(n % 2 ? 'cross' : `cross${n}`, { email: n % 2 ? '' : 'cross@example.org' })),
      ),
    )
    expect(crossed.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(crossed.filter(({ status }) => status === 409)).toHaveLength(18)
  })

  it('§2 the last admin who can sign in cannot be removed or demoted', async () => {
    for (const change of [{ role: 'editor' }, { disabled: true }, { archived: true }]) {
      const answer = await service.admin.patch(`${USERS}/${rootId}`, change)
      expect([answer.status, answer.body.name]).toEqual([400, 'invalid'])
    }
    expect((await service.admin.delete(`${USERS}/${rootId}`)).status).toBe(400)
    const { _id } = await made(person('second', { role: 'admin' }))
    const both = await Promise.all([
      service.admin.patch(`${USERS}/${rootId}`, { role: 'editor' }),
      service.admin.patch(`${USERS}/${_id}`, { role: 'editor' }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])
    const { body } = await service.admin.get(USERS, 'role=admin')
    expect(body.total).toBe(1)
    await service.admin.patch(`${USERS}/${rootId}`, { role: 'admin' })
    await service.admin.patch(`${USERS}/${_id}`, { role: 'guest' })
  })

  it('§2 admins who are disabled or archived cannot sign in, and may be removed; the last one keeps others out', async () => {
    for (const state of [{ disabled: true }, { archived: true }]) {
      const { _id } = await made(person(`idle${Object.keys(state)}`, { role: 'admin' }))
      expect((await service.admin.patch(`${USERS}/${_id}`, state)).status).toBe(200)
      expect((await service.admin.patch(`${USERS}/${rootId}`, { role: 'editor' })).status).toBe(400)
      expect((await service.admin.delete(`${USERS}/${_id}`)).status).toBe(200)
    }
  })

  it('§2 the operator may disable the last admin, as the command line does', async () => {
    const operator = service.app.context({ kind: 'operator' })
    for (const [disabled, admins] of [
      [true, 0],
      [false, 1],
    ] as const) {
      await changeUser(operator, 'root', { disabled })
      expect(await countAdmins(operator)).toBe(admins)
      // Without an admin, others are removed as before.
      const { _id } = await made(person(`${disabled}`))
      expect((await service.admin.delete(`${USERS}/${_id}`)).status).toBe(200)
    }
  })

  it('§5.6 a user name counts before the address of another user; an address is no user name', async () => {
    const name = 'twin@example.org'
    const named = await made(person(name, { email: 'named@example.org', password: 'of the user name' }))
    const addressed = await made(person('addressed', { email: name, password: 'of the address' }))
    const operator = service.app.context({ kind: 'operator' })
    const found = async (names: readonly ('username' | 'email')[], text: string) =>
      (await findAccountByName(operator, names, text))?.id
    expect(await found(['username', 'email'], name.toUpperCase())).toBe(named._id)
    expect(await found(['email'], name)).toBe(addressed._id)
    expect(await found(['username'], 'named@example.org')).toBe(undefined)
    await service.admin.delete(`${USERS}/${named._id}`)
    expect(await found(['username', 'email'], name)).toBe(addressed._id)
  })

  it('§2 callers cannot grant themselves roles, names, times or secrets in a body', async () => {
    const editor = await makeUser(service.app, 'eve', { role: 'editor' })
    const headers = { authorization: `Bearer ${await tokenOf(service.address, 'eve')}` }
    const body = JSON.stringify({
      title: 'Mass',
      _id: 'chosen',
      aposDocId: 'chosen',
      role: 'admin',
      _edit: true,
      createdAt: '2001-01-01T00:00:00.000Z',
      updatedBy: { _id: rootId },
      passwordHash: 'x',
      __proto__: { role: 'admin' },
      constructor: { prototype: { role: 'admin' } },
    }).replace('"passwordHash"', '"__proto__":{"polluted":1},"passwordHash"')
    const options = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
    const answer = (await (await fetch(`${service.address}/api/v1/topic`, options)).json()) as Record<string, unknown>
    expect(answer).toMatchObject({ title: 'Mass', updatedBy: { _id: editor } })
    expect(answer._id).not.toContain('chosen')
    expect(answer).not.toHaveProperty('role')
    expect(String(answer.createdAt)).not.toContain('2001')
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect((await fetch(`${service.address}/api/v1/${USERS}`, { headers })).status).toBe(403)
    const forged = await service.admin.post(
      USERS,
      person('forged', { password: '$argon2id$v=19$m=1,t=1,p=1$AAAA$AAAA' }),
    )
    expect([forged.status, forged.body.data.errors[0].path]).toEqual([400, 'password'])
  })

  it('§2 secrets appear in no answer, log, statement, version or file', async () => {
    const { _id } = await made(person('keeper', { email: 'keeper@example.org' }))
    await service.admin.patch(`${USERS}/${_id}`, { password: 'a second password' })
    const token = await tokenOf(service.address, 'keeper', 'a second password')
    const cookie = await cookieOf(service.address, 'keeper', 'a second password')
    const { key } = await createKey(service.app.context({ kind: 'operator' }), {
      name: 'k',
      role: 'guest',
      userId: _id,
    })
    const stored = await service.app.store.documents.get({ docId: _id, locale: '', mode: 'published' })
    const hash = String(stored && openValues(stored).password)
    expect(hash).toMatch(/^\$argon2id\$/)
    const session = /sid=([^;]+)/.exec(cookie)?.[1] ?? 'none'
    const secrets = [PASSWORD, 'a second password', hash, hash.split('$')[5] ?? '', token, session, key]
    const answers = [
      await service.admin.get(`${USERS}/${_id}`),
      await service.admin.get(USERS, 'perPage=100&choices=username,password'),
      await service.admin.get(USERS, `search=${encodeURIComponent(hash.slice(-20))}`),
      await service.admin.get(USERS, `password=${encodeURIComponent(hash)}&project[password]=1`),
      await service.admin.put(`${USERS}/${_id}`, { username: 'keeper', title: 'Keeper' }),
      await service.admin.post(USERS, { _copyingId: _id, username: 'copy' }),
      await service.admin.get(`article?apikey=${key}&x=${token}`.replace('?', '')),
      await service.anonymous.get('article', `apikey=${key}x&token=${token}x`),
    ]
    const shown = JSON.stringify(answers.map(({ body, headers }) => [body, [...headers]]))
    const written = JSON.stringify(service.logged) + service.statements.join('\n')
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(10)
      expect(shown.replaceAll(`${key}x`, '').replaceAll(`${token}x`, '')).not.toContain(secret)
      expect(written).not.toContain(secret)
    }
    expect(await service.app.store.versions.list({ docId: _id, locale: '' }, { limit: 10 })).toEqual([])
    // PUT without a password keeps it.
    expect(await tokenOf(service.address, 'keeper', 'a second password')).toHaveLength(43)
    if (!service.databaseUrl.startsWith('sqlite:')) return
    const path = service.databaseUrl.replace('sqlite:', '')
    const bytes = (await Promise.all([path, `${path}-wal`].map((one) => readFile(one)))).join('')
    for (const secret of [PASSWORD, 'a second password', token, session, key]) expect(bytes).not.toContain(secret)
  })

  it('§2 relationships to users show nothing to callers who may not see users', async () => {
    const database = await databases.createReady()
    const site = defineSite({
      types: [
        piece('post', {
          fields: { add: { _author: { type: 'relationship', withType: '@cms/user' } } },
          publicApiProjection: ['title', '_author'],
        }),
      ],
    })
    const app = await createApp(site, { database: database.url, keys: [{ key: 'k', role: 'editor', name: 'E' }] })
    try {
      const id = await makeUser(app, 'author', { email: 'author@example.org' })
      const address = await app.listen(0, '127.0.0.1')
      const send = async (path: string, body?: object) => {
        const init = body && { method: 'POST', body: JSON.stringify(body) }
        const headers = { 'content-type': 'application/json', ...(body && { authorization: 'ApiKey k' }) }
        return JSON.stringify(await (await fetch(`${address}/api/v1/${path}`, { ...init, headers })).json())
      }
      expect(await send('post', { title: 'P', _author: [{ _id: id }] })).toContain('"invalid"')
      await send('post', { title: 'P', authorIds: [id] })
      for (const query of ['', '?_author=none', `?_author=${id}`, '?author=user-author', '?choices=_author,author']) {
        expect(await send(`post${query}`)).not.toMatch(/author@|user-author|"username"/)
      }
    } finally {
      await app.close()
      await database.drop()
    }
  })
})

const product = piece('product', {
  fields: { add: { sku: { type: 'string', unique: true }, number: { type: 'integer', unique: true } } },
})
const locales = { en: { label: 'English' }, fr: { label: 'French', prefix: '/fr' } }

describeService('§2.16 unique fields of any type', { site: defineSite({ types: [product], locales }) }, (service) => {
  it('are unique in a locale, in each mode', async () => {
    const first = await service.editor.post('product', { title: 'One', sku: 'A1', number: 7 })
    expect(first.status).toBe(200)
    const again = await service.editor.post('product', { title: 'Two', sku: 'a1', number: 7 })
    expect(again.body.data.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual(['number', 'sku'])
    expect((await service.editor.post('product', { title: 'Deux', sku: 'A1' }, 'aposLocale=fr')).status).toBe(200)
    const second = await service.editor.post('product', { title: 'Two', sku: 'B2' })
    const draft = `product/${second.body.aposDocId}:en:draft`
    expect((await service.editor.patch(draft, { sku: 'A1' })).status).toBe(409)
    expect((await service.editor.patch(draft, { sku: 'C3' })).status).toBe(200)
    // The published copy still has B2; nobody has C3 published yet.
    expect((await service.editor.post('product', { title: 'Three', sku: 'B2' })).status).toBe(409)
    expect((await service.editor.post(`${draft}/publish`)).status).toBe(200)
    expect((await service.editor.post('product', { title: 'Three', sku: 'B2' })).status).toBe(200)
    expect((await service.editor.delete(`product/${first.body._id}`)).status).toBe(200)
    expect((await service.editor.post('product', { title: 'Four', sku: 'A1', number: 7 })).status).toBe(200)
  })
})

it('§2 a field that cannot be unique is refused at start', async () => {
  const site = defineSite({
    types: [
      piece('thing', {
        fields: {
          add: {
            tags: { type: 'checkboxes', choices: ['a'], unique: true },
            parts: { type: 'array', fields: { add: { name: { type: 'string', unique: true } } } },
          },
        },
      }),
    ],
  })
  await expect(createApp(site, { database: 'sqlite:unused.db' })).rejects.toThrow(/name\.unique: [\s\S]*tags\.unique: /)
})
