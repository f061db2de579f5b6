import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { QUIRE } from '../../../../example/command.ts'
import { rowsOf } from '../../../test/consistency.ts'
import { loginCall } from '../../../test/people.ts'
import { onTerminal, type PseudoTerminal } from '../../../test/pseudo-terminal.ts'
import { sample } from '../../../test/sample.ts'

const PASSWORD = 'a long enough password'
const CTRL_C = '\x03'
const CTRL_D = '\x04'
const BACKSPACE = '\x7f'
const TAKEN = [
  ['as it is', PASSWORD, PASSWORD],
  ['and put right', `a long enoughx${BACKSPACE} password`, PASSWORD],
  ['in letters of any script', 'pässwörter für 東京 🙂', `pässwörter für 東京 🙂x${BACKSPACE}`],
  ['by pasting as much as may be', `\x1b[200~${'x'.repeat(1000)}\x1b[201~`, 'x'.repeat(1000)],
] as const
const REFUSED = [
  ['two different ones', `${PASSWORD}\ranother password\r`, 'The two passwords are not the same.'],
  ['an earlier one brought back', `${PASSWORD}\r\x1b[A\r`, 'The two passwords are not the same.'],
  ['nothing', '\r', 'No password was given.'],
  ['the end of the input', CTRL_D, 'No password was given.'],
  ['one that is too short', 'short\rshort\r', 'password: Use at least 8 characters.'],
  ['one that is too long', `${'x'.repeat(5000)}\r${'x'.repeat(5000)}\r`, 'password: Use at most 1000 characters.'],
] as const

const SKIPPED = [
  ['Enter', '\r'],
  ['the end of the input', CTRL_D],
] as const

let folder: string
let site: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-terminal-'))
  site = join(folder, 'site.ts')
  await writeFile(site, `export const site = { kind: 'site', options: {} }\n`)
})
afterAll(() => rm(folder, { recursive: true }))

function start(args: string): PseudoTerminal {
  const line = `'${process.execPath}' '${QUIRE}' ${args} --site '${site}'`
  return onTerminal(line, folder, { NO_COLOR: '1' })
}

async function userNames(): Promise<unknown[]> {
  const [rows = []] = await rowsOf(`sqlite:${join(folder, 'data/quire.db')}`, [
    "select title from documents where type = '@cms/user'",
  ])
  return rows.map(({ title }) => title)
}

describe('§5 a password that is typed', () => {
  let count = 0
  const create = async () => {
    count += 1
    const terminal = start(`user create user${count} --role guest`)
    await terminal.sees('Password (it is not shown): ')
    return terminal
  }

  test.each(sample(TAKEN, 1))('%s is taken, and never shown', async (_, first, second) => {
    const terminal = await create()
    terminal.type(`${first}\r`)
    await terminal.sees('Once more: ')
    terminal.type(`${second}\r`)
    await terminal.sees('can sign in now, as guest.')
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen).toBe(
      `Password (it is not shown): \r\nOnce more: \r\nuser${count} can sign in now, as guest.\r\n`,
    )
    expect(await userNames()).toContain(`user${count}`)
  })

  test('§5 both passwords can be pasted at once', async () => {
    const terminal = await create()
    terminal.type(`${PASSWORD}\r${PASSWORD}\r`)
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen).not.toContain('enough')
  })

  test.each(sample(REFUSED, 1))('%s makes no user, and says so', async (_, typed, message) => {
    const terminal = await create()
    terminal.type(typed)
    expect(await terminal.ended()).toBe(1)
    expect(terminal.screen).toContain(message)
    expect(terminal.screen).not.toMatch(/enough|another|xxxx|short\r|at .*\(/)
    expect(await userNames()).not.toContain(`user${count}`)
  })

  test('§5 Ctrl-C ends the command', async () => {
    const terminal = await create()
    terminal.type(`half${CTRL_C}`)
    expect(await terminal.ended()).toBe(130)
    expect(terminal.screen).toBe('Password (it is not shown): \r\n')
  })

  test('§5 no password is asked for when there is no such user', async () => {
    const terminal = start('user password nobody')
    expect(await terminal.ended()).toBe(1)
    expect(terminal.screen).toMatch(/^quire: There is no user “nobody”/)
  })
})

describe('§5 the first start of an empty site', () => {
  beforeEach(() => rm(join(folder, 'data'), { recursive: true, force: true }))

  async function offered(): Promise<PseudoTerminal> {
    const terminal = start('serve --port 0')
    await terminal.sees('There is no user yet. Create the first admin')
    await terminal.sees('User name: ')
    return terminal
  }

  async function addressOf(terminal: PseudoTerminal): Promise<string> {
    await terminal.sees('stored in')
    onTestFinished(async () => {
      terminal.type(CTRL_C)
      expect(await terminal.ended()).toBe(0)
    })
    return /http:\/\/localhost:\d+/.exec(terminal.screen)?.[0] ?? ''
  }

  test('§5 the first start offers to create an admin, who can then sign in', async () => {
    const terminal = await offered()
    terminal.type(`rooo${BACKSPACE}t\r`)
    await terminal.sees('Password (it is not shown): ')
    terminal.type(`${PASSWORD}\rquite another\r`)
    await terminal.sees('The two passwords are not the same.')
    await terminal.sees('User name: ')
    terminal.type(`root\r${PASSWORD}\r${PASSWORD}\r`)
    await terminal.sees('root can sign in now, as admin.')
    const address = await addressOf(terminal)
    expect((await loginCall(address, 'login', { username: 'root', password: PASSWORD })).status).toBe(200)
    expect(terminal.screen).not.toMatch(/enough|quite/)
  })

  test.each(sample(SKIPPED, 1))('§5 %s skips the offer, which is not repeated', async (_, typed) => {
    const terminal = await offered()
    terminal.type(typed)
    const address = await addressOf(terminal)
    expect((await fetch(`${address}/api/v1/health`)).status).toBe(200)
    expect(await userNames()).toEqual([])
  })

  test('§5 Ctrl-C at the offer stops the start, and the next start does not ask', async () => {
    const terminal = await offered()
    terminal.type(`ro${CTRL_C}`)
    expect(await terminal.ended()).toBe(0)
    expect(terminal.screen).not.toMatch(/Warning|Address/)
    const again = start('serve --port 0')
    await addressOf(again)
    expect(again.screen).not.toContain('User name')
  })
})
