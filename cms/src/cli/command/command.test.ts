import { spawnSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type ArgsDef, runCommand } from 'citty'
import { expect, onTestFinished, test, vi } from 'vitest'
import { QUIRE } from '../../../../example/command.ts'
import { quire } from '../../../test/command.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { command } from './command.ts'

const args = {
  file: { type: 'positional', required: true },
  report: { type: 'string' },
  role: { type: 'enum', options: ['guest', 'admin'] },
  'dry-run': { type: 'boolean' },
  webhooks: { type: 'boolean', default: true },
} as const satisfies ArgsDef

/** Returns the arguments that the command was run with, or why it was not. */
async function ran(rawArgs: string[]): Promise<unknown> {
  const shown = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => shown.mockRestore())
  const { exitCode } = process
  let given: unknown
  const run = command({
    args,
    run({ args: { _, ...rest } }) {
      given = rest
    },
  })
  await runCommand(run, { rawArgs })
  process.exitCode = exitCode
  return given ?? String(shown.mock.lastCall?.[0])
}

test('options are taken in each way in which they can be meant', async () => {
  expect(await ran(['a'])).toMatchObject({ file: 'a', webhooks: true })
  expect(await ran(['--no-webhooks', 'a', '--dry-run'])).toMatchObject({ file: 'a', webhooks: false, 'dry-run': true })
  expect(await ran(['a', '--webhooks=false', '--dry-run=true'])).toMatchObject({ webhooks: false, 'dry-run': true })
  expect(await ran(['a', '--report', '-x', '--role=admin'])).toMatchObject({ report: '-x', role: 'admin' })
  expect(await ran(['a', '--report=--dry-run'])).toMatchObject({ report: '--dry-run' })
  expect(await ran(['--', '--no-place'])).toMatchObject({ file: '--no-place' })
})

test.each([
  [['--no-webhooks=true'], '--no-webhooks takes no value: write --no-webhooks, or leave it out.'],
  [['--no-webhooks=false'], '--no-webhooks takes no value'],
  [['--dry-run=no'], '--dry-run takes no value'],
  [['--dry-run='], '--dry-run takes no value'],
  [['--report', '--dry-run'], '--report needs a value. One that begins with -- is written --report=--dry-run.'],
  [['--no-report'], 'There is no option --no-report; did you mean "--report"?'],
  [['--no-webhook'], 'There is no option --no-webhook; did you mean "--no-webhooks"?'],
  [['--report', '-x', '-x'], 'There is no option -x.'],
  [['--file', 'b'], 'There is no option --file: write the file by itself. This command has --report, '],
  [['--filename', 'b'], 'There is no option --filename. This command has --report, '],
  [['b'], 'This command has no place for: b'],
])('%j is refused', async (more, message) => {
  expect(await ran(['a', ...more])).toContain(message)
})

test.each([
  [['help'], ['--help']],
  [
    ['help', 'user'],
    ['user', '--help'],
  ],
])('quire %j prints what quire %j does', (words, options) => {
  const printed = [words, options].map((args) => spawnSync(process.execPath, [QUIRE, ...args], { encoding: 'utf8' }))
  expect(printed[0]).toMatchObject({ status: 0, stdout: expect.stringContaining('USAGE quire'), stderr: '' })
  expect(printed[0]?.stdout).toBe(printed[1]?.stdout)
})

test('a misspelled variable is reported by commands that would read the one that is meant', async () => {
  const folder = await temporaryFolder('quire-misspelled')
  const errorsOf = async (args: readonly string[]) =>
    (await quire(folder, args, { QUIRE_WORKRES: '2', QUIRE_DATABSE: 'sqlite:x.db' })).err
  const told = await errorsOf(['key', 'list'])
  expect(told).toMatch(/^quire: QUIRE_DATABSE is not a variable of Quire\. Did you mean QUIRE_DATABASE\?\n/)
  expect(told).not.toContain('WORKRES')
  expect(await errorsOf(['kye', 'list'])).not.toContain('variable')
  const env = { ...process.env, QUIRE_DATABSE: 'sqlite:x.db' }
  expect(spawnSync(process.execPath, [QUIRE, 'key', 'list', '--help'], { env, encoding: 'utf8' }).stderr).toBe('')
})

test.each([
  [['backup'], 'USAGE quire backup [OPTIONS] <FILE>'],
  [['key'], 'USAGE quire key create|list|revoke'],
  [['key', 'revoke'], 'USAGE quire key revoke [OPTIONS] <ID>'],
])('the usage of %j names the whole command, and is no output unless it is asked for', async (args, usage) => {
  const folder = await temporaryFolder('quire-usage')
  const mistaken = await quire(folder, args)
  expect(mistaken).toEqual({ code: 1, out: '', err: expect.stringContaining(usage) })
  const { status, stdout, stderr } = spawnSync(process.execPath, [QUIRE, ...args, '--help'], { encoding: 'utf8' })
  expect([status, stdout, stderr]).toEqual([0, expect.stringContaining(usage), ''])
})

test('a file .env that cannot be read is reported in one line', async () => {
  const folder = await temporaryFolder('quire-settings')
  await symlink('.env', join(folder, '.env'))
  const { code, err } = await quire(folder, ['key', 'list'])
  expect([code, err]).toEqual([1, expect.stringMatching(/^quire: The settings cannot be read: .*'\.env'\. .*\n$/)])
})
