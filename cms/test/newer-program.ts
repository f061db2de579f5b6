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
/** Locks these tables in an order of its own. */
const STEP = `  {
    name: 'later',
    statements: () =>
      ['versions', 'contents', 'entries', 'documents'].map((name) => sql\`alter table \${quotedName(name)} add column later text\`),
  },`

/** The version of the tables that it makes. */
export const NEWER_VERSION = TABLES_VERSION + 1

/** A program that is this one with one more migration, and a site of one type. */
interface NewerProgram {
  readonly command: string
  readonly site: string
}

/** Makes one for a test. Its tables have a column more, which nothing needs. */
export async function newerProgram(): Promise<NewerProgram> {
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
  await addStep(join(folder, STEPS))
  const site = join(folder, 'site.ts')
  await cp(join(ROOT, 'cms', 'test', 'tiny-site.ts'), site)
  return { command: join(folder, 'cms', 'bin', 'quire.js'), site }
}

async function addStep(file: string): Promise<void> {
  const steps = await readFile(file, 'utf8')
  if (!steps.includes(END)) throw new Error('The list of migrations does not end as it did.')
  const imports = "import { quotedName, sql } from '../database/sql.ts'\n"
  await writeFile(file, imports + steps.replace(END, `\n${STEP}${END}`))
}

/** Runs `quire migrate` of a program, in a process of its own: its exit code, and what it printed. */
export async function migrateBy({ command }: NewerProgram, databaseUrl: string) {
  const env = { ...process.env, QUIRE_DATABASE: databaseUrl, NO_COLOR: '1' }
  const child = spawn(process.execPath, [command, 'migrate'], { cwd: tmpdir(), env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  const read = (part: Buffer) => {
    printed += part
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, printed }
}
