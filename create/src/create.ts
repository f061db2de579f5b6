import { randomBytes } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { type Choices, type Database, Refusal } from './choices.ts'

/** Names that npm leaves out of packages, and what they have in a site. */
const RENAMED = { gitignore: '.gitignore', env: '.env' }

/** A folder that contains only this counts as empty: `git init` and version control services leave it. */
const EMPTY_WITH = '.git'

/**
 * Makes the folder of a new site from the templates below `templates`. Throws `Refusal` where something is in its
 * place.
 */
export async function create({ folder, template, database }: Choices, templates: string): Promise<void> {
  const target = resolve(folder)
  await assertEmpty(target, folder)
  await mkdir(target, { recursive: true })
  for (const part of ['common', template]) await cp(join(templates, part), target, { recursive: true })
  for (const [from, to] of Object.entries(RENAMED)) await rename(join(target, from), join(target, to))
  const name = packageName(basename(target))
  await replaceIn(join(target, 'package.json'), { 'my-site': name })
  await replaceIn(join(target, 'README.md'), { 'my-site': basename(target) })
  await replaceIn(join(target, '.env'), { 'sqlite:data/quire.db': databaseUrl(database, name) })
}

async function assertEmpty(target: string, folder: string): Promise<void> {
  const there = await readdir(target).catch((error) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR') throw new Refusal(`${folder} is a file. Name a folder that is new or empty.`)
    throw error
  })
  if (there.some((name) => name !== EMPTY_WITH))
    throw new Refusal(`The folder ${folder} is not empty. Name one that is new or empty.`)
}

/** A name that npm takes, as close to the folder's as possible. */
function packageName(folder: string): string {
  const name = folder
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return name === '' ? `site-${randomBytes(3).toString('hex')}` : name
}

function databaseUrl(database: Database, name: string): string {
  return database === 'sqlite' ? 'sqlite:data/quire.db' : `postgres://localhost/${name.replaceAll('-', '_')}`
}

async function replaceIn(file: string, texts: Readonly<Record<string, string>>): Promise<void> {
  let text = await readFile(file, 'utf8')
  for (const [from, to] of Object.entries(texts)) text = text.replaceAll(from, () => to)
  await writeFile(file, text)
}
