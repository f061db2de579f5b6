import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { TABLES_VERSION } from '../src/store/migrations/index.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const STEPS = 'cms/src/store/migrations/index.ts'
const END = '\n]\n\n/** The version of the tables that this program needs'
const IMPORTS = `import { NewIndex } from '../database/new-index.ts'
import { quotedName, sql } from '../database/sql.ts'
import { ByRange } from './by-range.ts'
import { additive } from './table-migration.ts'
`
/** What a migration may do. */
const STEPS_OF = {
  /** Locks these tables in an order of its own. */
  exclusive: `  exclusive('later', () =>
    ['versions', 'contents', 'entries', 'documents'].map((name) => sql\`alter table \${quotedName(name)} add column later text\`),
  ),`,
  additive: `  additive('added', ({ words }) => [
    sql\`create table additions (name \${words.text} primary key)\`,
    sql\`alter table documents add column added \${words.text}\`,
    new ByRange(sql\`documents\`, sql\`documents.n\`, (range) => [
      sql\`update documents set added = 'filled' where \${range} and added is null\`,
    ]),
    new NewIndex('documents_added', sql\`documents (added)\`),
  ]),`,
} as const

/** The version of the tables that it makes. */
export const NEWER_VERSION = TABLES_VERSION + 1

/** A program that is this one with some migrations more, and a site of one type. */
interface NewerProgram {
  readonly command: string
  readonly site: string
}

/** Makes one for a test. Its tables have some columns more, which nothing needs. */
export async function newerProgram(kinds: readonly (keyof typeof STEPS_OF)[] = ['exclusive']): Promise<NewerProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-newer-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of ['package.json', 'diff', 'conformance']) await symlink(join(ROOT, name), join(folder, name))
  await mkdir(join(folder, 'node_modules'))
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (name !== 'quire-cms') await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name))
  await symlink(join(folder, 'cms'), join(folder, 'node_modules', 'quire-cms'))
  const isNeeded = (path: string) => !/\/(node_modules|test|dist)$|\.test\.ts$/.test(path)
  await cp(join(ROOT, 'cms'), join(folder, 'cms'), { recursive: true, filter: isNeeded })
  await symlink(join(ROOT, 'cms', 'node_modules'), join(folder, 'cms', 'node_modules'))
  await addSteps(join(folder, STEPS), kinds.map((kind) => STEPS_OF[kind]).join('\n'))
  const site = join(folder, 'site.ts')
  await cp(join(ROOT, 'cms', 'test', 'tiny-site.ts'), site)
  return { command: join(folder, 'cms', 'bin', 'quire.js'), site }
}

async function addSteps(file: string, added: string): Promise<void> {
  const steps = await readFile(file, 'utf8')
  if (!steps.includes(END)) throw new Error('The list of migrations does not end as it did.')
  await writeFile(file, IMPORTS + steps.replace(END, `\n${added}${END}`))
}

/** Runs `quire migrate` of a program, in a process of its own: its exit code, and what it printed. */
export function migrateBy(program: NewerProgram, databaseUrl: string, ...args: readonly string[]) {
  return startMigrating(program, databaseUrl, args).ended
}

/** Starts it. */
export function startMigrating({ command }: NewerProgram, databaseUrl: string, args: readonly string[] = []) {
  const env = { ...process.env, QUIRE_DATABASE: databaseUrl, NO_COLOR: '1' }
  const stdio = ['ignore', 'pipe', 'pipe'] as const
  const child = spawn(process.execPath, [command, 'migrate', ...args], { cwd: tmpdir(), env, stdio: [...stdio] })
  let printed = ''
  const read = (part: Buffer) => {
    printed += part
  }
  child.stdout?.on('data', read)
  child.stderr?.on('data', read)
  const ended = new Promise<{ readonly code: number | null; readonly printed: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, printed })),
  )
  return { ended, kill: () => child.kill('SIGKILL') }
}
