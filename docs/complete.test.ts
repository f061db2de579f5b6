import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { KNOWN } from '../cms/src/cli/command/known-variables.ts'
import { quire } from '../cms/test/command.ts'

// README.md and the guide list all variables and commands that there are.

/** Set by the program that `npm ci` installs, for the program that it starts. */
const INTERNAL = 'QUIRE_STARTED_BY_QUIRE'

const textOf = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

/** The names below a command, as its help lists them; none for one that has none. */
async function commandsBelow(...words: string[]): Promise<string[]> {
  const { out } = await quire(tmpdir(), [...words, '--help'])
  const [, names] =
    new RegExp(`^USAGE quire ${words.map((word) => `${word} `).join('')}([a-z|-]+)$`, 'm').exec(out) ?? []
  return names?.split('|') ?? []
}

test('README.md lists every variable', async () => {
  const readme = await textOf('../README.md')
  const listed = readme.split('\n').filter((line) => line.startsWith('| `'))
  const missing = KNOWN.filter((name) => name !== INTERNAL && !listed.some((line) => line.includes(`\`${name}\``)))
  expect(missing).toEqual([])
})

test('the guide lists every command', async () => {
  const [, table = ''] = (await textOf('guide/23-running.md')).split('## Commands')
  const rows = table.split('\n').filter((line) => line.startsWith('| `quire '))
  const isListed = (name: string, below?: string) =>
    rows.some((row) => row.includes(`\`quire ${name}`) && (below === undefined || row.includes(below)))
  const commands = await commandsBelow()
  expect(commands).toContain('serve')
  const missing: string[] = []
  for (const name of commands) {
    if (!isListed(name) && !isAmongOthers(rows, name)) missing.push(name)
    for (const below of await commandsBelow(name)) if (!isListed(name, below)) missing.push(`${name} ${below}`)
  }
  expect(missing).toEqual([])
})

/** As `restore` in `quire backup` · `restore`. */
function isAmongOthers(rows: readonly string[], name: string): boolean {
  return rows.some((row) => row.includes(`· \`${name}\``))
}
