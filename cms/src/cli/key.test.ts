import { expect, test } from 'vitest'
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
