import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { ask, type Question } from './ask.ts'
import { type Answers, type Choices, DATABASES, Refusal, readArguments, TEMPLATES, USUAL } from './choices.ts'
import { create } from './create.ts'

/** The folders of the templates, which the build puts next to this program. */
const FOLDER = fileURLToPath(new URL('templates', import.meta.url))

/** `npm create quire`: makes a new site. Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const given = readArguments(args)
    if (given.wantsHelp) return say(help())
    const choices = await complete(given)
    await create(choices, FOLDER)
    const isInstalled = choices.installs && (await install(choices.folder))
    say(nextSteps(choices, isInstalled))
    if (isInstalled || !choices.installs) return 0
    console.error('\nThe site is made, but npm install failed in it: see above.')
    return 1
  } catch (error) {
    if (error instanceof Refusal) console.error(error.message)
    else if (isOfSystem(error)) console.error(`The site cannot be written. ${error.message}`)
    else throw error
    return 1
  }
}

/** A folder that may not be written, a full disk, a name that is too long. */
function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error
}

/** Replaces open answers by the defaults, when nobody can be asked. */
async function complete(given: Answers): Promise<Choices> {
  const isAsking = !given.isSilent && process.stdin.isTTY && process.stdout.isTTY
  const answered = isAsking ? await asking((question) => ask(given, question)) : given
  return {
    folder: answered.folder ?? USUAL.folder,
    template: answered.template ?? USUAL.template,
    database: answered.database ?? USUAL.database,
    installs: given.installs,
  }
}

/** Gives work a terminal to ask at. Ctrl+C and Ctrl+D end it. */
async function asking<Answers>(work: (question: Question) => Promise<Answers>): Promise<Answers> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const left = new AbortController()
  terminal.once('close', () => left.abort())
  try {
    return await work((text) => terminal.question(text, { signal: left.signal }))
  } catch (error) {
    throw left.signal.aborted ? new Refusal('\nNothing was made.') : error
  } finally {
    terminal.close()
  }
}

/** Runs `npm install` in the new folder; false when that fails, which npm has reported. */
async function install(folder: string): Promise<boolean> {
  console.log('\nInstalling …')
  const npm = spawn('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  const [code] = await Promise.race([once(npm, 'exit'), once(npm, 'error').then(() => [1])])
  return code === 0
}

function nextSteps({ folder, database }: Choices, isInstalled: boolean): string {
  const path = relative('', folder)
  const enter = path === '' ? [] : [`cd ${/^[\w./-]+$/.test(path) ? path : JSON.stringify(path)}`]
  const start = [...enter, ...(isInstalled ? [] : ['npm install'])].join(' && ')
  const server = database === 'postgres' ? ['Write the URL of your PostgreSQL database into .env first.', ''] : []
  return [
    '',
    `The new site is in ${path === '' ? 'this folder' : path}.`,
    '',
    ...server,
    'Next:',
    ...(start === '' ? ['  npm run check    finds mistakes in the site'] : [`  ${start}`]),
    '  npm run dev      serves it at http://localhost:3000, and again whenever you change it',
    '  npm test         runs its first test',
  ].join('\n')
}

function help(): string {
  const list = (choices: Readonly<Record<string, string>>) =>
    Object.entries(choices).map(([name, what]) => `      ${name.padEnd(9)} ${what}`)
  return [
    'npm create quire [folder] -- [options]',
    '',
    '  --template, -t NAME',
    ...list(TEMPLATES),
    '  --database, -d NAME',
    ...list(DATABASES),
    `  --yes, -y       asks nothing: ${Object.values(USUAL).join(', ')} by default`,
    '  --no-install    leaves npm install to you',
  ].join('\n')
}

function say(text: string): 0 {
  console.log(text)
  return 0
}
