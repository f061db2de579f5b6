import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { paste, QUIRE } from '../../../example/command.ts'
import { quire } from '../../test/command.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'

test('§5.5 a key has a name that a list can show on a line', async () => {
  const folder = await temporaryFolder('quire-key')
  const create = (name: string) => quire(folder, ['key', 'create', '--role', 'admin', '--name', name])
  for (const name of ['', ' ', 'one\ntwo', 'red\u001b[31m', 'one\u2028two']) {
    expect(await create(name)).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/^quire: --name must /) })
  }
  expect(await create(' Ann’s phone ')).toMatchObject({
    code: 0,
    err: expect.stringContaining('(admin, “Ann’s phone”)'),
  })
  expect((await quire(folder, ['key', 'list'])).out).toMatch(/^\S+ {2}admin .* Ann’s phone\n$/)
})

test('§5.5 a key expires on a day that there is', async () => {
  const folder = await temporaryFolder('quire-key')
  const create = (day: string) => quire(folder, ['key', 'create', '--role', 'admin', '--name', 'CI', '--expires', day])
  for (const day of ['2999-02-30', '2999-13-01', '2999-1-1', '2999-01-01T25:00:00Z', 'soon']) {
    const message = `quire: --expires must be a date such as 2027-01-01, not “${day}”.\n`
    expect(await create(day)).toEqual({ code: 1, out: '', err: message })
  }
  expect(await create('2000-01-01')).toMatchObject({ code: 1, err: expect.stringContaining('in the past') })
  for (const day of ['2999-02-28', '2999-02-28T10:00:00Z']) expect(await create(day)).toMatchObject({ code: 0 })
  expect((await quire(folder, ['key', 'list'])).out.match(/until 2999-02-28/g)).toHaveLength(2)
})

test('§5.5 a key that cannot be printed is revoked; a command whose output is lost fails', async () => {
  const folder = await temporaryFolder('quire-key')
  const full = (args: string) => paste(`exec '${process.execPath}' '${QUIRE}' key ${args} > /dev/full`, folder)
  const created = await full('create --role admin --name CI')
  expect(created).toMatchObject({
    code: 1,
    err: expect.stringMatching(/could not be printed, and is revoked\..*ENOSPC/s),
  })
  expect((await quire(folder, ['key', 'list'])).out).toMatch(/^\S+ {2}admin +revoked .* CI\n$/)
  expect(await full('list')).toMatchObject({ code: 1, err: expect.stringContaining('ENOSPC') })
})

test('§5.5 no key is created where nobody reads it: output that is closed, or goes to the null device', async () => {
  const folder = await temporaryFolder('quire-key')
  for (const output of ['>&-', '> /dev/null']) {
    const create = `exec '${process.execPath}' '${QUIRE}' key create --role admin --name CI ${output}`
    const { code, err } = await paste(create, folder)
    expect([code, err], output).toEqual([1, expect.stringMatching(/^quire: Nobody would read the key: .*No key/)])
  }
  expect((await quire(folder, ['key', 'create', '--role', 'admin', '--name', 'CI'])).code).toBe(0)
  expect((await quire(folder, ['key', 'list'])).out.match(/ CI$/gm)).toHaveLength(1)
})

test('§5.5 a key of a user makes no database where there is none', async () => {
  const folder = await temporaryFolder('quire-key')
  await writeFile(join(folder, 'site.ts'), `export const site = { kind: 'site', options: {} }\n`)
  const { code, err } = await quire(folder, ['key', 'create', '--role', 'admin', '--name', 'CI', '--user', 'ann'])
  expect([code, err]).toEqual([1, expect.stringContaining('There is no database file data/quire.db')])
  expect(await readdir(folder)).toEqual(['site.ts'])
})
