import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp, defineSite, piece } from 'quire-cms'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { paste, QUIRE, serve } from '../../../example/command.ts'
import { quire } from '../../test/command.ts'
import { loginCall } from '../../test/people.ts'

const PASSWORD = 'a long enough password'
let folder: string
let site: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-users-'))
  site = join(folder, 'site.ts')
  await writeFile(site, `export const site = { kind: 'site', options: { namespace: '@apostrophecms' } }\n`)
})
afterAll(() => rm(folder, { recursive: true }))

const user = (args: readonly string[], password = '') =>
  quire(folder, ['user', ...args, '--site', site], password === '' ? {} : { QUIRE_USER_PASSWORD: password })

test('§5 the command line creates, lists and disables users and sets passwords, under any namespace', async () => {
  const piped = await paste(
    `echo '${PASSWORD}' | '${process.execPath}' '${QUIRE}' user create ann --role editor --site '${site}'`,
    folder,
  )
  expect([piped.code, piped.out, piped.err]).toEqual([0, 'ann can sign in now, as editor.\n', ''])
  expect((await user(['create', 'Bob', '--role', 'admin', '--email', 'bob@example.org'], PASSWORD)).code).toBe(0)
  const { out } = await user(['list'])
  expect(out).toMatch(/^ann +editor +ann/m)
  expect(out).toMatch(/^Bob +admin +Bob +bob@example\.org/m)
  const key = await quire(folder, ['key', 'create', '--role', 'admin', '--name', 'k', '--user', 'ann', '--site', site])
  expect(key.code).toBe(0)
  expect((await user(['password', 'ann'], 'another good password')).code).toBe(0)
  expect((await quire(folder, ['key', 'list'])).out).toContain('revoked')
  expect((await user(['disable', 'bob@example.org'])).code).toBe(0)
  expect((await user(['list'])).out).toMatch(/^Bob +admin +disabled/m)
  expect(
    await quire(folder, ['key', 'create', '--role', 'guest', '--name', 'k', '--user', 'Bob', '--site', site]),
  ).toEqual({
    code: 1,
    out: '',
    err: 'quire: There is no such user, or the account is disabled.\n',
  })
  expect(await user(['enable', 'bob@example.org'])).toMatchObject({
    code: 0,
    out: 'bob@example.org can sign in again.\n',
  })
  expect(await user(['role', 'Bob', 'contributor'])).toMatchObject({ code: 0, out: 'Bob is contributor now.\n' })
  expect((await user(['list'])).out).toMatch(/^Bob +contributor + Bob/m)
})

test('§2.14 content that the site does not serve is no concern of a command about users', async () => {
  const other = defineSite({ namespace: '@apostrophecms', types: [piece('note')] })
  const app = await createApp(other, { database: join(folder, 'data/quire.db') })
  await app.as({ role: 'editor', name: 'Test' }).insert('note', { title: 'Not declared' })
  await app.close()
  expect(await user(['list'])).toMatchObject({ code: 0, err: '' })
})

test('§5 errors are in plain words, and passwords are neither taken from arguments nor shown', async () => {
  const taken = await user(['create', 'ANN', '--role', 'guest'], PASSWORD)
  expect([taken.code, taken.err]).toMatchObject([
    1,
    'quire: username: Another document has this username. Choose another one.\n',
  ])
  const short = await user(['create', 'carl', '--role', 'guest'], 'short')
  expect([short.code, short.err]).toMatchObject([1, expect.stringContaining('password: Use at least 8 characters.')])
  expect((await user(['password', 'nobody'], PASSWORD)).err).toContain('There is no user “nobody”')
  const onTheLine = await user(['create', 'dora', '--role', 'guest', '--password', PASSWORD])
  expect([onTheLine.code, onTheLine.err]).toMatchObject([1, expect.stringContaining('no option --password')])
  const roleless = await user(['create', 'emil'], PASSWORD)
  expect([roleless.code, roleless.out]).toEqual([1, ''])
  expect(roleless.err).toBe('quire: --role is required. It can be: guest, contributor, editor, admin.\n')
  const unknown = await user(['role', 'ann', 'editer'])
  expect([unknown.code, unknown.err]).toMatchObject([1, expect.stringContaining('“editer”; did you mean "editor"?')])
  const keyless = await quire(folder, ['key', 'create', '--name', 'x'])
  expect([keyless.code, keyless.err]).toMatchObject([1, expect.stringMatching(/^quire: --role is required/)])
  expect((await user(['list'])).out).not.toContain('emil')
  for (const { out, err } of [taken, short, onTheLine]) expect(out + err).not.toContain(PASSWORD)
})

test('§5 the environment creates an admin at start, once, and never changes one', async () => {
  const env = { QUIRE_ADMIN_USERNAME: 'root', QUIRE_ADMIN_PASSWORD: PASSWORD }
  const service = await serve(folder, site, env)
  const login = (address: string, password: string) => {
    const body = JSON.stringify({ username: 'root', password })
    const headers = { 'content-type': 'application/json' }
    return fetch(`${address}/api/v1/@apostrophecms/login/login`, { method: 'POST', headers, body })
  }
  try {
    expect((await login(service.address, PASSWORD)).status).toBe(200)
    expect((await loginCall(service.address, 'login', {})).status).toBe(404)
    expect(service.printed).not.toContain(PASSWORD)
  } finally {
    await service.stop()
  }
  const again = await serve(folder, site, { ...env, QUIRE_ADMIN_PASSWORD: 'another good password' })
  try {
    expect((await login(again.address, PASSWORD)).status).toBe(200)
    expect((await login(again.address, 'another good password')).status).toBe(401)
  } finally {
    await again.stop()
  }
  const half = await quire(folder, ['serve', '--site', site, '--port', '0'], { QUIRE_ADMIN_USERNAME: 'root' })
  expect([half.code, half.err]).toMatchObject([1, expect.stringContaining('belong together')])
  const bytes = await readFile(join(folder, 'data/quire.db'), 'latin1')
  expect(bytes).not.toContain(PASSWORD)
})
