import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Ended, quire } from '../../test/command.ts'
import { rowsOf } from '../../test/consistency.ts'
import { sampledDatabases, type TestDatabase, testDatabases } from '../../test/databases.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { inspect, replaceTables } from '../store/open-store.ts'
import { quietLog } from './command/json-log.ts'

const OLDER = 22

const DRY_RUNS: string[][] = [
  ['import', 'a.export', '--dry-run'],
  ['versions', 'prune', '--days', '3', '--dry-run'],
  ['migrate', '--dry-run'],
]

let folder = ''
const run = (args: readonly string[], url: string): Promise<Ended> => quire(folder, args, { QUIRE_DATABASE: url })

beforeAll(async () => {
  folder = await temporaryFolder('quire-dry')
  const index = JSON.stringify(join(import.meta.dirname, '../index.ts'))
  const site = (options: string) =>
    `import { defineSite, piece } from ${index}\nexport const site = defineSite(${options})\n`
  await writeFile(join(folder, 'site.ts'), site('{}'))
  await writeFile(
    join(folder, 'other.ts'),
    site(`{ types: [piece('note', { singleton: true, fields: { add: {} } })] }`),
  )
  expect(await run(['migrate'], 'other.db')).toMatchObject({ code: 0 })
  expect(await run(['export', 'a.export'], 'other.db')).toMatchObject({ code: 0 })
  return () => rm(folder, { recursive: true })
})

/** The address of a database until the end of the test. */
async function addressOf(made: Promise<TestDatabase>): Promise<string> {
  const { url, drop } = await made
  onTestFinished(drop)
  return url
}

const tablesOf = (url: string) =>
  inspect(url).then(
    ({ tables }) => tables.version,
    () => 0,
  )

describe.each(testDatabases)('§10.4 a dry run on $name', (databases) => {
  test('of an import tries it where there are no tables, and makes none', async () => {
    const url = await addressOf(databases.create())
    const tried = await run(['import', 'a.export', '--dry-run'], url)
    expect(tried).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Would import 0 documents, and change 0; [1-9]/),
    })
    expect(await tablesOf(url)).toBe(0)
  })
})

describe.each(sampledDatabases('dry runs'))('§10 on $name', (databases) => {
  test.each(DRY_RUNS)('%s %s refuses older tables, and leaves them as they are', async (...args) => {
    const url = await addressOf(databases.createReady())
    await replaceTables(url, { log: quietLog, version: OLDER }, async () => {})
    const { code, err } = await run(args, url)
    expect([code, err]).toEqual([1, expect.stringContaining(`The database is at version ${OLDER}`)])
    expect(err).toContain('run: quire migrate')
    expect(await tablesOf(url)).toBe(OLDER)
  })

  test.each(DRY_RUNS)('%s %s records nothing of a site that was never served', async (...args) => {
    const url = await addressOf(databases.createReady())
    expect(await run([...args, '--site', 'other.ts'], url)).toMatchObject({ code: 0 })
    const [documents, settings] = await rowsOf(url, ['select * from documents', 'select * from meta'])
    expect(documents).toEqual([])
    expect(settings).not.toContainEqual(expect.objectContaining({ name: expect.stringContaining('declarations') }))
  })
})
