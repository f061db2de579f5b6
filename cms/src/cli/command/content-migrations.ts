import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, extname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isObject } from '../../base/json.ts'
import { slugify } from '../../base/text.ts'
import { hasCode } from '../../base/thrown.ts'
import type { ContentMigration } from '../../engine/content-migrations/migration.ts'
import { makeFolder } from '../../files/folder-access.ts'
import { UsageError } from './failure.ts'

/** The folder of a site's content migrations, next to its module. */
function folderOf(siteFile: string): string {
  return join(dirname(siteFile), 'migrations')
}

/** The content migrations of a site, in the order of their file names; none where there is no folder. */
export async function loadContentMigrations(siteFile: string): Promise<ContentMigration[]> {
  const folder = folderOf(siteFile)
  const migrations: ContentMigration[] = []
  for (const name of await filesIn(folder)) migrations.push(await loadOne(join(folder, name)))
  return migrations
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  })
  return names.filter((name) => /\.(ts|js|mjs)$/.test(name) && !/\.(d|test)\.ts$/.test(name)).toSorted()
}

async function loadOne(path: string): Promise<ContentMigration> {
  const module: object = await import(pathToFileURL(path).href)
  const migration: unknown = 'migration' in module ? module.migration : undefined
  if (!isMigration(migration)) {
    throw new UsageError(`${path} must export the result of defineMigration under the name “migration”.`)
  }
  const text = (await readFile(path, 'utf8')).replaceAll('\r\n', '\n')
  return { ...migration, checksum: createHash('sha256').update(text).digest('hex') }
}

function isMigration(value: unknown): value is ContentMigration {
  return isObject(value) && typeof value.name === 'string' && value.name !== '' && typeof value.up === 'function'
}

/** Writes the file of a new content migration, with the number after the last one; its path as seen from here. */
export async function writeNewMigration(siteFile: string, name: string): Promise<string> {
  const words = slugify(name)
  if (words === '') throw new UsageError('Say in some words what the migration does: quire migrate new "Rename body"')
  const folder = folderOf(siteFile)
  const numbers = (await filesIn(folder)).map((file) => Number(/^\d+/.exec(file)?.[0] ?? 0))
  const number = String(Math.max(0, ...numbers) + 1).padStart(4, '0')
  const path = join(folder, `${number}-${words}${extname(siteFile) === '.ts' ? '.ts' : '.js'}`)
  await makeFolder(folder)
  await writeFile(path, template(`${number}-${words}`), { flag: 'wx' })
  return relative('.', path)
}

function template(name: string): string {
  return `import { defineMigration } from 'quire-cms'

export const migration = defineMigration({
  name: '${name}',
  async up(content) {
    // await content.renameField('article', 'body', 'text')
  },
})
`
}
