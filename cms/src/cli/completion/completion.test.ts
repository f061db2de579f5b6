import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { COMMAND } from '../../../test/developing.ts'
import { onTerminal } from '../../../test/pseudo-terminal.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
const scripts = new Map<string, string>()

beforeAll(async () => {
  for (const shell of SHELLS) {
    const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, 'completion', shell])
    scripts.set(shell, stdout)
  }
})

/** A folder with the script of a shell, and two files to complete. */
async function folderFor(shell: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-completion-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'script'), scripts.get(shell) ?? '')
  for (const name of ['my site.ts', 'my book.ts']) await writeFile(join(folder, name), '')
  return folder
}

/** Calls the function as bash does for a TAB after the arguments. */
const BASH = `source ./script; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _quire; printf '%s\\n' "\${COMPREPLY[@]}"`

/** What a shell offers after these words, of which the last may be begun. */
async function offered(shell: 'bash' | 'fish', ...words: readonly string[]): Promise<string[]> {
  const folder = await folderFor(shell)
  const code = shell === 'bash' ? BASH : `source ./script; complete -C '${words.join(' ')}'`
  const args = shell === 'bash' ? ['--norc', '-c', code, 'bash', ...words] : ['-c', code]
  const { stdout } = await promisify(execFile)(shell, args, { cwd: folder })
  return stdout
    .split('\n')
    .map((line) => line.replace(/\t.*/, ''))
    .filter((line) => line !== '')
    .toSorted()
}

const isInstalled = (shell: string) => {
  try {
    return execFileSync('which', [shell], { stdio: 'pipe' }).length > 0
  } catch {
    return false
  }
}

for (const shell of ['bash', 'fish'] as const) {
  test.runIf(isInstalled(shell))(`quire completion ${shell} offers commands, options and their values`, async () => {
    expect(await offered(shell, 'quire', 'se')).toEqual(['seed', 'serve'])
    expect(await offered(shell, 'quire', 'dev-')).toEqual([])
    expect(await offered(shell, 'quire', 'user', '')).toEqual(expect.arrayContaining(['create', 'disable', 'password']))
    expect(await offered(shell, 'quire', 'user', 'list', '--s')).toEqual(['--site'])
    expect(await offered(shell, 'quire', 'dev', '--op')).toEqual(['--open'])
    expect(await offered(shell, 'quire', 'key', 'create', '--role', 'e')).toEqual(['editor'])
    expect(await offered(shell, 'quire', 'key', 'create', '--name', '')).toEqual([])
    expect(await offered(shell, 'quire', 'completion', '')).toEqual(['bash', 'fish', 'zsh'])
    const files = await offered(shell, 'quire', 'serve', '--port', '1', '--site', 'my')
    expect(files.map((file) => file.replaceAll('\\', ''))).toEqual(['my book.ts', 'my site.ts'])
  })
}

/** What each shell is started with, and what makes it ready. */
const TYPED = {
  bash: ['bash --norc --noprofile', 'source ./script', '--role=con', '--role=contributor', '--site my site.ts'],
  zsh: [
    'zsh -f -i',
    'autoload -U compinit; compinit -u -D; source ./script',
    '--role con',
    '--role contributor',
    '--site=my site.ts',
  ],
} as const

test.each(['bash', ...(isInstalled('zsh') ? (['zsh'] as const) : [])] as const)(
  '%s completes as one types',
  async (shell) => {
    const [command, prepare, begun, role, site] = TYPED[shell]
    const folder = await folderFor(shell)
    const terminal = onTerminal(command, folder, { TERM: 'dumb' })
    terminal.type(`${prepare}; quire() { echo "ran: $*"; }; PS1="rea""dy> "\n`)
    await terminal.sees('ready> ')
    terminal.type(`quire key cre\t${begun}\t\n`)
    await terminal.sees(`ran: key create ${role}`)
    terminal.type('quire serv\t--sit\tmy\\ si\t\n')
    await terminal.sees(`ran: serve ${site}`)
    terminal.type('exit\n')
    await terminal.ended()
  },
)

test('another shell is refused', async () => {
  await expect(promisify(execFile)(process.execPath, [COMMAND, 'completion', 'csh'])).rejects.toThrow(
    'There is no completion for “csh”, only for bash, zsh and fish.',
  )
})
