import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quire } from '../../../test/command.ts'
import { sampledDatabases, type TestDatabase } from '../../../test/databases.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { databaseFile } from '../../store/database/database-file.ts'
import { inspect } from '../../store/open-store.ts'

const SITE = `import { defineSite } from 'quire-cms'\nexport const site = defineSite({})\n`

/** A site that was never served. */
async function newSite(): Promise<string> {
  const folder = await temporaryFolder('quire-stored')
  const index = join(import.meta.dirname, '../../index.ts')
  await writeFile(join(folder, 'site.ts'), SITE.replace('quire-cms', index))
  return folder
}

/** Commands that have nothing to do where nothing is stored. */
const COMMANDS: string[][] = [
  ['backup', 'a.backup'],
  ['export', 'a.export'],
  ['check', '--content'],
  ['reindex'],
  ['purge'],
  ['versions', 'prune', '--days', '3'],
  ['media', 'clean'],
  ['media', 'link'],
  ['media', 'rescale'],
  ['key', 'list'],
  ['key', 'revoke', 'any'],
  ['user', 'list'],
  ['user', 'password', 'ann'],
  ['user', 'disable', 'ann'],
  ['job', 'list'],
  ['job', 'run', 'media cleaning'],
  ['locale', 'rename', 'fr', 'en'],
  ['locale', 'remove', 'fr'],
  ['locale', 'export', 'a.xlf', '--from', 'en', '--to', 'en'],
  ['locale', 'import', 'site.ts'],
  ['migrate', 'palette'],
  ['migrate', '--dry-run'],
]

describe('§10 commands that work on what is stored', () => {
  test.each(COMMANDS)('%s %s tells that there is no database, and makes none', async (...args) => {
    const folder = await newSite()
    const { code, err } = await quire(folder, args)
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('There is no database file data/quire.db, or it is empty.'),
    ])
    expect(await readdir(folder)).toEqual(['site.ts'])
  })

  test('all of them report a URL that names no database, without its password', async () => {
    const folder = await newSite()
    for (const args of [['backup', 'a.backup'], ['export', 'a.export'], ['serve']]) {
      const { code, err } = await quire(folder, args, { QUIRE_DATABASE: 'mysql://quire:s3cret@db.test/quire' })
      expect([code, err]).toEqual([1, expect.stringContaining('No database is named by "mysql://quire@db.test/quire"')])
      expect(err).not.toContain('s3cret')
    }
    expect(await readdir(folder)).toEqual(['site.ts'])
  })

  test('a folder that is not there is named by backup and export', async () => {
    const folder = await newSite()
    expect(await quire(folder, ['migrate'])).toMatchObject({ code: 0 })
    for (const args of [
      ['backup', 'none/a'],
      ['export', 'none/a'],
    ]) {
      const { code, err } = await quire(folder, args)
      expect([code, err]).toEqual([1, expect.stringContaining("no such file or directory, open 'none/a.unfinished'\n")])
      expect(err).not.toContain('    at ')
    }
  })
})

describe.each(sampledDatabases('commands without tables'))('§10 on $name', (databases) => {
  let database: TestDatabase
  let folder = ''
  beforeAll(async () => {
    database = await databases.create()
    folder = await newSite()
    if (database.url.startsWith('postgres')) return
    const file = new DatabaseSync(databaseFile(database.url) ?? '')
    file.exec('create table others (text text)')
    file.close()
  })
  afterAll(() => database.drop())

  test.each(COMMANDS)('%s %s tells that there are no tables, and makes none', async (...args) => {
    const { code, err } = await quire(folder, args, { QUIRE_DATABASE: database.url })
    expect([code, err]).toEqual([1, expect.stringMatching(/^quire: This database has no tables of Quire/)])
    expect((await inspect(database.url)).tables.version).toBe(0)
    expect(await readdir(folder)).toEqual(['site.ts'])
  })
})
